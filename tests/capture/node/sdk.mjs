// The official SDK's client and the official servers, with the recorder between them and without it.
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { folder, here, hebb, recorded, rows, sameOnBothSides } from './support.mjs';

const server = (name) => here(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

// What `scenario` returns is all that a client sees.
const run = async (command, env, scenario) => {
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: command[0], args: command.slice(1), env: { ...process.env, ...env }, stderr: 'ignore',
  });
  await client.connect(transport);
  try {
    return { server: client.getServerVersion(), ...(await scenario(client)) };
  } finally {
    await client.close();
  }
};

const attempt = (promise) => promise.then((value) => ({ value }), (error) => ({ error: error.message }));

// Direct and recorded give the client the same; returns the recorded calls.
const compare = async (t, command, env, scenario) => {
  const dir = folder(t);
  const db = path.join(dir, 'log.db');
  const direct = await run(command, env('direct'), scenario);
  const through = await run(recorded(dir, db, command, ['--agent-id', 'sdk']), env('recorded'), scenario);
  assert.deepEqual(through, direct);
  sameOnBothSides(dir);
  return { calls: rows(db), db };
};

test('server-everything: results, failures, parallel calls, cancellation', async (t) => {
  const scenario = async (client) => {
    const { tools } = await client.listTools();
    const echo = await client.callTool({ name: 'echo', arguments: { message: 'grüße \u2028 😀', api_key: 'k' } });
    const parallel = await Promise.all(
      Array.from({ length: 20 }, (_, i) => client.callTool({ name: 'get-sum', arguments: { a: i, b: 1 } })));
    const wrong = await attempt(client.callTool({ name: 'get-sum', arguments: { a: 'x' } }));
    const unknown = await attempt(client.callTool({ name: 'no-such-tool', arguments: {} }));
    const controller = new AbortController();
    const slow = attempt(client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 1 } }, undefined,
      { signal: controller.signal }));
    await client.ping();
    controller.abort('enough');
    const cancelled = await slow;
    const late = await attempt(client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 1 } }, undefined, { timeout: 50 }));
    return { tools, echo, parallel, wrong, unknown, cancelled, late };
  };
  const { calls, db } = await compare(t, [process.execPath, server('everything'), 'stdio'], () => ({}), scenario);
  assert.equal(calls.length, 25);
  const of = (tool) => calls.filter((call) => call.tool === tool);
  const [echo] = of('echo');
  assert.deepEqual(echo.args, { message: 'grüße \u2028 😀', api_key: '[masked]' });
  assert.equal(echo.success, true);
  assert.match(echo.app_name, /everything/);
  assert.equal(echo.agent_id, 'sdk');
  const sums = of('get-sum').filter((call) => call.success);
  assert.equal(sums.length, 20);
  // On a busy machine the first sums may be answered before the client has written the last ones; those begin another turn.
  const begin = (call) => call.timestamp, end = (call) => begin(call) + call.duration_ms;
  assert.ok(sums.some((call) => sums.some((other) => other !== call && begin(other) < end(call))), 'some were in flight together');
  for (const call of sums) {
    for (const other of sums) {
      const together = begin(call) + 2 < end(other) && begin(other) + 2 < end(call);  // as far as milliseconds tell
      if (together) assert.equal(call.sequence_id, other.sequence_id, 'calls in flight together are one turn');
    }
  }
  assert.ok(sums.every((call) => call.sequence_id !== echo.sequence_id));
  assert.equal(of('get-sum').filter((call) => call.failure === 'tool_error').length, 1);
  assert.equal(of('no-such-tool')[0].success, false);
  const [aborted, late] = of('trigger-long-running-operation');
  assert.equal(aborted.failure, 'cancelled: enough');
  assert.match(late.failure, /^cancelled: .*timed out/);
  const { sequences } = JSON.parse(hebb(db, 'actions', 'sequences', '--json', '--limit', '100'));
  assert.equal(sequences.reduce((sum, s) => sum + s.calls, 0), 25);
});

test('server-filesystem: large files and their results', async (t) => {
  const root = folder(t);
  for (const way of ['direct', 'recorded']) mkdirSync(path.join(root, way));
  const text = 'line of a large file\n'.repeat(150_000);
  const scenario = (way) => async (client) => {
    const file = path.join(realpathSync(root), way, 'large.txt');
    const written = await client.callTool({ name: 'write_file', arguments: { path: file, content: text } });
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: file } });
    assert.equal(read.content[0].text, text);
    const outside = await client.callTool({ name: 'read_text_file', arguments: { path: '/etc/passwd' } });
    return { written: written.isError ?? false, outside: outside.isError };
  };
  const dir = folder(t);
  const db = path.join(dir, 'log.db');
  const command = [process.execPath, server('filesystem'), root];
  const direct = await run(command, {}, scenario('direct'));
  const through = await run(recorded(dir, db, command), {}, scenario('recorded'));
  assert.deepEqual(through, direct);
  sameOnBothSides(dir);
  const calls = rows(db);
  assert.deepEqual(calls.map((call) => [call.tool, call.success]),
    [['write_file', true], ['read_text_file', true], ['read_text_file', false]]);
  assert.ok(calls[0].args_bytes > text.length);
  assert.equal(typeof calls[0].args, 'string', 'cut');
  assert.ok(calls[1].result_bytes > text.length);
});

test('server-memory: what changed is scored, once', async (t) => {
  const memory = folder(t);
  const scenario = async (client) => {
    await client.listTools();
    await client.callTool({ name: 'read_graph', arguments: {} });
    await client.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Button', entityType: 'CLASS', observations: ['a'] }] },
    });
    const graph = await client.callTool({ name: 'read_graph', arguments: {} });
    return { graph };
  };
  const env = (way) => ({ MEMORY_FILE_PATH: path.join(memory, `${way}.jsonl`) });
  const { calls, db } = await compare(t, [process.execPath, server('memory')], env, scenario);
  assert.equal(calls.length, 3);
  writeFileSync(path.join(memory, 'nodes.jsonl'), '{"kind":"node","id":"Button","type":"CLASS","at":1700000000000}\n');
  hebb(db, 'import', path.join(memory, 'nodes.jsonl'));
  const report = JSON.parse(hebb(db, 'actions', 'score', '--json'));
  assert.deepEqual(report, { sequences: 3, changed: 1, navigated: 2, failed: 0, links: 1, duplicates: 0, skipped: 0, schema_version: 1 });
  assert.equal(JSON.parse(hebb(db, 'actions', 'score', '--json')).sequences, 0);
  assert.deepEqual(rows(db).map((call) => call.reward > 0), [false, true, false]);
});
