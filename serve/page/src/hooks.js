// Hooks that several views use.
import { useEffect, useState } from 'preact/hooks';

export const useTitle = (title) => {
  useEffect(() => { document.title = `${title} · hebb`; }, [title]);
};

export const useWide = (pixels) => {
  const query = `(min-width: ${pixels}px)`;
  const [wide, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => set(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, [query]);
  return wide;
};
