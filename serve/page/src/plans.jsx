// What people say of a task beside its outcome: pinned, put off, due, more or less urgent.
import { segment, send } from './api.js';
import { time } from './format.js';
import { attempt } from './toasts.jsx';

const kPriorities = ['most urgent', 'urgent', 'as usual', 'less urgent', 'least urgent'];

// What <input type="datetime-local"> has: the reader's own clock.
const local = (text) => {
  if (!text) return '';
  const at = new Date(text);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
};

const tomorrow = () => {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at.toISOString();
};

// A field without a value is taken back.
const asRequest = (values) => {
  const request = { unset: [] };
  for (const [name, value] of Object.entries(values)) {
    if (value == null || value === false || value === '') request.unset.push(name);
    else request[name] = value;
  }
  return request;
};

export const Plans = ({ node, changed }) => {
  const put = (values) => send('PUT', `/nodes/${segment(node.id)}`, asRequest(values)).then(changed);
  const set = (name, value, done) => attempt(() => put({ [name]: value }), done, () => put({ [name]: node[name] }));
  const snoozed = node.snoozed_until && new Date(node.snoozed_until) > Date.now();
  return (
    <div class="plans" role="group" aria-label="Plans">
      <button aria-pressed={Boolean(node.pinned)} onClick={() => set('pinned', !node.pinned, node.pinned ? 'No longer pinned.' : 'Pinned.')}>Pin</button>
      {snoozed
        ? <button onClick={() => set('snoozed_until', null, 'Back again.')}>Wake; snoozed until {time(node.snoozed_until)}</button>
        : <button onClick={() => set('snoozed_until', tomorrow(), 'Put off until tomorrow.')}>Snooze until tomorrow</button>}
      <label for="priority"><span>Priority</span>
        <select id="priority" value={node.priority ?? ''}
          onChange={(event) => set('priority', event.target.value === '' ? null : Number(event.target.value), 'Priority set.')}>
          <option value="">none said</option>
          {kPriorities.map((words, n) => <option key={n} value={n}>{n}, {words}</option>)}
        </select>
      </label>
      <label for="due"><span>Due</span>
        <input id="due" type="datetime-local" value={local(node.due_at)}
          onChange={(event) => set('due_at', event.target.value ? new Date(event.target.value).toISOString() : null, 'Due date set.')} />
      </label>
    </div>
  );
};
