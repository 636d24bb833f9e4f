// Scripts that run in the page, in an isolated world that the page's own scripts cannot reach.
#include "skill/browser/page_script.h"

namespace hebb::skill {

// Finds elements, also in open shadow roots. Runs of blanks in texts count as one blank.
std::string_view find_script() {
  return R"js((() => {
const squeeze = (t) => (t || '').replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
const same = (text, wanted, exact) => exact ? squeeze(text) === squeeze(wanted)
  : squeeze(text).toLowerCase().includes(squeeze(wanted).toLowerCase());
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
    else if (c.nodeType === 1) t += (/^(BR|P|DIV|LI|TD|TR)$/.test(c.tagName) ? ' ' : '') + textOf(c);
  }
  return t;
};
const byText = (root, wanted, exact) => {
  const hits = every(root, '*').filter((e) => same(textOf(e), wanted, exact));
  const set = new Set(hits);
  // Keep the smallest elements: those without a descendant that has the text as well.
  const outer = new Set();
  for (const e of hits) {
    let p = e.parentNode || e.host;
    while (p) { if (set.has(p)) outer.add(p); p = p.assignedSlot || p.parentNode || p.host; }
  }
  return hits.filter((e) => !outer.has(e));
};
const byLabel = (root, wanted, exact) => {
  const found = new Set();
  for (const l of every(root, 'label')) if (l.control && same(textOf(l), wanted, exact))
    found.add(l.control);
  for (const e of every(root, '[aria-label]')) if (same(e.getAttribute('aria-label'), wanted, exact))
    found.add(e);
  for (const e of every(root, '[aria-labelledby]')) {
    const t = e.getAttribute('aria-labelledby').split(/\s+/)
      .map((id) => e.getRootNode().getElementById(id)).map((x) => x ? textOf(x) : '').join(' ');
    if (same(t, wanted, exact)) found.add(e);
  }
  return [...found];
};
// XPath knows no shadow roots: it looks in the document alone.
const byXPath = (root, path) => {
  const list = document.evaluate(path, root, null, 7, null), found = new Set();
  for (let i = 0; i < list.snapshotLength; ++i) found.add(list.snapshotItem(i));
  return [...found].filter((n) => n.nodeType === 1);
};
const ways = {
  css: (root, s) => every(root, s.value),
  xpath: (root, s) => byXPath(root, s.value),
  text: (root, s) => byText(root, s.value, s.exact),
  label: (root, s) => byLabel(root, s.value, s.exact),
  placeholder: (root, s) =>
    every(root, '[placeholder]').filter((e) => same(e.getAttribute('placeholder'), s.value, s.exact)),
  test_id: (root, s) => every(root, '[data-testid],[data-test-id],[data-test],[data-cy],[data-qa]')
    .filter((e) => ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
      .some((a) => e.getAttribute(a) === s.value)),
};
const h = globalThis.__hebb = {squeeze, same, textOf, every};
h.find = (s, root) => { try { return ways[s.type](root || document, s); } catch (e) { return []; } };
h.hasText = (e, t) => squeeze(textOf(e)).toLowerCase().includes(squeeze(t).toLowerCase());
h.pageText = () => squeeze(document.body ? document.body.innerText + ' ' +
  every(document, '*').filter((e) => e.shadowRoot).map((e) => textOf(e)).join(' ') : '');
})())js";
}

// Reads an element's state, and does what cannot be done by input events.
std::string_view act_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const visible = (e) => {
  if (!e.isConnected) return false;
  const s = getComputedStyle(e);
  if (s.visibility !== 'visible') return false;
  if (s.display === 'contents')
    return [...e.childNodes].some((c) => c.nodeType === 1 ? visible(c) : c.data && c.data.trim());
  const r = e.getBoundingClientRect();
  return r.width > 0 && r.height > 0;
};
const disabled = (e) => {
  if (/^(BUTTON|INPUT|SELECT|TEXTAREA|OPTION|OPTGROUP)$/.test(e.tagName) && e.matches(':disabled'))
    return true;
  for (let p = e; p; p = p.parentElement || (p.getRootNode() || {}).host)
    if (p.getAttribute && p.getAttribute('aria-disabled') === 'true') return true;
  return false;
};
const kTyped = /^(text|email|number|password|search|tel|url|)$/;
const kSet = /^(color|date|datetime-local|month|range|time|week)$/;
const editable = (e) => e.isContentEditable ||
  ((e.tagName === 'TEXTAREA' || (e.tagName === 'INPUT' && (kTyped.test(e.type) || kSet.test(e.type))))
   && !e.readOnly) || e.tagName === 'SELECT';
h.state = (e) => {
  const r = e.getBoundingClientRect();
  const ticked = e.checked === true || e.getAttribute('aria-checked') === 'true' ||
    e.getAttribute('aria-pressed') === 'true' && e.tagName !== 'INPUT';
  return {connected: e.isConnected, visible: visible(e), enabled: !disabled(e), editable: editable(e),
    checked: ticked, x: r.x, y: r.y, width: r.width, height: r.height, tag: e.tagName.toLowerCase(),
    type: e.type || '', value: 'value' in e ? String(e.value) : '', text: h.squeeze(h.textOf(e)),
    form: e.form ? 1 : 0};
};
// '' if the element can be acted on as it is; else why not.
h.cannot = (e, enabled, written) => !e.isConnected ? 'the element is not in the page any more'
  : !visible(e) ? 'the element cannot be seen' : enabled && disabled(e) ? 'the element is disabled'
  : written && !editable(e) ? 'the element cannot be edited' : '';
h.frames2 = () => new Promise((done) => {
  const end = setTimeout(() => done(false), 500);
  requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(end); done(true); }));
});
h.stable = async (e) => {
  const a = e.getBoundingClientRect();
  await h.frames2();
  const b = e.getBoundingClientRect();
  return e.isConnected && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
};
h.reveal = (e) => e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
const changed = (e) => {
  e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  e.dispatchEvent(new Event('change', {bubbles: true}));
};
// 'typed': the content is selected, and the caller has to type the text; 'done': the text is set.
h.fill = (e, text) => {
  const why = h.cannot(e, true, true);
  if (why) return why;
  if (e.tagName === 'SELECT') return h.select(e, [text]) ? 'done' : 'no option ' + text;
  if (e.tagName === 'INPUT' && kSet.test(e.type)) {
    e.focus();
    e.value = text;
    if (e.value !== text && e.type !== 'color' && e.type !== 'range') return 'malformed value';
    changed(e);
    return 'done';
  }
  e.focus();
  if (e.isContentEditable) {
    const range = document.createRange();
    range.selectNodeContents(e);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  } else {
    e.select();
  }
  h.aim(e, true);
  return 'typed';
};
h.select = (e, wanted) => {
  const options = [...e.options];
  const chosen = wanted.map((w) => options.find((o) => o.value === w) ||
    options.find((o) => h.squeeze(o.label) === h.squeeze(w)));
  if (chosen.some((o) => !o || o.disabled)) return false;
  e.focus();
  for (const o of options) o.selected = chosen.includes(o);
  changed(e);
  return true;
};
h.focus = (e) => { e.focus(); return true; };
h.submit = (e) => {
  const form = e.tagName === 'FORM' ? e : e.form || e.closest('form');
  if (!form) return false;
  form.requestSubmit(e !== form && /^(submit|image)$/.test(e.type) ? e : undefined);
  return true;
};
h.scrollTo = (e, x, y) => {
  if (e) e.scrollTo({left: x, top: y, behavior: 'instant'});
  else window.scrollTo({left: x, top: y, behavior: 'instant'});
  return true;
};
// Whether the element has these attributes, and properties that are equal as far as they are named.
h.fits = (e, attributes, properties) => {
  const like = (wanted, seen) => wanted === seen || wanted instanceof Object &&
    seen instanceof Object && Object.entries(wanted).every(([k, v]) => like(v, seen[k]));
  return Object.entries(attributes).every(([k, v]) => e.getAttribute(k) === v) && like(properties, e);
};
})())js";
}

// Called before a picture is taken: draws texts that show a secret as dots.
std::string_view cover_script() {
  return R"js((secrets) => {
  const h = globalThis.__hebb;
  let covered = 0;
  const cover = (e) => {
    e.style.setProperty('-webkit-text-security', 'disc', 'important');
    ++covered;
  };
  for (const e of h.every(document, '*')) {
    const own = [...e.childNodes].filter((c) => c.nodeType === 3).map((c) => c.data).join('');
    const shown = own + ('value' in e ? ' ' + e.value : '') + ' ' + (e.placeholder || '');
    if (secrets.some((s) => shown.includes(s))) cover(e);
  }
  return covered;
})js";
}

}  // namespace hebb::skill
