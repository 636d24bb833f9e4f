// A recorded browser session, exported as a test, run in a real Chromium: it passes on the page that was
// recorded and fails on one that no longer does what it did.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { folder, here, hebb, HEBB, rows } from './support.mjs';

const page = (greeting) => `<!doctype html><title>Order</title>
<label>Size <select id="size"><option>S</option><option>L</option></select></label>
<input id="name"><input id="password" type="password"><button>Order now</button><p id="out"></p>
<script>
  document.querySelector('button').onclick = () => setTimeout(() => {
    const of = (id) => document.getElementById(id).value;
    document.getElementById('out').textContent =
      ${JSON.stringify(greeting)} + of('name') + ', ' + of('size') + ', ' + of('password').length;
  }, 100);
</script>`;

const serve = async (t, html) => {
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
};

const runExported = async (script, env) => {
  // A test that runs a test: the inner one must not report to the outer.
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const child = spawn(process.execPath, ['--test', script], { env: { ...rest, ...env }, stdio: 'pipe' });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { out += data; });
  const [code] = await once(child, 'close');
  return { code, out };
};

test('a session in a real browser becomes a test that passes, and that can fail', async (t) => {
  const db = path.join(folder(t), 'log.db');
  const url = await serve(t, page('Ordered for '));
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({
    command: HEBB,
    args: ['--db', db, 'record', '--agent-id', 'tester', '--session', 'order', '--',
      process.execPath, here('browser_server.mjs')],
    env: process.env,
    stderr: 'inherit',
  }));
  const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
  await call('browser_navigate', { url: `${url}/order?x=1` });
  await call('browser_type', { selector: '#name', text: 'Ada "quoted" \u2028' });
  await call('browser_type', { selector: '#password', text: 'hunter2' });
  await call('browser_select_option', { label: 'Size', values: ['L'] });
  await call('browser_click', { role: 'button', name: 'Order now' });
  let text = '';
  while (!text) text = await call('browser_get_text', { selector: '#out' });
  assert.match(text, /, L, 7$/);
  await client.close();

  assert.ok(!JSON.stringify(rows(db)).includes('hunter2'));
  const report = JSON.parse(hebb(db, 'actions', 'score', '--json'));
  assert.equal(report.changed, 4);
  // Looked at too early it said nothing yet: no test can expect that.
  const script = here(`exported-${process.pid}.mjs`);
  t.after(() => rmSync(script, { force: true }));
  writeFileSync(script, hebb(db, 'actions', 'export', '--format', 'playwright'));

  const env = { HEBB_SECRET_PASSWORD: 'another' };
  const good = await runExported(script, env);
  assert.equal(good.code, 0, good.out);
  assert.match(good.out, /pass 1/);
  const changed = await runExported(script, { ...env, BASE_URL: await serve(t, page('Sorry, ')) });
  assert.notEqual(changed.code, 0, 'a page that says something else');
  const broken = await runExported(script, { ...env, BASE_URL: await serve(t, page('').replace('onclick', 'onfoo')) });
  assert.notEqual(broken.code, 0, 'a page that does nothing');
  const without = await runExported(script, {});
  assert.match(without.out, /set HEBB_SECRET_PASSWORD/);
});
