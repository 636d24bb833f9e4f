// Script of the page: reads an element's state, and does what cannot be done by input events.
#include "skill/browser/page_script.h"

namespace hebb::skill {

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
// Animations stand still while the browser draws nothing, as on a busy machine.
const animated = (e) => document.getAnimations().some((a) => a.playState === 'running' &&
  a.effect && a.effect.target && a.effect.target.contains(e));
h.stable = async (e) => {
  const a = e.getBoundingClientRect();
  if (!await h.frames2() && animated(e)) return false;
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
// The options by their recorded labels, else by their values.
const chosen = (e, wanted, labels = []) => wanted.map((w, i) => {
  const all = [...e.options], read = all.filter((o) => label(o) === labels[i]);
  if (labels[i]) return read.length === 1 ? read[0] : read.find((o) => o.value === w);
  return all.find((o) => o.value === w) || all.find((o) => h.squeeze(o.label) === h.squeeze(w));
});
// The labels of these options of a list.
h.labels = (e, wanted) => e.tagName === 'SELECT' ? chosen(e, wanted).map((o) => o ? label(o) : '') : [];
// 'done', or why not. `labels`: the recorded labels of the options; none: not known.
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

}  // namespace hebb::skill
