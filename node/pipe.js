// hebb as a program beside this process, by lines of JSON (`hebb pipe`): where the addon cannot be loaded.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { HebbError, error } = require('./error.js');

// The arguments for the program. Throws HebbError.
function argumentsOf(file, options) {
  const { create = true, tz, now, ...others } = options;
  const [other] = Object.keys(others);
  if (other === 'busy_timeout_ms') {
    throw error('invalid_argument', '"busy_timeout_ms" is for the addon alone: hebb pipe waits 5000 ms', { field: other });
  }
  if (other !== undefined) throw error('invalid_argument', `there is no option "${other}"`, { field: other });
  if (file === ':memory:') {
    throw error('invalid_argument', 'a database in memory needs the addon: name a file', { field: 'path' });
  }
  if (!create && file !== null && !/^postgres(ql)?:/.test(file) && !fs.existsSync(file)) {
    throw error('no_database', `there is no database ${file}`);
  }
  const named = { db: file, tz, now };
  const given = Object.keys(named).filter((name) => named[name] !== null && named[name] !== undefined);
  return ['--json', ...given.flatMap((name) => [`--${name}`, String(named[name])]), 'pipe'];
}

// The program, while it runs. Lines of its output are iterated by their parsed values.
class Program {
  #child;
  #errors = '';
  #ended;

  constructor(program, args) {
    this.#child = spawn(program, args, { stdio: 'pipe', windowsHide: true });
    this.#child.stdin.on('error', () => {}); // the program has ended: its end says why
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors = (this.#errors + text).slice(-10_000);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (problem) => resolve(this.#notStarted(program, problem)));
      this.#child.on('close', (code, signal) => resolve(this.#endOf(program, code, signal)));
    });
    this.hold(false);
  }

  #notStarted(program, cause) {
    return error('failed', `the program "${program}" cannot be started (${cause.message}): install hebb, or name the ` +
      'program by the option "program"', {}, { cause });
  }

  // Why it ended: what it said as its last words.
  #endOf(program, code, signal) {
    try {
      return new HebbError(JSON.parse(this.#errors.trim().split('\n').at(-1)));
    } catch {
      return error('failed', `${program} pipe ended (${signal ?? `exit code ${code}`}): ${this.#errors.trim()}`);
    }
  }

  // Whether Node waits for it.
  hold(yes) {
    for (const each of [this.#child, ...this.#child.stdio]) each[yes ? 'ref' : 'unref']?.();
  }

  send(line) {
    this.#child.stdin.write(`${line}\n`);
  }

  // All that it answers, a list at a time.
  async *answers() {
    let rest = '';
    for await (const chunk of this.#child.stdout.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line));
    }
  }

  // Both give a promise of a HebbError: why it ended. end() lets it answer first.
  end() {
    this.hold(true);
    this.#child.stdin.end();
    return this.#ended;
  }

  kill() {
    this.hold(true);
    this.#child.kill();
    return this.#ended;
  }
}

const line = (id, operation, request, rows) =>
  `{"id":${id},"operation":${JSON.stringify(operation)},"request":${request},"rows":${rows}}`;

// A program that nobody has closed ends with its database.
const unclosed = new FinalizationRegistry((program) => program.end());

class Pipe {
  backend = 'pipe';
  #program;
  #call = { id: 0 }; // the last one, with resolve and reject while it runs

  // file: null: the one that the command line uses in this folder
  static async open(file, { program = 'hebb', ...options }) {
    const running = new Program(program, argumentsOf(file, options));
    const pipe = new Pipe();
    pipe.#program = running;
    unclosed.register(pipe, running, pipe);
    Pipe.#read(running, pipe.#call);
    await pipe.call('policy_get', '{}'); // it is there, and the database is open
    return pipe;
  }

  // Does not refer to the pipe, which may be collected.
  static async #read(running, call) {
    try {
      for await (const answers of running.answers()) {
        for (const { id, row, answer, problem } of answers) {
          if (id !== call.id && id !== null) continue;
          if (row) call.rows.push(row);
          else if (problem) call.reject(new HebbError(problem));
          else call.resolve(answer);
        }
      }
    } catch {
      // The output was cut off, or is not hebb's.
    }
    call.ended = await running.kill();
    call.reject(call.ended);
  }

  // request: JSON. One at a time.
  call(operation, request) {
    return this.#ask(operation, request, null);
  }

  // As of the addon. All rows come before the answer.
  async stream(operation, request) {
    const rows = [];
    return { answer: await this.#ask(operation, request, rows), lists: [rows] };
  }

  async #ask(operation, request, rows) {
    const call = this.#call;
    if (call.ended) throw call.ended;
    const answer = new Promise((resolve, reject) => Object.assign(call, { id: call.id + 1, rows, resolve, reject }));
    this.#program.hold(true);
    this.#program.send(line(call.id, operation, request, rows !== null));
    try {
      return await answer;
    } finally {
      this.#program.hold(false);
    }
  }

  callSync() {
    throw error('failed', 'callSync needs the addon, which is not here: use call');
  }

  cancel() {
    this.#program.send(`{"cancel":${this.#call.id}}`);
  }

  async close() {
    unclosed.unregister(this);
    await this.#program.end();
  }
}

module.exports = { Pipe };
