// What runs in the page when an element is captured, and when a lost one is looked for. Each is one
// function, called in hebb's own world of the frame.
#include "skill/browser/page_script.h"

namespace hebb::skill {

// (element) → what it is like (ElementTraits), how it could be found again, and what stands around
// it. `positional` ways count siblings: they find another element once something moves.
std::string_view capture_script() {
  return R"js((e) => {
  const h = globalThis.__hebb;
  const cut = (t, n) => h.squeeze(t).slice(0, n);
  const field = /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) || e.isContentEditable;
  const root = e.getRootNode();
  const literal = (t) => t.includes('"') ? `'${t}'` : `"${t}"`;
  const nth = (x) => [...x.parentNode.children].filter((s) => s.tagName === x.tagName).indexOf(x) + 1;
  const alone = (x) => [...x.parentNode.children].filter((s) => s.tagName === x.tagName).length === 1;
  const path = (byId) => {
    let css = '', xpath = '';
    for (let x = e; x && x.nodeType === 1; x = x.parentNode) {
      const tag = x.tagName.toLowerCase(), svg = x.namespaceURI !== 'http://www.w3.org/1999/xhtml';
      if (byId && x !== e && x.id) {
        return [`#${CSS.escape(x.id)} > ${css}`, `//*[@id=${literal(x.id)}]${xpath}`];
      }
      const one = !x.parentNode || x.parentNode.nodeType !== 1 || alone(x);
      css = tag + (one ? '' : `:nth-of-type(${nth(x)})`) + (css ? ' > ' + css : '');
      xpath = `/${svg ? `*[name()='${tag}']` : tag}${one ? '' : `[${nth(x)}]`}` + xpath;
    }
    return [css, xpath];
  };
  const ways = [];
  const add = (type, value, positional = false) => {
    if (value && value.length <= 400) ways.push({type, value, positional});
  };
  for (const a of ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'])
    if (e.getAttribute(a)) { add('test_id', e.getAttribute(a)); break; }
  for (const l of e.labels || []) add('label', h.squeeze(h.textOf(l)));
  add('placeholder', e.getAttribute('placeholder'));
  const tag = e.tagName.toLowerCase();
  const [css, xpath] = path(true);
  if (e.id) add('css', '#' + CSS.escape(e.id));
  if (e.getAttribute('name')) add('css', `${tag}[name="${CSS.escape(e.getAttribute('name'))}"]`);
  if (e.classList.length) add('css', tag + [...e.classList].map((c) => '.' + CSS.escape(c)).join(''));
  if (tag === 'a') add('css', `a[href="${CSS.escape(e.getAttribute('href') || '')}"]`);
  if (/^(radio|checkbox)$/.test(e.type || '') && e.hasAttribute('value'))
    add('css', `input[type=${e.type}][value="${CSS.escape(e.value)}"]`);
  add('css', css, true);
  if (e.id) add('xpath', `//*[@id=${literal(e.id)}]`);
  add('xpath', xpath, true);
  const own = h.squeeze(h.textOf(e));
  if (!field && own.length <= 80) add('text', own);
  // A row, an entry of a list, a paragraph, a form: with a text that lasts, that only one of its kind has,
  // and not the element itself. A heading: with all of its text.
  const around = [];
  for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
    const role = p.getAttribute('role');
    const heading = /^H[1-6]$/.test(p.tagName) || role === 'heading';
    const like = [...p.classList].map((c) => '.' + CSS.escape(c)).join('');
    // One of several boxes of a kind, such as the cards of a list.
    const box = like && [...(p.parentElement || p).children].filter((x) => x.matches(like)).length > 1;
    const holds = box || /^(LI|TR|P|DD|FIELDSET|ARTICLE|SECTION|FORM|DIALOG|DETAILS)$/.test(p.tagName) ||
      /^(listitem|row|group|region|article|form|dialog|option|treeitem)$/.test(role || '');
    if (!holds && !heading) continue;
    const kind = box && !/^(LI|TR)$/.test(p.tagName) && !role ? p.tagName.toLowerCase() + like : role ? `[role="${role}"]` : p.tagName.toLowerCase();
    const same = h.every(document, kind);
    const texts = heading ? [cut(h.textOf(p), 400)] : h.rowNames(p, e);
    const text = texts.find((t) => t.length >= 2 && same.filter((x) => h.hasText(x, t)).length === 1);
    if (text) around.push({css: kind, text});
    if (around.length === 3) break;
  }
  const r = e.getBoundingClientRect();
  const traits = {tag, type: e.getAttribute('type') || '', name: e.getAttribute('name') || '',
    text: field ? '' : cut(own, 120), id: e.id || '', aria_label: e.getAttribute('aria-label') || '',
    class: cut(e.getAttribute('class'), 200), xpath: path(false)[1].slice(0, 400),
    place: [r.x + scrollX, r.y + scrollY, r.width, r.height].map(Math.round)};
  // What stands beside it and is like it: nothing of such a name is the element under another one.
  traits.others = [...new Set(h.alike(traits).filter((o) => o.e !== e).map((o) => h.called(o.e)))]
    .filter(Boolean).slice(0, 12);
  Object.assign(traits, h.standing(e));
  const row = h.row(e);
  if (row) Object.assign(traits, {row: h.rowNames(row, e), row_in: h.rowKind(row)});
  traits.inner = h.innerHit(e);
  return {
    traits, secret: e.tagName === 'INPUT' && e.type === 'password',
    ways, around, shadow: root !== document};
})js";
}

// Defines how like an element is to what was recorded of one. Weights are those of Similo (Nass,
// Alegroth, Feldt, Leotta, Ricca 2023: "Similarity-based Web Element Localization for Robust Test
// Automation") as far as an attribute was recorded.
std::string_view like_script() {
  return R"js((() => {
  const h = globalThis.__hebb;
  const near = (a, b) => {
    a = a.toLowerCase(); b = b.toLowerCase();
    if (a === b) return 1;
    if (!a || !b) return 0;
    let row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; ++i) {
      const next = [i];
      for (let j = 1; j <= b.length; ++j)
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      row = next;
    }
    return 1 - row[b.length] / Math.max(a.length, b.length);
  };
  const same = (a, b) => a === b ? 1 : 0;
  const absolute = (e) => {
    let path = '';
    for (let x = e; x && x.nodeType === 1; x = x.parentNode) {
      const tag = x.tagName.toLowerCase();
      const like = x.parentNode && x.parentNode.nodeType === 1 ?
        [...x.parentNode.children].filter((s) => s.tagName === x.tagName) : [x];
      path = `/${tag}${like.length > 1 ? `[${like.indexOf(x) + 1}]` : ''}` + path;
    }
    return path;
  };
  const kField = /^(INPUT|SELECT|TEXTAREA)$/;
  // What people read of it, and, with the name of a form field, what it is called.
  h.read = (e) => {
    const field = kField.test(e.tagName) || e.isContentEditable;
    const words = [e.getAttribute('aria-label'), ...(field ? [...e.labels || []].map((l) => h.textOf(l))
      .concat(e.getAttribute('placeholder')) : [h.textOf(e)])];
    return h.squeeze(words.filter(Boolean).join(' ')).slice(0, 80);
  };
  h.called = (e) => h.squeeze(h.read(e) + ' ' + (kField.test(e.tagName) && e.getAttribute('name') || ''));
  // How like an element is to the recorded one.
  h.likeness = (t, e) => {
    const field = kField.test(e.tagName) || e.isContentEditable;
    const r = e.getBoundingClientRect();
    const [x, y] = t.place;
    const away = Math.hypot(r.x + scrollX - x, r.y + scrollY - y);
    const parts = [
      ['tag', .99, same, e.tagName.toLowerCase()],
      ['type', .96, same, e.getAttribute('type') || ''],
      ['name', .95, near, e.getAttribute('name') || ''],
      ['text', .95, near, field ? '' : h.squeeze(h.textOf(e)).slice(0, 120)],
      ['id', .87, near, e.id || ''],
      ['aria_label', .82, near, e.getAttribute('aria-label') || ''],
      ['class', .80, near, h.squeeze(e.getAttribute('class')).slice(0, 200)],
      ['xpath', .54, near, absolute(e).slice(0, 400)]];
    let sum = .35 * Math.max(0, 1 - away / 400), all = .35;
    for (const [key, weight, like, value] of parts) {
      if (!t[key]) continue;
      sum += weight * like(t[key], value);
      all += weight;
    }
    return sum / all;
  };
  // The visible elements of the recorded one's tag, the most like it first.
  h.alike = (t) =>
    h.every(document, t.tag).slice(0, 2000).filter((e) => h.state(e).visible)
      .map((e) => ({e, score: h.likeness(t, e)})).sort((a, b) => b.score - a.score);
})())js";
}

}  // namespace hebb::skill
