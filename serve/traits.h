// What serve does for single operations beyond what it does for all of them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hebb::serve {

// The names stand here alone. Each member could be one of api::About.
struct Traits {
  std::string_view operation = {};
  // Its answer changes with the ledger and with claims that expire, and with nothing else: these
  // are its tag, and it is kept for all who ask the same.
  bool kept = false;
  // Its body may be a file of items, as it is; what is in it gets ids from an Idempotency-Key.
  bool takes_file = false;
  // The field that says what it is that happened, so that it counts once; an Idempotency-Key gives
  // it. Empty: there is none.
  std::string_view once_by = {};
  bool replays = false;  // it is of use only where pages may be opened
};

inline constexpr std::array<Traits, 4> kTraits{{
    {.operation = "rank", .kept = true},
    {.operation = "ingest", .takes_file = true},
    {.operation = "outcome", .once_by = "outcome_id"},
    {.operation = "skill_replay", .replays = true},
}};

constexpr Traits traits_of(std::string_view operation) {
  const auto* const it = std::find_if(kTraits.begin(), kTraits.end(),
                                      [&](const Traits& t) { return t.operation == operation; });
  return it == kTraits.end() ? Traits{} : *it;
}

}  // namespace hebb::serve
