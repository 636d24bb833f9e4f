// Script of the page: describes the named boxes around an element, and the question of a dialog.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view surroundings_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kHeading = 'h1,h2,h3,h4,h5,h6,[role=heading]';
const kHeadingWord = /(^|[-_ ])(h[1-6]|title|heading)([-_ ]|$)|[a-z](Title|Heading|-h[1-6])([-_ ]|$)/;
const kDialog = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true],[popover]';
const kOpened = '[role=listbox],[role=menu],[role=tabpanel],.dropdown-menu';
// The boxes whose name says what the controls in them act on.
const kBoxes = {dialog: kDialog, listbox: '[role=listbox]', menu: '[role=menu],[role=menubar],.dropdown-menu',
  'tab panel': '[role=tabpanel]', fieldset: 'fieldset',
  group: '[role=group],[role=radiogroup],[role=toolbar],details', form: 'form,[role=form],[role=search]',
  navigation: 'nav,[role=navigation]', table: 'table,[role=table],[role=grid],[role=treegrid],[role=tree]',
  region: '[role=region],section,aside,[role=complementary]'};
const kEntry = 'tr,li,dd,article,[role=row],[role=listitem],[role=option],[role=treeitem],[role=article]';
const kLength = 100;  // characters of a name or text that are compared
const cut = (t) => [...h.squeeze(t)].slice(0, kLength).join('');
const outward = function* (e) {
  for (let p = h.outer(e); p && p !== document.body && p !== document; p = h.outer(p)) if (p.nodeType === 1) yield p;
};
const precedes = (a, b) => !!(a.compareDocumentPosition(b) & 4);
const title = (text, x) => h.lasting(text, x, x)
  ? cut(text.replace(/\s*[([]\s*\d+\s*[)\]]/g, '').replace(/^\d+ (?=\p{Ll})/u, '')) : '';
// The words of a title, without a count or a control that stands in it.
const wordsOf = (x) => {
  const parts = [...x.childNodes].filter((c) => c.nodeType === 3 || c.nodeType === 1 && !c.matches('button,[role=button]') &&
    !/^\W*\d+\W*$/.test(h.textOf(c))).map((c) => c.nodeType === 3 ? c.data : ' ' + h.textOf(c)).join('');
  return title(h.squeeze(parts) || h.squeeze(h.textOf(x)), x);
};
const byIds = (p, attribute) => (p.getAttribute(attribute) || '').split(/\s+/).filter(Boolean)
  .map((id) => p.getRootNode().getElementById(id)).filter(Boolean).map(wordsOf).join(' ');
const explicit = (p) => {
  const own = [...p.children].find((c) => /^(LEGEND|CAPTION|SUMMARY)$/.test(c.tagName));
  return byIds(p, 'aria-labelledby') || title(h.squeeze(p.getAttribute('aria-label')), p) || (own ? wordsOf(own) : '');
};
const controls = (x) => h.acts(x) || h.every(x, 'a[href],button,input,select,textarea').length > 0;
// The text of an element beside a box or above a row, if it is a title; else ''.
const kTitle = /(^|[-_ ])(group|section|label)([-_ ]|$)|header|heading|title|caption|divider|separator/i;
const titled = (x) => {
  if (x.matches(kHeading)) return wordsOf(x);
  const inner = x.tagName === 'TR' ? null : x.querySelector(kHeading);
  const short = h.squeeze(h.textOf(x)).length <= kLength;
  if (inner && short && !h.every(x, 'input,select,textarea').length) return wordsOf(inner);
  if (!short || controls(x)) return '';
  if (x.matches('[role=row]') && x.children.length === 1) return wordsOf(x.firstElementChild);
  if (x.tagName === 'TR') return x.cells.length === 1 || [...x.cells].every((c) => c.tagName === 'TH') && !x.parentNode.matches('thead')
    ? wordsOf(x.cells[0]) : '';
  return x.tagName === 'DT' || x.tagName === 'LABEL' || kTitle.test(x.getAttribute('class') || '') ||
    /^(presentation|separator)$/.test(x.getAttribute('role') || '') ? wordsOf(x) : '';
};
// The nearest title before it, at most `levels` elements up.
const before = (p, levels) => {
  for (; levels && p && p !== document.body && p.nodeType === 1; --levels, p = h.outer(p)) {
    let left = 2000, rows = 1;
    for (let s = p.previousElementSibling; s && left; s = s.previousElementSibling, --left, ++rows) {
      const over = s.tagName === 'TR' && p.tagName === 'TR' && [...s.cells].find((c) => c.rowSpan > rows);
      if (over && wordsOf(over)) return wordsOf(over);
      // An element of its kind, such as the card before it, is no title of it.
      const alike = s.tagName === p.tagName && s.tagName !== 'TR' && s.className === p.className && !s.matches('[role=row]') &&
        (p.className || p.matches(kEntry));
      const text = alike ? '' : titled(s);
      if (text) return text;
    }
  }
  return '';
};
// The name of the control that opened the box, or of the panel's tab: its label, else its words; those of a
// field are the chosen option, and no name.
const opener = (p) => {
  const root = p.getRootNode(), id = p.id && CSS.escape(p.id);
  const all = id ? [...root.querySelectorAll(`[aria-controls~="${id}"],[aria-owns~="${id}"]`)] : [];
  const list = p.matches('[role=tabpanel]') && [...outward(p)].map((x) => x.querySelector('[role=tablist]')).find(Boolean);
  const open = all.length ? all : h.every(document, list ? '[role=tab][aria-selected=true]' : '[aria-expanded=true][aria-haspopup],[role=combobox][aria-expanded=true]');
  const prior = p.previousElementSibling, near = prior && h.acts(prior) && !all.length && p.matches('[role=menu],.dropdown-menu');
  if (!near && open.length !== 1 && !all.length) return '';
  const o = near ? prior : open[0], label = explicit(o) || [...o.labels || []].map(wordsOf).join(' ');
  return label || (p.matches('[role=listbox]') ? before(o, 1) : h.isField(o) ? '' : wordsOf(o));
};
const headed = (p, e) => {
  const all = h.every(p, kHeading + ',[class]').filter((x) => (x.matches(kHeading) || kHeadingWord.test(x.getAttribute('class') || '') &&
    !controls(x) && h.squeeze(h.textOf(x)).length <= kLength) && h.state(x).visible && wordsOf(x) && !h.inside(x, e) && !h.inside(e, x));
  const [first] = all, near = all.filter((x) => precedes(x, e)).pop() || first;
  return near ? wordsOf(near) : '';
};
const nameOf = (kind, p, e) => explicit(p) || (/^(table|region)$/.test(kind) ? '' :
  headed(p, e) || (p.matches(kOpened) ? opener(p) : '') || (kind === 'dialog' ? '' : before(p, kind === 'form' ? 6 : 1)));
// The name of a panel around the element that a control opens: the words of that control.
const panelName = (e) => {
  for (const p of outward(e)) {
    const id = p.id && CSS.escape(p.id), prior = p.previousElementSibling;
    // The header of a panel has no other control: a navigation with an open menu is no header.
    const [own, more] = prior ? (h.acts(prior) ? [prior] : h.every(prior, '*').filter(h.acts)) : [];
    const header = own && !more && own.getAttribute('aria-expanded') === 'true' ? own : null;
    const [o] = id ? h.every(document, `[aria-controls~="${id}"],a[href="#${id}"],[data-bs-target="#${id}"],[data-target="#${id}"]`) : [];
    for (const control of [o, header]) if (control && !h.inside(control, p) && !h.isField(control) && wordsOf(control)) return wordsOf(control);
  }
  return '';
};
// The boxes around it that have a name, [kind, name], from the inside out; for an element in a row,
// also the title above the row.
const boxes = (e) => {
  const found = [], row = h.row(e);
  if (row && !row.matches(kDialog) && (row.matches(kEntry) || row.classList.length)) found.push(['title', before(row, 6)]);
  const panel = panelName(e);
  if (panel) found.push(['panel', panel]);
  for (const p of outward(e)) for (const kind in kBoxes)
    if (p.matches(kBoxes[kind]) && !found.some(([k]) => k === kind)) found.push([kind, nameOf(kind, p, e)]);
  return found.filter(([, name]) => name);
};
// --- what a dialog says -----------------------------------------------------------------------------
const kDialogWord = /(^|[-_ ])(modal|dialog|popup|popover|confirm|prompt|lightbox|alert)([-_ ]|$)/i;
const kLong = 4000;  // an element with the class of a dialog is none if its text has so many characters
// Whether it covers the window.
const covers = (p) => {
  const r = p.getBoundingClientRect();
  return getComputedStyle(p).position === 'fixed' && r.width >= .9 * innerWidth && r.height >= .9 * innerHeight;
};
const dialogOf = (e) => {
  const all = [...outward(e)];
  return all.find((p) => p.matches(kDialog)) || all.filter((p) => (kDialogWord.test(p.getAttribute('class') || '') || covers(p)) &&
    p.textContent.length < kLong).pop() || null;
};
// A time differs in each run, so it is not compared; an amount is, because the dialog asks about it.
const kWhen = /\b(ago|today|yesterday|tomorrow|just now)\b/i;
const kDate = /\d:\d\d|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d\.? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const asked = (t) => t.length > 0 && t.length <= 400 && /[\p{L}\p{N}]/u.test(t) && !kWhen.test(t) && !kDate.test(t);
const kDialogTexts = 12;
const hasNoFields = (d) => !h.every(d, 'input:not([type=hidden]):not([readonly]),select,textarea').length;
// The dialog's texts in their order, without controls; if it has fields, without lists, too.
const textsOf = (d, e) => {
  const texts = [], lists = !hasNoFields(d);
  const visit = (x) => {
    if (x.nodeType === 3) {
      const t = h.squeeze(x.data);
      if (asked(t)) texts.push(cut(t));
    }
    if (x.nodeType !== 1 || x === e || x.matches('button,select,textarea,script,style,template,[role=button]' + (lists ? ',li,tr,[role=option]' : '')))
      return;
    const read = x.tagName === 'IMG' ? x.alt : x.tagName === 'INPUT' && x.readOnly && x.type !== 'hidden' ? x.value : '';
    if (asked(h.squeeze(read))) texts.push(cut(read));
    const kids = x.tagName === 'SLOT' && x.assignedNodes().length ? x.assignedNodes() : (x.shadowRoot || x).childNodes;
    for (const k of kids) visit(k);
  };
  visit(d);
  return texts;
};
const inOrder = (some, all) => {
  let at = 0;
  for (const t of all) if (at < some.length && t === some[at]) ++at;
  return at === some.length;
};
const layerOf = (e) => [...outward(e)].some((p) => p.matches(kDialog)) ? 'dialog' : 'page';
h.surroundings = (e) => {
  const d = dialogOf(e), layer = layerOf(e);
  return {within: boxes(e).map(([kind, name]) => `${kind}: ${name}`), layer, dialog_texts: d ? textsOf(d, e).slice(0, kDialogTexts) : []};
};
// Why the element's surroundings are not the recorded ones; '': they are, as far as they are known.
h.elsewhere = (t, e) => {
  if (!t.layer) return '';
  const now = boxes(e), plain = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  for (const box of t.within || []) {
    const at = box.indexOf(': '), kind = box.slice(0, at), name = box.slice(at + 2);
    if (now.some(([, n]) => plain(n) === plain(name))) continue;
    if ([...outward(e)].some((p) => plain(explicit(p)) === plain(name))) continue;
    const other = now.find(([k]) => k === kind);
    return `it stands ${kind === 'title' ? 'below' : `in the ${kind}`} "${other ? other[1] : ''}", and not "${name}"`;
  }
  const recorded = t.dialog_texts || [], d = dialogOf(e);
  if (t.layer !== layerOf(e))
    return t.layer === 'dialog' ? 'it stands in no dialog' : 'it stands in a dialog';
  if (!recorded.length) return '';
  const texts = d ? textsOf(d, e) : null;
  // In a dialog without fields a new text asks something else, except a text with a number, such as a count.
  const added = texts && hasNoFields(d) && recorded.length < kDialogTexts && texts.some((x) => !recorded.includes(x) && !/\d/.test(x));
  const same = texts ? !added && inOrder(recorded, texts) : [...outward(e)].some((p) => inOrder(recorded, textsOf(p, e)));
  const quoted = (all) => all.slice(0, kDialogTexts).map((x) => `"${x}"`).join(' ');
  return same ? '' : `the dialog says ${quoted(texts || [])}, and not ${quoted(recorded)}`;
};
})())js";
}

}  // namespace hebb::skill
