// What runs in the page to say between what an element stands, and to find what stands there now.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view place_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kNear = 6;
// Controls, headings and what is of the group, in the order in which they are drawn in the document.
const items = (wanted) => {
  const found = [];
  const visit = (e) => {
    const g = h.group(e);
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
  const g = h.group(e), all = items(g), at = all.findIndex((i) => i.e === e);
  if (at < 0) return {};
  const keys = all.map((i) => i.key);
  return {group: g, alike: names(all, g), before: keys.slice(Math.max(0, at - kNear), at).reverse(),
    after: keys.slice(at + 1, at + 1 + kNear)};
};
// Words of three letters or more, in one spelling, without those that stand everywhere.
const kEverywhere = /^(the|and|for|you|your|this|that|all|with|from|here|der|die|das|und|ein|les|des|los|las)$/;
const words = (t) => ((t || '').toLowerCase().replace(/(\p{L})-(?=\p{L})/gu, '$1').match(/[\p{L}\p{N}]{3,}/gu) || [])
  .filter((w) => !kEverywhere.test(w));
// Whether two names share a word, or one a part of a word of the other.
const partOf = (x, y) => y.startsWith(x) || x.length > 3 && y.includes(x);
h.shareWord = (a, b) => words(a).some((x) => words(b).some((y) => partOf(x, y) || partOf(y, x)));
const recordedName = (t) => t.accessible_name || t.text || t.aria_label || '';
// Whether the element still has a neighbour that the recorded one had, though `o` stands in its place.
h.keptPlace = (t, e, o) => {
  const now = h.standing(e);
  const kept = (side) => now[side] && (t[side] || []).length && t[side][0] === now[side][0];
  return (kept('before') || kept('after')) && !h.shareWord(recordedName(t), h.read(o));
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
// What stands now between the neighbours of the recorded element and is of its kind, each under a name
// that was not known before. None where fewer names of that kind are there: it may be gone.
const between = (t, all) => {
  const before = t.before || [], after = t.after || [];
  const lo = anchor(before, all, -1), hi = anchor(after, all, all.length);
  if (!lo || !hi || !lo.real && !hi.real || lo.at >= hi.at) return [];
  const ofKind = (key) => key.startsWith(t.group + ' ');
  if ([...lo.nearer, ...hi.nearer].some(ofKind) || names(all, t.group) < t.alike) return [];
  const there = all.slice(lo.at + 1, hi.at).filter((i) => i.g === t.group);
  return there.some((i) => before.includes(i.key) || after.includes(i.key)) ? [] : there.map((i) => i.e);
};
// The element that may be the recorded one under another name: {element, how, score, margin}; null where
// fewer than two signs speak for it, or as many for another. `coded`: what selectors find by code.
h.guess = (t, coded) => {
  if (!t.group) return null;
  const all = items(t.group), placed = between(t, all), others = new Set(t.others || []);
  const fields = /^(email|tel|url|search|password|file|date|month|time|color|range)$/;
  const found = all.filter((i) => i.g === t.group).map(({e, key}) => {
    const called = h.called(e), like = h.likeness(t, e);
    const signs = [
      (e === coded || t.id && e.id === t.id || t.name && e.getAttribute('name') === t.name) && 'a name in the code',
      h.shareWord(recordedName(t), h.read(e)) && 'a word',
      placed.includes(e) && 'its neighbours',
      fields.test(t.type) && e.type === t.type && all.filter((i) => i.e.type === t.type).length === 1 && 'its type',
    ].filter(Boolean);
    const known = others.has(called) || all.some((i) => i.e !== e && i.key === key);
    return {element: e, how: signs.join(' and '), score: like.score, signs: signs.length, known};
  }).sort((a, b) => b.signs - a.signs || b.score - a.score);
  const [best, next] = found;
  if (!best || best.known || best.signs < 2 || coded && coded !== best.element) return null;
  const margin = best.score - (next ? next.score : 0);
  return next && next.signs === best.signs && margin < .15 ? null : {...best, margin};
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
