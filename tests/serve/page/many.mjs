// A hundred thousand tasks: the document stays small, and the last of them can be reached.
import assert from 'node:assert/strict';
import test from 'node:test';
import { browser, database, kNow, serve } from './support.mjs';

const kTasks = 100000;

test('a hundred thousand tasks', async (t) => {
  const items = Array.from({ length: kTasks }, (_, i) =>
    ({ kind: 'node', at: kNow - (i + 1) * 60000, id: `T-${i}`, type: 'TASK', state: 'OPEN' }));
  const url = await serve(t, database(t, items));
  const page = await (await browser(t))();
  await page.goto(url);
  await page.getByText('100,000 tasks can be done now').waitFor();
  await page.locator('article').nth(5).waitFor();
  const inDocument = () => page.locator('.slot').count();
  assert.ok(await inDocument() < 60, `${await inDocument()} rows`);
  for (const share of [0.1, 0.5, 0.9]) {
    await page.evaluate((part) => scrollTo(0, document.body.scrollHeight * part), share);
    await page.locator('article .place', { hasText: new RegExp(`^${Math.floor(share * 10)}\\d,\\d`) }).first().waitFor();
    assert.ok(await inDocument() < 60, `${await inDocument()} rows`);
  }
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.locator('article .place', { hasText: '100,000' }).waitFor();
  assert.ok(await inDocument() < 60, `${await inDocument()} rows`);
  await page.keyboard.press('Home');
  await page.locator('article.first').waitFor();
});
