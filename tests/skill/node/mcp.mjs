// Skills through the tools of `hebb mcp`, by the official client: recorded, recalled, replayed and cancelled.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { shop } from './shop.mjs';
import { agent, folder, hebb, site } from './support.mjs';

const role = (of, name) => ({ target: { role: of, name } });
const ORDER = [
  { kind: 'fill', ...role('textbox', 'Name'), value: 'Ada' },
  { kind: 'fill', ...role('textbox', 'Password'), value: '${SECRET:PASSWORD}' },
  { kind: 'check', ...role('checkbox', 'Gift wrapping') },
  { kind: 'click', ...role('button', 'Order now') },
  { kind: 'dialog', accept: true },
];
const ORDERED = 'Ordered: Ada, 8, s, true, post, 0';
const SECRET = { HEBB_SECRET_PASSWORD: 'tulips99' };

const ready = async (t, options = {}) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const { domain, url, put } = await site(t, options.html ?? shop());
  await hebb(db, ['init']);
  await hebb(db, ['skill', 'contract', 'set', 'ordered', '--text', ORDERED]);
  const asked = await agent(t, db, options.replay ?? ['--replay', `http://${domain}`], SECRET);
  return { dir, db, domain, url, put, ...asked };
};

test('an agent records steps, finds the skill again and replays it', async (t) => {
  const { domain, url, put, call } = await ready(t);
  const recorded = await call('record', { domain, name: 'order', start_url: url, contract: 'ordered', steps: ORDER,
    description: 'Order what is in the basket', allow_risky: true });
  assert.equal(recorded.created, true);
  assert.deepEqual(recorded.skill.secrets, ['PASSWORD']);
  await call('record', { domain: 'elsewhere.example', name: 'read', step: ['open the news'] });

  const names = (found) => found.skills.map((skill) => skill.name);
  assert.deepEqual(names(await call('recall', { url: `${url}?basket` })), ['order']);
  assert.deepEqual(names(await call('recall', { intent: 'ORDER the basket' })), ['order', 'read']);
  assert.deepEqual(names(await call('recall', { intent: 'nobody did that' })), []);
  const [found] = (await call('recall', { domain })).skills;
  assert.equal(found.proven, false);

  for (let i = 0; i < 3; ++i) {
    const run = await call('replay', { skill: found.skill_id, allow_risky: true });
    assert.equal(run.ok, true, JSON.stringify(run));
    assert.equal(run.steps_executed, ORDER.length);
  }
  const recalled = await call('recall', {});
  assert.ok(!JSON.stringify(recalled).includes(SECRET.HEBB_SECRET_PASSWORD));
  assert.deepEqual(names(recalled), ['order', 'read']);
  assert.equal(recalled.skills[0].proven, true);

  put(shop().replace('Order now', 'Buy now'));
  const lost = await call('replay', { skill: 'order', step_timeout: 700, allow_risky: true });
  assert.equal(lost.failure.code, 'ARTIFACT_RESOLUTION_FAILED', JSON.stringify(lost));
  put(shop('Sorry: '));
  const failed = await call('replay', { skill: 'order', step_timeout: 700, allow_risky: true });
  assert.equal(failed.failure.code, 'CONTRACT_FAILED');
  assert.ok(existsSync(failed.failure.evidence_bundle_path));
  assert.equal((await call('replay', { skill: 'no such' })).failure.code, 'SKILL_NOT_FOUND');
});

test('what cannot be taken back needs allow_risky', async (t) => {
  const { domain, url, call } = await ready(t, { html: '<title>T</title><button>Delete all</button>' });
  const steps = [{ kind: 'click', ...role('button', 'Delete all') }];
  await assert.rejects(call('record', { domain, name: 'delete', start_url: url, steps }), /RISKY_ACTION/);
  await call('record', { domain, name: 'delete', start_url: url, steps, allow_risky: true });
  assert.equal((await call('replay', { skill: 'delete' })).failure.code, 'RISKY_ACTION');
  assert.equal((await call('replay', { skill: 'delete', allow_risky: true })).ok, true);
});

test('a server opens the pages that its owner has named, and no file', async (t) => {
  const elsewhere = await site(t, '<title>Elsewhere</title><input aria-label="Password">');
  const { dir, domain, url, call } = await ready(t);
  const disabled = async (args) => {
    const { failure } = await call('replay', args);
    assert.equal(failure.code, 'DISABLED', JSON.stringify(failure));
  };
  const artifact = (steps) => ({ schema_version: 2, recorded_at: 0, recorder: { hebb_version: '0.2.0' }, steps });
  const selectors = [{ type: 'role_name', role: 'textbox', name: 'Password' }];
  const record = (name, start_url, ...steps) =>
    call('record', { domain, name, start_url, artifact: artifact(steps) });
  const secret = { kind: 'fill', selectors, args: { value: '${SECRET:PASSWORD}' } };
  await record('here', url, secret);
  await disabled({ skill: 'here', url: elsewhere.url });
  await disabled({ skill: 'here', url: `http://${domain}@${elsewhere.domain}/` });
  await disabled({ skill: 'here', allow_origin: ['*'] });
  await record('there', elsewhere.url, secret);
  await disabled({ skill: 'there' });
  await record('goes', url, { kind: 'navigate', selectors: [], args: { url: elsewhere.url } }, secret);
  await disabled({ skill: 'goes', allow_risky: true });
  const passwords = path.join(dir, 'passwords');
  writeFileSync(passwords, 'all of them');
  await record('reads', `file://${passwords}`, secret);
  await disabled({ skill: 'reads' });
  const picture = [{ type: 'label', value: 'Picture' }];
  await record('sends', url, { kind: 'upload', selectors: picture, args: { files: [passwords] } });
  await disabled({ skill: 'sends' });
  await assert.rejects(
    call('record', { domain, name: 'sends', start_url: url,
      steps: [{ kind: 'upload', target: { label: 'Picture' }, files: [passwords] }] }), /DISABLED/);
  for (const local of [{ evidence: dir }, { browser: '/bin/sh' }, { headed: true }, { secrets_fd: 0 },
    { allow_script: true }])
    await assert.rejects(call('replay', { skill: 'here', ...local }), /on the command line alone/);
  await record('runs', url, { kind: 'wait', selectors: [], args: { expression: "fetch('/sent')" } });
  const { failure } = await call('replay', { skill: 'runs', allow_risky: true });
  assert.equal(failure.code, 'RISKY_ACTION', JSON.stringify(failure));
  for (const local of [{ from: passwords }, { from_artifact: passwords }, { allow_script: true }])
    await assert.rejects(call('record', { domain, name: 'x', ...local }), /on the command line alone/);
});

test('files are uploaded from the folder that the owner has named', async (t) => {
  const dir = folder(t);
  const picture = path.join(dir, 'picture.txt');
  writeFileSync(picture, 'a picture');
  const { domain, url, call } = await ready(t, { replay: ['--replay', 'http://127.0.0.1:*', '--upload-from', dir] });
  const steps = (file) => [{ kind: 'upload', target: { label: 'Picture' }, files: [file] }];
  await call('record', { domain, name: 'send', start_url: url, steps: steps(picture) });
  assert.equal((await call('replay', { skill: 'send' })).ok, true);
  await assert.rejects(
    call('record', { domain, name: 'send', start_url: url, steps: steps(`${dir}/../../etc/passwd`) }), /DISABLED/);
});

test('without --replay nothing is replayed, and all else works', async (t) => {
  const { domain, url, call, client } = await ready(t, { replay: [] });
  assert.ok((await client.listTools()).tools.some((tool) => tool.name === 'skill_replay'));
  await assert.rejects(call('record', { domain, name: 'order', start_url: url, steps: ORDER }), /DISABLED.*--replay/);
  await call('record', { domain, name: 'order', step: ['order it'] });
  assert.equal((await call('replay', { skill: 'order' })).failure.code, 'DISABLED');
});

test('pings are answered during a replay, and a cancelled one ends its browser', async (t) => {
  const { db, domain, url, call, client } = await ready(t);
  const artifact = { schema_version: 2, recorded_at: 0, recorder: { hebb_version: '0.2.0' },
    steps: [{ kind: 'click', selectors: [{ type: 'role_name', role: 'button', name: 'Never there' }] }] };
  await call('record', { domain, name: 'wait', start_url: url, artifact });
  const stop = new AbortController();
  const replay = call('replay', { skill: 'wait', step_timeout: 600_000, timeout: 600_000 }, stop.signal);
  const ended = assert.rejects(replay, /not wanted any more/);
  await client.ping();  // while the replay has nine minutes to go
  stop.abort('not wanted any more');
  await ended;
  // The next request is answered once the cancelled one is off the table.
  assert.equal((await call('recall', { domain })).skills[0].runs, 0, 'a cancelled run says nothing of the skill');
  assert.equal(JSON.parse(await hebb(db, ['skill', 'list', '--json'])).skills.length, 1);
});
