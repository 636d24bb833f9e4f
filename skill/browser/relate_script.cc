// What runs in the page to compare elements with each other, and to see where the focus is.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view relate_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kActs = 'a[href],button,input,select,textarea,summary,option,' + ['button', 'link', 'checkbox',
  'radio', 'switch', 'tab', 'menuitem', 'option', 'textbox', 'combobox', 'treeitem'].map((r) =>
  `[role=${r}]`).join();
const acts = (e) => e.nodeType === 1 && e.matches(kActs);
const outer = (e) => e.assignedSlot || e.parentNode || e.host;
const inside = (e, o) => {
  for (let p = e; p; p = outer(p)) if (p === o) return true;
  return false;
};
// What a press of the element acts on: the control that it is part of, or the label of.
const core = (e) => {
  for (let p = e; p; p = outer(p)) {
    if (p.tagName === 'LABEL' && p.control) return p.control;
    if (acts(p)) return p;
  }
  return e;
};
// Whether the inner element stands for the outer one: it is plain, or all that can be acted on there.
const partOf = (i, o) => {
  if (!inside(i, o)) return false;
  const k = core(i);
  if (!acts(k)) return true;
  return !acts(o) && h.every(o, kActs).every((x) => inside(x, k));
};
const kind = (e) => (e.getAttribute('role') || e.tagName) +
  (e.tagName === 'INPUT' && /^(submit|button|reset|image|checkbox|radio|file)$/.test(e.type) ? e.type : '');
h.acts = acts;
h.related = (e, o) => {
  const a = core(e), b = core(o);
  return {same: e === o || a === b && acts(a) || partOf(e, o) || partOf(o, e),
    like: kind(a) === kind(b), called: h.called(b)};
};
h.named = (e) => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''} "${h.called(e)}"`;
h.focused = () => {
  let e = document.activeElement || document.body;
  while (e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e;
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
