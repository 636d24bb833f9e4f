// A list of any length: only the rows in view are in the document, and only their pages are asked for.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLive } from './live.js';

const kPage = 50, kOver = 8;  // rows of a request; rows beyond the edge of the window

const useWindow = (list, rowHeight, length) => {
  const [range, set] = useState([0, 20]);
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / rowHeight) - kOver);
      const last = Math.min(length, Math.ceil((innerHeight - top) / rowHeight) + kOver);
      set((before) => (before[0] === first && before[1] === last ? before : [first, last]));
    };
    const soon = () => { frame ||= requestAnimationFrame(look); };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [rowHeight, length]);
  return range;
};

// Rows by place, page by page: load(offset, limit, signal) gives an array, shorter than `limit` at the end.
const usePages = (load, key, [first, last]) => {
  const { position, status } = useLive();
  const [pages, set] = useState({ key, rows: new Map(), end: null, error: null });
  const fresh = useRef({ key: null, loaded: new Set() });
  const here = pages.key === key ? pages : { rows: new Map(), end: null, error: null };
  const turn = `${key} ${position} ${status}`;
  const from = Math.floor(first / kPage), to = Math.floor(Math.max(first, last - 1) / kPage);
  useEffect(() => {
    if (status === 'lost' && here.rows.size) return undefined;
    if (fresh.current.key !== turn) fresh.current = { key: turn, loaded: new Set() };
    const { loaded } = fresh.current;
    const controller = new AbortController();
    const take = async (page) => {
      loaded.add(page);
      try {
        const rows = await load(page * kPage, kPage, controller.signal);
        set((before) => {
          const next = before.key === key ? new Map(before.rows) : new Map();
          rows.forEach((row, i) => next.set(page * kPage + i, row));
          let end = before.key === key ? before.end : null;
          const ends = page * kPage + rows.length;
          if (rows.length < kPage) {
            end = ends;
            for (const place of next.keys()) if (place >= ends) next.delete(place);
          } else if (end != null && end < ends) {
            end = null;
          }
          return { key, rows: next, end, error: null };
        });
      } catch (error) {
        loaded.delete(page);
        if (!controller.signal.aborted) set((before) => ({ ...before, key, error }));
      }
    };
    // Where the reader scrolls fast, the pages in between are left out.
    const timer = setTimeout(() => {
      for (let page = from; page <= to; ++page) if (!loaded.has(page)) take(page);
    }, here.rows.size ? 80 : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [turn, from, to]);
  return here;
};

export const VirtualList = ({ load, loadKey, total, rowHeight, row, label, empty, onRows }) => {
  const list = useRef();
  const [length, setLength] = useState(total ?? kPage);
  const range = useWindow(list, rowHeight, length);
  const { rows, end, error } = usePages(load, loadKey, range);
  const known = rows.size ? Math.max(...rows.keys()) + 1 : 0;
  const next = end ?? Math.max(total ?? 0, known + (known ? kPage : 1));
  useEffect(() => setLength(next), [next]);
  const shown = [];
  for (let place = range[0]; place < Math.min(range[1], next); ++place) shown.push([place, rows.get(place)]);
  useEffect(() => onRows?.(shown.map(([, item]) => item).filter(Boolean)), [rows, range[0], range[1]]);
  if (error && !rows.size) return <p class="notice">{error.message}</p>;
  if (end === 0) return empty;
  return (
    <div class="virtual" ref={list} role="list" aria-label={label} style={{ height: `${next * rowHeight}px` }}>
      {shown.map(([place, item]) => (
        <div key={item?.id ?? `place ${place}`} role="listitem" aria-setsize={end ?? total ?? -1} aria-posinset={place + 1}
          class="slot" style={{ transform: `translateY(${place * rowHeight}px)`, height: `${rowHeight}px` }}>
          {item ? row(item, place) : <div class="ghost" aria-hidden="true" />}
        </div>
      ))}
    </div>
  );
};
