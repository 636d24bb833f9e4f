// What the ledger has grown to, as it happens: from the stream of events, and where there is none, by asking.
import { useEffect, useState } from 'preact/hooks';
import { address, get, headers, Problem } from './api.js';

const kAsk = 3000, kLongestWait = 15000;  // milliseconds
const state = { status: 'starting', position: 0 };
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

const follow = async () => {
  const last = state.position ? { 'Last-Event-ID': String(state.position) } : {};
  const response = await fetch(address('/events', { top: '0' }), { headers: headers(last), cache: 'no-store' });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => null));
  change({ status: 'live' });
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

const ask = async () => {
  for (;;) {
    const { events } = await get('/ledger', { limit: 1 });
    change({ status: 'live', position: events[0]?.event ?? 0 });
    await pause(kAsk);
  }
};

export const start = async () => {
  let streams = true;
  let wait = 500;
  for (;;) {
    try {
      await (streams ? follow() : ask());
      wait = 500;
    } catch (problem) {
      if (problem.status === 404 || problem.status === 405) {
        streams = false;
        continue;
      }
    }
    change({ status: 'lost' });
    await pause(wait);
    wait = Math.min(wait * 2, kLongestWait);
  }
};

// What a loader gives, again whenever the ledger has grown. What was there stays until something newer is.
export const useData = (load, keys, { live = true, every = 300 } = {}) => {
  const { position } = useLive();
  const [result, set] = useState({});
  const key = JSON.stringify(keys);
  const turn = live ? position : 0;
  useEffect(() => {
    const controller = new AbortController();
    // Many events come together: one request for all of them.
    const timer = setTimeout(async () => {
      try {
        const data = await load(controller.signal);
        if (!controller.signal.aborted) set({ key, data });
      } catch (error) {
        if (!controller.signal.aborted) set((before) => ({ ...(before.key === key ? before : {}), key, error }));
      }
    }, result.key === key ? every : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, turn]);
  return result.key === key ? result : {};
};
