#include "engine/fold/states.h"

#include <algorithm>
#include <array>

#include "text/ascii.h"

namespace hebb {

namespace {

constexpr std::array<std::string_view, 5> kKnown{kOpen, "IN_PROGRESS", "BLOCKED", "DEFERRED",
                                                 kClosed};

const std::string_view* find_known(std::string_view given) {
  const auto* const known = std::find_if(kKnown.begin(), kKnown.end(), [&](std::string_view state) {
    return std::equal(given.begin(), given.end(), state.begin(), state.end(), [](char a, char b) {
      return to_lower(a == '-' || a == ' ' ? '_' : a) == to_lower(b);
    });
  });
  return known == kKnown.end() ? nullptr : known;
}

}  // namespace

std::string_view kept_state(std::string_view given) {
  const std::string_view* known = find_known(given);
  return known ? *known : given;
}

bool is_known_state(std::string_view given) { return find_known(given) != nullptr; }

bool is_task_type(std::string_view type) { return same_name(type, "task"); }

}  // namespace hebb
