// A database, a server on it, and a browser on that.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { chromium } from 'playwright-core';

const HEBB = process.env.HEBB;
export const kNow = Date.parse('2026-03-02T12:00:00Z');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// What is to be done when the test ends: the last first, so that the browser goes before the server.
const ends = new WeakMap();
const atEnd = (t, work) => {
  if (!ends.has(t)) {
    ends.set(t, []);
    t.after(async () => {
      const failed = [];
      for (const one of ends.get(t).reverse()) await Promise.resolve().then(one).catch((error) => failed.push(error));
      if (failed.length) throw failed[0];
    });
  }
  ends.get(t).push(work);
};

export const folder = (t) => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'hebb-page-'));
  atEnd(t, () => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

// Another process than the server. What it is given to read comes on its standard input.
export const hebb = (db, args, input = '') =>
  execFileSync(HEBB, ['--db', db, '--now', String(kNow), ...args], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 });

const day = 86400000;
const node = (id, days, more) => ({ kind: 'node', at: kNow - days * day, id, ...more });
const edge = (source, target, type, days, weight = 1) => ({ kind: 'edge', at: kNow - days * day, source, target, type, weight });
const task = (id, days, name, more = {}) => node(id, days, { type: 'TASK', state: 'OPEN', name, ...more });

// Two labels, of which one succeeds and one fails; an epic; one task that blocks another.
export const world = () => [
  node('bug', 40, { type: 'LABEL', name: 'bug' }), node('docs', 40, { type: 'LABEL', name: 'documentation' }),
  node('epic', 40, { type: 'EPIC', name: 'Accounts' }),
  ...['T-1', 'T-2', 'T-3', 'T-4', 'T-5', 'T-6', 'T-7', 'T-8'].map((id, i) =>
    task(id, 30 - i, `${i % 2 ? 'Manual page of' : 'Login fails after'} step ${i + 1} <b>&amp; more`, { project: i < 4 ? 'shop' : 'site' })),
  ...[1, 3, 5, 7].map((i) => edge(`T-${i}`, 'bug', 'LABELED_AS', 20)),
  ...[2, 4, 6, 8].map((i) => edge(`T-${i}`, 'docs', 'LABELED_AS', 20)),
  ...[1, 3, 5].map((i) => edge('epic', `T-${i}`, 'PARENT_OF', 20)),
  edge('T-8', 'T-6', 'BLOCKS', 3),
  { kind: 'outcome', at: kNow - 9 * day, taskId: 'T-1', outcome: 'success', id: 'one', timestamp: kNow - 9 * day },
  { kind: 'outcome', at: kNow - 8 * day, taskId: 'T-2', outcome: 'failure', id: 'two', timestamp: kNow - 8 * day },
  { kind: 'outcome', at: kNow - 5 * day, taskId: 'T-3', outcome: 'success', id: 'three', timestamp: kNow - 5 * day },
  { kind: 'outcome', at: kNow - 4 * day, taskId: 'T-2', outcome: 'failure', id: 'four', timestamp: kNow - 4 * day },
];

export const database = (t, items) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const file = path.join(dir, 'items.jsonl');
  writeFileSync(file, items.map((item) => JSON.stringify(item)).join('\n'));
  hebb(db, ['init']);
  hebb(db, ['import', file]);
  hebb(db, ['-q', 'recalibrate']);
  return db;
};

// A server that runs until the test ends, or stop().
export const start = async (t, db, options = [], port = '0') => {
  const child = spawn(HEBB, ['--db', db, '--now', String(kNow), 'serve', '--port', port, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => { child.on('exit', done); });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  atEnd(t, stop);
  const said = [];
  const lines = createInterface({ input: child.stderr });
  return new Promise((done, fail) => {
    lines.on('line', (line) => {
      said.push(line);
      const own = line.match(/listening="?[^"]*:(\d+)/)?.[1];
      if (own) done({ url: `http://127.0.0.1:${own}`, port: own, stop });
    });
    ended.then(() => fail(new Error(`the server ended: ${said.join('\n')}`)));
  });
};
export const serve = async (t, db, options) => (await start(t, db, options)).url;

let chrome;  // one for all tests of a file
after(() => chrome?.close());

// Pages in a browser that fail the test where the browser complains: an error in a script, a message on the
// console, something that the content security policy forbids.
export const browser = async (t) => {
  const root = process.getuid?.() === 0;
  chrome ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: root ? ['--no-sandbox'] : [] });
  return async (options = {}, expected = []) => {
    const context = await chrome.newContext({ viewport: { width: 1200, height: 800 }, locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
    atEnd(t, () => context.close());
    context.setDefaultTimeout(60000);
    const page = await context.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(error.stack));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !expected.some((one) => message.text().includes(one)))
        complaints.push(message.text());
    });
    atEnd(t, () => assert.deepEqual(complaints, [], 'what the browser complains of'));
    return page;
  };
};

// What axe-core finds. It is a tester's script, and does not go through the page's policy.
export const faults = async (page) => {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' });
  const run = async (expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate',
      { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
    assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
    return result.value;
  };
  await run(axe);
  const found = await run('axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.slice(0, 3).map((n) => n.html + " " + n.failureSummary) })))');
  await session.detach();
  return found;
};

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
