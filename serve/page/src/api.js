// The operations, over HTTP. Repeated requests are answered from the browser's cache until an event is appended: the
// server's ETag is the ledger's position.

const kToken = 'hebb.token';
let token = sessionStorage.getItem(kToken) ?? '';
const waiting = new Set();  // called when a token is needed

export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ?? `the server answered ${status}`);
    this.status = status;
    this.type = body?.type ?? '';
  }
}

export const onUnauthorized = (call) => {
  waiting.add(call);
  return () => waiting.delete(call);
};

export const setToken = (text) => {
  token = text;
  sessionStorage.setItem(kToken, text);
};

export const headers = (more = {}) => (token ? { ...more, Authorization: `Bearer ${token}` } : more);

const withQuery = (path, query) => {
  const filled = Object.entries(query ?? {}).filter(([, value]) => value !== '' && value != null && value !== false);
  return filled.length ? `${path}?${new URLSearchParams(filled)}` : path;
};

const answerOf = async (response) => {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  if (response.status === 401) for (const call of waiting) call();
  throw new Problem(response.status, body);
};

export const address = (path, query) => withQuery(`/v1${path}`, query);

// These answers also depend on data beside the ledger or on the time, so they can change without an event.
const kBeside = new Set(['/stats', '/dead-letters', '/claims']);

export const get = async (path, query, signal) =>
  answerOf(await fetch(address(path, query), { headers: headers(), signal, cache: kBeside.has(path) ? 'no-store' : 'default' }));

export const send = async (method, path, body) => answerOf(await fetch(address(path), {
  method,
  headers: headers({ 'Content-Type': 'application/json' }),
  body: JSON.stringify(body),
}));

export const post = (path, body) => send('POST', path, body);
export const segment = encodeURIComponent;

export const uniqueId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
