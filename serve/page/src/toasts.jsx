// Messages about the last actions, each with an undo.
import { useEffect, useState } from 'preact/hooks';
import { post, segment, uniqueId } from './api.js';

let tell = () => {};
let number = 0;

export const say = (text, undo) => tell({ id: ++number, text, undo });

export const Toasts = () => {
  const [list, set] = useState([]);
  useEffect(() => { tell = (toast) => set((before) => [...before.slice(-2), toast]); }, []);
  const drop = (id) => set((before) => before.filter((toast) => toast.id !== id));
  const undo = async (toast) => {
    drop(toast.id);
    try {
      await toast.undo();
      say('Undone.');
    } catch (problem) {
      say(`Not undone: ${problem.message}`);
    }
  };
  return (
    <div class="toasts" role="status">
      {list.map((toast) => (
        <div class="toast" key={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && <button onClick={() => undo(toast)}>Undo</button>}
          <button class="quiet" aria-label="Dismiss" onClick={() => drop(toast.id)}>×</button>
        </div>
      ))}
    </div>
  );
};

const kOutcomeWords = { success: 'succeeded', partial: 'is partly done', failure: 'failed' };

// An outcome by its own id, so that sending it twice counts once and it can be undone. With the token of a claim it
// counts as long as nobody else has the task by now.
export const report = (task, outcome, { because, token } = {}) => {
  const id = `page/${uniqueId()}`;
  const body = { outcome, outcome_id: id, ...(because && { because }), ...(token && { token }) };
  return attempt(() => post(`/tasks/${segment(task)}/outcome`, body), `${task} ${kOutcomeWords[outcome]}.`,
    () => post('/undo', { outcome_id: id }));
};

// undo: reverts this action; gets its result.
export const attempt = async (work, done, undo) => {
  try {
    const result = await work();
    say(done, undo && (() => undo(result)));
    return true;
  } catch (problem) {
    say(`Not done: ${problem.message}`);
    return false;
  }
};
