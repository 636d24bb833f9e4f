// Keys of one letter: they move through the rows and act on one. They can be switched off.
import { useEffect, useRef, useState } from 'preact/hooks';

const kStored = 'hebb.keys';
const kKeys = [['j', 'The next task'], ['k', 'The one before'], ['Enter', 'Open it'], ['d', 'Done'], ['f', 'Failed: asks why'], ['?', 'This list']];

const step = (by) => {
  const titles = [...document.querySelectorAll('.slot .title')];
  const here = document.activeElement.closest('.slot');
  const at = titles.findIndex((title) => here?.contains(title));
  const gone = Number(document.activeElement.dataset.at ?? NaN);  // the position of the row that had the focus
  const below = document.querySelector('.top').getBoundingClientRect().bottom;
  const next = at >= 0 ? titles[at + by]
    : gone >= 0 ? titles[Math.min(by > 0 ? gone : gone - 1, titles.length - 1)]
      : titles.find((title) => title.getBoundingClientRect().top >= below);
  next?.focus();
};

// Activates the control that names the key: of the row with the focus, or of the task that is shown.
const act = (key) => {
  const place = document.activeElement.closest('.slot') ?? document.querySelector('.outcome');
  place?.querySelector(`[aria-keyshortcuts="${key}"]`)?.click();
};

export const Keys = () => {
  const [on, set] = useState(localStorage.getItem(kStored) !== 'off');
  const dialog = useRef();
  useEffect(() => {
    const pressed = (event) => {
      if (!on || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target.closest?.('input, select, textarea, dialog, [contenteditable]')) return;
      if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else if (event.key === 'd' || event.key === 'f') !event.repeat && act(event.key);
      else if (event.key === '?') dialog.current.showModal();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [on]);
  const change = (event) => {
    set(event.target.checked);
    localStorage.setItem(kStored, event.target.checked ? 'on' : 'off');
  };
  return (
    <>
      <button class="quiet" aria-label="Keys" title="Keys" aria-haspopup="dialog" onClick={() => dialog.current.showModal()}>?</button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl>{kKeys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
        <label class="check"><input type="checkbox" checked={on} onChange={change} /><span>Use keys of one letter</span></label>
        <button class="primary" onClick={() => dialog.current.close()}>Close</button>
      </dialog>
    </>
  );
};
