// What a call that fails is rejected with.
'use strict';

class HebbError extends Error {
  // problem: as hebb gives it, see "Errors" in docs/api.md
  constructor(problem, options) {
    super(problem.detail, options);
    // AbortError is the name that Node's own calls have where a signal ended them.
    this.name = problem.type === 'cancelled' ? 'AbortError' : 'HebbError';
    this.problem = problem;
  }

  get type() {
    return this.problem.type;
  }

  get detail() {
    return this.problem.detail;
  }

  get field() {
    return this.problem.field;
  }

  get reason() {
    return this.problem.reason;
  }

  get line() {
    return this.problem.line;
  }

  get retryAfterMs() {
    return this.problem.retry_after_ms;
  }
}

const error = (type, detail, more = {}, options = undefined) => new HebbError({ type, detail, ...more }, options);

// text: a problem as JSON; null: there was no memory for it
const errorOf = (text) =>
  text === null ? error('no_memory', 'there is too little memory: nothing was done') : new HebbError(JSON.parse(text));

const cancelled = (signal) => error('cancelled', 'the caller cancelled this', {}, { cause: signal.reason });

module.exports = { HebbError, error, errorOf, cancelled };
