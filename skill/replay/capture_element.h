// An element that a step has found, as a chain of selectors that find it again.
#pragma once

#include "skill/browser/element.h"
#include "skill/replay/result.h"

namespace hebb::skill {

// The chain is in the order of the types in `order`; other types come last. Selectors that count
// siblings are kept only where role and name, or a text around the element, identify it: else they
// would find another element once something moves. An empty chain: nothing identifies it. Throws
// CdpRefused, CdpTimeout, BrowserGone.
CapturedElement capture_element(Browser& browser, const Element& element,
                                const std::vector<SelectorType>& order, Deadline deadline);

// The iframes from the outermost in, as chains; an empty list if nothing identifies one of them.
// Throws likewise.
std::vector<Chain> capture_frames(Browser& browser, std::size_t tab, const std::string& frame,
                                  Deadline deadline);

// The element's traits, without a chain.
CapturedElement look_at_element(Browser& browser, const Element& element, Deadline deadline);

}  // namespace hebb::skill
