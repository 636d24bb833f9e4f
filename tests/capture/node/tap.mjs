// tap.mjs FILE COMMAND…: runs the command, and writes what passes to FILE.up and FILE.down.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const up = createWriteStream(`${file}.up`);
const down = createWriteStream(`${file}.down`);
process.stdin.pipe(up);
process.stdin.pipe(child.stdin);
child.stdout.pipe(down);
child.stdout.pipe(process.stdout);
child.stdin.on('error', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('close', (code, signal) => {
  down.end(() => up.end(() => process.exit(signal ? 1 : code)));
});
