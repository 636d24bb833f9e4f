// For `hebb skill heal` alone: which element may be meant where no selector finds the recorded one.
#pragma once

#include "skill/browser/element.h"
#include "skill/replay/result.h"

namespace hebb::skill {

struct Guessed {
  Element element;
  Healing healing;
};

// An element of the recorded role, row and form field for which two signs speak that do not depend
// on each other, and for no other of its kind as many: a selector of the chain finds it, its name
// shares a word with the recorded one, it stands between the same neighbours, it is alone of its
// type of field. Where the element was told apart by the entry of a list that it stood in, the one
// of its name in the entry of the same texts. Without traits (a skill that was imported and has
// never been run) else only what a selector finds, and whose name differs in no letter or digit
// from the recorded one. Never an element that another of the `steps` is known by. nullopt: there
// is none. Throws CdpRefused, CdpTimeout, BrowserGone.
std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const ElementTraits* traits, const std::vector<Step>& steps,
                                     Deadline deadline);

}  // namespace hebb::skill
