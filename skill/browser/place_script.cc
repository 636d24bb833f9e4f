// What runs in the page to say between what an element stands, and to find what stands there now.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view place_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kNear = 6;
// What kind of control it is, whichever tag makes it. Anything else is what its tag and classes say.
const group = (e) => {
  const role = e.getAttribute('role');
  if (role) return role;
  if (e.isContentEditable || e.tagName === 'TEXTAREA') return 'textbox';
  if (e.tagName === 'INPUT') {
    if (/^(text|email|tel|url)$/.test(e.type)) return 'textbox';
    return /^(submit|button|reset|image)$/.test(e.type) ? 'button' : e.type;
  }
  if (/^H[1-6]$/.test(e.tagName)) return 'heading';
  const known = {SELECT: 'combobox', BUTTON: 'button', SUMMARY: 'button', A: 'link'}[e.tagName];
  return known || [e.tagName.toLowerCase(), ...[...e.classList].sort()].join('.');
};
// Controls, headings and what is of the group, in the order in which they are drawn in the document.
const items = (wanted) => {
  const found = [];
  const visit = (e) => {
    const g = group(e);
    const counts = g === wanted || g === 'heading' || h.acts(e) || e.isContentEditable &&
      !(e.parentElement || {}).isContentEditable;
    if (counts && h.state(e).visible) found.push({e, g, key: `${g} ${h.called(e)}`});
    if (found.length > 2000) return;
    const kids = e.tagName === 'SLOT' && e.assignedElements().length ? e.assignedElements()
      : (e.shadowRoot || e).children;
    for (const k of kids) visit(k);
  };
  if (document.body) for (const k of document.body.children) visit(k);
  // Of boxes in boxes the inner ones count.
  return found.filter((i) => h.acts(i.e) || i.g !== wanted ||
    !found.some((x) => x !== i && x.g === wanted && i.e.contains(x.e)));
};
const names = (all, g) => new Set(all.filter((i) => i.g === g).map((i) => i.key)).size;
h.standing = (e) => {
  const g = group(e), all = items(g), at = all.findIndex((i) => i.e === e);
  if (at < 0) return {};
  const keys = all.map((i) => i.key);
  return {group: g, alike: names(all, g), before: keys.slice(Math.max(0, at - kNear), at).reverse(),
    after: keys.slice(at + 1, at + 1 + kNear)};
};
// The nearest of these that is there exactly once, as its place in the list, and what was nearer. At
// the page's edge there may be none.
const anchor = (keys, all, edge) => {
  for (let k = 0; k < keys.length; ++k) {
    const at = all.flatMap((i, n) => i.key === keys[k] ? [n] : []);
    if (at.length === 1) return {at: at[0], nearer: keys.slice(0, k), real: true};
  }
  return keys.length < kNear ? {at: edge, nearer: keys, real: false} : null;
};
// What stands now between the neighbours of the recorded element and is of its kind; null where that
// is not one new element: one that was known before is none, and where fewer names of that kind are
// there than before, the recorded element may be gone.
h.standingNow = (t) => {
  if (!t.group) return null;
  const before = t.before || [], after = t.after || [], all = items(t.group);
  const lo = anchor(before, all, -1), hi = anchor(after, all, all.length);
  if (!lo || !hi || !lo.real && !hi.real || lo.at >= hi.at) return null;
  const ofKind = (key) => key.startsWith(t.group + ' ');
  if ([...lo.nearer, ...hi.nearer].some(ofKind) || names(all, t.group) < t.alike) return null;
  const known = new Set([...before, ...after, ...(t.others || []).map((o) => `${t.group} ${o}`)]);
  const there = all.slice(lo.at + 1, hi.at).filter((i) => i.g === t.group);
  const fresh = there.filter((i) => !known.has(i.key))
    .map((i) => ({element: i.e, key: i.key, ...h.likeness(t, i.e)})).sort((a, b) => b.score - a.score);
  if (!fresh.length || fresh.length < there.length) return null;
  const best = fresh[0], margin = best.score - (fresh[1] || {score: 0}).score;
  if (margin < .1 || all.filter((i) => i.key === best.key).length > 1) return null;
  return {element: best.element, score: best.score, said: 1, margin};
};
// Of elements of one name, the one in whose entry of a list each of the texts stands, whatever the
// entries are made of: an entry is what surrounds one of them and no other. null: not one.
h.inEntry = (texts, ...all) => {
  const outer = (e) => e.assignedSlot || e.parentElement || (e.getRootNode() || {}).host;
  const holds = (box, e) => { for (let p = e; p; p = outer(p)) if (p === box) return true; return false; };
  if (all.length < 2) return null;
  const hits = all.filter((e) => {
    let entry = e;
    for (let p = outer(e); p && !all.some((x) => x !== e && holds(p, x)); p = outer(p)) entry = p;
    return texts.every((t) => [entry, ...h.every(entry, '*')].some((x) => h.state(x).visible &&
      h.squeeze(h.textOf(x)) === h.squeeze(t)));
  });
  return hits.length === 1 ? all.indexOf(hits[0]) : null;
};
})())js";
}

}  // namespace hebb::skill
