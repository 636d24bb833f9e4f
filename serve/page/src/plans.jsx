// The fields of a task that people set besides its outcome: pinned, snoozed, and those of its form.
import { useRef, useState } from 'preact/hooks';
import { post, segment, send } from './api.js';
import { time } from './format.js';
import { changesOf, TaskForm } from './task.jsx';
import { attempt } from './toasts.jsx';

const tomorrow = () => {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at.toISOString();
};

// A button that opens a form in its place, and gets the focus again when the form is closed.
const useForm = () => {
  const [open, set] = useState(false);
  const button = useRef();
  const close = () => {
    set(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  return { open, close, button: { ref: button, onClick: () => set(!open), 'aria-expanded': open } };
};

export const Plans = ({ task }) => {
  const form = useForm();
  const put = async (from, to) => {
    const changes = changesOf(from, to);
    if (Object.keys(changes).length > 0) await post(`/tasks/${segment(task.id)}`, changes);
  };
  const change = (fields, done) => {
    const after = { ...task, ...fields };
    return attempt(() => put(task, after), done, () => put(after, task));
  };
  const save = async (fields) => {
    if (await change(fields, 'Saved.')) form.close();
  };
  const snoozed = task.snoozed_until && new Date(task.snoozed_until) > Date.now();
  return (
    <>
      <div class="actions" role="group" aria-label="Plans">
        <button {...form.button}>Edit</button>
        <button aria-pressed={Boolean(task.pinned)} onClick={() => change({ pinned: !task.pinned }, task.pinned ? 'No longer pinned.' : 'Pinned.')}>Pin</button>
        {snoozed
          ? <button onClick={() => change({ snoozed_until: null }, 'Back again.')}>Wake; snoozed until {time(task.snoozed_until)}{task.because && `: ${task.because}`}</button>
          : <button onClick={() => change({ snoozed_until: tomorrow() }, 'Put off until tomorrow.')}>Snooze until tomorrow</button>}
      </div>
      {form.open && <TaskForm task={task} words="Save" save={save} cancel={form.close} />}
    </>
  );
};

export const AddTask = () => {
  const form = useForm();
  const save = async (fields) => {
    let id;
    const add = async () => { id = (await post('/tasks', changesOf({}, fields))).task.id; };
    if (await attempt(add, `Added: ${fields.name}.`, () => send('DELETE', `/nodes/${segment(id)}`))) form.close();
  };
  return (
    <>
      <button {...form.button}>Add a task</button>
      {form.open && <TaskForm words="Add" save={save} cancel={form.close} />}
    </>
  );
};
