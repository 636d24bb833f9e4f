// What the ledger has grown to, as it happens: from the stream of events.
import { useEffect, useRef, useState } from 'preact/hooks';
import { address, headers, Problem } from './api.js';

const kShortestWait = 500, kLongestWait = 10000;  // milliseconds
const state = { status: 'starting', position: 0, streams: 0 };  // streams: how many there have been
const listeners = new Set();

const change = (next) => {
  const changed = Object.keys(next).some((key) => state[key] !== next[key]);
  Object.assign(state, next);
  if (changed) for (const told of listeners) told({ ...state });
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

// The last position that an event of the stream names; what is cut off is kept for the next piece.
export const readStream = (text) => {
  const end = text.lastIndexOf('\n\n');
  if (end < 0) return { rest: text };
  const ids = [...text.slice(0, end + 1).matchAll(/^id: ?(\d+)$/gm)];
  const position = ids.length ? Number(ids[ids.length - 1][1]) : undefined;
  return { rest: text.slice(end + 2), position };
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
  const last = state.position ? { 'Last-Event-ID': String(state.position) } : {};
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
    const { rest, position } = readStream(text + value);
    text = rest;
    if (position) change({ position });
  }
};

export const start = async () => {
  let wait = kShortestWait;
  for (;;) {
    await until(() => !document.hidden);
    try {
      await follow();
      wait = kShortestWait;
    } catch (problem) {
      if (document.hidden) continue;
      // Another database than before is shorter than what was seen.
      if (problem.status === 400) change({ position: 0 });
    }
    change({ status: 'lost' });
    await pause(wait);
    wait = Math.min(wait * 2, kLongestWait);
  }
};

// Work that is asked for again and again: one at a time, not more often than `every` milliseconds, and however often it
// is asked for, it comes to its end. `work` is told by a signal when the key changes or nobody wants it any more.
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

// What a loader gives, again whenever the ledger has grown. What was there stays until something newer is.
export const useData = (load, keys, { live = true, every = 300 } = {}) => {
  const { position, streams } = useLive();
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
  // Also when a stream begins: nothing is to be missed between an answer and that.
  const turn = live ? `${position} ${streams}` : '';
  useEffect(() => ask(), [key, turn]);
  return result.key === key ? result : {};
};
