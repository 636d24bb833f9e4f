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
const under = (all, at) => all.slice(0, at).reverse().map((i) => i.key).find((k) => k.startsWith('heading ')) || '';
h.standing = (e) => {
  const g = h.group(e), all = items(g), at = all.findIndex((i) => i.e === e);
  // Nothing of such a name is the element under another one: those called the same come first.
  const kind = h.every(document, e.tagName).slice(0, 2000).filter((x) => x === e || h.state(x).visible);
  const place = kind.indexOf(e), called = h.called(e);
  const beside = kind.map((x, i) => ({name: h.called(x), off: Math.abs(i - place)})).filter((x) => x.off && x.name)
    .sort((a, b) => (b.name === called) - (a.name === called) || a.off - b.off);
  const others = [...new Set(beside.map((x) => x.name))].slice(0, 12);
  if (at < 0) return {others};
  const keys = all.map((i) => i.key);
  return {others, group: g, alike: names(all, g), under: under(all, at), before: keys.slice(Math.max(0, at - kNear), at).reverse(),
    after: keys.slice(at + 1, at + 1 + kNear)};
};
// Words of three letters or more, in one spelling, without those that stand everywhere.
const kEverywhere = /^(the|and|for|you|your|this|that|all|with|from|here|der|die|das|und|ein|les|des|los|las)$/;
const words = (t) => ((t || '').toLowerCase().replace(/(\p{L})-(?=\p{L})/gu, '$1').match(/[\p{L}\p{N}]{3,}/gu) || [])
  .filter((w) => !kEverywhere.test(w));
// Whether two names share a word, or one a part of a word of the other.
const partOf = (x, y) => y.startsWith(x) || x.length > 3 && y.includes(x);
h.shareWord = (a, b) => words(a).some((x) => words(b).some((y) => partOf(x, y) || partOf(y, x)));
// How much a new name says the same as the recorded one: 2, the same words but for those that say nothing
// here; 1, more words, none of which turns it into another thing ("Save as", "Delete all"); else 0.
const kNouns = /\b(changes|address|number|delivery|shipping|form|field)\b/g;
const kSaysNothing = new RegExp('^(the|an?|my|your|our|this|that|now|here|please|changes|address|number|' +
  'delivery|shipping|form|field|der|die|das|den|eine?|jetzt|bitte|les?|la|des|los|las|el|un|una)$');
const kTurns = new RegExp('^(later|again|only|draft|copy|template|new|old|other|another|more|back|next|previous|first|last|' +
  'permanently|forever|everyone|everything|cancel|delete|undo|as|of|for|to|from|with|without|and|or|by|in|on|off|out|at|per|all|no|not|non|every|' +
  'none|als|von|fur|für|zu|mit|ohne|und|oder|alle|nicht|aus|ab|de|du|pour|sans|avec|et|ou|tout|tous|para|con|sin|y|o|todo|todos)$');
const kSynonyms = [[/\b(log|sign)[ -]?(in|on)\b/g, 'login'], [/\b(log|sign)[ -]?(out|off)\b/g, 'logout'],
  [/\b(basket|bag)\b/g, 'cart'], [/\bremove\b/g, 'delete'],
  [/\bdocs?\b/g, 'documentation'], [/\binfo\b/g, 'information'], [/\bapps?\b/g, 'application'],
  [/\bprefs\b/g, 'preferences'], [/\bconfig\b/g, 'configuration'], [/\badmin\b/g, 'administration']];
const plain = (t) => kSynonyms.reduce((s, [a, b]) => s.replace(a, b), (t || '').toLowerCase());
const tokens = (t) => [...new Set((plain(t).replace(/(\p{L})-(?=\p{L})/gu, '$1').match(/[\p{L}\p{N}]+/gu) || [])
  .filter((w) => !kSaysNothing.test(w)))];
const stem = (w) => w.length > 4 ? w.replace(/(ations?|ing|ed|es|s|e)$/, '') : w.replace(/s$/, '');
const sameWord = (x, y) => x === y || stem(x) === stem(y);
const sameName = (a, b) => {
  // Of two that each have another noun, neither says less.
  const nouns = (t) => plain(t).match(kNouns) || [], [one, other] = [nouns(a), nouns(b)];
  if (one.some((w) => !other.includes(w)) && other.some((w) => !one.includes(w))) return 0;
  const [few, many] = [tokens(a), tokens(b)].sort((x, y) => x.length - y.length);
  const more = many.filter((y) => !few.some((x) => sameWord(x, y)));
  if (!few.length || !few.every((x) => many.some((y) => sameWord(x, y)))) return 0;
  return !more.length ? 2 : more.some((w) => kTurns.test(w)) ? 0 : 1;
};
const nameOf = (e) => e.getAttribute('aria-label') || [...e.labels || []].map((l) => h.textOf(l)).join(' ') ||
  e.getAttribute('placeholder') || h.textOf(e);
const recordedName = (t) => t.accessible_name || t.text || '';
// Whether the element still has a neighbour that the recorded one had, though `o` stands in its place.
h.keptPlace = (t, e, o) => {
  const now = h.standing(e);
  const kept = (side) => now[side] && (t[side] || []).length && t[side][0] === now[side][0];
  return (kept('before') || kept('after')) && !h.shareWord(recordedName(t), h.read(o));
};
// Why what stands around a control is something else, though it is called the same: it is a number under
// another heading, or a button whose fields are gone, beside one that was not known.
const kFieldKey = /^(textbox|searchbox|combobox|listbox|spinbutton|number|search|password|date|month|time|file) /;
h.displaced = (t, e) => {
  const number = t.under && /^[^\p{L}]*\d[^\p{L}]*$/u.test(t.accessible_name || '');
  const fields = t.group === 'button' ? (t.before || []).filter((k) => kFieldKey.test(k)) : [];
  if (!number && !fields.length) return '';
  const all = items(h.group(e)), at = all.findIndex((i) => i.e === e), now = all[at - 1];
  if (number && at >= 0 && under(all, at) !== t.under) return `it does not stand under the ${t.under}`;
  const said = (k) => k.slice(k.indexOf(' ') + 1);
  if (!fields.length || !now || !kFieldKey.test(now.key)) return '';
  if ([...t.before, ...t.after || []].includes(now.key) || all.some((i) => fields.includes(i.key))) return '';
  const box = (now.e.closest('label') || now.e).parentElement;
  const other = box && box.contains(e) && !fields.some((k) => h.shareWord(said(k), said(now.key)));
  return other ? `it stands beside the ${now.key}, and not the ${fields[0]}` : '';
};
// A control of its kind that was not known stands right beside it and has its name with more words: it may be
// the recorded one. '': there is none.
h.doubled = (t, e) => {
  if (!t.group || !tokens(recordedName(t)).length) return '';
  const all = items(h.group(e)), at = all.findIndex((i) => i.e === e);
  const known = new Set([...t.before || [], ...t.after || []]), others = new Set(t.others || []);
  const near = [all[at - 1], all[at + 1]].find((i) => i && i.g === t.group && !known.has(i.key) && !others.has(h.called(i.e)) &&
    tokens(recordedName(t)).every((x) => tokens(h.called(i.e)).some((y) => sameWord(x, y))));
  return at >= 0 && near ? near.key : '';
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
// What alone of its kind stands now between the neighbours of the recorded element, under a name that was not
// known before, and whether those are its nearest ones. Nothing where fewer names of that kind are there: it
// may be gone.
const between = (t, all) => {
  const before = t.before || [], after = t.after || [];
  const lo = anchor(before, all, -1), hi = anchor(after, all, all.length);
  if (!lo || !hi || !lo.real && !hi.real || lo.at >= hi.at) return {};
  const ofKind = (key) => key.startsWith(t.group + ' ');
  if ([...lo.nearer, ...hi.nearer].some(ofKind) || names(all, t.group) < t.alike) return {};
  const there = all.slice(lo.at + 1, hi.at).filter((i) => i.g === t.group);
  const known = there.some((i) => before.includes(i.key) || after.includes(i.key));
  return known || there.length !== 1 ? {} : {placed: there[0].e, both: lo.real && hi.real && !lo.nearer.length && !hi.nearer.length};
};
// The element (h.guessed) that may be the recorded one under another name: how it was found; null where its
// name says something else, where too few signs speak for it, or as many for another. The name alone is never
// enough, and one of more words needs two other signs, or both nearest neighbours. `coded`: what is found by code.
h.guess = (t, coded) => {
  if (!t.group) return null;
  const all = items(t.group), {placed, both} = between(t, all), others = new Set(t.others || []);
  const fields = /^(email|tel|url|search|password|file|date|month|time|color|range)$/;
  const found = all.filter((i) => i.g === t.group).map(({e, key}) => {
    const called = h.called(e);
    // What alone is sent under the same name of a form is the same whatever people read; but a name that keeps
    // a word and has another beside it ("Billing address", "Delivery address") says another thing.
    const sent = !h.shareWord(recordedName(t), nameOf(e)) && t.name && h.kField.test(e.tagName) && !/^(radio|checkbox)$/.test(e.type) &&
      e.getAttribute('name') === t.name && h.every(document, `[name="${CSS.escape(t.name)}"]`).length === 1;
    const word = sameName(recordedName(t), nameOf(e)) || (sent ? 1 : 0);
    const signs = [
      (e === coded || t.id && e.id === t.id || !sent && t.name && e.getAttribute('name') === t.name) && 'a name in the code',
      word && (sent ? 'its form field' : 'its words'),
      e === placed && 'its neighbours',
      fields.test(t.type) && e.type === t.type && all.filter((i) => i.e.type === t.type).length === 1 && 'its type',
    ].filter(Boolean);
    const known = others.has(called) || all.some((i) => i.e !== e && i.key === key);
    const more = word - 1 + (both && e === placed);
    return {element: e, how: signs.join(' and '), signs: word && signs.length + more, known};
  }).sort((a, b) => b.signs - a.signs);
  const [best, next] = found;
  if (!best || best.known || best.signs < 3 || coded && coded !== best.element) return null;
  h.guessed = best.element;
  return next && next.signs === best.signs ? null : best.how;
};
})())js";
}

}  // namespace hebb::skill
