// What whoever mends a skill needs after a step that did not find its element: a person or a model.
#pragma once

#include <string>

#include "skill/browser/browser.h"
#include "skill/replay/result.h"

namespace hebb::skill {

// The skill's steps as `hebb skill record --from` reads them, one a line, with comments: the
// command that does them again and keeps them, why the step failed, what its element was like and
// in what surroundings, and the controls of its kind that the page has now, as targets to choose
// from. Throws CdpTimeout, CdpRefused.
std::string steps_anew(const Skill& skill, const Failure& failure, Browser& browser,
                       std::size_t tab, Deadline deadline);

}  // namespace hebb::skill
