// Contracts held against a page.
#pragma once

#include <string>

#include "skill/browser/element.h"
#include "skill/store/contract.h"

namespace hebb::skill {

// Waits until all assertions hold; empty: they do. Else the first that does not, in words. Throws
// CdpTimeout, BrowserGone.
std::string broken_assertion(Browser& browser, std::size_t tab, const Contract& contract,
                             Deadline deadline);

}  // namespace hebb::skill
