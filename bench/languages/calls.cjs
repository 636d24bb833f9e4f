// calls.cjs [sync] DATABASE: see languages.py.
'use strict';
const readline = require('node:readline');
const { open } = require(process.env.HEBB_PACKAGE);

const sync = process.argv[2] === 'sync';
const requests = {
  rank: () => ({ limit: 20 }),
  outcome: (id) => ({ id, outcome: 'failure' }),
};

function read(answer) {
  for (const row of answer.tasks ?? []) if (!row.id) throw new Error('a row without an id');
}

(async () => {
  const db = await open(process.argv.at(-1));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [operation, calls, task] = line.split(' ');
    const took = [];
    for (let i = 0; i < Number(calls); ++i) {
      const begin = process.hrtime.bigint();
      const request = requests[operation](task);
      read(sync ? db.callSync(operation, request) : await db.call(operation, request));
      took.push(Number(process.hrtime.bigint() - begin));
    }
    took.sort((a, b) => a - b);
    console.log(took[took.length >> 1]);
  }
  await db.close();
})();
