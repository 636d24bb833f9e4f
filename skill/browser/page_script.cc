// Scripts that run in the page, in an isolated world that the page's own scripts cannot reach.
#include "skill/browser/page_script.h"

namespace hebb::skill {

// Finds elements, also in open shadow roots. Runs of blanks in texts count as one blank.
std::string_view find_script() {
  return R"js((() => {
const squeeze = (t) => (t || '').replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
// `exact`: the whole text. Else, in any case, the whole text but for what has no letters, such as a
// count; where a person says what is meant (`begins`), and where a recorder has cut it, its first words.
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
    // What could be chosen is not what is read.
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
  // Recorders take what could be chosen as well.
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
// XPath knows no shadow roots: it looks in the document alone.
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
// Whether a text stands in the element as a whole: as all of it, of a part of it, or as one text. What a
// recorder may have cut at its end is compared as far as it goes.
const kLong = 80;
// What a host hands to its shadow root counts where it is drawn.
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
    type: e.type || '', value: 'value' in e ? String(e.value) : '', text: h.squeeze(h.textOf(e))};
};
// '' if the element can be acted on as it is; else why not.
h.cannot = (e, enabled, written) => !e.isConnected ? 'the element is not in the page any more'
  : !visible(e) ? 'the element cannot be seen' : enabled && disabled(e) ? 'the element is disabled'
  : written && !editable(e) ? 'the element cannot be edited' : h.changed(e);
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
h.fill = (e, text, labels) => {
  const why = h.cannot(e, true, true);
  if (why) return why;
  if (e.tagName === 'SELECT') return h.select(e, [text], labels);
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
  h.arm(e, true);
  return 'typed';
};
const label = (o) => (o.parentNode.tagName === 'OPTGROUP' ? h.squeeze(o.parentNode.label) + ' / ' : '') + h.squeeze(o.label);
// By what people read, where that was recorded, else by value.
const chosen = (e, wanted, labels = []) => wanted.map((w, i) => {
  const all = [...e.options], read = all.filter((o) => label(o) === labels[i]);
  if (labels[i]) return read.length === 1 ? read[0] : read.find((o) => o.value === w);
  return all.find((o) => o.value === w) || all.find((o) => h.squeeze(o.label) === h.squeeze(w));
});
// What a person reads of these options of a list.
h.labels = (e, wanted) => e.tagName === 'SELECT' ? chosen(e, wanted).map((o) => o ? label(o) : '') : [];
// 'done', or why not. `labels`: how the options were called when they were recorded; none: not known.
h.select = (e, wanted, labels = []) => {
  const why = e.tagName === 'SELECT' ? h.cannot(e, true, false) : 'the element is no list';
  if (why) return why;
  const found = chosen(e, wanted, labels), none = found.findIndex((o) => !o || o.disabled);
  if (none >= 0) return `there is no option "${labels[none] || wanted[none]}"`;
  e.focus();
  for (const o of e.options) o.selected = found.includes(o);
  changed(e);
  return 'done';
};
// 'done', or why not.
h.submit = (e) => {
  const why = h.changed(e);
  if (why) return why;
  const form = e.tagName === 'FORM' ? e : e.form || e.closest('form');
  if (!form) return 'the element belongs to no form';
  form.requestSubmit(e !== form && /^(submit|image)$/.test(e.type) ? e : undefined);
  return 'done';
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

// Called before a picture is taken: draws what shows a secret as dots, also where its characters
// are spread over several elements, and hides what names one in an attribute, such as a picture.
std::string_view cover_script() {
  return R"js((secrets, spellings) => {
  const plain = (t) => t.replace(/[\s\p{Cf}]+/gu, '').toLowerCase();
  const wanted = secrets.map(plain).filter((s) => s);
  const decoded = (t) => { try { return decodeURIComponent(t); } catch (e) { return t; } };
  const tells = (t) => wanted.some((s) => plain(t).includes(s) || plain(decoded(t)).includes(s)) ||
    spellings.some((s) => t.includes(s));
  const set = (e, name, value) => e.style && e.style.setProperty(name, value, 'important');
  const cover = (e) => {
    set(e, '-webkit-text-security', 'disc');
    if (e.tagName === 'OPTION') cover(e.closest('select') || e.parentNode);
  };
  let text = '';
  const owners = [];
  const add = (t, e) => {
    for (const c of plain(t || '')) { text += c; for (let i = 0; i < c.length; ++i) owners.push(e); }
  };
  const drawn = (e, pseudo) => {
    const made = getComputedStyle(e, pseudo).content;
    if (made === 'normal' || made === 'none') return;
    for (const [, text, name] of made.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)\s,]+)/g))
      add(name ? e.getAttribute(name) : text, e);
  };
  const walk = (e) => {
    if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(e.tagName)) return;
    drawn(e, '::marker');
    drawn(e, '::before');
    // Dots are not drawn for a placeholder.
    if (e.placeholder && tells(e.placeholder)) e.removeAttribute('placeholder');
    if (/^(INPUT|TEXTAREA)$/.test(e.tagName))
      /^(hidden|checkbox|radio|color|range|file|image)$/.test(e.type) || add(e.value, e);
    else for (const root of [e.shadowRoot, e]) for (const c of root ? root.childNodes : [])
      if (c.nodeType === 3) add(c.data, e); else if (c.nodeType === 1) walk(c);
    drawn(e, '::after');
    if (![...e.attributes].some((a) => a.name !== 'value' && tells(a.value))) return;
    cover(e);
    if (/^(img|image|picture|video|object|embed|iframe|option)$/i.test(e.tagName) ||
        e.type === 'image' || /url\(/.test(e.getAttribute('style'))) set(e, 'visibility', 'hidden');
  };
  if (document.documentElement) walk(document.documentElement);
  for (const s of wanted)
    for (let at = text.indexOf(s); at >= 0; at = text.indexOf(s, at + 1))
      for (const e of new Set(owners.slice(at, at + s.length))) cover(e);
})js";
}

}  // namespace hebb::skill
