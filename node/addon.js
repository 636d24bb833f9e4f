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

  // Gives the answer without its first list, and that as an iterable of lists of rows.
  async stream(operation, request) {
    const [rows, answer] = await native.stream(this.#database, operation, request).catch(rejected);
    return { answer: JSON.parse(answer), lists: Addon.#lists(rows) };
  }

  static *#lists(rows) {
    try {
      for (let text = native.next(rows); text !== null; text = native.next(rows)) {
        if (text === undefined) rejected(null);
        yield JSON.parse(text);
      }
    } finally {
      native.end(rows);
    }
  }
}

module.exports = { Addon: native ? Addon : undefined, whyNot };
