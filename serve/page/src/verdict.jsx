// The outcome of a task: done, or failed and why. The keys d and f activate the buttons that name them.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { report } from './toasts.jsx';

const kWords = { success: 'Done', partial: 'Partly', failure: 'Failed' };
const kSigns = { success: 'tick', failure: 'cross' };

const Because = ({ send, cancel }) => {
  const id = useId();
  const field = useRef();
  useLayoutEffect(() => field.current.focus(), []);  // at once: the next key is a letter
  const submit = (event) => {
    event.preventDefault();
    send(field.current.value.trim());
  };
  const key = (event) => {
    if (event.key === 'Escape') cancel();
  };
  return (
    <form class="because" onSubmit={submit} onKeyDown={key}>
      <label for={id}>Why did it fail?</label>
      <input id={id} ref={field} placeholder="May be left empty" autocomplete="off" />
      <button class="primary">Failed</button>
      <button type="button" onClick={cancel}>Cancel</button>
    </form>
  );
};

// The title of the row after an element's row, or before it if that is the last.
const neighbour = (element) => {
  const slot = element.closest('.slot');
  return [slot?.nextElementSibling, slot?.previousElementSibling].map((one) => one?.querySelector('.title')).find(Boolean);
};

// partly: also offer a partial success. children: more buttons.
export const Verdict = ({ id, token, partly, children }) => {
  const [asking, ask] = useState(false);
  const box = useRef(), failed = useRef(), after = useRef();
  // A task that is done leaves the list: keys then act on the next row. One that failed stays and keeps the focus, so
  // that the next key does not act on another task.
  useEffect(() => {
    if (asking) return;
    after.current?.();
    after.current = null;
  }, [asking]);
  const send = async (outcome, because) => {
    const next = outcome === 'success' && box.current.closest('.slot')?.contains(document.activeElement)
      ? neighbour(box.current) : null;
    if (!await report(id, outcome, { because, token })) return;
    if (asking) cancel();
    else next?.focus();
  };
  const cancel = () => {
    after.current = () => failed.current?.focus();
    ask(false);
  };
  const button = (outcome, more) => (
    <button {...more} aria-label={`${kWords[outcome]}: ${id}`}>
      {kSigns[outcome] && <span aria-hidden="true" class={kSigns[outcome]} />}{kWords[outcome]}
    </button>
  );
  return (
    <div class={`verdict ${asking ? 'asking' : ''}`} role="group" aria-label={`What became of ${id}`} ref={box}>
      {asking ? <Because send={(because) => send('failure', because)} cancel={cancel} /> : (
        <>
          {button('success', { onClick: () => send('success'), 'aria-keyshortcuts': 'd' })}
          {partly && button('partial', { onClick: () => send('partial') })}
          {button('failure', { onClick: () => ask(true), 'aria-keyshortcuts': 'f', ref: failed })}
          {children}
        </>
      )}
    </div>
  );
};
