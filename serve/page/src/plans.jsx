// What people say of a task beside its outcome: pinned, put off, due, more or less important. Shown as far as this
// server has these fields.
import { useEffect, useState } from 'preact/hooks';
import { operations, segment, send } from './api.js';
import { time } from './format.js';
import { attempt } from './toasts.jsx';

const fieldsOf = (description) =>
  description.paths['/v1/nodes/{id}']?.put?.requestBody?.content['application/json'].schema.properties ?? {};

export const usePlanFields = () => {
  const [fields, set] = useState({});
  useEffect(() => { operations().then((all) => set(fieldsOf(all)), () => {}); }, []);
  return fields;
};

// What <input type="datetime-local"> has: the reader's own clock.
const local = (text) => {
  if (!text) return '';
  const at = new Date(text);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
};

export const Plans = ({ node, changed }) => {
  const fields = usePlanFields();
  const set = async (change, done) => {
    const before = Object.fromEntries(Object.keys(change).map((name) => [name, node[name] ?? null]));
    const put = (values) => send('PUT', `/nodes/${segment(node.id)}`, values).then(changed);
    await attempt(() => put(change), done, () => put(before));
  };
  const tomorrow = () => {
    const at = new Date();
    at.setDate(at.getDate() + 1);
    at.setHours(8, 0, 0, 0);
    return at.toISOString();
  };
  const snoozed = node.snoozed_until && new Date(node.snoozed_until) > Date.now();
  const any = ['pinned', 'snoozed_until', 'priority', 'due_at'].some((name) => name in fields);
  if (!any) return null;
  return (
    <div class="plans" role="group" aria-label="Plans">
      {'pinned' in fields && (
        <button aria-pressed={Boolean(node.pinned)} onClick={() => set({ pinned: !node.pinned }, node.pinned ? 'No longer pinned.' : 'Pinned.')}>
          {node.pinned ? 'Pinned' : 'Pin'}
        </button>
      )}
      {'snoozed_until' in fields && (snoozed
        ? <button onClick={() => set({ snoozed_until: null }, 'Back again.')}>Snoozed until {time(node.snoozed_until)}: wake</button>
        : <button onClick={() => set({ snoozed_until: tomorrow() }, 'Put off until tomorrow.')}>Snooze until tomorrow</button>)}
      {'priority' in fields && (
        <label for="priority"><span>Priority</span>
          <input id="priority" type="number" step="any" value={node.priority ?? ''}
            onChange={(event) => set({ priority: event.target.value === '' ? null : Number(event.target.value) }, 'Priority set.')} />
        </label>
      )}
      {'due_at' in fields && (
        <label for="due"><span>Due</span>
          <input id="due" type="datetime-local" value={local(node.due_at)}
            onChange={(event) => set({ due_at: event.target.value ? new Date(event.target.value).toISOString() : null }, 'Due date set.')} />
        </label>
      )}
    </div>
  );
};
