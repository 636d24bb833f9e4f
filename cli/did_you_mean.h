// The name that was probably meant, of those that there are.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hebb::cli {

// The name that `typed` is a beginning of (of three letters or more), or the
// nearest: at most one change in three letters, where a change is a letter put
// in, left out, replaced, or swapped with the next. Empty where there is none,
// or two are as near. O(names * length²).
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace hebb::cli
