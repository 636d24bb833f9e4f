// The protocol's inspector, on the command line: both eras, on a pipe and over HTTP.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { folder, hebb, HEBB, run, serve } from './support.mjs';

const TOKEN = 'correct-horse-battery-staple';

const inspector = async (dir, target, era, ...options) => {
  const { code, out, err } = await run(dir, 'inspector/clients/launcher/build/index.js',
    ['--cli', ...target, '--format', 'json', '--quiet', '--protocol-era', era, ...options]);
  assert.ok(out, `${options}: ${err}`);
  return { code, result: JSON.parse(out).result };
};

// What any client does, through `target`.
const inspect = async (dir, target, era) => {
  const ask = (...options) => inspector(dir, target, era, '--method', ...options);
  const call = (name, fields) =>
    ask('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(fields));

  const { code, result: { tools } } = await ask('tools/list', '--strict');
  assert.equal(code, 0, 'a schema that some clients cannot read');
  assert.ok(tools.some((tool) => tool.name === 'next'));

  const { result: { structuredContent: { tasks: [next] } } } =
    await call('next', { claim: true, agent: era });
  assert.ok(next.token > 0);
  const done = await call('outcome', { id: next.id, outcome: 'success', token: next.token });
  assert.equal(done.code, 0, 'the outcome counts');
  const again = await call('outcome', { id: next.id, outcome: 'success', token: next.token });
  assert.equal(again.result.isError, true);
  assert.match(again.result.content[0].text, /stale_lease/);

  const { result: { resources } } = await ask('resources/list');
  assert.deepEqual(resources.map((one) => one.uri), ['hebb://rank']);
  const { result: { resourceTemplates } } = await ask('resources/templates/list');
  assert.deepEqual(resourceTemplates.map((one) => one.uriTemplate), ['hebb://task/{id}']);
  const { result: { contents } } = await ask('resources/read', '--uri', `hebb://task/${next.id}`);
  assert.equal(JSON.parse(contents[0].text).id, next.id);
  const { result: { prompts } } = await ask('prompts/list');
  assert.deepEqual(prompts.map((one) => one.name), ['what_next']);
  const { result: { messages } } = await ask('prompts/get', '--prompt-name', 'what_next', '--prompt-args', 'limit=1');
  assert.match(messages[0].content.text, /best next tasks/);
  return next.id;
};

test('inspector: the work of an agent, in both eras, on a pipe and over HTTP', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'tasks.db');
  const ids = ['t1', 't2', 't3', 't4', 't5', 'grün'];
  for (const id of ids) hebb(db, '-q', 'node', 'set', id, '--type', 'TASK', '--state', 'OPEN');
  writeFileSync(path.join(dir, 'token'), `${TOKEN}\n`, { mode: 0o600 });
  const host = await serve(t, db, '--token-file', path.join(dir, 'token'));
  const config = path.join(dir, 'servers.json');
  writeFileSync(config, JSON.stringify({
    mcpServers: {
      pipe: { command: HEBB, args: ['--db', db, 'mcp'] },
      http: { type: 'streamable-http', url: `http://${host}/mcp`, headers: { Authorization: `Bearer ${TOKEN}` } },
    },
  }));
  const done = [];
  for (const era of ['legacy', 'modern']) {
    for (const server of ['pipe', 'http'])
      done.push(await inspect(dir, ['--config', config, '--server', server], era));
  }
  assert.equal(new Set(done).size, 4, 'each task went to one');
  const refused = await run(dir, 'inspector/clients/launcher/build/index.js',
    ['--cli', `http://${host}/mcp`, '--format', 'json', '--stored-auth-only', '--method', 'tools/list']);
  assert.notEqual(refused.code, 0, 'without the token');
});
