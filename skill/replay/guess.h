// For `hebb skill heal` alone: which element may be meant where no selector finds the recorded one.
#pragma once

#include "skill/browser/element.h"
#include "skill/replay/result.h"

namespace hebb::skill {

struct Guessed {
  Element element;
  Healing healing;
};

// What a structural selector of the chain finds alone, without the check of its name, what is most
// similar to `traits`, and what stands between the same neighbours. They have to be the same
// element where several are known; similarity alone does from a threshold on and with a margin over
// the next one. Where the element was told apart by the entry of a list that it stood in, the one
// of its name in the entry of the same texts. Without traits (a skill that was imported and has
// never been run) else only what a selector finds, and whose name differs in no letter or digit
// from the recorded one. Never an element that another of the `steps` is known by. nullopt: no
// element is like enough. Throws CdpRefused, CdpTimeout, BrowserGone.
std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Chain& chain,
                                     const std::optional<ElementTraits>& traits,
                                     const std::vector<Step>& steps, Deadline deadline);

}  // namespace hebb::skill
