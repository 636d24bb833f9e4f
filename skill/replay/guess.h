// For `hebb skill heal` alone: which element may be meant where no selector finds the recorded one.
#pragma once

#include "skill/browser/element.h"
#include "skill/replay/result.h"

namespace hebb::skill {

struct Guessed {
  Element element;
  Healing healing;
};

// An element of the recorded role and row whose name says the same as the recorded one, or which is
// sent under the same form name, and for which other signs speak that do not depend on that, and
// for no other of its kind as many: a name in the code, its neighbours, its type of field. Without
// traits (a skill that was imported and has never been run) only what a selector finds, and whose
// name differs in no letter or digit from the recorded one. Never an element that another of the
// `steps` is known by. nullopt: there is none. Throws CdpRefused, CdpTimeout, BrowserGone.
std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const ElementTraits* traits, const std::vector<Step>& steps,
                                     Deadline deadline);

}  // namespace hebb::skill
