// Changes a page as pages change over time, by a seed, and keeps which element is acted on.
//   <script src=mutate.js></script> as the last of the body, and ?mutate=rename,wrap&seed=7
// Elements are numbered before anything changes. The numbers are kept where no selector sees them.
'use strict';
(() => {
const query = new URLSearchParams(location.search);
const wanted = new Set((query.get('mutate') || '').split(',').filter(Boolean));
const seed = Number(query.get('seed') || 1);
document.currentScript.remove();

const all = [...document.querySelectorAll('*')];
const number = new Map(all.map((e, i) => [e, i]));

// A generator for each kind, so that one kind does not change what another one does.
const random = (kind) => {
  let state = seed >>> 0;
  for (const c of kind) state = Math.imul(state ^ c.charCodeAt(0), 2654435761) >>> 0;
  return () => {  // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};
const shuffled = (list, next) => {
  const out = [...list];
  for (let i = out.length - 1; i > 0; --i) {
    const k = Math.floor(next() * (i + 1));
    [out[i], out[k]] = [out[k], out[i]];
  }
  return out;
};

// Gives ids and classes other names, in the style sheets as well, so that the page looks the same.
const kReferences = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'list', 'form'];
const rename = (ids, classes) => {
  const put = (map, name) => map.get(name) || name;
  for (const e of all) {
    if (e.id) e.id = put(ids, e.id);
    if (e.classList.length)
      e.setAttribute('class', [...e.classList].map((c) => put(classes, c)).join(' '));
    for (const a of kReferences) if (e.hasAttribute(a))
      e.setAttribute(a, e.getAttribute(a).split(/\s+/).map((id) => put(ids, id)).join(' '));
    const href = e.getAttribute('href') || '';
    if (ids.has(href.slice(1)) && href[0] === '#') e.setAttribute('href', '#' + ids.get(href.slice(1)));
  }
  const restyle = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText) rule.selectorText = rule.selectorText.replace(/([.#])(-?[_a-zA-Z][\w-]*)/g,
        (_, mark, name) => mark + put(mark === '.' ? classes : ids, name));
      if (rule.cssRules) restyle(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { continue; }  // a sheet of another origin
    restyle(rules);
  }
};
const names = () => [new Set(all.map((e) => e.id).filter(Boolean)),
                     new Set(all.flatMap((e) => [...e.classList]))];

const kActive = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox]';
const kFixed = /^(HTML|HEAD|BODY|LI|TR|TD|TH|TBODY|THEAD|TFOOT|CAPTION|COL|COLGROUP|OPTION|OPTGROUP|DT|DD|LEGEND|SUMMARY|SOURCE|TRACK|PARAM|AREA|SCRIPT|STYLE|LINK|META|TITLE)$/;
const kMutations = {
  // Some of what people act on is not there any more.
  remove: (next) => {
    for (const e of all) if (e.matches(kActive) && next() < 0.3) e.remove();
  },
  // Siblings stand in another order.
  reorder: (next) => {
    for (const parent of all) {
      const kids = [...parent.children];
      if (kids.length < 2 || /^(HTML|HEAD|SELECT|TR|svg)$/.test(parent.tagName) || next() < 0.5) continue;
      const places = kids.map((k) => {
        const place = document.createComment('');
        k.replaceWith(place);
        return place;
      });
      shuffled(kids, next).forEach((k, i) => places[i].replaceWith(k));
    }
  },
  // Elements stand in one that was not there before.
  wrap: (next) => {
    for (const e of all) {
      if (!e.parentElement || kFixed.test(e.tagName) || !(e instanceof HTMLElement)) continue;
      if (/^(SELECT|TABLE|TR|UL|OL|DL|PICTURE|VIDEO|HEAD)$/.test(e.parentElement.tagName)) continue;
      if (next() >= 0.3) continue;
      const inline = getComputedStyle(e).display.startsWith('inline');
      const box = document.createElement(inline ? 'span' : 'div');
      box.style.display = 'contents';
      e.replaceWith(box);
      box.append(e);
    }
  },
  // Half of the ids and of the classes have new names.
  rename: (next) => {
    const fresh = (set) => new Map([...set].filter(() => next() < 0.5)
      .map((name) => [name, 'x' + Math.floor(next() * 1e9).toString(36)]));
    rename(...names().map(fresh));
  },
  // Half of the ids and of the classes have the name that another one had.
  exchange: (next) => {
    const swapped = (set) => {
      const some = [...set].filter(() => next() < 0.5), others = shuffled(some, next);
      return new Map(some.map((name, i) => [name, others[i]]));
    };
    rename(...names().map(swapped));
  },
  // Half of the texts are in a language that does not exist: letters for letters, wherever a text stands.
  translate: (next) => {
    const by = 1 + Math.floor(next() * 4), chosen = new Map();
    const other = (text) => {
      const key = text.trim();
      if (!/[a-z]/i.test(key)) return text;
      if (!chosen.has(key)) chosen.set(key, next() < 0.5);
      if (!chosen.get(key)) return text;
      return text.replace(/[a-z]/gi, (c) => {
        const row = 'aeiou'.includes(c.toLowerCase()) ? 'aeiou' : 'bcdfghjklmnpqrstvwxyz';
        const to = row[(row.indexOf(c.toLowerCase()) + by) % row.length];
        return c === c.toLowerCase() ? to : to.toUpperCase();
      });
    };
    const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    for (let t = texts.nextNode(); t; t = texts.nextNode())
      if (!/^(SCRIPT|STYLE|TEXTAREA)$/.test(t.parentNode.tagName)) t.data = other(t.data);
    for (const e of all) {
      const kSaid = ['placeholder', 'title', 'alt', 'aria-label'];
      if (/^(submit|button|reset)$/.test(e.type || '') && e.tagName === 'INPUT') kSaid.push('value');
      for (const a of kSaid) if (e.hasAttribute(a)) e.setAttribute(a, other(e.getAttribute(a)));
    }
  },
};
for (const kind of wanted) if (!kMutations[kind]) throw new Error(`there is no mutation ${kind}`);
for (const kind of Object.keys(kMutations)) if (wanted.has(kind)) kMutations[kind](random(kind));

// Nothing that is pressed has an effect. What it was, from the inside out, stands in `acted`.
window.mutation = {number, kActive, shuffled, random, acted: null,
  left: () => all.filter((e) => e.isConnected).map((e) => number.get(e))};
const path = (e) => {
  const found = [];
  for (const p of e.composedPath()) {
    if (number.has(p)) found.push(number.get(p));
    if (p.tagName === 'LABEL' && p.control) found.push(number.get(p.control));
  }
  return found;
};
window.addEventListener('mousedown', (e) => {
  mutation.acted = path(e);
  if (e.target.tagName === 'SELECT') e.preventDefault();  // no menu over the page
}, true);
for (const kind of ['click', 'submit', 'auxclick'])
  window.addEventListener(kind, (e) => e.preventDefault(), true);
})();
