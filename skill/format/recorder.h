// Steps and selectors as the Recorder of Chrome DevTools writes them.
#pragma once

#include "skill/artifact/artifact.h"

namespace hebb::skill {

// A list of parts, each within what the one before finds.
Selector selector_of_recorder(const Json& parts, const std::string& path);
Json recorder_selector(const Selector& selector);
// Without what an import kept beside it.
Json recorder_step(const Step& step);

}  // namespace hebb::skill
