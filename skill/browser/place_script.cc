// Script of the page: describes the neighbours of an element, and finds the present ones.
#include "skill/browser/page_script.h"

namespace hebb::skill {

std::string_view place_script() {
  return R"js((() => {
const h = globalThis.__hebb;
const kNear = 6;
// Controls, headings and elements of the group `wanted`, in the order of the document as it is drawn.
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
  // Of elements of the group in each other only the inner ones count.
  return found.filter((i) => h.acts(i.e) || i.g !== wanted ||
    !found.some((x) => x !== i && x.g === wanted && i.e.contains(x.e)));
};
const under = (all, at) => all.slice(0, at).reverse().map((i) => i.key).find((k) => k.startsWith('heading ')) || '';
h.standing = (e) => {
  const g = h.group(e), all = items(g), at = all.findIndex((i) => i.e === e);
  // Names of other elements: what has one later is not the recorded element with a new name. Elements
  // with the same name come first.
  const kind = h.every(document, e.tagName).slice(0, 2000).filter((x) => x === e || h.state(x).visible);
  const place = kind.indexOf(e), called = h.called(e);
  const beside = kind.map((x, i) => ({name: h.called(x), off: Math.abs(i - place)})).filter((x) => x.off && x.name)
    .sort((a, b) => (b.name === called) - (a.name === called) || a.off - b.off);
  const others = [...new Set(beside.map((x) => x.name))].slice(0, 12);
  if (at < 0) return {others};
  const keys = all.map((i) => i.key);
  return {others, group: g, under: under(all, at), before: keys.slice(Math.max(0, at - kNear), at).reverse(),
    after: keys.slice(at + 1, at + 1 + kNear)};
};
// Words of three letters or more, in lower case and without hyphens, except words that any name may have.
const kEverywhere = /^(the|and|for|you|your|this|that|all|with|from|here|der|die|das|und|ein|les|des|los|las)$/;
const words = (t) => ((t || '').toLowerCase().replace(/(\p{L})-(?=\p{L})/gu, '$1').match(/[\p{L}\p{N}]{3,}/gu) || [])
  .filter((w) => !kEverywhere.test(w));
// Whether two names share a word, or one a part of a word of the other.
const partOf = (x, y) => y.startsWith(x) || x.length > 3 && y.includes(x);
h.shareWord = (a, b) => words(a).some((x) => words(b).some((y) => partOf(x, y) || partOf(y, x)));
const tokens = (t) => [...new Set((t || '').toLowerCase().replace(/(\p{L})-(?=\p{L})/gu, '$1').match(/[\p{L}\p{N}]+/gu) || [])];
const recordedName = (t) => t.accessible_name || t.text || '';
// Whether the element still has a neighbour that the recorded one had, though `o` stands in its place.
h.keptPlace = (t, e, o) => {
  const now = h.standing(e);
  const kept = (side) => now[side] && (t[side] || []).length && t[side][0] === now[side][0];
  return (kept('before') || kept('after')) && !h.shareWord(recordedName(t), h.read(o));
};
// Why a control of the recorded name is another one, by what stands around it; '': it may be the same.
// A number, as of a page, is another one under another heading; a button is another one if the recorded
// fields before it are gone and a field that was not recorded stands there.
const kFieldKey = /^(textbox|searchbox|combobox|listbox|spinbutton|number|search|password|date|month|time|file) /;
h.displaced = (t, e) => {
  const number = t.under && /^[^\p{L}]*\d[^\p{L}]*$/u.test(t.accessible_name || '');
  const fields = t.group === 'button' ? (t.before || []).filter((k) => kFieldKey.test(k)) : [];
  if (!number && !fields.length) return '';
  const all = items(h.group(e)), at = all.findIndex((i) => i.e === e), now = all[at - 1];
  if (number && at >= 0 && under(all, at) !== t.under) return `it does not stand under the ${t.under}`;
  const keyText = (k) => k.slice(k.indexOf(' ') + 1);
  if (!fields.length || !now || !kFieldKey.test(now.key)) return '';
  if ([...t.before, ...t.after || []].includes(now.key) || all.some((i) => fields.includes(i.key))) return '';
  const box = (now.e.closest('label') || now.e).parentElement;
  const other = box && box.contains(e) && !fields.some((k) => h.shareWord(keyText(k), keyText(now.key)));
  return other ? `it stands beside the ${now.key}, and not the ${fields[0]}` : '';
};
// A control of its kind right beside it that was not there at the recording, and whose name has all words
// of the recorded name: it may be the recorded one. '': there is none.
h.newNeighbour = (t, e) => {
  if (!t.group || !tokens(recordedName(t)).length) return '';
  const all = items(h.group(e)), at = all.findIndex((i) => i.e === e);
  const known = new Set([...t.before || [], ...t.after || []]), others = new Set(t.others || []);
  const near = [all[at - 1], all[at + 1]].find((i) => i && i.g === t.group && !known.has(i.key) && !others.has(h.called(i.e)) &&
    tokens(recordedName(t)).every((x) => tokens(h.called(i.e)).includes(x)));
  return at >= 0 && near ? near.key : '';
};
})())js";
}

}  // namespace hebb::skill
