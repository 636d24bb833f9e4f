// The fields of a task that people set: shown as a line, and edited in a form, for a new and for an existing task.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { day, time } from './format.js';

const kPriorities = ['most urgent', 'urgent', 'as usual', 'less urgent', 'least urgent'];

export const Tracker = ({ number, url }) => {
  if (!url) return number ? <span>{number}</span> : null;
  return <a href={url} target="_blank" rel="noopener noreferrer" title={url}>{number ?? 'in its tracker'}</a>;
};

const Due = ({ at }) => {
  const late = new Date(at) < Date.now();
  return <time class={late ? 'late' : ''} dateTime={at} title={time(at)}>{late ? 'was due' : 'due'} {day(at)}</time>;
};

// priority: the value that people set.
export const TaskFacts = ({ priority, task: { due_at: due, labels, assignees, number, url } }) => (
  <>
    {priority != null && <span class={`chip ${priority === 0 ? 'warn' : ''}`} title={kPriorities[priority]}>P{priority}</span>}
    {due && <Due at={due} />}
    {labels?.map((label) => <span class="chip" key={label}>{label}</span>)}
    {assignees?.length > 0 && <span><span class="hidden">assigned to </span>@{assignees.join(', @')}</span>}
    <Tracker number={number} url={url} />
  </>
);

// The value of <input type="datetime-local">: local time of the reader.
const local = (text) => {
  if (!text) return '';
  const at = new Date(text);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
};

const texts = (line) => line.split(',').map((one) => one.trim()).filter(Boolean);

// A form for a new or an existing task; save() gets its fields.
export const TaskForm = ({ task = {}, words, save, cancel }) => {
  const first = useRef();
  useLayoutEffect(() => first.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    const { name, labels, priority, due } = Object.fromEntries(new FormData(event.target));
    const dueAt = due === local(task.due_at) ? task.due_at : due && new Date(due).toISOString();
    // A label may contain a comma, so an unchanged text is not parsed again.
    const same = labels === (task.labels ?? []).join(', ');
    save({ name: name.trim(), labels: same ? task.labels ?? [] : texts(labels), priority: priority === '' ? undefined : Number(priority), due_at: dueAt || undefined });
  };
  const key = (event) => {
    if (event.key === 'Escape') cancel();
  };
  return (
    <form class="task-form filters" aria-label={words} onSubmit={submit} onKeyDown={key}>
      <label class="whole-line"><span>What is to be done</span><input name="name" required ref={first} defaultValue={task.name} autocomplete="off" /></label>
      <label class="grow"><span>Labels, with commas between</span><input name="labels" defaultValue={task.labels?.join(', ')} autocomplete="off" /></label>
      <label><span>Priority</span>
        <select name="priority">
          <option value="">none</option>
          {kPriorities.map((meaning, n) => <option key={n} value={n} selected={task.priority === n}>P{n}, {meaning}</option>)}
        </select>
      </label>
      <label class="due"><span>Due</span><input name="due" type="datetime-local" defaultValue={local(task.due_at)} /></label>
      <button class="primary">{words}</button>
      <button type="button" onClick={cancel}>Cancel</button>
    </form>
  );
};

// The request for `edit` that changes the one task into the other.
export const changesOf = (before, after) => {
  const without = (list = [], other = []) => list.filter((one) => !other.includes(one));
  const given = (task, field) => task[field] || (task[field] === 0 ? 0 : null);
  const request = { unset: [], labels: without(after.labels, before.labels), remove_labels: without(before.labels, after.labels) };
  if (after.name && after.name !== before.name) request.name = after.name;
  for (const field of ['priority', 'due_at', 'snoozed_until', 'pinned']) {
    const value = given(after, field);
    if (value === given(before, field)) continue;
    if (value === null) request.unset.push(field);
    else request[field] = value;
  }
  if (request.snoozed_until && after.because) request.because = after.because;
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value.length !== 0));
};
