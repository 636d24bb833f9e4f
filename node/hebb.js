// The package's interface; hebb.d.ts, which generate.mjs makes, describes it.
'use strict';

const { setImmediate: turn } = require('node:timers/promises');
const { Addon, whyNot } = require('./addon.js');
const { HebbError, error, cancelled } = require('./error.js');
const { operations } = require('./operations.js');
const { Pipe } = require('./pipe.js');

const kCancelAgainMs = 50; // a call that was just beginning does not notice the first time

// For C, where a text ends at a 0.
function text(value, field) {
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw error('invalid_argument', `"${field}" has to be a text without a 0 character`, { field });
}

function json(request) {
  try {
    return JSON.stringify(request ?? {});
  } catch (cause) {
    throw error('invalid_argument', `the request cannot be written as JSON: ${cause.message}`, {}, { cause });
  }
}

class Database {
  #backend;
  #jobs = new Set(); // the first one runs
  #closed;

  constructor(backend) {
    this.#backend = backend;
  }

  get backend() {
    return this.#backend.backend;
  }

  call(operation, request, { signal } = {}) {
    return this.#ask('call', operation, request, signal);
  }

  // method: of the backend
  #ask(method, operation, request, signal) {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      if (signal?.aborted) throw cancelled(signal);
      this.#add({ method, args: [text(operation, 'operation'), json(request)], signal, resolve, reject });
    });
  }

  #add(job) {
    job.abort = () => this.#abort(job);
    job.signal?.addEventListener('abort', job.abort);
    this.#jobs.add(job);
    if (this.#jobs.size === 1) this.#run(job);
  }

  async #run(job) {
    job.runs = true;
    try {
      job.resolve(await this.#backend[job.method](...job.args));
    } catch (problem) {
      job.reject(problem.type === 'cancelled' && job.signal ? cancelled(job.signal) : problem);
    }
    this.#remove(job);
    const [next] = this.#jobs;
    if (next) this.#run(next);
  }

  #abort(job) {
    if (job.runs) {
      this.#backend.cancel();
      job.again = setInterval(() => this.#backend.cancel(), kCancelAgainMs);
    } else {
      this.#remove(job);
      job.reject(cancelled(job.signal));
    }
  }

  #remove(job) {
    clearInterval(job.again);
    job.signal?.removeEventListener('abort', job.abort);
    this.#jobs.delete(job);
  }

  #requireOpen() {
    if (this.#closed) throw error('conflict', 'this database is closed: open it again');
  }

  callSync(operation, request) {
    this.#requireOpen();
    return this.#backend.callSync(text(operation, 'operation'), json(request));
  }

  async *stream(operation, request, { signal } = {}) {
    const { answer, lists } = await this.#ask('stream', operation, request, signal);
    for (const list of lists) {
      for (const row of list) {
        if (signal?.aborted) throw cancelled(signal);
        yield row;
      }
      await turn(); // so that the event loop goes on
    }
    return answer;
  }

  // Calls that were made before end first.
  close() {
    this.#closed ??= new Promise((resolve, reject) => {
      this.#add({ method: 'close', args: [], resolve, reject });
    });
    return this.#closed;
  }
}

if (Symbol.dispose) {
  Database.prototype[Symbol.dispose] = function dispose() {
    this.close();
  };
  Database.prototype[Symbol.asyncDispose] = function dispose() {
    return this.close();
  };
}

for (const { method, name, list } of operations) {
  Database.prototype[method] = function operation(request, options) {
    const answer = this.call(name, request, options);
    if (list) {
      answer[Symbol.asyncIterator] = async function* rows() {
        yield* (await answer)[list];
      };
    }
    return answer;
  };
}

async function open(path = null, { backend = 'any', program, ...options } = {}) {
  if (!['any', 'addon', 'pipe'].includes(backend)) {
    throw error('invalid_argument', '"backend" has to be "addon", "pipe" or "any"', { field: 'backend' });
  }
  const file = path === null ? null : text(path, 'path');
  if (backend === 'addon' && !Addon) throw error('failed', `the addon cannot be loaded: ${whyNot.message}`, {}, { cause: whyNot });
  const Backend = backend === 'pipe' || !Addon ? Pipe : Addon;
  return new Database(await Backend.open(file, Backend === Pipe ? { ...options, program } : options));
}

exports.open = open;
exports.Database = Database;
exports.HebbError = HebbError;
