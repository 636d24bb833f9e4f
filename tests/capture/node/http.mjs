// The official SDK's streamable HTTP server: what a client sees of it directly, over HTTP, and what it
// sees over stdio with the recorder between them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { folder, HEBB, rows } from './support.mjs';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

const mcpServer = () => {
  const server = new McpServer({ name: 'http-server', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async (args) => text(args.text));
  server.registerTool('fail', { inputSchema: {} }, async () => ({ ...text('no'), isError: true }));
  server.registerTool('steps', { inputSchema: {} }, async (_, extra) => {
    for (let i = 1; i <= 3; ++i) {
      await extra.sendNotification({
        method: 'notifications/progress', params: { progressToken: extra._meta.progressToken, progress: i } });
    }
    return text('done');
  });
  server.registerTool('ask', { inputSchema: {} }, async () => {
    const answer = await server.server.elicitInput({
      message: 'Which seat?', requestedSchema: { type: 'object', properties: { seat: { type: 'string' } } } });
    return text(JSON.stringify(answer.content));
  });
  // The connection is closed before the answer: a client goes on with Last-Event-ID.
  server.registerTool('cut', { inputSchema: {} }, async (_, extra) => {
    extra.closeSSEStream();
    return text('after the cut');
  });
  server.registerTool('later', { inputSchema: {} }, async () => {
    await server.server.sendToolListChanged();
    return text('changed');
  });
  server.registerTool('never', { inputSchema: {} }, (_, extra) =>
    new Promise((resolve) => extra.signal.addEventListener('abort', () => resolve(text('too late')))));
  return server;
};

// The SDK's own example orders the events of one millisecond by chance, and then an answer is not replayed.
class EventStore {
  events = [];
  async storeEvent(streamId, message) { return `${this.events.push({ streamId, message })}`; }
  async getStreamIdForEventId(id) { return this.events[id - 1]?.streamId; }
  async replayEventsAfter(id, { send }) {
    const { streamId } = this.events[id - 1];
    for (let next = Number(id); next < this.events.length; ++next) {
      const { streamId: of, message } = this.events[next];
      // A priming event is stored as a message without a method.
      if (of === streamId && (message.method || message.id !== undefined)) await send(`${next + 1}`, message);
    }
    return streamId;
  }
}

// Listens on a port of its own; every session has a server of its own.
const listen = async (t, options) => {
  const sessions = new Map();
  const closed = [];
  const events = new EventEmitter();
  const answer = async (req, res) => {
    events.emit(req.method);
    if (options.token && req.headers.authorization !== `Bearer ${options.token}`) {
      return res.writeHead(401).end('no token');
    }
    let transport = sessions.get(req.headers['mcp-session-id']);
    if (!transport && req.headers['mcp-session-id']) return res.writeHead(404).end();
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID, retryInterval: 10,
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => { sessions.delete(id); closed.push(id); },
        ...options.transport,
      });
      await mcpServer().connect(transport);
    }
    await transport.handleRequest(req, res);
  };
  const server = options.tls ? https.createServer(options.tls, answer) : http.createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => { server.close(); server.closeAllConnections(); };
  t.after(stop);
  const origin = options.tls ? 'https://localhost' : 'http://127.0.0.1';
  return { url: `${origin}:${server.address().port}/mcp`, sessions, closed, events, stop };
};

const scenario = async (transport, { cuts }) => {
  const client = new Client({ name: 'hebb-test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { seat: '12A' } }));
  await client.connect(transport);
  const seen = { server: client.getServerVersion(), tools: (await client.listTools()).tools };
  const call = (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
  seen.echo = await call('echo', { text: 'grüße \u2028 😀\nzwei' });
  seen.parallel = await Promise.all(Array.from({ length: 20 }, (_, i) => call('echo', { text: `${i}` })));
  seen.fail = await call('fail');
  seen.wrong = await call('echo', { text: 7 });
  // As the transport has it: the client forgets who waits for progress as soon as it reads the answer.
  seen.progress = [];
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/progress') seen.progress.push(message.params.progress);
    take(message, extra);
  };
  seen.steps = await call('steps', {}, { onprogress: () => {} });
  if (cuts) {
    seen.ask = await call('ask');
    seen.cut = await call('cut');
    seen.later = await call('later');
  }
  seen.large = (await call('echo', { text: 'x'.repeat(3 << 20) })).content[0].text.length;
  const controller = new AbortController();
  const never = call('never', {}, { signal: controller.signal }).catch((error) => error.message);
  await client.ping();
  controller.abort('enough');
  seen.never = await never;
  await client.close();
  return seen;
};

const recorder = (dir, url, options = []) => new StdioClientTransport({
  command: HEBB, args: ['--db', path.join(dir, 'log.db'), 'record', ...options, '--', url], stderr: 'pipe' });

const same = async (t, transport, cuts) => {
  const dir = folder(t);
  const server = await listen(t, { transport });
  const direct = await scenario(new StreamableHTTPClientTransport(new URL(server.url)), { cuts });
  const before = server.closed.length;
  const through = await scenario(recorder(dir, server.url), { cuts });
  assert.deepEqual(through, direct);
  assert.equal(server.closed.length, before + 1, 'the session was ended with DELETE');
  const calls = rows(path.join(dir, 'log.db'));
  assert.equal(calls.length, cuts ? 29 : 26);
  assert.ok(calls.every((call) => call.app_name === 'http-server'));
  assert.equal(calls.filter((call) => call.failure === 'tool_error').length, 2);
  assert.match(calls.find((call) => call.tool === 'never').failure, /^cancelled/);
};

test('answers as events, with resumption: the same over stdio', (t) =>
  same(t, { eventStore: new EventStore() }, true));

test('answers as JSON: the same over stdio', (t) => same(t, { enableJsonResponse: true }, false));

test('credentials come from a header, and without them the client is told', async (t) => {
  const dir = folder(t);
  const { url } = await listen(t, { token: 'k' });
  const client = () => new Client({ name: 'hebb-test', version: '1.0.0' });
  await assert.rejects(client().connect(recorder(dir, url)), /HTTP 401 Unauthorized.*--header.*no token/);
  const allowed = client();
  await allowed.connect(recorder(dir, url, ['--header', 'Authorization: Bearer k']));
  assert.deepEqual((await allowed.callTool({ name: 'echo', arguments: { text: 'a' } })).content, text('a').content);
  await allowed.close();
});

test('a session that the server forgot is an error to the client', async (t) => {
  const dir = folder(t);
  const server = await listen(t, {});
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  t.after(() => client.close());
  const listening = once(server.events, 'GET');
  await client.connect(recorder(dir, server.url));
  await listening;  // else the stream may be the first to hear of it
  server.sessions.clear();
  await assert.rejects(client.callTool({ name: 'echo', arguments: { text: 'a' } }), /HTTP 404/);
  await assert.rejects(client.callTool({ name: 'echo', arguments: { text: 'a' } }), /initialize/);
});

// A client whose bytes the test decides.
const raw = async (t, dir, url, env = {}) => {
  const child = spawn(HEBB, ['--db', path.join(dir, 'log.db'), 'record', '--', url],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const hear = async () => JSON.parse((await lines.next()).value);
  const call = (id, name, args = {}) => say({ id, method: 'tools/call', params: { name, arguments: args } });
  const end = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  say({ id: 0, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } } });
  const first = await hear();
  say({ method: 'notifications/initialized' });
  return { child, first, hear, call, end };
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) {
  test(`${signal} ends the session, and hebb by it`, async (t) => {
    const dir = folder(t);
    const server = await listen(t, {});
    const client = await raw(t, dir, server.url);
    client.call(1, 'never');
    client.call(2, 'echo', { text: 'a' });
    assert.equal((await client.hear()).id, 2);
    client.child.kill(signal);
    assert.deepEqual(await client.end, { code: null, signal });
    assert.equal(server.closed.length, 1);
    const calls = rows(path.join(dir, 'log.db'));
    assert.deepEqual(calls.map((call) => [call.tool, call.failure ?? null]).sort(),
      [['echo', null], ['never', 'client_closed']]);
  });
}

test('SIGPIPE is nothing, and a client that reads no more ends it', async (t) => {
  const server = await listen(t, {});
  const client = await raw(t, folder(t), server.url);
  client.child.kill('SIGPIPE');
  client.call(1, 'echo', { text: 'a' });
  assert.equal((await client.hear()).id, 1);
  client.child.stdout.destroy();
  assert.deepEqual(await client.end, { code: 0, signal: null });
  assert.equal(server.closed.length, 1);
});

test('a server that dies in the middle of a call is an error to the client', async (t) => {
  const dir = folder(t);
  const server = await listen(t, {});
  const client = await raw(t, dir, server.url);
  client.call(1, 'never');
  client.call(2, 'echo', { text: 'a' });
  assert.equal((await client.hear()).id, 2);
  server.stop();
  const broken = await client.hear();
  assert.equal(broken.id, 1);
  assert.match(broken.error.message, /broke off/);
  client.call(3, 'echo', { text: 'a' });
  assert.match((await client.hear()).error.message, /cannot be reached/);
  client.child.stdin.end();
  assert.deepEqual(await client.end, { code: 0, signal: null });
  assert.equal(rows(path.join(dir, 'log.db')).filter((call) => call.failure).length, 2);
});

test('https: a certificate that the system knows, and one that it does not', async (t) => {
  const dir = folder(t);
  const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert,
    '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], { encoding: 'utf8' });
  if (made.error?.code === 'ENOENT') return t.skip('openssl is not installed');
  assert.equal(made.status, 0, made.stderr);
  const server = await listen(t, { tls: { key: readFileSync(key), cert: readFileSync(cert) } });
  const client = await raw(t, dir, server.url, { SSL_CERT_FILE: cert });
  client.call(1, 'echo', { text: 'a' });
  assert.deepEqual((await client.hear()).result.content, text('a').content);
  const stranger = await raw(t, dir, server.url, { SSL_CERT_FILE: '/dev/null' });
  assert.match(stranger.first.error.message, /is not trusted \(its certificate: self-signed certificate\)/);
});
