// Detects steps whose effect may not be undone.
#pragma once

#include <string>

#include "skill/artifact/artifact.h"
#include "skill/browser/element.h"
#include "skill/replay/reach.h"

namespace hebb::skill {

// The risk according to the step's own words, such as "delete" or "pay". Empty: none.
std::string risk_of(const Step& step);
// Why a text means that something is deleted or paid; empty: it does not.
std::string risk_of_words(std::string_view text);

// The risk according to the element, just before the step acts on it: it submits a form and no
// contract checks the result, or it links to an origin that is not allowed. Empty: none.
std::string risk_of(Browser& browser, const Step& step, const Element& element, bool checked,
                    const Reach& reach, Deadline deadline);

}  // namespace hebb::skill
