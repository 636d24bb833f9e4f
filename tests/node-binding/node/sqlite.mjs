// A second copy of SQLite, Node's own, has the file open while hebb writes it, and the program is killed in the middle.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import test from 'node:test';
import { backends, folder, hebb, open, packageFolder } from './support.mjs';

// Prints the id of each outcome that was acknowledged, for ever.
const writer = `
  const [folder, backend, program, file, run] = process.argv.slice(1);
  const { open } = require(folder);
  const { DatabaseSync } = require('node:sqlite');
  (async () => {
    const db = await open(file, { backend, program });
    await db.nodeSet({ id: 'a', type: 'TASK', state: 'OPEN' });
    const other = new DatabaseSync(file);
    const count = other.prepare('SELECT count(*) AS events FROM event');
    for (let i = 0; ; ++i) {
      const id = run + '-' + i;
      await db.outcome({ id: 'a', outcome: i % 2 ? 'success' : 'failure', outcome_id: id });
      console.log(id);
      if (count.get().events < i) throw new Error('it sees too few events');
      // To close a file ends the locks that its process has on it, where they are not those of the open file.
      if (i % 3 === 0) new DatabaseSync(file, { readOnly: i % 2 === 0 }).close();
      if (i % 10 === 9) other.exec('PRAGMA wal_checkpoint(PASSIVE)');
    }
  })();`;

for (const backend of backends) {
  test(`${backend}: every acknowledged write is there after SIGKILL`, async (t) => {
    const file = path.join(folder(t), 'x.db');
    const acknowledged = [];
    for (const [run, writes] of [20, 45, 90].entries()) {
      const child = execFile(process.execPath, ['-e', writer, packageFolder, backend, hebb, file, run]);
      let errors = '';
      child.stderr.on('data', (text) => { errors += text; });
      let count = 0;
      for await (const id of createInterface(child.stdout)) {
        acknowledged.push(id);
        if (++count === writes) child.kill('SIGKILL');
      }
      assert.ok(count >= writes, errors);
      const db = await open(file, { backend, program: hebb });
      for (const id of acknowledged) {
        const { repeated } = await db.outcome({ id: 'a', outcome: id.split('-')[1] % 2 ? 'success' : 'failure', outcome_id: id });
        assert.equal(repeated, true, id);
      }
      assert.equal((await db.verify()).ok, true);
      await db.close();
    }
  });
}
