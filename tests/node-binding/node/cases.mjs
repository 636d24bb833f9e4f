// Each case of tests/serve/cases.jsonl, a request and what it gives, through the addon and the pipe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { backends, database, HebbError, operations, source } from './support.mjs';

const cases = readFileSync(path.join(source, 'tests/serve/cases.jsonl'), 'utf8').trim().split('\n').map(JSON.parse);

// Without what depends on where the database is; of a problem as there.
function compared(answer) {
  if (answer instanceof HebbError) {
    const { type, field, reason } = answer;
    return { problem: JSON.parse(JSON.stringify({ type, field, reason })) };
  }
  const { bytes, database: _, made, ...rest } = answer;
  return rest;
}

for (const backend of backends) {
  test(`every case gives the same through the ${backend}`, async (t) => {
    const { db } = await database(t, backend);
    assert.equal(db.backend, backend);
    const asked = new Set();
    for (const { ask, with: request, gives } of cases) {
      const { method } = operations.find(({ name }) => name === ask);
      const answer = await db[method](request).catch((problem) => problem);
      assert.deepEqual(compared(answer), gives, `${ask} ${JSON.stringify(request)}`);
      asked.add(ask);
    }
    assert.ok(asked.size >= 45);
  });
}

test('callSync gives the same', async (t) => {
  const { db } = await database(t, 'addon');
  for (const { ask, with: request, gives } of cases) {
    let answer;
    try {
      answer = db.callSync(ask, request);
    } catch (problem) {
      answer = problem;
    }
    assert.deepEqual(compared(answer), gives, `${ask} ${JSON.stringify(request)}`);
  }
});
