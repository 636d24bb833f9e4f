// hebb's library in this process, by the addon.
'use strict';

const path = require('node:path');
const { errorOf } = require('./error.js');

let native;
let whyNot; // the addon cannot be loaded
try {
  native = require(path.join(__dirname, 'prebuilds', `${process.platform}-${process.arch}`, 'hebb.node'));
} catch (problem) {
  whyNot = problem;
}

const rejected = (text) => {
  throw errorOf(text);
};

// Their threads must have ended before the program does.
const streams = new Set();
const endStreams = () => {
  for (const stream of streams) native.endSync(stream);
  streams.clear();
};

class Addon {
  backend = 'addon';
  #database;

  // file: null: the one that the command line uses in this folder
  static async open(file, options) {
    const addon = new Addon();
    addon.#database = await native.open(file, JSON.stringify(options)).catch(rejected);
    return addon;
  }

  // request: JSON. One at a time.
  async call(operation, request) {
    return JSON.parse(await native.call(this.#database, operation, request).catch(rejected));
  }

  callSync(operation, request) {
    const [done, text] = native.callSync(this.#database, operation, request);
    if (!done) rejected(text);
    return JSON.parse(text);
  }

  // Ends the call that runs.
  cancel() {
    native.cancel(this.#database);
  }

  close() {
    return native.close(this.#database);
  }

  // Yields lists of rows, returns the answer without them. From a database of its own, which stays open until the
  // last row has been taken, so that the reader may call this one.
  static async *stream(file, options, operation, request, signal) {
    if (streams.size === 0) process.once('exit', endStreams);
    const stream = native.stream(file, JSON.stringify(options), operation, request);
    streams.add(stream);
    const stop = () => void end();
    let ended;
    const end = () => {
      streams.delete(stream);
      if (streams.size === 0) process.off('exit', endStreams);
      ended ??= native.end(stream);
      return ended;
    };
    signal?.addEventListener('abort', stop);
    try {
      while (true) {
        const rows = await native.next(stream).catch(rejected);
        if (typeof rows !== 'string') return JSON.parse(rows[0]);
        yield JSON.parse(rows);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      await end();
    }
  }
}

module.exports = { Addon: native ? Addon : undefined, whyNot };
