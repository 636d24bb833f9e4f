// Vitest, Jest and Playwright run a project with the package: the order of the files, shards, and what is stored.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { hebb, open, project, run } from './support.mjs';

// Files of tests. Each writes its name into order.txt, and fails where fail.txt has its name.
const test_file = (name, milliseconds) => `
  const fs = require('node:fs');
  const fails = () => fs.readFileSync('fail.txt', 'utf8').includes('${name}');
  fs.appendFileSync('order.txt', '${name} ');
  const wait = () => new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
  describe('group', () => {
    test('adds', async () => {
      await wait();
      if (fails()) throw new Error('${name} fails');
    });
    test.skip('waits', () => {});
  });
  test('<a> & "b"', wait);`;
const durations = { a: 1, b: 300, c: 1, d: 1, e: 1 };
const files = (ending) => Object.fromEntries(Object.entries(durations)
  .map(([name, milliseconds]) => [`src/${name}.test.${ending}`, test_file(name, milliseconds)]));

const runners = {
  vitest: {
    packages: ['vitest', 'vite'],
    files: {
      ...files('cjs'), // order.txt and fail.txt are read by require
      'vitest.config.mjs': `
        import { HebbReporter, HebbSequencer } from 'hebb/vitest';
        export default { test: {
          include: ['src/**/*.test.cjs'], globals: true, fileParallelism: false, isolate: false,
          sequence: { sequencer: HebbSequencer }, reporters: ['default', ['junit', { outputFile: 'report.xml' }], new HebbReporter()] } };`,
    },
    command: ['node_modules/vitest/vitest.mjs', 'run'],
    id: (name, title) => `src/${name}.test.cjs.${title}`,
    adds: 'group > adds',
  },
  jest: {
    packages: ['jest', 'jest-junit', '@jest/test-sequencer'],
    files: {
      ...files('js'),
      'jest.config.js': `module.exports = { testSequencer: 'hebb/jest', reporters: ['default', 'hebb/jest',
        ['jest-junit', { outputName: 'report.xml', addFileAttribute: 'true' }]], cache: false, watchman: false };`,
    },
    command: ['node_modules/jest/bin/jest.js', '--runInBand'],
    id: (name, title) => `src/${name}.test.js > ${title}`,
    adds: 'group adds',
  },
};

for (const [runner, { packages, files: texts, command, id, adds }] of Object.entries(runners)) {
  const prepared = (t) => {
    const at = project(t, { 'package.json': '{}', 'fail.txt': '', ...texts }, packages);
    const db = path.join(at, 'tests.db');
    // Runs the tests: those of the files, in the order they were run, and what the runner printed.
    const tests = async (args = [], env = {}) => {
      rmSync(path.join(at, 'order.txt'), { force: true });
      const { code, out, err } = await run(process.execPath, [...command, ...args],
        { cwd: at, env: { ...process.env, HEBB_DB: db, TMPDIR: at, CI: '1', ...env } });
      return { code, text: out + err, order: readFileSync(path.join(at, 'order.txt'), 'utf8').trim().split(' ') };
    };
    const rows = async () => {
      const opened = await open(db);
      try {
        return (await opened.rank({ type: 'TEST', limit: 100 })).tasks.map((task) => task.id);
      } finally {
        await opened.close();
      }
    };
    return { at, db, tests, rows };
  };

  test(`${runner}: what failed runs first; ids, shards, files that cannot be loaded`, async (t) => {
    const { at, db, tests, rows } = prepared(t);
    const write = (name, text) => writeFileSync(path.join(at, name), text);
    const [[broken, text]] = Object.entries(texts);

    // The ids are those of the runner's own reports.
    assert.equal((await tests()).code, 0);
    const ids = await rows();
    const expected = Object.keys(durations).flatMap((name) => [id(name, '<a> & "b"'), id(name, adds)]);
    assert.deepEqual([...ids].sort(), expected);
    const again = await run(hebb, ['--db', db, 'ingest', '--each', '--json', 'report.xml'], { cwd: at });
    assert.equal(again.code, 0, again.err);
    assert.deepEqual((await rows()).sort(), ids.sort());

    // What failed is first, and a file that cannot be loaded counts as failed until it passes.
    write('fail.txt', 'd');
    write(broken, 'throw new Error("broken");');
    const failed = await tests();
    assert.equal(failed.code, 1);
    assert.doesNotMatch(failed.text, /hebb:/);
    const first = (await rows()).slice(0, 2);
    assert.ok(first.includes(id('d', adds)), first.join());
    assert.ok(first.some((each) => each.includes(broken) && !ids.includes(each)), first.join());

    // A new file is before those that pass, of which the fastest is first.
    write('fail.txt', '');
    write(broken, text);
    write(broken.replace('src/a', 'src/n'), test_file('n', 1));
    const { code, order } = await tests();
    assert.equal(code, 0);
    assert.deepEqual(order.slice(0, 3).sort(), ['a', 'd', 'n']);
    assert.equal(order.at(-1), 'b');
    assert.equal(order.length, 6);
    assert.equal((await rows()).length, 12); // and no longer the file

    // Shards have each file once. Each machine has a copy of the database.
    const shards = [];
    for (const shard of ['1/2', '2/2']) {
      const copy = path.join(at, `${shard[0]}.db`);
      await run(hebb, ['--db', db, 'backup', copy]);
      shards.push((await tests([`--shard=${shard}`], { HEBB_DB: copy })).order.sort());
    }
    assert.deepEqual(shards.flat().sort(), [...Object.keys(durations), 'n']);
    assert.ok(shards.some((shard) => shard.join() === 'b'), JSON.stringify(shards)); // longer than all others
  });

  test(`${runner}: without hebb the tests run, with a warning`, async (t) => {
    const { at, tests } = prepared(t);
    const { code, text, order } = await tests(['--shard=1/2'], { HEBB_DB: path.join(at, 'none/tests.db') });
    assert.equal(code, 0, text);
    assert.match(text, /hebb: .*none\/tests\.db.*: all files are run/);
    assert.match(text, /hebb: .*: the runner's own order is kept/);
    assert.match(text, /hebb: .*: how the tests came out is not stored/);
    assert.equal(order.length, 5);
  });
}

test('playwright: the recipe of the README', async (t) => {
  const spec = (name) => `
    const { test } = require('@playwright/test');
    const fs = require('node:fs');
    test.describe('group', () => {
      test('adds', () => {
        fs.appendFileSync('order.txt', '${name} ');
        if (fs.readFileSync('fail.txt', 'utf8').includes('${name}')) throw new Error('${name} fails');
      });
    });`;
  const specs = Object.fromEntries(Object.keys(durations).map((name) => [`tests/${name}.spec.js`, spec(name)]));
  const at = project(t, { 'package.json': '{}', 'fail.txt': 'd', ...specs,
    'playwright.config.js': "module.exports = { testDir: 'tests', workers: 1 };" }, ['@playwright/test']);
  const [recipe] = [...readFileSync(path.join(at, 'node_modules/hebb/README.md'), 'utf8')
    .matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);
  mkdirSync(path.join(at, 'bin'));
  writeFileSync(path.join(at, 'bin/npx'), '#!/bin/sh\nshift\nexec "$NODE" node_modules/@playwright/test/cli.js "$@"\n', { mode: 0o755 });
  symlinkSync(hebb, path.join(at, 'bin/hebb'));
  // Of the first tests one, not twenty: here are only five.
  const script = recipe.replace('head -n 20', 'head -n 1').replace('tail -n +21', 'tail -n +2');
  const tests = async (shard) => {
    for (const left of ['order.txt', 'first.xml', 'rest.xml']) rmSync(path.join(at, left), { force: true });
    const { code, out, err } = await run('sh', ['-c', script], { cwd: at, env: { ...process.env, TMPDIR: at, CI: '1',
      NODE: process.execPath, SHARD: shard, HEBB_DB: path.join(at, 'tests.db'), PATH: `${at}/bin:${process.env.PATH}` } });
    return { code, text: out + err, order: readFileSync(path.join(at, 'order.txt'), 'utf8').trim().split(' ') };
  };
  const first = await tests('1/1');
  assert.equal(first.code, 1, first.text);
  assert.deepEqual(first.order.sort(), Object.keys(durations), first.text);
  writeFileSync(path.join(at, 'fail.txt'), '');
  const second = await tests('1/1');
  assert.equal(second.code, 0, second.text);
  assert.equal(second.order[0], 'd', second.text);
  copyFileSync(path.join(at, 'tests.db'), path.join(at, 'before.db'));
  const one = await tests('1/2');
  copyFileSync(path.join(at, 'before.db'), path.join(at, 'tests.db')); // as each machine has a copy
  const two = await tests('2/2');
  assert.deepEqual([...one.order, ...two.order].sort(), Object.keys(durations), one.text + two.text);
});
