// Steps and selectors in the format of Chrome DevTools' Recorder.
#pragma once

#include "skill/artifact/artifact.h"

namespace hebb::skill {

// `parts` is a list of selectors, each searched within the element of the one before.
Selector selector_of_recorder(const Json& parts, const std::string& path);
Json recorder_selector(const Selector& selector);
// Without the members in `extra`.
Json recorder_step(const Step& step);

// The text as a string of CSS, with its quotes.
std::string css_string(std::string_view text);

}  // namespace hebb::skill
