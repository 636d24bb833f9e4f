// Recorded browser sessions, exported as tests of @playwright/test, run in a real Chromium: they pass on the page that
// was recorded, and fail where it no longer does what it did or where a step cannot be done.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ORDERED, shop } from './shop.mjs';
import { folder, here, hebb, playwrightMcp, recorded, runTest, site } from './support.mjs';

const SECRET = { HEBB_SECRET_PASSWORD: 'tulips99' };

const exported = async (t, db, name) => {
  const script = here(`${name}-${process.pid}.spec.mjs`);
  t.after(() => rmSync(script, { force: true }));
  const code = await hebb(db, ['actions', 'export', '--format', 'playwright']);
  assert.ok(!code.includes(SECRET.HEBB_SECRET_PASSWORD), code);
  writeFileSync(script, code);
  return script;
};

const passes = async (script, env) => {
  const { code, out } = await runTest(script, env);
  assert.equal(code, 0, out);
  assert.match(out, /1 passed/);
};

const fails = async (script, env, why) => {
  const { code, out } = await runTest(script, env);
  assert.notEqual(code, 0, out);
  assert.match(out, why);
};

// At once: most of their time they wait for what does not come.
describe('exported sessions', { concurrency: true }, () => {
  test('a session with @playwright/mcp: fields, lists, check boxes, a shadow root, an iframe, a dialog', async (t) => {
    const dir = folder(t);
    const db = path.join(dir, 'hebb.db');
    const picture = path.join(dir, 'picture.txt');
    writeFileSync(picture, 'a picture');
    const { url, put } = await site(t, shop());
    const { client, call, ref } = await recorded(t, db, playwrightMcp(dir));
    await call('browser_navigate', { url });
    const tea = (await call('browser_snapshot')).match(/Tea\n\s*- button "Add" \[ref=(\w+)\]/)[1];
    await call('browser_type', { element: 'first box', target: ref('textbox "Name"'), text: 'Ada' });
    // Nothing in these arguments says that it is one.
    await call('browser_type', { element: 'second box', target: '#password', text: SECRET.HEBB_SECRET_PASSWORD });
    await call('browser_select_option', { element: 'Size', target: ref('combobox'), values: ['l'] });
    await call('browser_fill_form', { fields: [
      { name: 'Gift wrapping', type: 'checkbox', target: ref('checkbox'), value: 'true' },
      { name: 'Courier', type: 'radio', target: ref('radio "Courier"'), value: 'true' }] });
    await call('browser_click', { element: 'Picture', target: ref('button "Picture"') });
    await call('browser_file_upload', { paths: [picture] });
    await call('browser_click', { element: 'Add tea', target: tea });
    await call('browser_drag', { startElement: 'Parcel', startTarget: ref('Parcel'), endElement: 'Truck',
      endTarget: ref('Truck') });
    await call('browser_type', { element: 'Note', target: ref('textbox "Note"'), text: 'be quick' });
    await call('browser_type', { element: 'Number', target: ref('textbox "Number"'), text: '4111' });
    await call('browser_hover', { element: 'More', target: ref('link "More"') });
    await call('browser_click', { element: 'Order now', target: ref('button "Order now"') });
    await call('browser_handle_dialog', { accept: true });
    await call('browser_wait_for', { text: ORDERED });
    await client.close();

    const script = await exported(t, db, 'mcp');
    await passes(script, SECRET);
    await fails(script, { HEBB_SECRET_PASSWORD: 'roses' }, /Ordered: Ada, 8/);
    await fails(script, {}, /set HEBB_SECRET_PASSWORD/);
    put(shop(''));
    await fails(script, SECRET, /Ordered: Ada, 8/);
    put(shop().replace("confirm('Really?')", 'true'));
    await fails(script, SECRET, /dialog/);
  });

  test('a session with @playwright/mcp that tells no code: what its arguments and snapshots say', async (t) => {
    const dir = folder(t);
    const db = path.join(dir, 'hebb.db');
    const { url, put } = await site(t, shop().replace("confirm('Really?')", 'true'));
    const { client, call, ref } = await recorded(t, db, [...playwrightMcp(dir), '--codegen', 'none']);
    assert.doesNotMatch(await call('browser_navigate', { url: `${url}order?x=1` }), /Ran Playwright code/);
    await call('browser_snapshot');
    await call('browser_type', { element: 'Name', target: ref('textbox "Name"'), text: 'Ada "quoted" \u2028' });
    await call('browser_type', { element: 'Password', target: '#password', text: SECRET.HEBB_SECRET_PASSWORD });
    await call('browser_select_option', { element: 'Size', target: ref('combobox'), values: ['Large'] });
    await call('browser_click', { element: 'Order now', target: ref('button "Order now"') });
    await call('browser_wait_for', { text: 'Ordered: Ada "quoted"' });
    await client.close();

    const script = await exported(t, db, 'plain');
    await passes(script, SECRET);
    await fails(script, {}, /set HEBB_SECRET_PASSWORD/);
    put(shop('Sorry: '));
    await fails(script, SECRET, /Ordered: Ada/);
  });

  test('a change that cannot be done again makes the test fail, and names the call', async (t) => {
    const dir = folder(t);
    const db = path.join(dir, 'hebb.db');
    const { url } = await site(t, shop());
    const { client, call } = await recorded(t, db, playwrightMcp(dir));
    await call('browser_navigate', { url });
    await call('browser_run_code_unsafe', { code: "async (page) => { await page.locator('#name').fill('x'); }" });
    await client.close();
    const why = /browser_run_code_unsafe \(call 2 of the session\): it runs code of its own/;
    await fails(await exported(t, db, 'unsafe'), {}, why);
  });

  test('what drove no browser is refused: a file without tests would fail nowhere', async (t) => {
    const db = path.join(folder(t), 'hebb.db');
    await hebb(db, ['init']);
    assert.match(await hebb(db, ['actions', 'export', '--format', 'playwright'], { status: 1 }), /drove a browser/);
  });
});
