// How a task came out: done, or failed and why. The keys d and f do what the buttons do that name them.
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

// The title of the row after that of an element, or before it, where that is the last.
const neighbour = (element) => {
  const slot = element.closest('.slot');
  return [slot?.nextElementSibling, slot?.previousElementSibling].map((one) => one?.querySelector('.title')).find(Boolean);
};

// partly: as one of the outcomes too. children: more buttons.
export const Verdict = ({ id, token, partly, children }) => {
  const [asking, ask] = useState(false);
  const box = useRef(), failed = useRef(), after = useRef();
  useEffect(() => {
    if (asking) return;
    after.current?.();
    after.current = null;
  }, [asking]);
  const send = async (outcome, because) => {
    // Whoever works with keys goes on at the next row where the task leaves the list; else it keeps the focus.
    const row = box.current.closest('.slot') ?? box.current;
    const next = outcome === 'success' && row.contains(document.activeElement) ? neighbour(box.current) : null;
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
