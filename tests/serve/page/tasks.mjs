// Tasks as people write and do them: what a row says, keys of one letter, adding and editing, and why one failed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { browser, database, faults, hebb, kNow, overflow, serve, world } from './support.mjs';

const kLong = `Login fails ${'after an update of the browser, '.repeat(12)}and only then`;

// T-5 has all that people and their tracker can say of a task.
const said = (t) => {
  const db = database(t, world());
  hebb(db, ['node', 'set', 'ada', '--type', 'USER', '--name', 'Ada']);
  hebb(db, ['link', 'T-5', 'ada', 'ASSIGNED_TO']);
  hebb(db, ['node', 'set', 'T-5', '--name', kLong, '--priority', '1', '--due-at', '2026-03-09T09:30:00Z',
    '--properties', '{"number":"WEB-17","url":"https://tracker.example/WEB-17"}']);
  return db;
};

const shown = async (url, id) => (await (await fetch(`${url}/v1/tasks/${id}`)).json()).task;
const focused = (page) => page.evaluate(() => document.activeElement.closest('article')?.querySelector('code').textContent);
const isTracker = async (link) => {
  assert.equal(await link.getAttribute('href'), 'https://tracker.example/WEB-17');
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
};

test('a row says what people say, its title ends after two lines, its reasons are whole', async (t) => {
  const url = await serve(t, said(t));
  const open = await browser(t);
  for (const width of [1280, 390]) {
    const page = await open({ viewport: { width, height: 800 } });
    await page.goto(url);
    const row = page.locator('article', { hasText: 'T-5' });
    for (const text of ['P1', 'due 9 Mar 2026', 'bug', '@Ada']) await row.getByText(text).first().waitFor();
    await isTracker(row.getByRole('link', { name: 'WEB-17', exact: true }));
    const title = row.getByRole('link', { name: kLong, exact: true });
    assert.equal(await title.getAttribute('title'), kLong);
    const lines = await title.evaluate((one) => [one.clientHeight, one.scrollHeight].map((px) => Math.round(px / parseFloat(getComputedStyle(one).lineHeight))));
    assert.equal(lines[0], 2);
    assert.ok(lines[1] > 2, `the title has ${lines[1]} lines`);
    const { why } = (await (await fetch(`${url}/v1/rank?why=true`)).json()).tasks.find(({ id }) => id === 'T-5');
    const reasons = row.getByText(why.join(' · '));
    assert.ok(why.length > 1 && await reasons.evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight));
    assert.equal(await overflow(page), 0);
  }
});

test('keys of one letter, where nobody writes', async (t) => {
  const url = await serve(t, database(t, world()));
  const page = await (await browser(t))();
  await page.goto(url);
  await page.locator('article').nth(4).waitFor();
  const ids = await page.locator('article .what code').allTextContents();
  // A dialog that closes gives the focus back a moment after it is gone.
  const at = (place) => page.waitForFunction((id) => document.activeElement.closest('article')?.querySelector('code').textContent === id, ids[place]);
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await press('j');
  await at(0);
  await press('j', 'j', 'k');
  await at(1);
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
  await press('Control+j', 'Alt+k');
  await at(1);
  await press('Enter');
  await page.waitForURL(`**/#/node/${ids[1]}`);
  await page.goBack();
  await page.locator('article').nth(4).waitFor();
  await page.getByRole('searchbox').pressSequentially('jkdf?');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'jkdf?');
  await page.getByRole('searchbox').fill('');
  await page.locator('article .share').nth(4).waitFor();

  await page.evaluate(() => document.activeElement.blur());
  await press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  for (const key of ['j', 'k', 'Enter', 'd', 'f', '?']) await keys.getByText(key, { exact: true }).waitFor();
  assert.deepEqual(await faults(page), []);
  await press('j', 'Escape');
  await page.waitForFunction(() => !document.activeElement.closest('dialog'));

  // Done: the next row has the focus. Failed: asks why; Escape is no outcome.
  await press('j', 'd');
  await page.getByText(`${ids[0]} succeeded.`).waitFor();
  await page.locator('article', { hasText: ids[0] }).waitFor({ state: 'detached' });
  // Once the report is answered; until then no task has it.
  await at(1);
  await press('f', 'Escape');
  await at(1);
  await press('f');
  await page.keyboard.type('no network; d and f are letters here');
  await press('Enter');
  await page.getByText(`${ids[1]} failed.`).waitFor();
  const { outcomes: [{ outcome, because }] } = await shown(url, ids[1]);
  assert.deepEqual([outcome, because], ['failure', 'no network; d and f are letters here']);
  await page.locator('article .because').waitFor({ state: 'detached' });
  await at(1);  // a failed task keeps the focus

  await page.getByRole('button', { name: 'Keys' }).click();
  await page.getByRole('checkbox', { name: 'Use keys of one letter' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  const before = await focused(page);
  await press('j', '?');
  assert.equal(await focused(page), before);
  assert.equal(await keys.isVisible(), false);
});

test('the focus stays with its row when the order changes, and where that was when it is gone', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(url);
  await page.locator('article').nth(4).waitFor();
  const ids = await page.locator('article .what code').allTextContents();
  for (let i = 0; i < 3; ++i) await page.keyboard.press('j');
  assert.equal(await focused(page), ids[2]);
  hebb(db, ['node', 'set', ids[2], '--pinned']);
  await page.locator('article.first', { hasText: ids[2] }).waitFor();
  assert.equal(await focused(page), ids[2]);
  hebb(db, ['node', 'set', ids[2], '--state', 'CLOSED']);
  await page.locator('article', { hasText: ids[2] }).waitFor({ state: 'detached' });
  // Not even for a moment is it another task that has the focus: a key would be for that one.
  assert.equal(await page.evaluate(() => document.activeElement.closest('.slot')), null);
  await page.keyboard.press('d');
  await page.keyboard.press('j');
  assert.equal(await focused(page), ids[0]);
  assert.equal((await shown(url, ids[0])).state, 'OPEN');
});

test('a task is added, edited, and both are undone', async (t) => {
  const db = database(t, world());
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(url);
  const form = page.locator('.task-form');
  const undo = async (text) => {
    await page.locator('.toast', { hasText: text }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').first().waitFor();
  };
  await page.getByRole('button', { name: 'Add a task' }).click();
  await page.keyboard.type('Call the plumber');
  await form.getByLabel('Labels').fill('home, errands');
  await form.getByRole('combobox', { name: 'Priority' }).selectOption('0');
  await form.getByLabel('Due').fill('2026-03-09T10:30');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.locator('article', { hasText: 'Call the plumber' });
  for (const text of ['P0', 'home', 'errands']) await row.getByText(text, { exact: true }).waitFor();
  await row.getByText('due 9 Mar 2026').waitFor();
  const id = await row.locator('code').textContent();
  const task = await shown(url, id);
  assert.deepEqual([task.labels, task.priority, task.due_at], [['errands', 'home'], 0, '2026-03-09T09:30:00.000Z']);

  await page.goto(`${url}/#/node/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await form.getByLabel('What is to be done').fill('Call the electrician');
  await form.getByLabel('Labels').fill('errands, urgent');
  await form.getByRole('combobox', { name: 'Priority' }).selectOption('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('heading', { name: 'Call the electrician' }).waitFor();
  const edited = await shown(url, id);
  assert.deepEqual([edited.labels, edited.priority, edited.due_at], [['errands', 'urgent'], undefined, task.due_at]);
  await undo('Saved.');
  await page.getByRole('heading', { name: 'Call the plumber' }).waitFor();
  const { name, labels, priority } = await shown(url, id);
  assert.deepEqual([name, labels, priority], ['Call the plumber', ['errands', 'home'], 0]);
  // Where it is looked at, to ask for it would be answered with 404.
  await page.getByRole('link', { name: 'What next' }).first().click();
  await row.waitFor();
  await undo('Added: ');
  await row.waitFor({ state: 'detached' });
  assert.throws(() => hebb(db, ['node', 'get', id]));
});

test('a task says what blocks it, what waits for it, where it is from, and why it failed', async (t) => {
  const db = said(t);
  const url = await serve(t, db);
  const page = await (await browser(t))();
  await page.goto(`${url}/#/node/T-5`);
  await isTracker(page.getByRole('link', { name: 'WEB-17', exact: true }));
  await page.getByRole('button', { name: 'Failed: T-5' }).click();
  await page.getByLabel('Why did it fail?').fill('the cookie is set twice');
  await page.keyboard.press('Enter');
  await page.getByText('It failed: the cookie is set twice').waitFor();
  await page.goto(`${url}/#/node/T-6`);
  const fact = (words) => page.locator('.facts div', { hasText: words });
  await fact('Blocked by').getByRole('link', { name: 'Manual page of step 8' }).click();
  await fact('Unblocks').getByRole('link', { name: 'Manual page of step 6' }).click();
  await page.waitForURL('**/#/node/T-6');
});

test('rows of different heights keep their place while one scrolls up', async (t) => {
  const items = Array.from({ length: 400 }, (_, i) =>
    ({ kind: 'node', at: kNow - (i + 1) * 60000, id: `T-${i}`, type: 'TASK', state: 'OPEN', name: 'step '.repeat(1 + (i % 60)) }));
  const url = await serve(t, database(t, items));
  const page = await (await browser(t))({ viewport: { width: 390, height: 800 } });
  await page.goto(url);
  // How high the page is, is known once all are counted; which rows are in its middle depends on how high those are.
  await page.getByText('400 tasks can be done now').waitFor();
  await page.locator('article').nth(5).waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  await page.locator('article .place', { hasText: /^(1[5-9]|2[0-4])\d$/ }).first().waitFor();
  const moved = await page.evaluate(async () => {
    const frames = async (n) => { for (; n > 0; --n) await new Promise(requestAnimationFrame); };
    const tops = () => new Map([...document.querySelectorAll('article')].map((one) => [one.querySelector('.title').href, one.getBoundingClientRect().top]));
    let most = 0;
    for (let i = 0; i < 20; ++i) {
      const before = tops();
      scrollBy(0, -120);
      await frames(4);
      for (const [href, top] of tops()) if (before.has(href)) most = Math.max(most, Math.abs(top - before.get(href) - 120));
    }
    return most;
  });
  assert.ok(moved < 3, `a row moved ${moved} px`);
});

test('what opens in a view fits, for eyes and ears', async (t) => {
  const url = await serve(t, said(t));
  const open = await browser(t);
  for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark'], [390, 'light']]) {
    const page = await open({ viewport: { width, height: 800 }, colorScheme });
    const fits = async (what) => {
      assert.equal(await overflow(page), 0, `${what} at ${width} overflows`);
      assert.deepEqual(await faults(page), [], `${what} at ${width}`);
    };
    await page.goto(url);
    await page.locator('article').nth(4).waitFor();
    await page.getByRole('button', { name: 'Failed: T-5' }).click();
    await fits('a row that asks why');
    await page.getByRole('button', { name: 'Add a task' }).click();
    await fits('the form of a new task');
    await page.goto(`${url}/#/node/T-5`);
    await page.locator('.picture svg .node').first().waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText(/^In numbers/).click();
    await fits('a task with its form');
  }
});
