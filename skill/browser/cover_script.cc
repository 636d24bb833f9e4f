// Script of the page, called before a picture is taken: it draws texts that show a secret as dots,
// also where its characters are spread over several elements, and hides images and the like that
// have one in an attribute.
#include "skill/browser/page_script.h"

namespace hebb::skill {

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
