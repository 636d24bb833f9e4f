// What the golden sessions print with --json, checked against the schemas of `hebb api schemas` by
// ajv, and the same of what has numbers that no session can hold; every operation of the command
// line is among them. SESSIONS: their folder.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const { operations, problem } = JSON.parse(
  execFileSync(process.env.HEBB, ['api', 'schemas'], { encoding: 'utf8' }));
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
ajv.addFormat('float', true);
const problemIs = ajv.compile(problem);
const described = operations
  .map((o) => ({ ...o, words: o.command.split(' '), is: ajv.compile(o.result) }));
const commands = described.filter((o) => o.doors.includes('command_line'));

function parsed(text, where) {
  try {
    return JSON.parse(text);
  } catch (error) {
    assert.fail(`${where}: ${error.message}: ${text}`);
  }
}

// [{ session, command, out, err, code }] of one file; a command may go on in lines with "> ".
function steps(file) {
  const all = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const step = all.at(-1);
    if (line.startsWith('$ ')) {
      all.push({ session: path.basename(file), command: line.slice(2), out: '', err: [], code: 0 });
    } else if (!step || line.startsWith('# ') || line.startsWith('@ ')) {
      continue;
    } else if (line.startsWith('> ')) {
      step.command += `\n${line.slice(2)}`;
    } else if (line.startsWith('! ')) {
      step.err.push(line.slice(2));
    } else if (line.startsWith('[exit ')) {
      step.code = Number.parseInt(line.slice(6), 10);
    } else {
      step.out += `${line}\n`;
    }
  }
  return all;
}

const folder = mkdtempSync(path.join(tmpdir(), 'hebb-schemas-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// Of commands whose output is not the same each time (sizes), or is long.
function live() {
  const files = path.join(folder, 'files');
  cpSync(path.join(process.env.SESSIONS, 'files'), files, { recursive: true });
  const commands = `
    import world.jsonl
    ingest bad.ndjson
    dead-letters retry --all
    export history.jsonl
    backup copy.db
    init
    stats
    backtest done.jsonl
    actions export
    skill import recording.json
    skill run missing
    skill run missing --runs 2
    policy set top_k=0
    node get nothing
    claim release 9999
    undo 9999
    undo 3
    rank --limit none
    nonsense
    frontier --nonsense`;
  return commands.trim().split('\n').map((line) => {
    const given = line.trim().split(' ');
    const command = `hebb ${given.join(' ')} --json`;
    const run = spawnSync(process.env.HEBB, [...given, '--json'],
      { cwd: files, env: { ...process.env, HEBB_DB: path.join(folder, 'hebb.db') }, encoding: 'utf8' });
    return { session: 'live', command, out: run.stdout, err: run.stderr.trim().split('\n'), code: run.status };
  });
}

const all = readdirSync(process.env.SESSIONS)
  .filter((name) => name.endsWith('.session'))
  .flatMap((name) => steps(path.join(process.env.SESSIONS, name)))
  .concat(live());

// The words of a step's only call of hebb, without options before its name; null where what it
// prints goes through another program, or is not asked for as JSON.
function words(step) {
  const call = step.command.split('\n')[0].match(/^(?:[^|&;<>"']|"[^"]*"|'[^']*')*?(?:\|\s*)?hebb (.*)$/s);
  if (!call || !/(^|\s)--json(\s|$)/.test(call[1]) || /[|>&]/.test(call[1].replace(/"[^"]*"|'[^']*'/g, ''))) return null;
  return call[1].replace(/(^|\s)(--json|-q|--db \S+|--now \S+)(?=\s|$)/g, '').trim().split(/\s+/);
}

// By the longest name that the words begin with. Three commands are two operations each: `undo`
// without an event lists, `explain` with three words is about an edge, `topology` with one about a
// node.
function operation(given) {
  const plain = given.filter((word) => !word.startsWith('-'));
  if (plain[0] === 'undo') return commands.find((o) => o.name === (plain.length > 1 ? 'undo' : 'events'));
  if (plain[0] === 'topology')
    return commands.find((o) => o.name === (plain.length > 1 ? 'neighborhood' : 'topology'));
  if (plain[0] === 'explain')
    return commands.find((o) => o.name === (plain.length >= 4 ? 'explain_edge' : 'explain'));
  return commands
    .filter((o) => o.words.every((word, i) => word === plain[i]))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

const asked = all.map((step) => ({ ...step, words: words(step) })).filter((step) => step.words);

test('what is printed with --json is as its schema says', () => {
  assert.ok(asked.length > 20, `${asked.length} commands with --json`);
  for (const step of asked) {
    const where = `${step.session}: ${step.command}`;
    if (['api', 'trace', 'record'].includes(step.words[0])) continue;  // formats of their own
    if (step.out.trim() === '') continue;
    const one = operation(step.words);
    assert.ok(one, `${where}: no operation has that name`);
    const json = parsed(step.out, where);
    assert.ok(one.is(json), `${where}: ${ajv.errorsText(one.is.errors)}`);
  }
});

// Each line is what every door gives, without what depends on where the database is.
const cases = readFileSync(path.join(process.env.SESSIONS, '../serve/cases.jsonl'), 'utf8')
  .trim().split('\n').map((line) => JSON.parse(line));

test('what every door gives is as its schema says', () => {
  for (const one of cases) {
    if (one.gives.problem) continue;
    const { is } = described.find((o) => o.name === one.ask);
    const left_out = { stats: { database: '', bytes: 0 }, init: { database: '', made: true } };
    const whole = { ...left_out[one.ask], ...one.gives };
    assert.ok(is(whole), `${one.ask} ${JSON.stringify(one.with)}: ${ajv.errorsText(is.errors)}`);
  }
});

test('what goes wrong with --json is one problem, as JSON', () => {
  let seen = 0;
  for (const step of asked) {
    if (step.code === 0 || step.words[0] === 'trace' || step.words[0] === 'record') continue;
    if (step.out.trim() !== '' && step.code === 1) continue;  // a result that says no
    const where = `${step.session}: ${step.command}`;
    const json = parsed(step.err.at(-1), where);
    assert.ok(problemIs(json), `${where}: ${ajv.errorsText(problemIs.errors)}`);
    seen += 1;
  }
  assert.ok(seen >= 5, `${seen} failures with --json`);
});

test('every operation of the command line is asked for with --json', () => {
  const missing = new Set(commands.map((o) => o.name));
  for (const name of ['move', 'rescue']) missing.delete(name);  // they need a server: see tests/postgres/
  for (const step of asked) {
    if (step.out.trim() !== '') missing.delete(operation(step.words)?.name);
  }
  for (const one of cases) missing.delete(one.ask);
  assert.deepEqual([...missing], []);
});
