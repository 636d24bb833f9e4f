// A policy file, and what `policy set` is given: taken as a policy within its bounds that comes
// back from its own text bit for bit, or refused with BadPolicy. A file is tried as TOML, and each
// of its lines KEY=VALUE as a setting.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reward/policy.h"

namespace {

using namespace hebb::reward;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// As `policy set --file` stores it and every later command reads it.
Policy of_settings(const Policy& policy) {
  Policy again = Policy::learned();
  for (const Setting& s : settings(policy)) set(again, s.key, s.value);
  return again;
}

void check_policy(const Policy& policy) {
  check(policy);
  require(of_settings(policy) == policy, "a policy comes back from its settings");
  require(from_toml(to_toml(policy)) == policy, "a policy comes back from its text");
}

void check_setting(Policy& policy, std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const Policy before = policy;
  try {
    set(policy, line.substr(0, equals), line.substr(equals + 1));
  } catch (const BadPolicy&) {
    require(policy == before, "a refused setting changes nothing");
    return;
  }
  try {
    check(policy);
  } catch (const BadPolicy&) {  // what fields demand of each other: `policy set` refuses it
    policy = before;
    return;
  }
  check_policy(policy);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check_policy(from_toml(text));
  } catch (const BadPolicy& e) {
    require(*e.what() != '\0', "a refusal says why");
  }
  Policy policy = Policy::learned();
  for (int lines = 0; !text.empty() && lines < 32; ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    check_setting(policy, text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return 0;
}
