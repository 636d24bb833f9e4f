// Script of the page: compares elements with each other, and with the recorded traits of one.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view relate_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kActs = 'a[href],button,input,select,textarea,summary,option,' + ['button', 'link', 'checkbox',
  'radio', 'switch', 'tab', 'menuitem', 'option', 'textbox', 'combobox', 'treeitem'].map((r) =>
  `[role=${r}]`).join();
const acts = (e) => e.nodeType === 1 && e.matches(kActs);
h.kField = /^(INPUT|SELECT|TEXTAREA)$/;
h.isField = (e) => h.kField.test(e.tagName) || e.isContentEditable;
// The text that people read of it; h.called: with the attribute `name` of a form field.
h.read = (e) => {
  const words = [e.getAttribute('aria-label'), ...(h.isField(e) ? [...e.labels || []].map((l) => h.textOf(l))
    .concat(e.getAttribute('placeholder')) : [h.textOf(e)])];
  return h.squeeze(words.filter(Boolean).join(' ')).slice(0, 80);
};
h.called = (e) => h.squeeze(h.read(e) + ' ' + (h.kField.test(e.tagName) && e.getAttribute('name') || ''));
const outer = (e) => e.assignedSlot || e.parentNode || e.host;
const inside = (e, o) => {
  for (let p = e; p; p = outer(p)) if (p === o) return true;
  return false;
};
// The control that a press of the element acts on: it is a part of the control or of its label.
const core = (e) => {
  for (let p = e; p; p = outer(p)) {
    if (p.tagName === 'LABEL' && p.control) return p.control;
    if (acts(p)) return p;
  }
  return e;
};
// Whether the inner element stands for the outer one: it is no control, or the only one there.
const partOf = (i, o) => {
  if (!inside(i, o)) return false;
  const k = core(i);
  if (!acts(k)) return true;
  return !acts(o) && h.every(o, kActs).every((x) => inside(x, k));
};
// The kind of control, whichever tag makes it; of other elements, tag and classes.
h.group = (e) => {
  const role = e.getAttribute('role');
  if (role) return role;
  if (e.isContentEditable || e.tagName === 'TEXTAREA') return 'textbox';
  if (e.tagName === 'INPUT') {
    if (/^(text|email|tel|url)$/.test(e.type)) return 'textbox';
    return /^(submit|button|reset|image)$/.test(e.type) ? 'button' : e.type;
  }
  if (/^H[1-6]$/.test(e.tagName)) return 'heading';
  const known = {SELECT: 'combobox', BUTTON: 'button', SUMMARY: 'button', A: 'link'}[e.tagName];
  return known || [e.tagName.toLowerCase(), ...[...e.classList].sort()].join('.');
};
h.acts = acts;
h.core = core;
h.inside = inside;
h.outer = outer;
const related = (e, o) => {
  const a = core(e), b = core(o);
  return {same: e === o || a === b && acts(a) || partOf(e, o) || partOf(o, e),
    like: h.state(b).visible && (h.group(a) === h.group(b) || a.tagName === b.tagName && a.tagName !== 'INPUT'),
    called: h.called(b), read: h.read(b)};
};

// --- the row of an element: a line of a table, an entry of a list, a card, a dialog ---------------
const kRow = 'tr,li,dd,article,dialog,' + ['row', 'listitem', 'option', 'treeitem', 'article', 'dialog',
  'alertdialog'].map((r) => `[role=${r}]`).join();
// The boxes beside it that are of its kind.
const beside = (p) => !p.parentElement ? [] : [...p.parentElement.children].filter((x) => x !== p &&
  x.tagName === p.tagName && (p.matches(kRow) || p.classList.length && x.classList.contains(p.classList[0])))
  .slice(0, 500);
const boxOf = (e, p) => p.classList.length && !p.matches('td,th,label,option') && beside(p).some((x) =>
  (x.firstElementChild || {}).tagName === (p.firstElementChild || {}).tagName && x.querySelector(e.tagName));
h.rowKind = (p) => p.getAttribute('role') ? `[role="${p.getAttribute('role')}"]`
  : p.matches(kRow) ? p.tagName.toLowerCase()
  : p.classList.length ? `${p.tagName.toLowerCase()}.${CSS.escape(p.classList[0])}` : '';
const around = function* (e) {
  for (let p = acts(e) ? outer(e) : e; p && p !== document.body && p !== document; p = outer(p))
    if (p.nodeType === 1) yield p;
};
// The row around an element; null: none. `kind`: of the recorded row, which is preferred. Without a row, of
// several controls of one name: the largest box with only this one of them.
h.row = (e, kind) => {
  const all = [...around(e)];
  const fits = (p) => p.matches(kRow) || boxOf(e, p), of = all.filter((p) => kind && p.matches(kind));
  const row = of.find(fits) || of.find((p) => textsOf(p, e)[1].length) || all.find(fits);
  if (row || !acts(e)) return row || null;
  const name = h.called(e), alike = h.every(document, e.tagName).slice(0, 500)
    .filter((x) => x !== e && h.group(x) === h.group(e) && h.called(x) === name);
  return alike.length ? all.filter((p) => !alike.some((x) => inside(x, p))).pop() || null : null;
};
// A text that names a row does not change: it is no state, number, price or time.
const kState = new RegExp('^(' + ('new|opened?|closed?|done|draft|(in)?active|(en|dis)abled|pending|' +
  '(un|over)?paid|(past |over)?due|late|in (progress|review|stock|transit)|to ?do|blocked|(un)?resolved|' +
  'rejected|approved|accepted|declined|cancell?ed|(in)?complete(d)?|finished|failed|passed|success(ful)?|' +
  'errors?|warning|ok|running|started|stopped|paused|queued|waiting|scheduled|shipped|delivered|returned|' +
  'refunded|process(ing|ed)|(un)?sent|(un)?read|seen|o(n|ff)(line)?|away|busy|(un)?available|' +
  '(out of|low) stock|sold( out)?|reserved|booked|free|yes|no|true|false|none|n/a|high|medium|low|urgent|' +
  'critical|normal|minor|major|public|private|(un)?published|archived|(un)?verified|expire[ds]|expiring|' +
  '(un)?locked|(un)?assigned|live|escalated|merged|today|yesterday|tomorrow|now|just now|never') + ')[.!]?$', 'i');
const kTime = /\b(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\b(ago|today|yesterday|tomorrow)\b|\d:\d\d|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d\s*(ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|views?|likes?|votes?|points?|comments?|replies|[kmg]b)\b/i;
const kMoney = /[€$£¥₹]|\b(eur|usd|gbp|chf)\b/i;
const kStateWord = /(^|[-_ ])(status|state|badge|pill|chip|price|amount|total|date|time|due|priority|count|stock|qty|quantity|balance|age|updated|created|progress)([-_ ]|$)/i;
const kNumberWord = /^(#|id|no|nr|number|key|code|sku|order|ticket|invoice|case|ref)\b/i;
const kVerb = /^(view|edit|open|show|details?|more|see|read more|delete|remove|select|choose|copy|download|share|reply|options|menu)\b/i;
const headOf = (x, row) => {
  const cell = x.closest('td,th'), table = row.closest('table');
  const head = cell && table && (table.tHead ? table.tHead.rows[0] : table.rows[0]);
  const title = head && head !== row ? head.cells[cell.cellIndex] : null;
  return title && (table.tHead || title.tagName === 'TH') ? h.squeeze(h.textOf(title)) : '';
};
const lasting = (text, x, row) => {
  if (text.length < 1 || text.length > 80 || kState.test(text)) return false;
  for (let p = x; p && p !== row; p = outer(p)) if (p.tagName === 'TIME' || p.nodeType === 1 &&
    (kStateWord.test(p.getAttribute('class') || '') || p.getAttribute('role') === 'status')) return false;
  const head = headOf(x, row), number = /\d/.test(text);
  if (kStateWord.test(head)) return false;
  if (number && (kMoney.test(text) || kTime.test(text) || /^[+-]?\d[\d.,]*\s*(%|\p{L}+)$/u.test(text))) return false;
  return /[\p{L}#]/u.test(text) || number && kNumberWord.test(head) && /^\d+$/.test(text);
};
h.lasting = lasting;
// Its texts without those of the element: [headings, all].
const textsOf = (row, e) => {
  const heads = [], all = [], labels = [...e.labels || []];
  const add = (x, text, head) => {
    const t = h.squeeze(text);
    if (lasting(t, x, row)) for (const list of head ? [heads, all] : [all]) if (!list.includes(t)) list.push(t);
  };
  const visit = (x) => {
    if (x.nodeType === 3) return add(x.parentElement || row, x.data);
    if (x.nodeType !== 1 || x === e && x !== row || labels.includes(x) || x !== row && x.matches(kRow +
      ',button,select,textarea,script,style,template,[role=button]')) return;
    if (x !== row && !inside(e, x)) {
      if (x.matches('h1,h2,h3,h4,h5,h6,[role=heading],th,[role=rowheader],legend,dt')) return add(x, h.textOf(x), true);
      if (x.matches('a[href]') && kVerb.test(h.squeeze(h.textOf(x)))) return;
      if (x.matches('a[href],strong,b,code')) return add(x, h.textOf(x));
    }
    const kids = x.tagName === 'SLOT' && x.assignedNodes().length ? x.assignedNodes() : (x.shadowRoot || x).childNodes;
    for (const k of kids) visit(k);
  };
  visit(row);
  return [heads, all];
};
// An e-mail address, or a number of an account, a phone or an order: it is always one of the row's names.
const kId = /^\S+@\S+\.\S+$|^(?=(.*\d){4})[\p{L}\d][\p{L}\d ./+-]{6,}$/u;
// The texts that together name the row among those beside it: its headings, or else its first texts; none:
// no lasting text does.
h.rowNames = (row, e) => {
  const others = beside(row), [heads, all] = textsOf(row, e), ids = all.filter((t) => kId.test(t));
  for (const texts of [heads.slice(0, 4), all]) {
    const names = [...new Set([...texts.slice(0, 4), ...ids.slice(0, 2)])];
    if (texts.length && !others.some((o) => names.every((t) => h.hasText(o, t)))) return names;
  }
  return [];
};

// --- whether an element is the recorded one, and whether it still is ------------------------------
// Its own name, text and attributes, without text that a person may have typed into it.
const own = (e) => {
  const text = h.isField(e) ? '' : h.squeeze(h.textOf(e));
  return JSON.stringify([h.called(e), acts(e) || text.length <= 80 ? text : '',
    ['id', 'name', 'role', 'type', 'href', 'title', 'alt', 'aria-label', 'data-testid'].map((a) => e.getAttribute(a)),
    e.tagName === 'INPUT' && h.group(e) === 'button' ? e.value : '']);
};
const standsWith = (e, kind, names) => {
  const row = h.row(e, kind);
  if (!row || !names.every((t) => h.hasText(row, t))) return false;
  // The first name has to be a heading or the first text of the row, or, in a line of a table, the first text of
  // a cell, with the other names after it in their order. Else the row only mentions the names.
  const [heads, all] = textsOf(row, e), at = names.map((t) => all.indexOf(t)).filter((i) => i >= 0);
  return !names.length || heads.includes(names[0]) || all[0] === names[0] || row.tagName === 'TR' && !heads.length &&
    [...row.cells].some((c) => textsOf(c, e)[1][0] === names[0]) && at.every((i, k) => !k || i > at[k - 1]);
};
const noted = new WeakMap();
// Stores the element's present state. `inner`: the control in it that gets the press; null: not known,
// undefined: any.
h.note = (e, inner, kind, names) => {
  const row = (names || []).length ? null : h.row(e);
  noted.set(e, {own: own(e), called: h.called(e), inner, kind, names: row ? h.rowNames(row, e) : names || []});
};
// Stores it again after a press, whose effects do not count ("Saving" in place of "Save"); a different name does
// ("Delete" in place of "Keep").
h.noteAgain = (e) => {
  const n = noted.get(e), now = h.called(e), start = (t) => t.slice(0, 3).toLowerCase();
  if (n && (start(n.called) === start(now) || h.shareWord(n.called, now) || !/\p{L}{3}/u.test(n.called))) n.own = own(e);
};
h.innerOf = (e) => (noted.get(e) || {inner: null}).inner;
h.changed = (e) => {
  const n = noted.get(e);
  return n && (own(e) !== n.own || n.names.length && !standsWith(e, n.kind, n.names))
    ? 'the element has become another one' : '';
};
// The elements whose ids, test ids or names are like the element's, but for a number that counts them in the
// order of the page; null: it is not counted so. `by`: the value of the selector that found the element.
const kNumber = /^(.*?)(\d+)(\D*)$/;
const numbered = (by, e) => {
  for (const a of ['id', 'name', 'data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']) {
    const value = e.getAttribute(a), parts = value && kNumber.exec(value);
    if (!parts || !by.includes(CSS.escape(value)) && !by.includes(value)) continue;
    const numbers = h.every(document, `[${a}]`).map((x) => [x, kNumber.exec(x.getAttribute(a))])
      .filter(([, p]) => p && p[1] === parts[1] && p[3] === parts[3]).map(([x, p]) => [x, Number(p[2])]);
    const first = numbers[0][1];
    if (first < 2 && numbers.every(([, n], i) => n === first + i)) return numbers.map(([x]) => x);
  }
  return null;
};
// Whether such a number gives only the element's place, and no identity.
const counted = (by, e) => {
  const all = numbered(by, e), rivals = all && all.filter((x) => x !== e && h.group(x) === h.group(e));
  if (!all || rivals.length) return !!all && rivals.some((x) => h.called(x) === h.called(e));
  return [...around(e)].some((p) => p.matches(kRow));
};
// Whether a name in the code looks generated for each load: letters and digits in turn, or a long number.
const looksGenerated = (name) => /\d{4}/.test(name) || (name.match(/\p{L}\d|\d\p{L}/gu) || []).length > 1;
// Why the element is not the recorded one, as far as the page says; role and name are compared by
// whoever asks.
const differs = ({around: beyond, known: t}, by, e) => {
  for (const {kind, text} of beyond) {
    const only = h.every(document, kind).filter((x) => h.hasText(x, text));
    const p = [...around(e)].find((x) => x.matches(kind)) || h.row(e);
    if (only.length === 1 ? !inside(e, only[0]) : !p || !h.hasText(p, text)) return `it does not stand with "${text}"`;
  }
  if (t.row) {
    if (!standsWith(e, t.row_in, t.row)) return `it does not stand with ${t.row.map((n) => `"${n}"`).join(', ')}`;
  } else if (by && !beyond.length && counted(by, e)) {
    return 'the number in its name in the code only says which place it has';
  }
  const elsewhere = h.elsewhere(t, e);
  if (elsewhere) return elsewhere;
  const field = e.getAttribute('name') || '';
  if (!t.name || !h.kField.test(e.tagName) || field === t.name) return '';
  const labelled = (e.labels || []).length || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby');
  if (looksGenerated(t.name) && looksGenerated(field) && (labelled || e.getAttribute('placeholder'))) return '';
  const there = h.every(document, `[name="${CSS.escape(t.name)}"]`).some((x) => h.group(x) === h.group(e));
  return there || !labelled ? `its form field is "${field}", and not "${t.name}"` : '';
};
// The index of the recorded element in `all`, which have its role and name: the only one in the recorded row
// or, if none is recorded, the only one of a name that no other element had. null: none.
h.only = (r, all) => {
  const fit = all.filter((e) => !differs(r, null, e)), [e] = fit;
  const known = r.known.row || !(r.known.others || []).includes(e && h.called(e));
  return fit.length === 1 && known && e.tagName.toLowerCase() === r.known.tag ? all.indexOf(e) : null;
};
h.compare = (r, by, values, e, others) => {
  const t = r.known;
  h.note(e, r.any ? undefined : r.inner, t.row_in, t.row);
  const label = e.getAttribute('aria-label'), text = h.squeeze(h.textOf(e));
  const odd = label && /\p{L}{3}/u.test(text) && !h.shareWord(label, text);
  const seen = odd && t.text && !h.shareWord(t.text, text) && `it reads "${text}"` || t.tag && h.displaced(t, e) ||
    t.text && t.text.length <= 80 && t.role && !t.accessible_name && lasting(t.text, e, e) &&
    !h.hasText(e, t.text) && `it does not read "${t.text}"`;
  return {why: r.any ? '' : differs(r, by, e) || seen || '', part: core(e) !== e, acts: acts(core(e)),
    reads: odd && !t.tag ? text : '', new_neighbour: by ? h.newNeighbour(t, e) : '', alone: !h.every(document, e.tagName).some((o) => o !== e &&
      h.group(o) === h.group(e) && h.called(o) === h.called(e) && h.state(o).visible) || noted.get(e).names.length > 0,
    related: others.map((o, i) => ({...related(e, o), place: !!numbered(values[i], o)}))};
};
h.named = (e) => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''} "${h.called(e)}"`;
h.focused = () => {
  let e = document.activeElement || document.body;
  while (e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e;
};
// The focused control, if it is neither in the element nor, as a text field, in its form, and the key presses;
// '' otherwise, also if nothing has the focus: then the page itself gets the key.
h.strangeFocus = (e, presses) => {
  const f = h.focused();
  if (!presses || f === document.body || f === document.documentElement || e && (inside(f, e) || inside(e, f))) return '';
  const text = f.matches('textarea,input') && h.state(f).editable || f.isContentEditable;
  return text && (!e || e.form && e.form === f.form) ? '' : h.named(f);
};
// Whether keys go to the element, as far as its own document says.
h.holdsFocus = (e) => {
  if (!e.isConnected) return false;
  for (let x = e;;) {
    const root = x.getRootNode(), at = root.activeElement;
    if (at !== x && !(x === e && x.isContentEditable && at && at.contains(x))) return false;
    if (!(root instanceof ShadowRoot)) return true;
    x = root.host;
  }
};
})())js";
}

}  // namespace hebb::skill
