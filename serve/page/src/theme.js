// Dark and light: as in the system's settings, until the reader chooses.
import { useEffect, useState } from 'preact/hooks';

const kKey = 'hebb.theme';
const kOrder = ['system', 'light', 'dark'];
const listeners = new Set();

const apply = (theme) => {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
};
const stored = () => (kOrder.includes(localStorage.getItem(kKey)) ? localStorage.getItem(kKey) : 'system');

apply(stored());
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const listener of listeners) listener();
});

export const useTheme = () => {
  const [theme, set] = useState(stored);
  const next = () => {
    const after = kOrder[(kOrder.indexOf(theme) + 1) % kOrder.length];
    localStorage.setItem(kKey, after);
    apply(after);
    set(after);
  };
  return [theme, next];
};

// A number that changes with the colours: for charts, which are drawn rather than styled.
export const useColours = () => {
  const [turn, set] = useState(0);
  useEffect(() => {
    const listener = () => set((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return turn;
};

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
