// What runs in the page for a press of the mouse, and for text: where to press an element, and that
// nothing else gets the press, the keys or the text.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view press_script() {
  return R"js((() => {
const h = globalThis.__hebb;
// What is drawn at the point of the window: looked for in open shadow roots, and in those that the
// element is in.
const drawn = (e, x, y) => {
  const around = new Map();
  for (let r = e.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode()) around.set(r.host, r);
  let at = document.elementFromPoint(x, y);
  for (;;) {
    const root = at && (at.shadowRoot || around.get(at));
    const inner = root && root.elementFromPoint(x, y);
    if (!inner || inner === at) return at;
    at = inner;
  }
};
const called = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '');
// '' if the element, a part of it or its label is drawn at the point (of the element's own window);
// else a description of what is drawn there.
h.hit = (e, x, y) => {
  const at = drawn(e, x, y);
  for (let p = at; p; p = p.assignedSlot || p.parentNode || p.host) if (p === e) return '';
  for (const l of e.labels || []) for (let p = at; p; p = p.parentNode || p.host)
    if (p === l) return '';
  return at ? called(at) : 'nothing';
};
// '' if what is typed now goes to the element; else where it goes.
const elsewhere = (e, event) => {
  const at = event.composedPath()[0];
  if (!(at instanceof Element)) return 'nothing';
  // A part of an editable element gets it through that.
  if (at === e || e.isContentEditable && (at.contains(e) || e.contains(at))) return '';
  // A host hands the focus on to what stands in its shadow root.
  for (let r = at.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode())
    if (r.host === e) return '';
  // What cannot have the focus gets keys where nothing else has it.
  if (at === document.body && e.tabIndex < 0 && !e.isContentEditable) return '';
  // Of an event in a closed shadow root only its host can be seen.
  for (let r = e.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode())
    if (r.host === at) return '';
  return called(at);
};
// From aim() on the page gets no press, no key and no text but one that meets the element: the page may
// have moved it, drawn something over it or moved the focus, since it was looked at.
let aim = null;
const kPresses = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick',
  'contextmenu'];
const stop = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};
const pressed = (event) => {
  if (!aim || aim.text || !event.isTrusted) return;
  aim.over ??= h.hit(aim.e, event.clientX, event.clientY);
  if (aim.over) stop(event);
};
const typed = (event) => {
  if (!aim || !aim.text || !event.isTrusted) return;
  aim.over ??= elsewhere(aim.e, event);
  if (aim.over) stop(event);
};
h.aim = (e, text) => {
  aim = e && {e, text, over: null};
  // Each time, because the page may have removed all listeners (document.open).
  for (const kind of kPresses) window.addEventListener(kind, pressed, {capture: true, passive: false});
  for (const kind of ['keydown', 'beforeinput']) window.addEventListener(kind, typed, true);
};
// Ends that. '' if the press or text has met the element, or has not come here; else why not.
h.met = () => {
  const was = aim;
  aim = null;
  if (!was || !was.over) return '';
  return was.text ? `the focus went to "${was.over}"` : `"${was.over}" came over the element`;
};
// Where to press the element, from its upper left corner or in its middle; or why it cannot be.
h.ready = async (e, enabled, x, y, press) => {
  h.aim(null, false);
  const why = h.cannot(e, enabled, false);
  if (why) return why;
  if (!await h.stable(e)) return 'the element moves';
  const r = e.getBoundingClientRect();
  const at = {x: r.x + (x ?? r.width / 2), y: r.y + (y ?? r.height / 2)};
  const over = h.hit(e, at.x, at.y);
  if (over) return `"${over}" lies over the element`;
  if (press) h.aim(e, false);
  return at;
};
// The same for a frame, where a point of its page is to be pressed.
h.readyFrame = (e, x, y, press) => {
  const r = e.getBoundingClientRect(), s = getComputedStyle(e);
  const at = {x: r.x + e.clientLeft + parseFloat(s.paddingLeft) + x,
    y: r.y + e.clientTop + parseFloat(s.paddingTop) + y};
  const over = h.hit(e, at.x, at.y);
  if (press && !over) h.aim(e, false);
  return over ? `"${over}" lies over the frame` : at;
};
})())js";
}

}  // namespace hebb::skill
