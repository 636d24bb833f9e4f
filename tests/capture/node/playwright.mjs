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

// A client of a server that hebb records.
const recorded = async (db, server) => {
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({
    command: HEBB,
    // This client thinks for less than a millisecond: each call of its is a turn.
    args: ['--db', db, 'record', '--agent-id', 'tester', '--session', 'order', '--turn-grace', '0', '--',
      process.execPath, ...server],
    env: process.env,
    stderr: 'inherit',
  }));
  const call = async (name, args = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    assert.ok(!isError, content[0].text);
    return content[0].text;
  };
  return { client, call };
};

const playwrightMcp = (dir) => [
  here('node_modules/@playwright/mcp/cli.js'), '--headless', '--isolated', '--output-dir', dir,
  '--executable-path', process.env.CHROMIUM, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const exported = (t, db, name) => {
  const script = here(`exported-${name}-${process.pid}.mjs`);
  t.after(() => rmSync(script, { force: true }));
  writeFileSync(script, hebb(db, 'actions', 'export', '--format', 'playwright'));
  return script;
};

test('a session in a real browser becomes a test that passes, and that can fail', async (t) => {
  const db = path.join(folder(t), 'log.db');
  const url = await serve(t, page('Ordered for '));
  const { client, call } = await recorded(db, [here('browser_server.mjs')]);
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
  const script = exported(t, db, 'own');

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

test('a session with Playwright MCP is replayed by the code that it ran, without its password', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'log.db');
  const url = await serve(t, page('Ordered for '));
  const { client, call } = await recorded(db, playwrightMcp(dir));
  await call('browser_navigate', { url: `${url}/order` });
  const snapshot = await call('browser_snapshot');
  const ref = (what) => snapshot.match(new RegExp(`${what}.*?\\[ref=(\\w+)\\]`))[1];
  await call('browser_type', { element: 'first box', target: ref('textbox'), text: 'Ada' });
  // Nothing in these arguments says that it is one.
  await call('browser_type', { element: 'last box', target: '#password', text: 'tulips' });
  await call('browser_select_option', { element: 'Size', target: ref('combobox'), values: ['L'] });
  await call('browser_hover', { element: 'Order', target: ref('button') });
  await call('browser_click', { element: 'Order', target: ref('button') });
  await call('browser_wait_for', { text: 'Ordered for Ada, L, 6' });
  await call('browser_snapshot');
  await client.close();

  assert.ok(!JSON.stringify(rows(db)).includes('tulips'));
  assert.equal(JSON.parse(hebb(db, 'actions', 'score', '--json')).changed, 4);
  const script = exported(t, db, 'mcp');
  const env = { HEBB_SECRET_PASSWORD: 'tulips' };
  const good = await runExported(script, env);
  assert.equal(good.code, 0, good.out);
  assert.match(good.out, /pass 1/);
  const another = await runExported(script, { HEBB_SECRET_PASSWORD: 'roses' });
  assert.notEqual(another.code, 0, 'another password');
  const broken = await runExported(script, { ...env, BASE_URL: await serve(t, page('').replace('onclick', 'onfoo')) });
  assert.notEqual(broken.code, 0, 'a page that does nothing');
});

test('a change that cannot be replayed makes the test fail, and names the call', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'log.db');
  const url = await serve(t, page('Ordered for '));
  const { client, call } = await recorded(db, playwrightMcp(dir));
  await call('browser_navigate', { url });
  await call('browser_run_code_unsafe', { code: "async (page) => { await page.locator('#name').fill('x'); }" });
  await client.close();
  const unscored = await runExported(exported(t, db, 'unscored'), {});
  assert.notEqual(unscored.code, 0);
  assert.match(unscored.out, /hebb actions score/);
  hebb(db, 'actions', 'score');
  const run = await runExported(exported(t, db, 'unsafe'), {});
  assert.notEqual(run.code, 0);
  assert.match(run.out, /browser_run_code_unsafe \(call 2 of the session\) cannot be replayed/);
});
