// The stateless era (2026-07-28), by a small client and server of our own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import test from 'node:test';
import { folder, here, recorded, rows, sameOnBothSides } from './support.mjs';

class Client {
  #next = 0;
  #open = new Map();

  constructor(command) {
    this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      this.#open.get(message.id)?.(message);
    });
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  start(method, params, version = '2026-07-28', extra = {}) {
    const id = `r${++this.#next}`;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'modern-client', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...extra,
    };
    const answer = new Promise((resolve) => this.#open.set(id, resolve));
    this.send({ id, method, params: { _meta, ...params } });
    return { id, answer };
  }

  call(name, args, more = {}, extra = {}) {
    return this.start('tools/call', { name, arguments: args, ...more }, undefined, extra).answer;
  }

  close() {
    const ended = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
    this.child.stdin.end();
    return ended;
  }
}

const scenario = async (command) => {
  const client = new Client(command);
  const seen = [];
  seen.push(await client.start('tools/call', { name: 'echo' }, '1900-01-01').answer);
  seen.push(await client.start('server/discover', {}).answer);
  seen.push(...await Promise.all(['a', 'b', 'c'].map((text) => client.call('later', { text }))));
  const asked = await client.call('book', { flight: 7 });
  seen.push(asked);
  seen.push(await client.call('book', { flight: 7 }, {
    inputResponses: { seat: { action: 'accept', content: { seat: '4A' } } },
    requestState: asked.result.requestState,
  }));
  seen.push(await client.call('fail', {}), await client.call('unknown', {}));
  seen.push(await client.call('echo', { text: 'x' }, {}, { 'hebb/turn': 'turn-9' }));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  seen.push(await client.call('echo', { text: 'y' }, {}, { traceparent }));
  const never = client.start('tools/call', { name: 'never', arguments: {} });
  client.send({ method: 'notifications/cancelled', params: { requestId: never.id } });
  seen.push(await client.call('echo', { text: 'z' }));
  client.start('tools/call', { name: 'never', arguments: { again: true } });
  seen.push(await client.close());
  return seen;
};

test('2026-07-28: the same answers, and every call a row', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'log.db');
  const command = [process.execPath, here('modern_server.mjs')];
  const direct = await scenario(command);
  assert.deepEqual(await scenario(recorded(dir, db, command, ['--agent-id', 'm', '--session', 's'])), direct);
  sameOnBothSides(dir);
  const calls = rows(db);
  assert.deepEqual(calls.map((call) => [call.tool, call.success, call.failure]), [
    ['echo', false, 'error -32022: Unsupported protocol version'],
    ['later', true, null], ['later', true, null], ['later', true, null],
    ['book', true, null],
    ['fail', false, 'tool_error'],
    ['unknown', false, 'error -32602: Unknown tool: unknown'],
    ['echo', true, null],
    ['echo', true, null],
    ['never', false, 'cancelled'],
    ['echo', true, null],
    ['never', false, 'client_closed'],
  ]);
  assert.ok(calls.slice(1).every((call) => call.app_name === 'modern-server'));
  assert.ok(calls.every((call) => call.agent_id === 'm' && call.session_id === 's'));
  assert.equal(new Set(calls.slice(1, 4).map((call) => call.sequence_id)).size, 1);
  assert.equal(calls[4].result.content[0].text, 'booked 4A');
  assert.equal(calls[7].sequence_id, 'm_turn-9');
  assert.equal(calls[8].sequence_id, 'm_0af7651916cd43dd8448eb211c80319c');
});
