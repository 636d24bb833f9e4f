// The package as npm makes it: it installs without a network into an empty folder, and its types hold.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { folder, hebb, operations, packageFolder, project, run, source } from './support.mjs';

const blocks = (file) => [...readFileSync(file, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);
const node = (at, ...args) => run(process.execPath, args, { cwd: at, env: { ...process.env, HEBB_DB: '' } });

test('the package installs offline into an empty folder, and its example runs', async (t) => {
  const at = folder(t);
  const [tarball] = readdirSync(path.dirname(packageFolder)).filter((name) => /^hebb-.*\.tgz$/.test(name));
  const install = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--cache', path.join(at, 'cache'),
    path.join(path.dirname(packageFolder), tarball)], { cwd: at });
  assert.equal(install.code, 0, install.err);
  writeFileSync(path.join(at, 'example.mjs'), blocks(path.join(at, 'node_modules/hebb/README.md'))[0]);
  const { code, out, err } = await node(at, 'example.mjs');
  assert.equal(code, 0, err);
  assert.match(out, /^1 Fix the login \[ 'due in . d' \]\n2 Write the docs /);

  writeFileSync(path.join(at, 'example.cjs'), `
    const { open } = require('hebb');
    open('tasks.db').then(async (db) => console.log(db.backend, (await db.rank()).tasks.length));`);
  assert.equal((await node(at, 'example.cjs')).out, 'addon 2\n');
});

test('the example of docs/languages.md runs', async (t) => {
  const [example] = blocks(path.join(source, 'docs/languages.md'));
  const { code, out, err } = await node(project(t, { 'example.mjs': example }, []), 'example.mjs');
  assert.equal(code, 0, err);
  assert.deepEqual(out.replace(/^. /gm, '').trim().split('\n').sort(), ['Fix the login', 'Write the docs']);
});

test('a platform without the addon gets the program', async (t) => {
  const at = project(t, { 'a.mjs': `
    import { open } from 'hebb';
    const db = await open('a.db', { program: process.argv[2] });
    console.log(db.backend, (await db.rank()).total);
    await open('a.db', { backend: 'addon' }).catch((problem) => console.log(problem.detail));` }, []);
  writeFileSync(path.join(at, 'node_modules/hebb/prebuilds/linux-x64/hebb.node'), 'for another platform');
  const { out } = await node(at, 'a.mjs', hebb);
  assert.match(out, /^pipe 0\nthe addon cannot be loaded: .*hebb\.node/);
});

const program = `
import { open, HebbError, type Database, type RankAnswer, type RankedTask } from 'hebb';
import { HebbReporter, HebbSequencer } from 'hebb/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { sequence: { sequencer: HebbSequencer }, reporters: ['default', new HebbReporter()] },
});

async function use(db: Database): Promise<string[]> {
  const names: string[] = [];
  for await (const task of db.rank({ limit: 5, label: ['bug'] })) names.push(task.name);
  const answer: RankAnswer = await db.rank();
  const first: RankedTask | undefined = answer.tasks[0];
  await db.outcome({ id: first?.id ?? 'a', outcome: 'success' }, { signal: AbortSignal.timeout(1000) });
  for await (const task of db.stream('rank', { limit: 10 })) names.push(task.id satisfies string);
  const { total } = await db.call('rank', { limit: 1 });
  names.push(String(total satisfies number), (db.callSync('node_get', { id: 'a' })).node.id);
  // @ts-expect-error: no such outcome
  await db.outcome({ id: 'a', outcome: 'fine' });
  // @ts-expect-error: it needs an id
  await db.nodeGet();
  // @ts-expect-error: no such field
  await db.rank({ limits: 5 });
  // @ts-expect-error: no such operation
  await db.call('rankk');
  // @ts-expect-error: it has no list to stream
  db.stream('node_get', { id: 'a' });
  // @ts-expect-error: an answer with no list is not iterated
  for await (const _ of db.nodeGet({ id: 'a' }));
  return names;
}

export async function main(): Promise<void> {
  await using db = await open('x.db', { create: false, tz: 'Europe/Berlin' });
  try {
    console.log(await use(db));
  } catch (problem) {
    if (problem instanceof HebbError && problem.type === 'busy') console.log(problem.retryAfterMs?.toFixed());
    // @ts-expect-error: no such type
    if (problem instanceof HebbError && problem.type === 'buzy') throw problem;
  }
}
`;

test('a program in TypeScript holds under tsc --strict', async (t) => {
  const at = project(t, { 'main.mts': program, 'small.mts': `
    import { open } from 'hebb';
    export const names = async () => (await (await open()).list()).nodes.map((node) => node.name);` },
  ['typescript', 'vitest', 'vite', '@types/node']);
  const tsc = (...args) => node(at, path.join(at, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext', ...args);
  const { code, out, err } = await tsc('--skipLibCheck', '--target', 'esnext', '--types', 'node', 'main.mts');
  assert.equal(code, 0, out + err);
  const small = await tsc('--target', 'es2022', '--lib', 'es2022,dom', '--types', '', 'small.mts'); // the types themselves
  assert.equal(small.code, 0, small.out + small.err);
});

test('the types have a comment and a method for each operation', () => {
  const types = readFileSync(path.join(packageFolder, 'hebb.d.ts'), 'utf8');
  assert.ok(operations.length >= 55);
  for (const { method } of operations) assert.match(types, new RegExp(`\\*/\\n  ${method}\\(request`));
});
