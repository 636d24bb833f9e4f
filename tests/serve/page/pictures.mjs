// The pictures of the page in docs/, made anew into WORK_FOLDER/pictures. scripts/pictures runs this and puts them there.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { browser, database, hebb, kNow, serve } from './support.mjs';

const day = 86400000;
const at = (days) => kNow - days * day;
const to = path.resolve('pictures');
mkdirSync(to, { recursive: true });

const labels = { billing: 'billing', login: 'login', docs: 'docs' };
const tasks = [
  ['T-101', 'Invoices of customers abroad are sent without a tax number', 'billing', 'SHOP-101'],
  ['T-102', 'The login page asks twice where a password manager fills in the form, and forgets where one came from, so that whoever follows a link of a mail ends on the start page', 'login', 'SHOP-102'],
  ['T-103', 'Say in the manual how to cancel an order', 'docs', 'SHOP-103'],
  ['T-104', 'A refund is booked on the day of the order', 'billing', 'SHOP-104'],
  ['T-105', 'Log out on all devices', 'login'],
  ['T-106', 'Let people pay by invoice', 'billing', 'SHOP-106'],
  ['T-107', 'Screenshots of the new start page', 'docs'],
  ['T-108', 'Round amounts as the tax office does', 'billing', 'SHOP-108'],
];

const shop = (t) => {
  const items = [
    ...Object.entries(labels).map(([id, name]) => ({ kind: 'node', at: at(60), id, type: 'LABEL', name })),
    ...['Ada', 'Grace'].map((name) => ({ kind: 'node', at: at(60), id: `user-${name}`, type: 'USER', name })),
    ...Array.from({ length: 24 }, (_, i) => {
      const id = `T-${i + 1}`, label = Object.keys(labels)[i % 3], done = at(30 - i);
      return [{ kind: 'node', at: at(34 - i), id, type: 'TASK', state: 'OPEN', name: `Work on ${label}, part ${i + 1}` },
        { kind: 'edge', at: at(34 - i), source: id, target: label, type: 'LABELED_AS', weight: 1 },
        { kind: 'outcome', at: done, id: `of ${id}`, taskId: id, outcome: label === 'login' ? 'failure' : 'success', timestamp: done }];
    }).flat().filter(({ kind, taskId }) => kind !== 'outcome' || taskId !== 'T-23'),
    ...tasks.map(([id, name, label], i) => [
      { kind: 'node', at: at(12 - i), id, type: 'TASK', state: 'OPEN', name, project: 'shop' },
      { kind: 'edge', at: at(12 - i), source: id, target: label, type: 'LABELED_AS', weight: 1 },
      ...(i % 3 === 0 ? [{ kind: 'edge', at: at(3), source: id, target: i % 2 ? 'user-Grace' : 'user-Ada', type: 'ASSIGNED_TO', weight: 1 }] : []),
    ]).flat(),
    { kind: 'edge', at: at(3), source: 'T-101', target: 'T-106', type: 'BLOCKS', weight: 1 },
    { kind: 'edge', at: at(3), source: 'T-108', target: 'T-104', type: 'BLOCKS', weight: 1 },
  ];
  const db = database(t, items);
  for (const [id, , , number] of tasks)
    if (number) hebb(db, ['node', 'set', id, '--properties', JSON.stringify({ number, url: `https://tracker.example/${number}` })]);
  hebb(db, ['node', 'set', 'T-101', '--priority', '1', '--due-at', '2026-12-24T17:00:00Z']);
  hebb(db, ['node', 'set', 'T-103', '--pinned']);
  hebb(db, ['node', 'set', 'T-102', '--priority', '2']);
  hebb(db, ['outcome', 'T-101', 'failure', '--because', 'the form of the tax office has changed', '--agent', 'ann']);
  return db;
};

const neo = (t) => {
  const db = database(t, []);
  hebb(db, ['import', path.join(process.env.HEBB_PAGE, '../../examples/neo/history.jsonl')]);
  hebb(db, ['-q', 'recalibrate']);
  return db;
};

// The browser's clock stands at the time that the server takes for now, and no pointer is over anything.
test('the pictures', async (t) => {
  const open = await browser(t);
  const take = async (name, url, height, there, colorScheme, prepare = async () => {}) => {
    const page = await open({ viewport: { width: 1000, height }, colorScheme });
    await page.clock.setFixedTime(kNow);
    await page.goto(url);
    await page.locator(there).first().waitFor();
    await prepare(page);
    await page.screenshot({ path: path.join(to, `${name}.png`), animations: 'disabled' });
  };
  const shown = await serve(t, shop(t));
  await take('page-light', shown, 760, 'article.first', 'light', (page) => page.locator('article').nth(4).waitFor());
  await take('page-dark', `${shown}/#/node/T-101`, 880, '.picture svg .node', 'dark');
  await take('learning', `${await serve(t, neo(t))}/#/learning`, 760, '.context svg', 'light');
});
