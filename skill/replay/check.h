// Checking contracts on a page.
#pragma once

#include <string>

#include "skill/browser/element.h"
#include "skill/store/contract.h"

namespace hebb::skill {

// Waits until all assertions hold and returns "". If the time is over before, returns an error text
// for the first that does not hold. Throws CdpTimeout, BrowserGone.
std::string broken_assertion(Browser& browser, std::size_t tab, const Contract& contract,
                             Deadline deadline);

}  // namespace hebb::skill
