// What the tests share: a folder of their own, hebb, a server, and the packages' programs.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

export const HEBB = process.env.HEBB;
export const SOURCE = process.env.HEBB_SOURCE;
assert.ok(HEBB && SOURCE, 'HEBB and HEBB_SOURCE name the program and its source');

export const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const folder = (t) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'hebb-node-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

export const hebb = (db, ...args) => {
  const run = spawnSync(HEBB, ['--db', db, ...args], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
};

// Its address: "127.0.0.1:40001".
export const serve = async (t, db, ...options) => {
  const child = spawn(HEBB, ['--db', db, 'serve', '--port', '0', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const lines = readline.createInterface({ input: child.stderr });
  const [line] = await once(lines, 'line');
  return line.match(/listening=(\S+)/)[1];
};

// A package's program: how it ended and what it wrote. Its home is `dir`.
export const run = (dir, program, args) => new Promise((resolve) => {
  execFile(process.execPath, [here(`node_modules/@modelcontextprotocol/${program}`), ...args],
    { cwd: dir, env: { ...process.env, HOME: dir }, maxBuffer: 1 << 26, timeout: 120_000 },
    (error, out, err) => resolve({ code: error ? error.code : 0, out, err }));
});
