// What the tests share: a folder of their own, hebb, and bytes that pass being written down.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const HEBB = process.env.HEBB;
assert.ok(HEBB, 'HEBB names the program');

export const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const folder = (t) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'hebb-node-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

export const hebb = (db, ...args) => {
  const run = spawnSync(HEBB, ['--db', db, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
};

export const rows = (db) =>
  hebb(db, 'actions', 'export', '--format', 'jsonl').trim().split('\n').filter(Boolean).map((l) => JSON.parse(l));

// `command` between two taps and a recorder: what went into the recorder and what came out of it are
// written down on both of its sides. Clients of tests think for less than a millisecond: each call is a turn.
export const recorded = (dir, db, command, options = []) => [
  process.execPath, here('tap.mjs'), path.join(dir, 'outer'),
  HEBB, '--db', db, 'record', '--turn-grace', '0', ...options, '--',
  process.execPath, here('tap.mjs'), path.join(dir, 'inner'), ...command,
];

// Not one byte more, less or different, in either direction.
export const sameOnBothSides = (dir) => {
  for (const way of ['up', 'down']) {
    const outer = readFileSync(path.join(dir, `outer.${way}`));
    const inner = readFileSync(path.join(dir, `inner.${way}`));
    assert.ok(outer.length > 0, `nothing went ${way}`);
    assert.ok(outer.equals(inner), `the bytes that went ${way} differ`);
  }
};
