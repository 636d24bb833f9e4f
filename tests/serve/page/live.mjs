// What happens elsewhere shows, and what is done here can be undone.
import assert from 'node:assert/strict';
import test from 'node:test';
import { browser, database, hebb, serve, start, world } from './support.mjs';

test('an outcome that another process ingests changes the path that is open', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(url);
  const five = page.locator('article', { hasText: 'T-5' });
  await five.waitFor();
  await page.getByText('5 tasks can be done now').waitFor();
  hebb(db, ['ingest', '-'], '{"taskId":"T-5","outcome":"success","id":"elsewhere"}\n');
  await five.waitFor({ state: 'detached' });
  await page.getByText('4 tasks can be done now').waitFor();
  hebb(db, ['node', 'set', 'T-9', '--type', 'TASK', '--state', 'OPEN', '--name', 'Made elsewhere']);
  await page.getByText('Made elsewhere').waitFor();
});

test('an outcome from the page counts, and is undone', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))();
  const state = () => JSON.parse(hebb(db, ['node', 'get', 'T-7', '--json'])).node.state;
  await page.goto(`${url}/#/node/T-7`);
  await page.getByRole('button', { name: 'Done: T-7' }).click();
  await page.getByText('T-7 succeeded.').waitFor();
  assert.equal(state(), 'CLOSED');
  await page.locator('.chip.state', { hasText: 'CLOSED' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  assert.equal(state(), 'OPEN');
  await page.locator('.chip.state', { hasText: 'OPEN' }).waitFor();
});

test('an event of the ledger is undone, and brought back', async (t) => {
  const db = database(t, world());
  hebb(db, ['outcome', 'T-5', 'success']);
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(`${url}/#/ledger`);
  const event = page.locator('.events li', { hasText: 'success of T-3' });
  await event.getByRole('button').click();
  await event.getByText('undone').waitFor();
  assert.equal(JSON.parse(hebb(db, ['node', 'get', 'T-3', '--json'])).node.state, 'OPEN');
  // Each toast takes back its own, also when another came later.
  const later = page.locator('.events li', { hasText: 'success of T-5' });
  await later.getByRole('button').click();
  await later.getByText('undone').waitFor();
  await page.locator('.toast').first().getByRole('button', { name: 'Undo' }).click();
  await event.getByRole('button').waitFor();
  assert.equal(JSON.parse(hebb(db, ['node', 'get', 'T-3', '--json'])).node.state, 'CLOSED');
  assert.equal(JSON.parse(hebb(db, ['node', 'get', 'T-5', '--json'])).node.state, 'OPEN');
});

test('what was refused is tried again, and given up', async (t) => {
  const db = database(t, world());
  const outcome = (id) => JSON.stringify({ taskId: id, outcome: 'success', id: `of ${id}` });
  assert.throws(() => hebb(db, ['ingest', '-'], `${outcome('T-50')}\n${outcome('T-51')}\n`));
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(`${url}/#/refused`);
  const letters = page.locator('.letter');
  await letters.nth(1).waitFor();
  hebb(db, ['node', 'set', 'T-50', '--type', 'TASK', '--state', 'OPEN']);
  await letters.filter({ hasText: 'T-50' }).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 item taken.').waitFor();
  await letters.filter({ hasText: 'T-50' }).waitFor({ state: 'detached' });
  await letters.getByRole('button', { name: 'Give up' }).click();
  await letters.getByRole('button', { name: 'for good' }).click();
  await page.locator('main').getByText('Nothing was refused.').waitFor();
  assert.equal(JSON.parse(hebb(db, ['stats', '--json'])).dead_letters, 0);
});

test('a server that goes and comes back is found again, and what it took meanwhile shows', async (t) => {
  const db = database(t, world());
  const first = await start(t, db);
  const page = await (await browser(t))({}, ['ERR_']);
  await page.goto(first.url);
  await page.locator('.live.live').waitFor();
  await page.locator('article', { hasText: 'T-5' }).waitFor();
  await first.stop();
  await page.locator('.live.lost').waitFor();
  hebb(db, ['ingest', '-'], '{"taskId":"T-5","outcome":"success","id":"meanwhile"}\n');
  await start(t, db, [], first.port);
  await page.locator('.live.live').waitFor();
  await page.locator('article', { hasText: 'T-5' }).waitFor({ state: 'detached' });
});

test('what people say of a task: pinned, put off', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))({ timezoneId: 'Europe/Berlin' });
  const node = () => JSON.parse(hebb(db, ['node', 'get', 'T-7', '--json'])).node;
  await page.goto(`${url}/#/node/T-7`);
  const pin = page.getByRole('button', { name: 'Pin', exact: true });
  await pin.click();
  await page.getByText('Pinned.', { exact: true }).waitFor();
  assert.equal(node().pinned, true);
  await page.locator('[aria-pressed=true]', { hasText: 'Pin' }).waitFor();
  await page.goto(`${url}/#/`);
  // It need not have the highest priority: a share of that would be below the next one's.
  assert.equal(await page.locator('article.first', { hasText: 'T-7' }).locator('.share').textContent(), 'pinned');
  await page.goto(`${url}/#/node/T-7`);
  await page.getByRole('button', { name: 'Snooze until tomorrow' }).click();
  await page.getByText('Put off until tomorrow.').waitFor();
  await page.getByRole('button', { name: /^Wake/ }).waitFor();
  await page.getByText('Not ranked: ').waitFor();
  await page.locator('.toast', { hasText: 'Put off' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  assert.equal(node().snoozed_until, undefined);
  await page.getByText(': pinned.').waitFor();
});

test('claims: one\'s own, and those of other processes', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))();
  const claims = () => JSON.parse(hebb(db, ['claim', 'list', '--json'])).claims.map(({ task, agent }) => `${agent} ${task}`);
  await page.goto(url);
  await page.locator('article.first').waitFor();
  const best = await page.locator('article.first code').textContent();
  await page.getByLabel('Who you are').fill('ann');
  await page.getByRole('button', { name: 'Claim the next' }).click();
  const own = page.locator('.claims li', { hasText: best });
  await own.getByText('ann').waitFor();
  assert.deepEqual(claims(), [`ann ${best}`]);
  await page.locator('article', { hasText: best }).waitFor({ state: 'detached' });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await own.waitFor({ state: 'detached' });
  assert.deepEqual(claims(), []);

  hebb(db, ['next', '--claim', '--agent', 'bob']);
  const other = page.locator('.claims li', { hasText: 'bob' });
  await other.waitFor();
  const task = await other.locator('a').textContent();
  await other.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`${task} succeeded.`).waitFor();
  await other.waitFor({ state: 'detached' });
  assert.equal(JSON.parse(hebb(db, ['node', 'get', task, '--json'])).node.state, 'CLOSED');
});
