// What a step may do that cannot be taken back.
#pragma once

#include <string>

#include "skill/artifact/artifact.h"
#include "skill/browser/element.h"

namespace hebb::skill {

// By what the step says of itself: "delete", "pay" and the like. Empty: nothing.
std::string risk_of(const Step& step);

// By what the element is, where the step is about to act on it: a form that is sent and that
// nothing checks afterwards, a link to an origin that is not allowed.
std::string risk_of(Browser& browser, const Step& step, const Element& element, bool checked,
                    const std::function<bool(const std::string& url)>& allowed, Deadline deadline);

}  // namespace hebb::skill
