// The script that captures an element in the page: a function, called in hebb's own world of the
// frame.
#include "skill/browser/page_script.h"

namespace hebb::skill {

// (element) → {traits, ways, around, secret}. traits: ElementTraits. ways: selectors that may find
// it again; the `positional` ones count siblings, so they find another element once something
// moves. around: boxes around it, each by a css selector and a text. secret: text typed into it is.
std::string_view capture_script() {
  return R"js((e) => {
  const h = globalThis.__hebb;
  const cut = (t, n) => h.squeeze(t).slice(0, n);
  const literal = (t) => t.includes('"') ? `'${t}'` : `"${t}"`;
  const nth = (x) => [...x.parentNode.children].filter((s) => s.tagName === x.tagName).indexOf(x) + 1;
  const alone = (x) => [...x.parentNode.children].filter((s) => s.tagName === x.tagName).length === 1;
  const path = () => {
    let css = '', xpath = '';
    for (let x = e; x && x.nodeType === 1; x = x.parentNode) {
      const tag = x.tagName.toLowerCase(), svg = x.namespaceURI !== 'http://www.w3.org/1999/xhtml';
      if (x !== e && x.id) return [`#${CSS.escape(x.id)} > ${css}`, `//*[@id=${literal(x.id)}]${xpath}`];
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
  const [css, xpath] = path();
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
  if (!h.isField(e) && own.length <= 80) add('text', own);
  // A row, an entry of a list, a paragraph or a form, by a lasting text of it, without the element's own,
  // that no other box of its kind has; a heading, by all of its text.
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
  const traits = {tag, name: e.getAttribute('name') || '',
    text: h.isField(e) ? '' : cut(own, 120), ...h.standing(e), ...h.surroundings(e)};
  const row = h.row(e);
  if (row) Object.assign(traits, {row: h.rowNames(row, e), row_in: h.rowKind(row)});
  traits.inner = h.innerHit(e);
  return {
    traits, secret: e.tagName === 'INPUT' && e.type === 'password',
    ways, around};
})js";
}

}  // namespace hebb::skill
