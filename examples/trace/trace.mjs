// Reports each call of a function as `hebb trace` reads it (docs/tools.md). For Node.js, without dependencies.
//
//   import { traced } from "./trace.mjs";
//   const readFile = traced("fs:read", fs.promises.readFile);
//   await readFile("notes.txt");
//
// The function keeps its arguments, its `this`, what it returns and what it throws. One that returns a promise has
// ended when the promise has; what the caller gets is a promise that settles with it and has its properties. One that
// returns another object with a `then` (a query that runs when it is awaited) has ended when it returns. A generator
// runs while others go through it: such a function is returned as it is and not reported. Wrap the one with the loop.
// A call made while another one runs is reported as made from that one, across awaits.
// Nothing is reported with HEBB_TRACE=0, or after tracing(false).
//
// Traces go to the stdout that there is when this file is loaded: a process.stdout.write put in its place later, to
// collect what is printed, gets none.
//
// A trace counts only at the start of a line: end what you print with a newline before you call.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { types } from "node:util";

const running = new AsyncLocalStorage(); // the id of the call that runs
const outermost = process.env.HEBB_TRACE_PARENT; // the call that this program is part of
const key = process.env.HEBB_TRACE_KEY;
delete process.env.HEBB_TRACE_KEY; // what runs later cannot forge a trace
const write = process.stdout.write.bind(process.stdout);
const ownErrors = new WeakSet(); // of traces that could not be written
let enabled = process.env.HEBB_TRACE !== "0";

/** Switches reporting on or off for the calls that begin from now on. */
export function tracing(on) {
  enabled = on;
}

/** `fn`, whose calls are reported as calls of the tool `tool`. */
export function traced(tool, fn) {
  if (types.isGeneratorFunction(fn)) return fn;
  return function (...args) {
    if (!enabled) return fn.apply(this, args);
    const traceId = randomUUID();
    const begin = performance.now();
    const parent = running.getStore() ?? outermost;
    report({ type: "tool_start", tool, trace_id: traceId, ts: Date.now(), parent_trace_id: parent });
    const end = (error) =>
      report({
        type: "tool_end",
        trace_id: traceId,
        success: error === undefined,
        duration_ms: Math.round((performance.now() - begin) * 1000) / 1000,
        error: error === undefined ? undefined : text(error),
      });
    const fail = (error) => {
      end(error ?? "failed without a reason");
      throw error;
    };
    let result;
    try {
      result = running.run(traceId, () => fn.apply(this, args));
    } catch (error) {
      fail(error);
    }
    if (!types.isPromise(result)) {
      end();
      return result;
    }
    // The promise that follows it is returned, because to observe a promise counts as handling its rejection: if the
    // caller does not, Node.js must still say so.
    const following = result.then((value) => {
      end();
      return value;
    }, fail);
    return Object.assign(following, Object.fromEntries(Object.entries(result)));
  };
}

function report(event) {
  if (key) event.key = key;
  write(`__TRACE__${JSON.stringify(event)}\n`, (error) => {
    if (!error) return;
    ownErrors.add(error); // the event comes after this
    process.stdout.off("error", ignoreOwn).on("error", ignoreOwn);
  });
}

// When nobody reads the output, a trace is lost and the program goes on. What the program prints fails as ever.
function ignoreOwn(error) {
  if (!ownErrors.has(error) && process.stdout.listenerCount("error") === 1) throw error;
}

// What a trace line may hold: at most 64 KiB, and no lone surrogates.
function text(error) {
  try {
    const message = String(error instanceof Error ? error.message : error);
    return message.slice(0, 4096).replace(/\p{Surrogate}/gu, "\ufffd");
  } catch {
    return "an error without a text";
  }
}
