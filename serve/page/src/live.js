// The present position of the ledger, from the stream of events.
import { useEffect, useRef, useState } from 'preact/hooks';
import { address, headers, Problem } from './api.js';

const kShortestWait = 500, kLongestWait = 10000;  // milliseconds
// id: of the last event; streams: their number so far; minutes: for which the page was seen, since time alone changes
// the order, too
const state = { status: 'starting', position: 0, id: '', streams: 0, minutes: 0 };
const listeners = new Set();

const change = (next) => {
  const changed = Object.keys(next).some((key) => state[key] !== next[key]);
  Object.assign(state, next);
  if (changed) for (const listener of listeners) listener({ ...state });
};

export const useLive = () => {
  const [now, set] = useState({ ...state });
  useEffect(() => {
    listeners.add(set);
    set({ ...state });
    return () => listeners.delete(set);
  }, []);
  return now;
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The last id of an event of the stream, which begins with its position; an incomplete line waits for the next piece.
export const readStream = (text) => {
  const end = text.lastIndexOf('\n\n');
  if (end < 0) return { rest: text };
  const ids = [...text.slice(0, end + 1).matchAll(/^id: ?(\d+\S*)$/gm)];
  return { rest: text.slice(end + 2), id: ids.at(-1)?.[1] };
};

const until = (there) => new Promise((resolve) => {
  const look = () => {
    if (!there()) return;
    document.removeEventListener('visibilitychange', look);
    resolve();
  };
  document.addEventListener('visibilitychange', look);
  look();
});

// A browser has few connections to one server: a tab that nobody sees must not hold one.
const follow = async () => {
  const controller = new AbortController();
  const last = state.id ? { 'Last-Event-ID': state.id } : {};
  const response = await fetch(address('/events', { top: '0' }),
    { headers: headers(last), cache: 'no-store', signal: controller.signal });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => null));
  change({ status: 'live', streams: state.streams + 1 });
  until(() => document.hidden).then(() => controller.abort());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const { rest, id } = readStream(text + value);
    text = rest;
    if (id) change({ id, position: parseInt(id, 10) });
  }
};

export const start = async () => {
  setInterval(() => !document.hidden && change({ minutes: state.minutes + 1 }), 60000);
  let wait = kShortestWait;
  for (;;) {
    await until(() => !document.hidden);
    try {
      await follow();
      wait = kShortestWait;
    } catch (problem) {
      if (document.hidden) continue;
      // Another ledger than before: the next stream makes all loaders load again.
      if (problem.status === 400) change({ id: '', position: 0 });
    }
    change({ status: 'lost' });
    await pause(wait);
    wait = Math.min(wait * 2, kLongestWait);
  }
};

// Work that is requested repeatedly: one run at a time, not more often than `every` milliseconds, and further requests
// do not interrupt a run. A signal aborts `work` when the key changes or nobody wants it any more.
export const useWork = (key, work, every) => {
  const latest = useRef();
  latest.current = work;
  const ask = useRef();
  useEffect(() => {
    const controller = new AbortController();
    let running = false, again = false, last = -Infinity, timer;
    const run = async () => {
      timer = undefined;
      running = true;
      again = false;
      last = Date.now();
      await latest.current(controller.signal);
      running = false;
      if (again && !controller.signal.aborted) plan();
    };
    const plan = () => {
      if (running) again = true;
      else timer ??= setTimeout(run, Math.max(0, last + every - Date.now()));
    };
    ask.current = plan;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return () => ask.current();
};

// The result of a loader, loaded again whenever the ledger has grown, and each minute. The old result stays until the
// new one arrives.
export const useData = (load, keys, { live = true, every = 300 } = {}) => {
  const { position, streams, minutes } = useLive();
  const [result, set] = useState({});
  const key = JSON.stringify(keys);
  const ask = useWork(key, async (signal) => {
    try {
      const data = await load(signal);
      if (!signal.aborted) set({ key, data });
    } catch (error) {
      if (!signal.aborted) set((before) => ({ ...(before.key === key ? before : {}), key, error }));
    }
  }, every);
  // Also when a stream begins, so that no event between the last answer and the stream is missed.
  const turn = live ? `${position} ${streams} ${minutes}` : '';
  useEffect(() => ask(), [key, turn]);
  return result.key === key ? result : {};
};
