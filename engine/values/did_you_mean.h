// Finds the existing name that was probably meant by a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hebb {

// The name that begins with `typed` (of three letters or more), or else the
// nearest one: at most one change in three letters, where a change is a letter
// added, removed, replaced, or swapped with the next. Empty if there is none,
// or if two are equally near. O(names * length²).
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

// did_you_mean() as the end of a sentence: "; did you mean NAME?", or empty.
std::string did_you_mean_text(std::string_view typed, std::span<const std::string> names);

}  // namespace hebb
