// Every view: nothing is missing, nothing overflows, axe-core finds nothing, and hands that only have keys can use it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { browser, database, faults, folder, hebb, overflow, serve, world } from './support.mjs';

// A view, and what is there when it is complete.
const views = {
  '#/': 'article.task .factor-bar',
  '#/?state=CLOSED': 'article.listed',
  '#/?q=login': 'article.listed',
  '#/?label=nothing': 'text=Nothing fits',
  '#/node/T-5': '.picture svg .node',
  '#/node/bug': '.picture svg .node',
  '#/node/nothing': '.notice',
  '#/edge/frontier/T-2/REWARD_NEGATIVE': '.chart canvas',
  '#/learning': '.context svg',
  '#/ledger': '.events li',
  '#/refused': '.letter',
};

const server = async (t, options) => {
  const db = database(t, world());
  assert.throws(() => hebb(db, ['ingest', '-'], '{"taskId":"T-99","outcome":"success"}\n'));
  return serve(t, db, options);
};

test('every view, wide and narrow, light and dark', async (t) => {
  const url = await server(t);
  const open = await browser(t);
  for (const [width, colorScheme] of [[1200, 'light'], [320, 'dark']]) {
    // A node that is not there is answered with 404, which a browser writes to its console.
    const page = await open({ viewport: { width, height: 700 }, colorScheme }, ['404']);
    for (const [hash, there] of Object.entries(views)) {
      await page.goto(`${url}/${hash}`);
      await page.reload();
      await page.locator(there).first().waitFor();
      assert.equal(await overflow(page), 0, `${hash} at ${width} overflows`);
      assert.deepEqual(await faults(page), [], `${hash} at ${width}`);
    }
  }
});

test('a task is explained down to its events, and the table says what the picture shows', async (t) => {
  const url = await server(t);
  const page = await (await browser(t))();
  await page.goto(`${url}/#/node/T-2`);
  // Words first; formulas for who asks for them.
  await page.locator('.sentence', { hasText: /^Against it: .*failed before/ }).waitFor();
  assert.equal(await page.locator('.formula').first().isVisible(), false);
  await page.getByText(/^In numbers/).click();
  assert.equal(await page.locator('.formula').first().isVisible(), true);
  const factor = page.locator('.tree > li', { hasText: 'own failures' });
  await factor.locator('summary').first().click();
  await factor.locator('summary', { hasText: 'frontier' }).click();
  await factor.locator('.causes li', { hasText: 'failure of T-2' }).first().waitFor();
  assert.equal(await factor.locator('.causes li').count(), 2);

  const shown = (await page.locator('.picture .edge title').allTextContents()).map((text) => text.split(':')[0]).sort();
  const rows = await page.locator('section table tbody tr').evaluateAll((all) =>
    all.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(' ')));
  assert.deepEqual(rows.sort(), shown);
  assert.ok(shown.includes('T-2 LABELED_AS docs'), shown.join());
  const widths = await page.locator('.picture .edge').evaluateAll((all) => all.map((one) => Number(one.getAttribute('stroke-width'))));
  assert.ok(widths.every((one) => one > 0.8));
  // A name is text, whatever it looks like.
  assert.equal(await page.locator('h1').textContent(), 'Manual page of step 2 <b>&amp; more');
});

test('the path can be searched and filtered', async (t) => {
  const url = await server(t);
  const page = await (await browser(t))();
  await page.goto(url);
  // What is shown in between, while rows come and go, counts for nothing.
  const shows = async (ids) => assert.equal(await page.evaluate(async (wanted) => {
    const shown = () => [...document.querySelectorAll('article .what code')].map((one) => one.textContent).sort().join(' ');
    const end = performance.now() + 30_000;
    while (shown() !== wanted && performance.now() < end) await new Promise(requestAnimationFrame);
    return shown();
  }, ids.join(' ')), ids.join(' '));
  await shows(['T-2', 'T-4', 'T-5', 'T-7', 'T-8']);
  await page.getByRole('combobox', { name: 'Label', exact: true }).selectOption('bug');
  await shows(['T-5', 'T-7']);
  await page.getByRole('combobox', { name: 'Label', exact: true }).selectOption('');
  await page.getByRole('combobox', { name: 'Project', exact: true }).selectOption('shop');
  await shows(['T-2', 'T-4']);
  await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('CLOSED');
  await shows(['T-1', 'T-3']);
  await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('next');
  await page.getByRole('combobox', { name: 'Project', exact: true }).selectOption('');
  await page.getByRole('searchbox').fill('manual');
  await page.getByRole('searchbox').press('Enter');
  await page.locator('article.listed', { hasText: 'T-6' }).waitFor();
  await shows(['T-2', 'T-4', 'T-6', 'T-8']);
  // The address says it all: a reload shows the same.
  await page.reload();
  await page.locator('article.listed', { hasText: 'T-6' }).waitFor();
});

test('by keys alone: from the first key to an outcome and back', async (t) => {
  const url = await server(t);
  const page = await (await browser(t))();
  await page.goto(url);
  await page.locator('article').first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  const tabTo = async (wanted) => {
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      if ((await focused()).includes(wanted)) return;
    }
    assert.fail(`no key leads to ${wanted}`);
  };
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('Enter');
  await tabTo('Why:');
  const words = page.locator('.pop:not([hidden])');
  await words.waitFor();
  assert.match(await words.textContent(), /For it.*Against it/s);
  await page.keyboard.press('Escape');
  await words.waitFor({ state: 'detached' });
  await tabTo('Failed: T-8');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.labels[0].textContent), 'Why did it fail?');
  await page.keyboard.press('Enter');
  await page.getByText('T-8 failed.').waitFor();
  await tabTo('Undo');
  await page.keyboard.press('Enter');
  await page.getByText('Undone.').waitFor();
  // Focus is seen wherever it is.
  const outline = await page.evaluate(() => {
    document.querySelector('nav a').focus();
    return document.querySelector('nav a').matches(':focus-visible') && getComputedStyle(document.querySelector('nav a')).outlineStyle;
  });
  assert.equal(outline, 'solid');
});

test('colours follow the system until the reader says otherwise', async (t) => {
  const url = await server(t);
  const page = await (await browser(t))({ colorScheme: 'dark' });
  await page.goto(url);
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const button = page.getByRole('button', { name: /^Colours/ });
  await button.waitFor();
  const dark = await paper();
  await button.click();
  const light = await paper();
  assert.notEqual(light, dark);
  await page.reload();
  await button.waitFor();
  assert.equal(await paper(), light);
});

test('times are of the reader', async (t) => {
  const url = await server(t);
  const open = await browser(t);
  const seen = [];
  for (const timezoneId of ['America/New_York', 'Asia/Tokyo']) {
    const page = await open({ timezoneId });
    await page.goto(`${url}/#/ledger`);
    seen.push(await page.locator('main time').first().getAttribute('title'));
    await page.getByText(`Times are of ${timezoneId}.`).waitFor();
  }
  assert.match(seen[0], /07:00/);
  assert.match(seen[1], /21:00/);
});

test('where a token is asked for, the page asks for it', async (t) => {
  const file = path.join(folder(t), 'token');
  writeFileSync(file, '0123456789abcdef0123\n');
  const url = await server(t, ['--token-file', file]);
  const page = await (await browser(t))({}, ['401']);
  await page.goto(url);
  await page.getByLabel('This server asks for a token').fill('0123456789abcdef0123');
  await page.getByLabel('This server asks for a token').press('Enter');
  await page.locator('article').first().waitFor();
});
