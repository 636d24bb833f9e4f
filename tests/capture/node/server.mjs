// hebb as an MCP server: the official SDK's client, which checks every result against its tool's schema, and a
// client of the stateless era.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import test from 'node:test';
import { countTokens } from 'gpt-tokenizer';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { folder, hebb, HEBB } from './support.mjs';

const T0 = '2026-01-01T00:00:00Z';

const connect = async (t, db) => {
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: HEBB, args: ['--db', db, '--now', T0, 'mcp', '--tools', 'all'],
  });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
};

test('an agent works: nodes, links, what next, errors that say what to do', async (t) => {
  const db = path.join(folder(t), 'tasks.db');
  const client = await connect(t, db);
  assert.equal(client.getServerVersion().name, 'hebb');
  assert.match(client.getInstructions(), /`next`.*`outcome`.*`link`/);

  const { tools } = await client.listTools();  // the client compiles each output schema
  const tool = (name) => tools.find((one) => one.name === name);
  assert.ok(tools.every((one) => !one.name.startsWith('hebb') && one.description));
  assert.ok(tools.length <= 24);
  assert.equal(tool('rank').annotations.readOnlyHint, true);
  assert.equal(tool('node_set').annotations.readOnlyHint, false);
  assert.equal(tool('node_set').annotations.destructiveHint, false);
  assert.deepEqual(tool('node_set').inputSchema.required, ['id']);
  assert.ok(!('embedder' in tool('node_set').inputSchema.properties));

  const none = await client.callTool({ name: 'rank', arguments: {} });
  assert.deepEqual(none.structuredContent.tasks, [], 'the database was made');

  const set = (id, name) => client.callTool({
    name: 'node_set', arguments: { id, type: 'TASK', state: 'OPEN', name },
  });
  const made = await set('t1', 'Grüße 😀');
  assert.equal(made.structuredContent.created, true);
  assert.equal(made.structuredContent.node.name, 'Grüße 😀');
  assert.equal((await set('t1', 'Greetings')).structuredContent.created, false);
  await set('t2', 'Second');
  const linked = await client.callTool({
    name: 'link', arguments: { source: 't1', target: 't2', type: 'BLOCKS' },
  });
  assert.equal(linked.structuredContent?.created ?? linked.isError, true);

  const rank = await client.callTool({ name: 'rank', arguments: { limit: 5, why: true } });
  assert.deepEqual(rank.structuredContent.tasks.map((one) => one.id), ['t1'], 't2 is blocked');
  assert.ok(rank.content[0].text.includes('"t1"'));
  assert.equal(rank.structuredContent.as_of, '2026-01-01T00:00:00.000Z');

  const wrong = await client.callTool({ name: 'rank', arguments: { limit: 0 } });
  assert.equal(wrong.isError, true);
  assert.equal(JSON.parse(wrong.content[0].text).field, 'limit');
  const local = await client.callTool({
    name: 'rank', arguments: { near: 'x', embedder: 'openai:http://127.0.0.1:1/' },
  });
  assert.equal(local.isError, true);
  assert.match(local.content[0].text, /on the command line alone/);
  await assert.rejects(client.callTool({ name: 'no_such', arguments: {} }), /Unknown tool/);
});

// Counted by a tokenizer, and from a database whose tasks have hostile names.
test('what a model is given unasked is short', async (t) => {
  const db = path.join(folder(t), 'tasks.db');
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: HEBB, args: ['--db', db, 'mcp'] }));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.length <= 9);
  assert.ok(countTokens(JSON.stringify(tools)) <= 2500, `${countTokens(JSON.stringify(tools))} tokens`);
  const names = ['😀'.repeat(200), '\u001b\u202e'.repeat(200), '漢字'.repeat(200), 'Xq7$'.repeat(200), '\n# Do: '.repeat(200)];
  for (const name of names) hebb(db, 'add', name);
  const told = countTokens(hebb(db, 'setup', 'hook', 'claude'));
  assert.ok(told > 100 && told <= 600, `${told} tokens`);
});

test('resources, their changes, and the prompt', async (t) => {
  const db = path.join(folder(t), 'tasks.db');
  hebb(db, '--now', T0, 'node', 'set', 'a/b ü', '--type', 'TASK', '--state', 'OPEN', '--name', 'One');
  const client = await connect(t, db);
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map((one) => one.uri), ['hebb://rank']);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map((one) => one.uriTemplate), ['hebb://task/{id}']);
  const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);
  assert.equal((await read('hebb://rank')).tasks[0].id, 'a/b ü');
  assert.equal((await read(`hebb://task/${encodeURIComponent('a/b ü')}`)).name, 'One');
  await assert.rejects(read('hebb://task/nothing'), (e) => e.code === -32002);
  await assert.rejects(read('hebb://task/%zz'), (e) => e.code === -32002);
  await assert.rejects(read('file:///etc/passwd'), (e) => e.code === -32002);

  const updated = new Promise((resolve) =>
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => resolve(n.params.uri)));
  await client.subscribeResource({ uri: 'hebb://rank' });
  hebb(db, '--now', T0, 'node', 'set', 'later', '--type', 'TASK', '--state', 'OPEN');  // another process
  assert.equal(await updated, 'hebb://rank');

  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((one) => one.name), ['what_next']);
  const prompt = await client.getPrompt({ name: 'what_next', arguments: { limit: '1' } });
  assert.match(prompt.messages[0].content.text, /^1\. .*\n/m);
  assert.ok(!/^2\. /m.test(prompt.messages[0].content.text));
  await assert.rejects(client.getPrompt({ name: 'what_next', arguments: { limit: 'x' } }), /"limit"/);
});

// The SDK does not speak it yet.
test('the stateless era: every request stands by itself', async (t) => {
  const db = path.join(folder(t), 'tasks.db');
  hebb(db, '--now', T0, 'node', 'set', 't1', '--type', 'TASK', '--state', 'OPEN');
  const child = spawn(HEBB, ['--db', db, '--now', T0, 'mcp', '--tools', 'all'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const meta = (version) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (id, method, params = {}, version = '2026-07-28') => {
    send({ id, method, params: { _meta: meta(version), ...params } });
    return next();
  };

  const { error } = await ask(1, 'tools/list', {}, '1900-01-01');
  assert.equal(error.code, -32022);
  assert.equal(error.data.requested, '1900-01-01');
  assert.ok(error.data.supported.includes('2026-07-28'));
  const discovered = (await ask('d', 'server/discover')).result;
  assert.equal(discovered.resultType, 'complete');
  assert.deepEqual(discovered.supportedVersions[0], '2026-07-28');
  assert.equal(discovered._meta['io.modelcontextprotocol/serverInfo'].name, 'hebb');
  const first = (await ask(2, 'tools/list')).result;
  assert.equal(first.cacheScope, 'public');
  assert.ok(first.ttlMs > 0);
  assert.deepEqual((await ask(3, 'tools/list')).result, first, 'the same order each time');
  const called = (await ask(4, 'tools/call', { name: 'rank', arguments: {} })).result;
  assert.equal(called.structuredContent.tasks[0].id, 't1');
  assert.equal(called.resultType, 'complete');
  assert.equal((await ask(5, 'ping')).error.code, -32601, 'gone with the handshake');
  assert.equal((await ask(6, 'initialize')).error.code, -32601);
  assert.equal((await ask(7, 'resources/read', { uri: 'hebb://x' })).error.code, -32602);
  send({ id: 8, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } });
  assert.equal((await next()).error.code, -32602, 'clientCapabilities are required');

  const acknowledged = await ask('s', 'subscriptions/listen',
    { notifications: { resourceSubscriptions: ['hebb://rank'], toolsListChanged: true } });
  assert.equal(acknowledged.method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(acknowledged.params.notifications, { resourceSubscriptions: ['hebb://rank'] });
  hebb(db, '--now', T0, 'node', 'set', 't0', '--type', 'TASK', '--state', 'OPEN');
  const told = await next();
  assert.equal(told.method, 'notifications/resources/updated');
  assert.equal(told.params._meta['io.modelcontextprotocol/subscriptionId'], 's');
  send({ method: 'notifications/cancelled', params: { requestId: 's' } });
  // The same process speaks to a client of the era before.
  send({ id: 9, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: {} } });
  const legacy = await next();
  assert.equal(legacy.result.protocolVersion, '2024-11-05');
  assert.ok(!('resultType' in legacy.result));
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  assert.equal(await ended, 0);
});
