// What the tests share: a folder, a site, hebb, and clients of browser servers that hebb records.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

export const HEBB = process.env.HEBB;
assert.ok(HEBB, 'HEBB names the program');
const ROOT = process.getuid?.() === 0;

export const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const folder = (t) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'hebb-node-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

const finished = async (command, args, env) => {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '', err = '';
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { err += data; });
  const [code] = await once(child, 'close');
  return { code, out, err };
};

// What hebb prints; `env` is added to the environment. With `status`, that has to be its exit code. The site is of
// this process, so it must not wait.
export const hebb = async (db, args, { env = {}, status = 0 } = {}) => {
  const { code, out, err } = await finished(HEBB, ['--db', db, ...args], { ...process.env, ...env });
  assert.equal(code, status, `${args.join(' ')}: ${out}${err}`);
  return status === 0 ? out : err + out;
};

// A site of one page, which can be changed: { url, domain, put(html) }.
export const site = async (t, html) => {
  let page = html;
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    response.end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => { server.close(); server.closeAllConnections(); });
  const domain = `127.0.0.1:${server.address().port}`;
  return { domain, url: `http://${domain}/`, put: (other) => { page = other; } };
};

export const playwrightMcp = (dir) => [
  here('node_modules/@playwright/mcp/cli.js'), '--headless', '--isolated', '--output-dir', dir,
  '--allow-unrestricted-file-access', '--executable-path', process.env.CHROMIUM, ...(ROOT ? ['--no-sandbox'] : []),
];

export const devtoolsMcp = () => [
  here('node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'), '--headless', '--isolated',
  '--no-usage-statistics', '--no-performance-crux', '--executablePath', process.env.CHROMIUM,
  ...(ROOT ? ['--chromeArg=--no-sandbox'] : []),
];

export const connected = async (command, args, env = {}) => {
  const client = new Client({ name: 'hebb-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' }));
  return client;
};

// A client of `hebb mcp`: call(tool, arguments) gives what skill_TOOL gives, and throws its error.
export const agent = async (t, db, options, env = {}) => {
  const client = await connected(HEBB, ['--db', db, 'mcp', '--tools', 'all', ...options], env);
  t.after(() => client.close());
  const call = async (tool, args, signal) => {
    const request = { name: `skill_${tool}`, arguments: args };
    const result = await client.callTool(request, undefined, { signal, timeout: 600_000 });
    assert.ok(!result.isError, result.content[0].text);
    return result.structuredContent;
  };
  return { client, call };
};

// A client of a server that hebb records: call(tool, arguments) gives the result's text, ref(words) the ref or uid of
// the first line with them in the last snapshot. `spent` has what the calls cost.
export const recorded = async (t, db, server) => {
  // This client thinks for less than a millisecond: each call of its is a turn.
  const client = await connected(HEBB, ['--db', db, 'record', '--agent-id', 'tester', '--session', 'order',
    '--turn-grace', '0', '--', process.execPath, ...server]);
  t.after(() => client.close());
  await client.listTools();
  const spent = { calls: 0, bytes: 0, ms: 0 };
  let snapshot = '';
  const call = async (name, args = {}) => {
    const began = performance.now();
    const result = await client.callTool({ name, arguments: args });
    spent.ms += performance.now() - began;
    spent.calls += 1;
    spent.bytes += Buffer.byteLength(JSON.stringify({ name, arguments: args }) + JSON.stringify(result));
    const text = result.content.map((block) => block.text ?? '').join('\n');
    assert.ok(!result.isError, `${name}: ${text}`);
    if (/\[ref=|^ *uid=/m.test(text)) snapshot = text;
    return text;
  };
  const ref = (words) => {
    const line = snapshot.split('\n').find((l) => l.includes(words) && /\[ref=|uid=/.test(l));
    assert.ok(line, `${words} is not in ${snapshot}`);
    return (line.match(/\[ref=(\w+)\]/) ?? line.match(/uid=(\w+)/))[1];
  };
  return { client, call, ref, spent };
};

// Runs a file of tests with @playwright/test, which looks for files below the folder of its configuration.
export const runTest = async (script, env = {}) => {
  // A test that runs a test: the inner one must not report to the outer.
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const args = [here('node_modules/@playwright/test/cli.js'), 'test', '--config', here('playwright.config.mjs'),
    path.basename(script)];
  const TMPDIR = mkdtempSync(path.join(tmpdir(), 'hebb-node-'));  // Playwright leaves a cache there
  try {
    const { code, out, err } = await finished(process.execPath, args, { ...rest, TMPDIR, ...env });
    return { code, out: out + err };
  } finally {
    rmSync(TMPDIR, { recursive: true, force: true });
  }
};
