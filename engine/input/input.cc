// The list of input formats.
#include "engine/input/input.h"

#include <algorithm>
#include <array>

namespace hebb {

std::span<const Format> formats() {
  static constexpr auto kFormats = std::to_array<Format>({
      {"outcome", read_outcomes},
      {"cloudevents", read_cloudevents},
      {"junit", read_junit, true, false, true},
      {"history", read_history, false, true},
      {"github", read_github, true, true},
      {"beads", read_beads, true, true},
      {"taskwarrior", read_taskwarrior, true, true},
  });
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace hebb
