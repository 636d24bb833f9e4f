// Text for a person or a model who repairs a skill after a step did not find its element.
#pragma once

#include <string>

#include "skill/browser/browser.h"
#include "skill/replay/result.h"

namespace hebb::skill {

// The skill's steps as `hebb skill record --from` reads them, one a line, with comments: the
// command that records them anew, why the step failed, its element's recorded traits and
// surroundings, and the present controls of its kind, as targets to choose from. Throws CdpTimeout,
// CdpRefused.
std::string steps_anew(const Skill& skill, const Failure& failure, Browser& browser,
                       std::size_t tab, Deadline deadline);

}  // namespace hebb::skill
