// A session with @playwright/mcp, recorded by hebb, becomes a skill that is done again without it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ORDERED, shop } from './shop.mjs';
import { agent, folder, hebb, playwrightMcp, recorded, site } from './support.mjs';

const SECRET = { HEBB_SECRET_PASSWORD: 'tulips99' };

const order = async ({ call, ref }, url, picture) => {
  await call('browser_navigate', { url });
  await call('browser_snapshot');
  await call('browser_fill_form', { fields: [
    { name: 'Name', type: 'textbox', target: ref('textbox "Name"'), value: 'Ada' },
    { name: 'Password', type: 'textbox', target: ref('textbox "Password"'), value: SECRET.HEBB_SECRET_PASSWORD },
    { name: 'Gift wrapping', type: 'checkbox', target: ref('checkbox'), value: 'true' },
    { name: 'Courier', type: 'radio', target: ref('radio "Courier"'), value: 'true' }] });
  await call('browser_select_option', { element: 'Size', target: ref('combobox'), values: ['l'] });
  await call('browser_click', { element: 'Picture', target: ref('button "Picture"') });
  await call('browser_file_upload', { paths: [picture] });
  const tea = (await call('browser_snapshot')).match(/Tea\n\s*- button "Add" \[ref=(\w+)\]/)[1];
  await call('browser_click', { element: 'Add tea', target: tea });
  await call('browser_drag', { startElement: 'Parcel', startTarget: ref('Parcel'), endElement: 'Truck',
    endTarget: ref('Truck') });
  await call('browser_type', { element: 'Note', target: ref('textbox "Note"'), text: 'be quick' });
  await call('browser_type', { element: 'Number', target: ref('textbox "Number"'), text: '4111' });
  await call('browser_click', { element: 'Order now', target: ref('button "Order now"') });
  await call('browser_handle_dialog', { accept: true });
  await call('browser_wait_for', { text: ORDERED });
};

// What one replay costs an agent that asks for it.
const replayed = async (t, db, url, files) => {
  const { client } = await agent(t, db, ['--replay', new URL(url).origin, '--upload-from', files], SECRET);
  await client.listTools();
  const call = { name: 'skill_replay', arguments: { skill: 'order', allow_risky: true } };
  const began = performance.now();
  const result = await client.callTool(call);
  const ms = performance.now() - began;
  assert.equal(result.structuredContent.ok, true, result.content[0].text);
  return { calls: 1, bytes: Buffer.byteLength(JSON.stringify(call) + JSON.stringify(result)), ms };
};

test('what an agent did is done again, in one call', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const picture = path.join(dir, 'picture.txt');
  writeFileSync(picture, 'a picture');
  const { domain, url, put } = await site(t, shop());
  const session = await recorded(t, db, playwrightMcp(dir));
  await order(session, url, picture);
  await session.call('browser_close');
  await session.client.close();

  await hebb(db, ['skill', 'contract', 'set', 'ordered', '--text', ORDERED]);
  await hebb(db, ['skill', 'record', domain, 'order', '--from-session', 'order', '--contract', 'ordered']);
  const skill = await hebb(db, ['skill', 'show', 'order', '--json']);
  assert.ok(!skill.includes(SECRET.HEBB_SECRET_PASSWORD));
  assert.deepEqual(JSON.parse(skill).skill.secrets, ['PASSWORD']);
  const again = await replayed(t, db, url, dir);
  const run = (env, status, ...options) =>
    hebb(db, ['skill', 'run', 'order', '--allow-risky', '--json', '--step-timeout', '4000', ...options], { env, status });
  const done = JSON.parse(await run(SECRET, 0));
  assert.ok(done.ok);
  assert.equal(done.steps_executed, done.steps_total);

  // A page that takes the order and does nothing, and one that says something else.
  put(shop(''));
  assert.match(await run(SECRET, 1), /STEP_TIMEOUT/);
  put(shop('Sorry: '));
  assert.match(await run(SECRET, 1), /STEP_TIMEOUT/);

  for (const [name, { calls, bytes, ms }] of [['the session', session.spent], ['the replay', again]])
    t.diagnostic(`| ${name} | ${calls} | ${bytes} | ${(ms / 1000).toFixed(1)} s |`);
});

test('steps in a second tab are done in it', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const { domain, url } = await site(t, shop());
  const { client, call, ref } = await recorded(t, db, playwrightMcp(dir));
  await call('browser_navigate', { url });
  await call('browser_snapshot');
  await call('browser_click', { element: 'New tab', target: ref('link "New tab"') });
  await call('browser_tabs', { action: 'select', index: 1 });
  await call('browser_snapshot');
  await call('browser_type', { element: 'Name', target: ref('textbox "Name"'), text: 'Bea' });
  await call('browser_tabs', { action: 'close', index: 1 });
  await call('browser_snapshot');
  await call('browser_type', { element: 'Name', target: ref('textbox "Name"'), text: 'Ada' });
  await client.close();
  await hebb(db, ['skill', 'record', domain, 'tabs', '--from-session', 'order']);
  const steps = JSON.parse(await hebb(db, ['skill', 'show', 'tabs', '--json'])).skill.steps.map((s) => s.replay_artifact);
  assert.deepEqual(steps.map((s) => [s.kind, s.tab ?? 0]),
    [['navigate', 0], ['click', 0], ['fill', 1], ['close', 1], ['fill', 0]]);
  assert.ok(JSON.parse(await hebb(db, ['skill', 'run', 'tabs', '--json'])).ok);
});

test('calls that give no step are named, and no skill is made', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const { domain, url } = await site(t, shop());
  const { client, call, ref } = await recorded(t, db, playwrightMcp(dir));
  await call('browser_navigate', { url });
  await call('browser_snapshot');
  await call('browser_click', { element: 'More', target: ref('link "More"') });
  await call('browser_navigate_back');
  await call('browser_evaluate', { function: '() => document.title' });
  await call('browser_tabs', { action: 'new' });
  await client.close();
  const said = await hebb(db, ['skill', 'record', domain, 'back', '--from-session', 'order'], { status: 1 });
  assert.match(said, /browser_navigate_back \(call 4 of the session\): no step goes through a browser's history/);
  assert.match(said, /browser_evaluate \(call 5 of the session\): it runs code of its own/);
  assert.match(said, /browser_tabs \(call 6 of the session\): no step opens a page of its own/);
  assert.equal(JSON.parse(await hebb(db, ['skill', 'list', '--json'])).skills.length, 0);
});
