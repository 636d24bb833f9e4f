// hebb for Node: ranks open tasks and learns from how they went. Made by generate.mjs from the list of operations;
// the fields of requests and answers are those of hebb's JSON (docs/api.md).
/// <reference lib="esnext.disposable" />

/** Opens a database; null: the one that the command line uses in this folder ($HEBB_DB, else .hebb/hebb.db). */
export function open(path?: string | null, options?: OpenOptions): Promise<Database>;

export interface OpenOptions {
  /** false: a missing database is a HebbError of type no_database; else it is made */
  create?: boolean;
  /** How long to wait for another writer; else 5000. With the addon alone. */
  busy_timeout_ms?: number;
  /** The zone of times that name none: "Europe/Berlin" */
  tz?: string;
  /** Take this as now, RFC 3339 or milliseconds since 1970: for tests */
  now?: string | number;
  /** "addon": hebb in this process; "pipe": the program hebb beside it; "any" (default): the addon where it can be
   * loaded, else the pipe */
  backend?: 'any' | 'addon' | 'pipe';
  /** The program for the pipe: a path, or a name that PATH has; else "hebb" */
  program?: string;
}

export interface CallOptions {
  /** Ends this call, with a HebbError of type cancelled whose cause is the signal's reason. What the call has
   * committed by then stays; one that was done already gives its answer. */
  signal?: AbortSignal;
}

/** An answer that can also be iterated: for await (const task of db.rank()) */
export type Rows<Answer, Row> = Promise<Answer> & AsyncIterable<Row>;

/** An open database. Its calls run one after another, in the order they were made, and never block the event loop; open
 * the file twice to rank while an import runs. */
export class Database {
  private constructor();
  /** What answers: "addon" or "pipe" */
  readonly backend: 'addon' | 'pipe';
  /** Runs an operation by its name in docs/api.md; the methods below do that. */
  call<Name extends keyof Operations>(operation: Name, request?: Operations[Name]['request'], options?: CallOptions):
    Promise<Operations[Name]['answer']>;
  /** The same, at once: it blocks this thread, also while a call that was made before runs. With the addon alone. */
  callSync<Name extends keyof Operations>(operation: Name, request?: Operations[Name]['request']): Operations[Name]['answer'];
  /** Gives the first list of an answer row by row, as it was when the operation ran: a loop over it may call the
   * database. */
  stream<Name extends keyof Streams>(operation: Name, request?: Operations[Name]['request'], options?: CallOptions):
    AsyncGenerator<Streams[Name]['row'], Streams[Name]['others'], void>;
  /** Ends after the calls that were made before. */
  close(): Promise<void>;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;

  // methods…
}

/** What a call that fails is rejected with. */
export class HebbError extends Error {
  private constructor();
  readonly name: 'HebbError' | 'AbortError';
  /** What kind of problem it is */
  readonly type: ProblemType;
  /** What, where, and what to do */
  readonly detail: string;
  /** The field that is wrong */
  readonly field?: string;
  /** Why an event is refused: a code */
  readonly reason?: string;
  /** Of the input */
  readonly line?: number;
  /** When to try again */
  readonly retryAfterMs?: number;
  /** All of it, as hebb gives it */
  readonly problem: Record<string, unknown>;
}

export type ProblemType = 'problems…';

export interface Operations {
  // operations…
}

/** Those with a list of records */
export interface Streams {
  // streams…
}

// records…
