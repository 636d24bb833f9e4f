#include "engine/fold/rules.h"

#include <string>

#include <xxhash.h>

#include "reward/policy.h"

namespace hebb {

namespace {

// Increase it when the same events and the same policy fold to something else than before.
constexpr unsigned kFoldRules = 5;

}  // namespace

std::int64_t fold_rules() {
  static const std::int64_t kRules = [] {
    std::string policy;
    for (const auto& [key, value] : reward::settings(reward::Policy::learned()))
      policy += key + "=" + value + "\n";
    return static_cast<std::int64_t>(
        XXH3_64bits_withSeed(policy.data(), policy.size(), kFoldRules) | 1);
  }();
  return kRules;
}

}  // namespace hebb
