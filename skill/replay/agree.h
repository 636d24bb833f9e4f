// Whether the selectors of a chain mean one element, so that a replay never has to guess which of
// two was recorded.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "skill/browser/element.h"

namespace hebb::skill {

struct Agreement {
  std::string against;              // which selector finds what else; empty: they agree
  std::vector<std::size_t> agreed;  // the other selectors that find the element alone
};

// Compares what the other selectors of the chain find with `element`, which the one numbered
// `chosen` has found. One that finds nothing, or several of which one is the element, agrees; so
// does what is a part of the element, or its label. One that counts siblings or names parents says
// only where an element stands: it contradicts a name that nothing else confirms, where in that
// place stands an element of the same kind for which `stood_beside` (by what it is called) is not
// true. Throws CdpTimeout, CdpRefused, BrowserGone.
Agreement agreement(Browser& browser, const Chain& chain, std::size_t chosen,
                    const Element& element,
                    const std::function<bool(const std::string& called)>& stood_beside,
                    Deadline deadline);

}  // namespace hebb::skill
