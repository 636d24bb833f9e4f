// What hebb is compared with: single selectors, @puppeteer/replay, and Playwright's locators.
//   node others.mjs NODE_MODULES_FOLDER CHROMIUM
// A request is a line of JSON on stdin, its answer a line on stdout.
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const [modules, executablePath] = process.argv.slice(2);
const from = createRequire(`${modules}/node_modules/`);
const load = async (name) => await import(pathToFileURL(from.resolve(name)));
const {chromium} = await load('playwright-core').then((m) => m.default ?? m);
const puppeteer = await load('puppeteer-core').then((m) => m.default ?? m);
const {createRunner, parse, PuppeteerRunnerExtension} = await load('@puppeteer/replay');

const args = ['--no-sandbox', '--disable-gpu'];
const viewport = {width: 1280, height: 800};
const played = await chromium.launch({executablePath, args});
const pulled = await puppeteer.launch({executablePath, args, defaultViewport: viewport});

const page = await played.newPage({viewport});
const other = await pulled.newPage();
const cdp = await other.createCDPSession();

// The page as it is after `prepare`, without its scripts.
async function snapshot({url, prepare}) {
  await page.goto(url, {waitUntil: 'load'});
  for (const {css, text} of prepare) {
    await page.locator(css).first().fill(text, {timeout: 5000});
    await page.locator(css).first().press('Enter');
  }
  await page.waitForTimeout(500);
  return await page.evaluate(() => {
    for (const e of document.querySelectorAll('script,noscript,iframe,template')) e.remove();
    for (const e of document.querySelectorAll('*'))
      for (const a of [...e.attributes]) if (a.name.startsWith('on')) e.removeAttribute(a.name);
    for (const e of document.querySelectorAll('input'))
      e.toggleAttribute('checked', e.checked);
    return document.documentElement.outerHTML;
  });
}

// Elements that can be pressed, chosen by the seed, with what each program would record for them.
async function targets({url, count}) {
  await page.goto(url);
  await other.goto(url);
  const found = await page.evaluate((count) => {
    const {number, kActive, shuffled, random} = mutation;
    const path = (e, xpath) => {
      let out = '';
      for (let x = e; x.nodeType === 1; x = x.parentNode) {
        if (x.id && xpath) return `//*[@id="${x.id}"]${out}`;
        if (x.id) return `#${CSS.escape(x.id)}${out}`;
        const tag = x.tagName.toLowerCase();
        const like = [...(x.parentElement || {children: [x]}).children]
          .filter((s) => !xpath || s.tagName === x.tagName);
        const place = like.indexOf(x) + 1;
        out = xpath ? `/${tag}${like.length > 1 ? `[${place}]` : ''}${out}`
          : `${x.parentElement ? ' > ' : ''}${tag}${like.length > 1 ? `:nth-child(${place})` : ''}${out}`;
      }
      return out;
    };
    const hit = (e) => {
      e.scrollIntoView({block: 'center', behavior: 'instant'});
      const r = e.getBoundingClientRect();
      if (r.width < 4 || r.height < 4) return false;
      const at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
      return at && e.contains(at) && !e.disabled;
    };
    return shuffled(document.querySelectorAll(kActive), random('targets')).filter(hit).slice(0, count)
      .map((e) => {
        const r = e.getBoundingClientRect();
        return {number: number.get(e), css: path(e, false), xpath: path(e, true),
          text: e.innerText || '', offset: [r.width / 2, r.height / 2]};
      });
  }, count);
  for (const t of found) {
    const locator = page.locator(`css=${t.css}`);
    t.playwright = (await locator.normalize())._selector;
    t.recorder = await recorded(t);
  }
  return found;
}

// The list of selectors of DevTools' Recorder: those of its five kinds that find the element alone.
async function recorded({css, xpath, text}) {
  const {root} = await cdp.send('DOM.getDocument');
  const {nodeId} = await cdp.send('DOM.querySelector', {nodeId: root.nodeId, selector: css});
  const {nodes} = await cdp.send('Accessibility.getPartialAXTree', {nodeId, fetchRelatives: false});
  const name = nodes[0].name?.value || '', role = nodes[0].role?.value || '';
  const alone = async (s) => {
    const all = await other.$$(s);
    return all.length === 1 && await all[0].evaluate((e, s) => e === document.querySelector(s), css);
  };
  const list = [];
  if (name) {
    for (const s of [`aria/${name}`, `aria/${name}[role="${role}"]`])
      if (await alone(s)) { list.push([s]); break; }
  }
  list.push([css], [`xpath/${xpath}`], [`pierce/${css}`]);
  const short = text.trim().replace(/\s+/g, ' ');
  if (short && short.length <= 64 && await alone(`text/${short}`)) list.push([`text/${short}`]);
  return list;
}

// The numbers of the elements that the page still has.
async function left({url}) {
  await page.goto(url);
  return await page.evaluate(() => mutation.left());
}

// Presses each of the targets with one of the programs: the numbers of what was pressed, or null.
async function press({url, tool, targets, timeout}) {
  const on = tool === 'puppeteer' ? other : page;
  await on.goto(url);
  const pressed = [];
  for (const t of targets) {
    await on.evaluate(() => { mutation.acted = null; });
    if (tool === 'puppeteer') {
      const [offsetX, offsetY] = t.offset;
      await replayed({title: 'one', timeout, steps: [
        {type: 'click', target: 'main', selectors: t.recorder, offsetX, offsetY}]});
    } else {
      const locator = tool === 'playwright' ? page.locator(t.playwright)
        : page.locator(`${tool}=${t[tool]}`).first();
      await locator.click({timeout}).catch(() => {});
    }
    pressed.push(await on.evaluate(() => mutation.acted));
  }
  return pressed;
}

async function replayed(flow) {
  try {
    const runner = await createRunner(parse(flow), new PuppeteerRunnerExtension(pulled, other));
    return await runner.run();
  } catch {
    return false;
  }
}

// A whole recording, in a page of its own: whether it was done.
async function record({flow}) {
  const fresh = await pulled.newPage();
  try {
    const runner = await createRunner(parse(flow), new PuppeteerRunnerExtension(pulled, fresh));
    return await runner.run();
  } catch {
    return false;
  } finally {
    for (const open of await pulled.pages()) if (open !== other) await open.close();
  }
}

// How long the steps of the form take, in ms: as bare events, with nothing looked for or checked, and by
// Playwright.
async function speed({url, runs}) {
  const times = {bare: {fill: [], click: []}, playwright: {fill: [], click: []}};
  const timed = async (list, act) => {
    const began = performance.now();
    await act();
    list.push(performance.now() - began);
  };
  const values = {'#name': 'Alice', '#email': 'a@b.co', '#captcha': '1234'};
  for (let run = 0; run < runs; ++run) {
    await other.goto(url);
    const place = await other.evaluate(() => {
      const r = document.querySelector('button').getBoundingClientRect();
      return {x: r.x + r.width / 2, y: r.y + r.height / 2, button: 'left', clickCount: 1};
    });
    for (const [css, text] of Object.entries(values)) await timed(times.bare.fill, async () => {
      await cdp.send('Runtime.evaluate', {expression: `document.querySelector('${css}').select()`});
      await cdp.send('Input.insertText', {text});
    });
    await timed(times.bare.click, async () => {
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
        await cdp.send('Input.dispatchMouseEvent', {type, ...place});
    });
    await page.goto(url);
    for (const [css, text] of Object.entries(values))
      await timed(times.playwright.fill, () => page.locator(css).fill(text));
    await timed(times.playwright.click, () => page.getByRole('button', {name: 'Submit'}).click());
  }
  return times;
}

const answers = {snapshot, targets, left, press, record, speed};
for await (const line of createInterface({input: process.stdin})) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = {value: await answers[request.do](request)};
  } catch (e) {
    answer = {error: String(e.stack || e)};
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
await played.close();
await pulled.close();
