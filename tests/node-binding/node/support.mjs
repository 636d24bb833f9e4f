// What the tests of the npm package share: the package, as node/build.sh made it, and folders of their own.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export const { HEBB: hebb, HEBB_PACKAGE: packageFolder, HEBB_SOURCE: source } = process.env;
const require = createRequire(import.meta.url);
export const { open, Database, HebbError } = require(packageFolder);
export const { operations } = require(`${packageFolder}/operations.js`);
export const backends = ['addon', 'pipe'];
export const kNow = 1767571200000; // 2026-01-05T00:00:00Z

export function folder(t) {
  const made = mkdtempSync(path.join(os.tmpdir(), 'hebb-'));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

// A database in a folder of its own; what happens there happens at kNow, unless options say otherwise.
export async function database(t, backend, options = {}) {
  const file = path.join(folder(t), 'x.db');
  const db = await open(file, { backend, program: hebb, now: kNow, ...options });
  t.after(() => db.close());
  return { db, file };
}

// Runs a program: { code, signal, out, err }.
export const run = (program, args, options = {}) =>
  new Promise((resolve) => {
    const child = execFile(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options }, (problem, out, err) =>
      resolve({ code: problem ? problem.code : 0, signal: child.signalCode, out, err }));
  });

// A script in a process of its own, with the variables in its text and `source` as import of this file.
export const runScript = (t, text, ...args) => {
  const file = path.join(folder(t), 'script.mjs');
  writeFileSync(file, text);
  return run(process.execPath, ['--expose-gc', file, ...args]);
};

// A folder with the package in node_modules, and links to some of these tests' packages.
export function project(t, files, packages) {
  const at = folder(t);
  mkdirSync(path.join(at, 'node_modules'));
  cpSync(packageFolder, path.join(at, 'node_modules/hebb'), { recursive: true });
  for (const name of packages) {
    mkdirSync(path.dirname(path.join(at, 'node_modules', name)), { recursive: true });
    symlinkSync(path.resolve('node_modules', name), path.join(at, 'node_modules', name));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
    writeFileSync(path.join(at, name), text);
  }
  return at;
}
