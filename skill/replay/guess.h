// For `hebb skill heal` alone: which element may be meant where no selector finds the recorded one.
#pragma once

#include "skill/browser/element.h"
#include "skill/replay/result.h"

namespace hebb::skill {

struct Guessed {
  Element element;
  Healing healing;
};

// What a structural selector of the step finds alone, without the check of its name, and what is
// most similar to `traits`. Both have to be the same element where both are known; similarity alone
// does from a threshold on and with a margin over the next one. Without traits (a skill that was
// imported and has never been run) only what a selector finds, and whose name differs in no letter
// or digit from the recorded one. Never an element that another of the `steps` is known by.
// nullopt: no element is like enough. Throws CdpRefused, CdpTimeout, BrowserGone.
std::optional<Guessed> guess_element(Browser& browser, const std::string& frame, const Step& step,
                                     const std::optional<ElementTraits>& traits,
                                     const std::vector<Step>& steps, Deadline deadline);

}  // namespace hebb::skill
