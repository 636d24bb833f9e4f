// A list of any length: only the rows in view are in the document, and only their pages are loaded.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLive, useWork } from './live.js';

const kPage = 50, kOver = 8;  // rows of a request; rows beyond the edge of the window
const kOften = 150;  // milliseconds between two requests: fast scrolling skips pages

// The heights of rows: measured ones, and a typical height for the others.
class Heights {
  constructor(usual) {
    this.usual = usual;
    this.seen = new Map();  // by place
  }

  note(place, height) {
    if (Math.abs((this.seen.get(place) ?? this.usual) - height) < 0.5) return false;
    this.seen.set(place, height);
    this.sorted = null;
    return true;
  }

  before(place) {
    let height = place * this.usual;
    for (const [at, seen] of this.seen) if (at < place) height += seen - this.usual;
    return height;
  }

  placeAt(y) {
    this.sorted ??= [...this.seen].sort(([a], [b]) => a - b);
    let more = 0;
    for (const [place, height] of this.sorted) {
      const top = place * this.usual + more;
      if (y < top) break;
      if (y < top + height) return place;
      more += height - this.usual;
    }
    return Math.floor((y - more) / this.usual);
  }
}

const useWindow = (list, heights, length) => {
  const [range, set] = useState([0, 20]);
  const look = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    const first = Math.max(0, heights.placeAt(-top) - kOver);
    const last = Math.min(length, heights.placeAt(innerHeight - top) + 1 + kOver);
    set((before) => (before[0] === first && before[1] === last ? before : [first, last]));
  };
  useLayoutEffect(() => {
    let frame = 0;
    const now = () => {
      frame = 0;
      look();
    };
    const soon = () => { frame ||= requestAnimationFrame(now); };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [heights, length]);
  return [range, look];
};

const kEmpty = { rows: new Map(), end: null, error: null };

// The loaded pages, in a map by place. A page that is shorter than requested is the last.
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
  const { position, streams, minutes } = useLive();
  const [pages, set] = useState(kEmpty);
  const fresh = useRef({});
  const here = pages.key === key ? pages : kEmpty;
  const turn = `${key} ${position} ${streams} ${minutes}`;
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

// The rows in view are in the flow of the page, so that a browser keeps its place when rows above become higher.
export const VirtualList = ({ load, loadKey, total, rowHeight, row, label, empty, onRows }) => {
  const list = useRef();
  const heights = useMemo(() => new Heights(rowHeight), [rowHeight]);
  const [length, setLength] = useState(total ?? kPage);
  const [, seen] = useState(0);
  const [range, look] = useWindow(list, heights, length);
  const { rows, end, error } = usePages(load, loadKey, range);
  const known = rows.size ? Math.max(...rows.keys()) + 1 : 0;
  const next = end ?? Math.max(total ?? 0, known + (known ? kPage : 1));
  useEffect(() => setLength(next), [next]);
  const first = Math.min(range[0], next), last = Math.min(range[1], next);
  const shown = [];
  for (let place = first; place < last; ++place) shown.push([place, rows.get(place)]);
  useEffect(() => onRows?.(shown.map(([, item]) => item).filter(Boolean)), [rows, range[0], range[1]]);
  // The focus stays on its element when rows change their places. If its row is gone, the list gets the focus, not
  // another row: a key meant for one row must not act on another. j and k continue from the old position.
  const titles = () => [...list.current?.querySelectorAll('.title') ?? []];
  const focused = list.current?.contains(document.activeElement) ? document.activeElement : null;
  const at = focused && titles().findIndex((title) => focused.closest('.slot')?.contains(title));
  useLayoutEffect(() => {
    if (!focused || document.activeElement === focused) return;
    if (!focused.isConnected) list.current.dataset.at = at;
    (focused.isConnected ? focused : list.current).focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    let changed = false;
    for (const slot of list.current?.querySelectorAll('[data-place]') ?? [])
      changed = heights.note(Number(slot.dataset.place), slot.getBoundingClientRect().height) || changed;
    if (!changed) return;
    seen((n) => n + 1);
    look();
  });
  if (error && !rows.size) return <p class="notice">{error.message}</p>;
  if (end === 0) return empty;
  const above = heights.before(first);
  return (
    <div class="virtual" ref={list} role="list" aria-label={label} tabIndex={-1}>
      <div class="space" style={{ height: `${above}px` }} />
      {shown.map(([place, item]) => (item ? (
        <div key={item.id} role="listitem" aria-setsize={end ?? total ?? -1} aria-posinset={place + 1} class="slot" data-place={place}>
          {row(item, place)}
        </div>
      ) : <div key={`place ${place}`} class="slot" style={{ height: `${rowHeight}px` }}><div class="ghost" aria-hidden="true" /></div>))}
      <div class="space" style={{ height: `${heights.before(next) - heights.before(last)}px` }} />
    </div>
  );
};
