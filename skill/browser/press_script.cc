// Script of the page for input: finds the point to press an element, and ensures that no other
// element gets the press, the keys or the text.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view press_script() {
  return R"js((() => {
const h = globalThis.__hebb;
// The element drawn at a point of the window, also within open shadow roots, and those around `e`.
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
// The control itself, or the control of a label; null: the node is neither.
const control = (p) => p.nodeType !== 1 ? null : h.acts(p) ? p : p.tagName === 'LABEL' ? p.control : null;
const keyOf = (c) => `${h.group(c)} ${h.called(c)}`;
// Whether a press of this control, which is in the element, counts as a press of the element.
const standsFor = (c, e) => {
  const inner = h.innerOf(e);
  return inner === undefined || c === e || e.control === c || keyOf(c) === inner || inner === null && h.read(c) && h.read(c) === h.read(e) ||
    c.tagName === 'OPTION' && e.tagName === 'SELECT' || c.tagName === 'SUMMARY' && c.parentNode === e;
};
// '' if the element, a part of it that is no control of its own, or its label is drawn at the point (of
// the element's own window); else a description of what is drawn there.
h.hit = (e, x, y) => {
  const at = drawn(e, x, y), labels = [...e.labels || []];
  for (let p = at; p; p = h.outer(p)) {
    if (p === e || labels.includes(p)) return '';
    if (control(p) && !standsFor(control(p), e)) return called(p);
  }
  return at ? called(at) : 'nothing';
};
// The same for the end of a drag: the dragged element, or a copy of it, may be under the mouse.
const hitDrop = (to, from, x, y) => {
  const says = (p) => h.squeeze(h.textOf(p)) || p.innerHTML || p.getAttribute('src');
  const copied = (p) => from && says(p) && says(p) === says(from);
  const at = to.getRootNode().elementsFromPoint(x, y).find((p) =>
    h.inside(p, to) || !(from && h.inside(p, from)) && !copied(p));
  return !at ? 'nothing' : h.inside(at, to) || at.contains(to) && drawn(to, x, y) === to ? '' : called(at);
};
// The kind and name of the control in the element that a press in its middle hits; '': there is none.
h.innerHit = (e) => {
  const middle = () => {
    const r = e.getBoundingClientRect();
    return drawn(e, r.x + r.width / 2, r.y + r.height / 2);
  };
  if (!h.inside(middle(), e)) h.reveal(e);
  for (let p = middle(); p && p !== e; p = h.outer(p))
    if (control(p) && h.inside(p, e)) return keyOf(control(p));
  return '';
};
// The only control in an element that is none, if it lies in the middle of the element; else the element.
// Its box decides, and not the node drawn there: a text that a host gives to the control is the host's.
h.pressedFor = (e) => {
  const all = h.acts(h.core(e)) ? [] : h.every(e, '*').filter(h.acts);
  if (all.length !== 1) return e;
  const o = e.getBoundingClientRect(), i = all[0].getBoundingClientRect();
  const x = o.x + o.width / 2, y = o.y + o.height / 2;
  return x >= i.left && x <= i.right && y >= i.top && y <= i.bottom ? all[0] : e;
};
// '' if what is typed now goes to the element; else where it goes.
const elsewhere = (e, event) => {
  const at = event.composedPath()[0];
  if (!(at instanceof Element)) return 'nothing';
  // Parts of an editable element get keys through it.
  if (at === e || e.isContentEditable && (at.contains(e) || e.contains(at))) return '';
  // A host gives the focus to an element of its shadow root.
  for (let r = at.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode())
    if (r.host === e) return '';
  // An element that cannot have the focus gets the keys if nothing has it.
  if (at === document.body && e.tabIndex < 0 && !e.isContentEditable) return '';
  // An event in a closed shadow root shows only the host.
  for (let r = e.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode())
    if (r.host === at) return '';
  return called(at);
};
// From arm() to wasHit() the page gets only presses, keys and texts that hit the element while it is the
// recorded one: since it was compared, the page may have moved it, drawn something over it, given it other
// data or moved the focus.
let arm = null;
const kPresses = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick',
  'contextmenu', 'drop'];
const kDrops = /^(pointerup|mouseup|drop)$/;
const stop = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};
const pressed = (event) => {
  if (!arm || arm.text || !event.isTrusted) return;
  const {clientX: x, clientY: y, type} = event;
  if (arm.released) return type === 'click' && stop(event);
  if (/down$/.test(type)) arm.clicked = false;
  if (arm.clicked) return;  // an event that the click causes, such as the click of a label's control
  const done = type === 'click' && arm.came.has('mouseup');  // it hits the element that the button was pressed and released on
  const missed = () => arm.drop && kDrops.test(type) ? hitDrop(arm.drop, arm.e, x, y)
    : arm.drop && !arm.e || arm.dropped ? '' : !done && h.hit(arm.e, x, y) || (h.changed(arm.e) && called(arm.e));
  arm.over ||= !arm.opened && missed();
  if (arm.over || arm.opened) return stop(event);
  arm.clicked = type === 'click';
  arm.dropped ||= arm.drop && kDrops.test(type);
  arm.came.add(type);
};
// Changes that the page makes for the press do not count. If the element is now expanded and covered by what it
// opened, such as a list, the rest of the press is stopped: it would choose an entry there.
const after = ({clientX: x, clientY: y, type}) => {
  if (!arm || arm.over || !arm.e || !arm.e.isConnected) return;
  h.noteAgain(arm.e);
  arm.opened ||= /down$/.test(type) && !arm.drop && arm.e.getAttribute('aria-expanded') === 'true' && !!h.hit(arm.e, x, y);
};
const typed = (event) => {
  if (!arm || !arm.text || !event.isTrusted) return;
  arm.over ??= elsewhere(arm.e, event) || (h.changed(arm.e) && called(arm.e));
  if (arm.over) stop(event);
};
// `drop`: the element of this frame on which a drag ends; `e`, the dragged element, may then be null.
h.arm = (e, text, drop = null) => {
  arm = (e || drop) && {e, text, drop, over: text ? null : '', came: new Set()};
  // Each time, because the page may have removed all listeners (document.open).
  for (const kind of kPresses) {
    window.addEventListener(kind, pressed, {capture: true, passive: false});
    window.addEventListener(kind, after);
  }
  for (const kind of ['keydown', 'beforeinput']) window.addEventListener(kind, typed, true);
};
h.armDrop = (from, to) => {
  const was = arm;
  h.arm(from, false, to);
  // The drag has not begun if the press did not hit the dragged element.
  if (from && was && !was.came.has('mousedown') && !was.came.has('pointerdown')) arm.over = was.over || 'nothing';
};
// The dragged element is released where it was: a click that follows does not count.
h.released = () => { if (arm) arm.released = true; };
// Ends what arm() began. '' if the press or text has hit the element; 'half' if only its beginning has, 'gone'
// if the element is then not in the page any more; else why not. `frame`: asked in a frame around that of the
// element, which gets no press itself.
h.wasHit = (frame) => {
  const was = arm;
  arm = null;
  if (!was || frame && !was.over) return '';
  if (was.text) return was.over ? `the focus went to "${was.over}"` : was.over == null ? 'the text has not come' : '';
  if (was.over && (frame || was.drop)) return `"${was.over}" came over the element`;
  if (was.drop) return was.dropped ? '' : 'the end of the drag has not come';
  if (!was.over && (was.opened || was.came.has('click') || was.came.has('mouseup')) || was.came.has('contextmenu')) return '';
  if (!was.came.has('mousedown') && !was.came.has('pointerdown'))
    return was.over ? `"${was.over}" came over the element` : 'the press has not come';
  return was.e.isConnected ? 'half' : 'gone';
};
// Where to press the element, from its upper left corner or in its middle; or why it cannot be.
h.ready = async (e, enabled, x, y, press) => {
  h.arm(null, false);
  const why = h.cannot(e, enabled, false);
  if (why) return why;
  if (!await h.stable(e)) return 'the element moves';
  const r = e.getBoundingClientRect();
  const places = x != null || y != null ? [[(x ?? r.width / 2) / r.width, (y ?? r.height / 2) / r.height]]
    : [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.05, .5], [.95, .5]];
  let over = '';
  for (const [dx, dy] of places) {
    const at = {x: r.x + dx * r.width, y: r.y + dy * r.height}, here = h.hit(e, at.x, at.y);
    over ||= here;
    if (here) continue;
    if (press) h.arm(e, false);
    return at;
  }
  return `"${over}" lies over the element`;
};
// The same for the element of a frame, if the point (x, y) in the frame is to be pressed.
h.readyFrame = (e, x, y, press) => {
  const r = e.getBoundingClientRect(), s = getComputedStyle(e);
  const at = {x: r.x + e.clientLeft + parseFloat(s.paddingLeft) + x,
    y: r.y + e.clientTop + parseFloat(s.paddingTop) + y};
  const over = h.hit(e, at.x, at.y);
  if (press && !over) h.arm(e, false);
  return over ? `"${over}" lies over the frame` : at;
};
// Whether its middle is outside the window.
h.outsideWindow = (e) => {
  const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
  return x < 0 || y < 0 || x >= innerWidth || y >= innerHeight;
};
// The point to end the drag at; or why it cannot end there. `over`: the mouse is there, and the page may show that.
h.readyDrop = (to, from, over) => {
  const r = to.getBoundingClientRect(), at = {x: r.x + r.width / 2, y: r.y + r.height / 2};
  if (over) h.noteAgain(to);
  const on = hitDrop(to, from, at.x, at.y);
  return h.cannot(to, false, false) || (on ? `"${on}" lies over the end of the drag` : at);
};
})())js";
}

}  // namespace hebb::skill
