// A session with chrome-devtools-mcp, recorded by hebb, becomes a skill that is done again without it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ORDERED, shop } from './shop.mjs';
import { devtoolsMcp, folder, hebb, recorded, site } from './support.mjs';

const SECRET = { HEBB_SECRET_PASSWORD: 'tulips99' };

// It opens the second page of its browser: the first is about:blank.
const opened = async (t, db, url) => {
  const session = await recorded(t, db, devtoolsMcp());
  await session.call('new_page', { url });
  const call = (name, args = {}) => session.call(name, { pageId: 2, ...args });
  await call('take_snapshot');
  return { ...session, call };
};

test('what an agent did to a page is done again', async (t) => {
  const dir = folder(t);
  const db = path.join(dir, 'hebb.db');
  const picture = path.join(dir, 'picture.txt');
  writeFileSync(picture, 'a picture');
  const { domain, url, put } = await site(t, shop());
  const { client, call, ref } = await opened(t, db, url);
  await call('fill_form', { elements: [
    { uid: ref('textbox "Name"'), value: 'Ada' }, { uid: ref('combobox "Size"'), value: 'Large' },
    { uid: ref('checkbox "Gift wrapping"'), value: 'true' }, { uid: ref('radio "Courier"'), value: 'true' }] });
  await call('fill', { uid: ref('textbox "Password"'), value: SECRET.HEBB_SECRET_PASSWORD });
  await call('upload_file', { uid: ref('button "Picture"'), filePaths: [picture] });
  const tea = (await call('take_snapshot')).match(/"Tea "\n\s*uid=(\w+) button "Add"/)[1];
  await call('click', { uid: tea });
  await call('drag', { from_uid: ref('"Parcel"'), to_uid: ref('"Truck"') });
  await call('fill', { uid: ref('textbox "Note"'), value: 'be quick' });
  await call('fill', { uid: ref('textbox "Number"'), value: '4111' });
  await call('click', { uid: ref('button "Order now"') });
  await call('handle_dialog', { action: 'accept' });
  await call('wait_for', { text: [ORDERED] });
  await client.close();

  await hebb(db, ['skill', 'contract', 'set', 'ordered', '--text', ORDERED]);
  await hebb(db, ['skill', 'record', domain, 'order', '--from-session', 'order', '--contract', 'ordered']);
  const skill = await hebb(db, ['skill', 'show', 'order', '--json']);
  assert.ok(!skill.includes(SECRET.HEBB_SECRET_PASSWORD));
  const run = ['skill', 'run', 'order', '--allow-risky', '--json', '--step-timeout', '4000'];
  const done = JSON.parse(await hebb(db, run, { env: SECRET }));
  assert.ok(done.ok);
  assert.equal(done.steps_executed, done.steps_total);
  put(shop(''));
  assert.match(await hebb(db, run, { env: SECRET, status: 1 }), /STEP_TIMEOUT/);
});

test('calls that give no step are named, and no skill is made', async (t) => {
  const db = path.join(folder(t), 'hebb.db');
  const { domain, url } = await site(t, shop());
  const { client, call, ref } = await opened(t, db, url);
  await call('click', { uid: ref('textbox "Name"') });
  await call('type_text', { text: 'Ada' });
  await call('click', { uid: ref('link "More"') });
  await call('navigate_page', { type: 'back' });
  await call('evaluate_script', { function: '() => document.title' });
  await call('list_network_requests');
  await client.close();
  const said = await hebb(db, ['skill', 'record', domain, 'back', '--from-session', 'order'], { status: 1 });
  assert.match(said, /type_text \(call 4 of the session\): it does what no step does/);
  assert.match(said, /navigate_page \(call 6 of the session\): no step goes through a browser's history/);
  assert.match(said, /evaluate_script \(call 7 of the session\): it runs code of its own/);
  assert.doesNotMatch(said, /list_network_requests/);
});
