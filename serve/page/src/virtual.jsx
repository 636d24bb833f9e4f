// A list of any length: only the rows in view are in the document, and only their pages are asked for.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLive, useWork } from './live.js';

const kPage = 50, kOver = 8;  // rows of a request; rows beyond the edge of the window
const kOften = 150;  // milliseconds between two requests: who scrolls fast passes what is in between

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

const kEmpty = { rows: new Map(), end: null, error: null };

// The pages that have come, in a map by place. A page that is shorter than asked for is the last.
const withPage = (before, key, page, items) => {
  const known = before.key === key ? before : kEmpty;
  const rows = new Map(known.rows);
  items.forEach((item, i) => rows.set(page * kPage + i, item));
  const ends = page * kPage + items.length;
  let end = known.end;
  if (items.length < kPage) {
    end = ends;
    for (const place of rows.keys()) if (place >= ends) rows.delete(place);
  } else if (end != null && end < ends) {
    end = null;
  }
  return { key, rows, end, error: null };
};

// Rows by place, page by page: load(offset, limit, signal) gives an array, shorter than `limit` at the end.
const usePages = (load, key, [first, last]) => {
  const { position, streams } = useLive();
  const [pages, set] = useState(kEmpty);
  const fresh = useRef({});
  const here = pages.key === key ? pages : kEmpty;
  const turn = `${key} ${position} ${streams}`;
  const from = Math.floor(first / kPage), to = Math.floor(Math.max(first, last - 1) / kPage);
  const ask = useWork(key, async (signal) => {
    if (fresh.current.turn !== turn) fresh.current = { turn, pages: new Set() };
    const loaded = fresh.current.pages;
    const take = async (page) => {
      try {
        const items = await load(page * kPage, kPage, signal);
        if (signal.aborted) return;
        loaded.add(page);
        set((before) => withPage(before, key, page, items));
      } catch (error) {
        if (!signal.aborted) set((before) => ({ ...(before.key === key ? before : kEmpty), key, error }));
      }
    };
    const wanted = [];
    for (let page = from; page <= to; ++page) if (!loaded.has(page)) wanted.push(take(page));
    await Promise.all(wanted);
  }, kOften);
  useEffect(() => ask(), [turn, from, to]);
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
