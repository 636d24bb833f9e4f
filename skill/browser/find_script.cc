// Script of the page: finds elements, also in open shadow roots. Runs of blanks in texts count as
// one blank.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view find_script() {
  return R"js((() => {
const squeeze = (t) => (t || '').replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
// `exact`: the whole text is the value. Else case makes no difference, and signs or numbers, such as a
// count, may stand around the value. More words may follow it if a person wrote it (`begins`), or if it is
// so long (kCut) that a recorder may have cut it.
const kCut = 20;
const same = (text, {value, exact, begins}) => {
  const all = squeeze(text), wanted = squeeze(value);
  if (exact || all === wanted) return all === wanted;
  const low = all.toLowerCase(), at = low.indexOf(wanted.toLowerCase());
  const before = low.slice(0, Math.max(at, 0)), after = low.slice(at + wanted.length);
  if (!wanted || at < 0 || /[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after)) return !wanted;
  return !/\p{L}/u.test(before) && (begins || wanted.length >= kCut || !/\p{L}/u.test(after));
};
const roots = (root) => {
  const all = [root];
  for (let i = 0; i < all.length; ++i) {
    if (all[i].shadowRoot) all.push(all[i].shadowRoot);
    for (const e of all[i].querySelectorAll('*')) if (e.shadowRoot) all.push(e.shadowRoot);
  }
  return all;
};
const every = (root, css) => {
  const found = new Set();
  for (const r of roots(root)) for (const e of r.querySelectorAll(css)) found.add(e);
  return [...found];
};
const textOf = (e) => {
  if (e instanceof HTMLInputElement && /^(submit|button|reset)$/.test(e.type)) return e.value;
  if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD)$/.test(e.tagName)) return '';
  let t = '';
  for (const c of (e.shadowRoot || e).childNodes) {
    if (c.nodeType === 3) t += c.data;
    else if (c.nodeType === 1 && c.tagName === 'SLOT')
      for (const s of c.assignedNodes()) t += s.nodeType === 1 ? textOf(s) : s.data || '';
    // The options of a list and the content of a text field are not part of the text.
    else if (c.nodeType === 1 && !/^(SELECT|TEXTAREA|DATALIST)$/.test(c.tagName)) t += (/^(BR|P|DIV|LI|TD|TR)$/.test(c.tagName) ? ' ' : '') + textOf(c);
  }
  return t;
};
const byText = (root, s) => {
  const hits = every(root, '*').filter((e) => same(textOf(e), s));
  const set = new Set(hits);
  // Keep the smallest elements: those without a descendant that has the text as well.
  const outer = new Set();
  for (const e of hits) {
    let p = e.parentNode || e.host;
    while (p) { if (set.has(p)) outer.add(p); p = p.assignedSlot || p.parentNode || p.host; }
  }
  return hits.filter((e) => !outer.has(e));
};
const byLabel = (root, s) => {
  const found = new Set();
  // Recorders include the options of a list in the text of its label.
  for (const l of every(root, 'label')) if (l.control && (same(textOf(l), s) || same(l.textContent, s)))
    found.add(l.control);
  for (const e of every(root, '[aria-label]')) if (same(e.getAttribute('aria-label'), s))
    found.add(e);
  for (const e of every(root, '[aria-labelledby]')) {
    const t = e.getAttribute('aria-labelledby').split(/\s+/)
      .map((id) => e.getRootNode().getElementById(id)).map((x) => x ? textOf(x) : '').join(' ');
    if (same(t, s)) found.add(e);
  }
  return [...found];
};
// XPath searches the document only, without its shadow roots.
const byXPath = (root, path) => {
  const list = document.evaluate(path, root, null, 7, null), found = new Set();
  for (let i = 0; i < list.snapshotLength; ++i) found.add(list.snapshotItem(i));
  return [...found].filter((n) => n.nodeType === 1);
};
const ways = {
  css: (root, s) => every(root, s.value),
  xpath: (root, s) => byXPath(root, s.value),
  text: (root, s) => byText(root, s),
  label: (root, s) => byLabel(root, s),
  placeholder: (root, s) =>
    every(root, '[placeholder]').filter((e) => same(e.getAttribute('placeholder'), s)),
  test_id: (root, s) => every(root, '[data-testid],[data-test-id],[data-test],[data-cy],[data-qa]')
    .filter((e) => ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
      .some((a) => e.getAttribute(a) === s.value)),
};
const h = globalThis.__hebb = {squeeze, same, textOf, every};
h.find = (s, root) => { try { return ways[s.type](root || document, s); } catch (e) { return []; } };
// Whether the text is all of the text of the element, of an element in it, or of one of its text nodes. A
// text of kLong characters or more may have been cut by a recorder: it has to be the beginning.
const kLong = 80;
// The nodes in an element; children of a host are where its shadow root draws them.
const drawnIn = (e) => [e, ...every(e, '*')].flatMap((x) => x.tagName !== 'SLOT' ? [x]
  : x.assignedNodes().flatMap((n) => n.nodeType === 1 ? [n, ...every(n, '*')] : n.nodeType === 3 ? [n] : []));
h.hasText = (e, text) => {
  const wanted = squeeze(text);
  const whole = (t) => squeeze(t) === wanted || wanted.length >= kLong && squeeze(t).startsWith(wanted);
  return squeeze(textOf(e)).includes(wanted) && drawnIn(e).some((x) => x.nodeType === 3 ? whole(x.data)
    : whole(textOf(x)) || [...x.childNodes].some((c) => c.nodeType === 3 && whole(c.data)));
};
h.pageText = () => squeeze(document.body ? document.body.innerText + ' ' +
  every(document, '*').filter((e) => e.shadowRoot).map((e) => textOf(e)).join(' ') : '');
})())js";
}

}  // namespace hebb::skill
