// What the test runners' modules share: the order of test files, and reports of how tests came out. $HEBB_DB is the
// database, else the one that the command line uses in this folder; $HEBB_CHANGED, where it is set, names a file with
// the changed files, one on each line. Where hebb fails a warning is printed, and the runner goes on without it.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { open } = require('./hebb.js');

async function withDatabase(consequence, work) {
  try {
    const db = await open();
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  } catch (problem) {
    console.warn(`hebb: ${problem.message}: ${consequence}`);
    return undefined;
  }
}

function changedFiles() {
  const list = process.env.HEBB_CHANGED;
  return list && fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
}

// A file as reports name it.
const named = (root, file) => path.relative(root, file).replaceAll(path.sep, '/');

// The files, as named(), in the order of the ranking; with shard ("2/5") those of the shard. undefined: hebb failed.
function ranked(runner, files, shard) {
  const consequence = shard
    ? 'all files are run, since other shards may leave out those that this one would'
    : "the runner's own order is kept";
  return withDatabase(consequence, async (db) => {
    const wanted = new Set(files);
    const { tasks: known } = await db.rank({ type: 'TEST', runner });
    const among = known.filter(({ selector }) => wanted.has(selector));
    for (const { selector } of among) wanted.delete(selector);
    // Those left are new: "./" tells them from nodes of type FILE.
    const { tasks } = await db.rank({
      type: 'TEST', runner, shard, changed: changedFiles(),
      among: [...among.map(({ id }) => id), ...[...wanted].map((file) => `./${file}`)],
    });
    return [...new Set(tasks.map(({ selector }) => selector.replace(/^\.\//, '')))];
  });
}

// The items in the order of the ranking, stable where it says nothing. nameOf: of an item, its file as named().
async function inOrder(runner, items, nameOf) {
  const files = await ranked(runner, [...new Set(items.map(nameOf))]);
  if (!files) return items;
  const places = new Map(files.map((file, place) => [file, place]));
  const placeOf = (item) => places.get(nameOf(item)) ?? files.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}

async function inShard(runner, items, nameOf, shard) {
  const files = await ranked(runner, [...new Set(items.map(nameOf))], shard);
  return files ? items.filter((item) => files.includes(nameOf(item))) : items;
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text) => String(text).replace(/[&<>"]/g, (c) => escapes[c]).replace(/[\0-\x1f\ufffe\uffff]/g, ' ');

// Ingests how the tests came out, as a report of JUnit's format, a suite for each file. fileAs: the attribute that names
// the file, "classname" or "file". Each test: file, name, seconds, failed.
async function report(fileAs, tests, startedAt) {
  if (tests.length === 0) return;
  const timestamp = startedAt.toISOString();
  const suites = [...new Set(tests.map(({ file }) => file))].map((file) => {
    const lines = tests.filter((test) => test.file === file).map(({ name, seconds, failed }) =>
      `<testcase ${fileAs}="${attribute(file)}" name="${attribute(name)}" time="${seconds.toFixed(6)}">` +
      `${failed ? '<failure/>' : ''}</testcase>\n`);
    return `<testsuite name="${attribute(file)}" timestamp="${timestamp}">\n${lines.join('')}</testsuite>\n`;
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hebb-'));
  try {
    const file = path.join(folder, 'report.xml');
    fs.writeFileSync(file, `<testsuites>\n${suites.join('')}</testsuites>\n`);
    await withDatabase('how the tests came out is not stored', (db) =>
      db.ingestFiles({ files: [file], format: 'junit', each: true, changed: changedFiles() }));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { inOrder, inShard, named, report };
