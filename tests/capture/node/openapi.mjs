// openapi.json as @redocly/cli's recommended rules have it: no error and no warning.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'hebb-openapi-'));
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

function lint(text) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  const run = spawnSync('node_modules/.bin/redocly', ['lint', '--format=json', file],
                        { env, encoding: 'utf8' });
  return JSON.parse(run.stdout.slice(run.stdout.indexOf('{')));
}

test('openapi.json passes the linter', () => {
  const found = lint(execFileSync(process.env.HEBB, ['api', 'openapi'], { encoding: 'utf8' }));
  assert.deepEqual(found.problems, []);
  assert.equal(found.totals.errors + found.totals.warnings, 0);
});

test('the linter sees what is wrong', () => {
  const document = JSON.parse(execFileSync(process.env.HEBB, ['api', 'openapi'], { encoding: 'utf8' }));
  document.paths['/v1/rank'].get.parameters[0].in = 'nowhere';
  assert.notEqual(lint(JSON.stringify(document)).totals.errors, 0);
});

test.after(() => rmSync(folder, { recursive: true }));
