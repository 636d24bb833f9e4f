// By which rules a mirror or a packed image was folded.
#pragma once

#include <cstdint>

namespace hebb {

// Of the rules of this program: its default policy, and kFoldRules in rules.cc. What another
// program folded by other rules is not used but made anew from the ledger. Never 0.
std::int64_t fold_rules();

}  // namespace hebb
