// Calls at once, in worker threads, cancelled, after close(); what is left open is collected.
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { backends, database, hebb, HebbError, open, packageFolder, runScript } from './support.mjs';

const line = (fields) => `${JSON.stringify({ at: 1767000000000, ...fields })}\n`;
const tasks = (count) => Array.from({ length: count }, (_, i) =>
  line({ kind: 'node', id: `t${i}`, type: 'TASK', state: 'OPEN', name: `Task ${i}` })).join('');
const fill = (db, count) => db.ingest({ content: tasks(count), format: 'history' });
const turn = () => new Promise((resolve) => { setImmediate(resolve); });
const linkOf = (fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
};
const type = (name) => (problem) => problem instanceof HebbError && problem.type === name;

for (const backend of backends) {
  const at = `${backend}: `;

  test(`${at}many calls at once come one after another, in their order`, async (t) => {
    const { db } = await database(t, backend);
    const order = [];
    const calls = Array.from({ length: 150 }, (_, i) => [
      db.nodeSet({ id: `t${i}`, type: 'TASK', state: 'OPEN' }),
      db.outcome({ id: `t${i}`, outcome: 'success' }),
    ]).flat();
    calls.forEach((call, i) => call.then(() => order.push(i)));
    await Promise.all(calls);
    assert.deepEqual(order, calls.map((_, i) => i));
    assert.equal((await db.stats()).outcomes, 150);
  });

  test(`${at}the event loop goes on while a call runs`, async (t) => {
    const { db } = await database(t, backend);
    let done = false;
    const call = fill(db, 5000).then(() => { done = true; });
    await turn();
    await turn();
    assert.equal(done, false);
    await call;
  });

  test(`${at}an answer is awaited or iterated; a stream gives the same rows`, async (t) => {
    const { db } = await database(t, backend);
    await fill(db, 1000);
    const { tasks: awaited, ...others } = await db.rank({ limit: 1000 });
    const iterated = [];
    for await (const task of db.rank({ limit: 1000 })) iterated.push(task);
    const streamed = [];
    const stream = db.stream('rank', { limit: 1000 });
    let next;
    while (!(next = await stream.next()).done) streamed.push(next.value);
    assert.equal(awaited.length, 1000);
    assert.deepEqual(iterated, awaited);
    assert.deepEqual(streamed, awaited);
    assert.deepEqual(next.value, others);
    assert.equal(db.nodeGet({ id: 't1' })[Symbol.asyncIterator], undefined);
  });

  test(`${at}the event loop goes on while a stream is read`, async (t) => {
    const { db } = await database(t, backend);
    await fill(db, 5000);
    let turns = 0;
    const count = () => {
      turns += 1;
      again = setImmediate(count);
    };
    let again = setImmediate(count);
    const stream = db.stream('rank', { limit: 5000 });
    await stream.next();
    const before = turns;
    for await (const _ of stream);
    clearImmediate(again);
    assert.ok(turns > before);
  });

  test(`${at}a loop over a stream may write, and may end early`, async (t) => {
    const { db, file } = await database(t, backend);
    await fill(db, 5000);
    const loops = Array.from({ length: 6 }, async (_, i) => {
      let rows = 0;
      for await (const task of db.stream('rank', { limit: 5000 })) {
        if (rows++ === i) await db.outcome({ id: task.id, outcome: 'success', outcome_id: `loop ${i}` });
        if (rows === 500 * (i + 1)) break;
      }
      return rows;
    });
    assert.deepEqual(await Promise.all(loops), [500, 1000, 1500, 2000, 2500, 3000]);
    await db.close();
    if (backend === 'addon') { // all descriptors of the file are closed
      const opened = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(file));
      assert.deepEqual(opened, []);
    }
  });

  test(`${at}a stream fails as a call does`, async (t) => {
    const { db } = await database(t, backend);
    const read = async (...args) => {
      for await (const row of db.stream(...args)) assert.fail(row);
    };
    await assert.rejects(read('rank', { limit: 0 }), { name: 'HebbError', type: 'invalid_argument', field: 'limit' });
    await assert.rejects(read('rankk'), { type: 'invalid_argument', field: 'operation' });
  });

  test(`${at}a signal ends the call that it was given to, and no other`, async (t) => {
    const { db } = await database(t, backend);
    await db.nodeSet({ id: 'a', type: 'TASK', state: 'OPEN' });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = db.ingest({ content: tasks(100_000), format: 'history' }, { signal: first.signal });
    const waiting = db.outcome({ id: 'a', outcome: 'failure' }, { signal: second.signal });
    const last = db.nodeGet({ id: 'a' });
    second.abort(new Error('changed my mind'));
    await assert.rejects(waiting, (problem) => problem.cause.message === 'changed my mind' &&
      problem.name === 'AbortError' && type('cancelled')(problem));
    await turn();
    first.abort();
    await assert.rejects(running, type('cancelled'));
    assert.equal((await last).node.id, 'a');
    assert.equal((await db.stats()).outcomes, 0);
    await assert.rejects(db.rank({}, { signal: AbortSignal.abort() }), type('cancelled'));
    const { ok } = await db.verify();
    assert.equal(ok, true);
    const done = new AbortController();
    const { total } = await db.rank({ limit: 1 }, { signal: done.signal });
    done.abort();
    assert.ok(total >= 1);
  });

  test(`${at}a signal ends a stream`, async (t) => {
    const { db } = await database(t, backend);
    await fill(db, 5000);
    const controller = new AbortController();
    let rows = 0;
    await assert.rejects(async () => {
      for await (const _ of db.stream('rank', { limit: 5000 }, { signal: controller.signal })) {
        if (++rows === 500) controller.abort();
      }
    }, type('cancelled'));
    assert.ok(rows < 5000);
  });

  test(`${at}close() ends after the calls before it, and nothing may follow`, async (t) => {
    const { db, file } = await database(t, backend);
    const set = db.nodeSet({ id: 'a', type: 'TASK', state: 'OPEN' });
    const closed = db.close();
    await assert.rejects(db.rank(), { type: 'conflict', detail: 'this database is closed: open it again' });
    assert.throws(() => db.callSync('rank'), type('conflict'));
    await assert.rejects(db.stream('rank').next(), type('conflict'));
    assert.equal((await set).created, true);
    await closed;
    assert.equal(db.close(), closed);
    const again = await open(file, { backend, program: hebb });
    assert.equal((await again.rank()).total, 1);
    await again[Symbol.asyncDispose]();
    await assert.rejects(again.rank(), type('conflict'));
  });

  test(`${at}what is wrong says what, where and what to do`, async (t) => {
    const { db, file } = await database(t, backend);
    const options = { backend, program: hebb };
    await assert.rejects(db.outcome({ id: 'a', outcome: 'fine' }), { name: 'HebbError', field: 'outcome' });
    await assert.rejects(db.nodeGet({ id: 'none' }), (problem) => {
      assert.match(problem.detail, /there is no node "none"/);
      assert.equal(problem.message, problem.detail);
      assert.equal(problem.problem.title, 'this does not exist');
      return type('not_found')(problem);
    });
    await assert.rejects(db.call('rankk'), { type: 'invalid_argument', field: 'operation' });
    await assert.rejects(db.call('rank\0'), { type: 'invalid_argument', field: 'operation' });
    await assert.rejects(db.rank({ limit: 1n }), { type: 'invalid_argument' });
    await assert.rejects(open(`${file}\0`, options), { type: 'invalid_argument', field: 'path' });
    await assert.rejects(open(7, options), { type: 'invalid_argument', field: 'path' });
    await assert.rejects(open(`${file}.none`, { ...options, create: false }), { type: 'no_database' });
    await assert.rejects(open(`${file}/none/x.db`, options), { type: 'no_database' });
    await assert.rejects(open(file, { ...options, creat: true }), { type: 'invalid_argument', field: 'creat' });
  });

  test(`${at}a database that nobody closed is collected; a program ends with one open`, async (t) => {
    const { code, signal, out, err } = await runScript(t, `
      import { execFileSync } from 'node:child_process';
      import { readdirSync, readlinkSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const [folder, backend, program, file] = process.argv.slice(2);
      const { open } = createRequire(folder)(folder);
      const children = () => execFileSync('ps', ['-o', 'args=', '--ppid', process.pid], { encoding: 'utf8' })
        .split('\\n').filter((line) => line.includes(file)).length;
      const files = () => readdirSync('/proc/self/fd').filter((fd) => {
        try { return readlinkSync('/proc/self/fd/' + fd).startsWith(file); } catch { return false; }
      }).length;
      const held = () => (backend === 'addon' ? files() : children());
      const use = async () => (await open(file, { backend, program })).nodeSet({ id: 'a', type: 'TASK', state: 'OPEN' });
      await use();
      const before = held();
      for (let i = 0; i < 1000 && held() > 0; ++i) {
        gc();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const after = held();
      const stays = await open(file, { backend, program });
      const stream = stays.stream('rank');
      await stream.next();
      console.log(JSON.stringify({ before: before > 0, after, id: (await stays.nodeGet({ id: 'a' })).node.id }));
    `, packageFolder, backend, hebb, `${(await database(t, backend)).file}2`);
    assert.deepEqual({ code, signal, err }, { code: 0, signal: null, err: '' });
    assert.deepEqual(JSON.parse(out), { before: true, after: 0, id: 'a' });
  });

  test(`${at}a stream has the rows of when it ran, also after close()`, async (t) => {
    const { db } = await database(t, backend);
    await fill(db, 3);
    const { tasks: ranked } = await db.rank();
    const stream = db.stream('rank');
    const rows = [(await stream.next()).value];
    await db.outcome({ id: ranked[1].id, outcome: 'success' });
    await db.close();
    for await (const row of stream) rows.push(row);
    assert.deepEqual(rows, ranked);
  });

  test(`${at}process.exit() ends a stream`, async (t) => {
    const { db, file } = await database(t, backend);
    await fill(db, 5000);
    const { code, signal, out } = await runScript(t, `
      import { createRequire } from 'node:module';
      const [folder, backend, program, file] = process.argv.slice(2);
      const db = await createRequire(folder)(folder).open(file, { backend, program });
      for (let i = 0; i < 3; ++i) db.stream('rank', { limit: 5000 }).next();
      await db.stream('rank', { limit: 5000 }).next();
      db.verify();
      console.log('exit');
      process.exit(7);
    `, packageFolder, backend, hebb, file);
    assert.deepEqual({ code, signal, out }, { code: 7, signal: null, out: 'exit\n' });
  });

  test(`${at}worker threads share a file`, async (t) => {
    const { db, file } = await database(t, backend);
    const script = `
      const { parentPort, workerData: { folder, backend, program, file, worker } } = require('node:worker_threads');
      (async () => {
        const db = await require(folder).open(file, { backend, program });
        for (let i = 0; i < 25; ++i) await db.nodeSet({ id: worker + '-' + i, type: 'TASK', state: 'OPEN' });
        let rows = 0;
        for await (const _ of db.stream('rank', { limit: 1000 })) ++rows;
        parentPort.postMessage(rows);
        if (worker % 2) await db.close(); // the others end with it open
      })();`;
    const workers = [0, 1, 2, 3].map((worker) => new Promise((resolve, reject) => {
      const data = { folder: packageFolder, backend, program: hebb, file, worker };
      const thread = new Worker(script, { eval: true, workerData: data });
      let rows;
      thread.on('message', (count) => { rows = count; });
      thread.on('error', reject);
      thread.on('exit', () => resolve(rows));
    }));
    for (const rows of await Promise.all(workers)) assert.ok(rows >= 25);
    assert.equal((await db.rank({ limit: 1 })).total, 100);
  });
}

test('a worker thread that is terminated in a call leaves the others', async (t) => {
  const { db, file } = await database(t, 'addon');
  await fill(db, 5000);
  const worker = new Worker(`
    const { parentPort, workerData: { folder, file } } = require('node:worker_threads');
    (async () => {
      const db = await require(folder).open(file);
      const stream = db.stream('rank', { limit: 5000 });
      await stream.next();
      parentPort.postMessage('runs');
      while (true) await db.verify();
    })();`, { eval: true, workerData: { folder: packageFolder, file } });
  await new Promise((resolve) => { worker.once('message', resolve); });
  await worker.terminate();
  assert.equal((await db.verify()).ok, true);
});

test('without the addon the pipe answers, and its end is an error', async (t) => {
  const { db, file } = await database(t, 'pipe');
  await assert.rejects(open(file, { backend: 'pipe', program: '/none/hebb' }),
    { type: 'failed', message: /"\/none\/hebb" cannot be started/ });
  await assert.rejects(open(':memory:', { backend: 'pipe', program: hebb }), { field: 'path' });
  await assert.rejects(open(file, { backend: 'pipe', program: hebb, busy_timeout_ms: 1 }), { field: 'busy_timeout_ms' });
  await assert.rejects(open(file, { backend: 'carrier pigeon' }), { field: 'backend' });
  const stops = await open(file, { backend: 'pipe', program: 'false' }).catch((problem) => problem);
  assert.match(stops.detail, /false pipe ended \(exit code 1\)/);
  assert.throws(() => db.callSync('rank'), type('failed'));
});

test('a database in memory has all, too', async () => {
  const db = await open(':memory:');
  await db.nodeSet({ id: 'a', type: 'TASK', state: 'OPEN' });
  assert.equal((await db.rank()).tasks[0].id, 'a');
  assert.equal((await db.stream('rank').next()).value.id, 'a');
  await db.close();
});
