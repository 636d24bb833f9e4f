#include "cli/cycle.h"

#include <fmt/format.h>

namespace hebb::cli {

namespace {

constexpr std::size_t kShown = 6;  // tasks

}  // namespace

void note_blocking_cycle(const Context& context, const std::vector<std::string>& cycle) {
  if (cycle.empty()) return;
  std::string text = cycle.front();
  for (std::size_t i = 1; i < std::min(cycle.size(), kShown); ++i) text += " blocks " + cycle[i];
  if (cycle.size() > kShown)
    text += fmt::format(" blocks {} more, of which the last", cycle.size() - kShown);
  context.note(
      fmt::format("{} blocks {}: none of these {} can be ranked until one of them is done; "
                  "`hebb unlink {} {} BLOCKS` ends that",
                  text, cycle.front(), cycle.size(), cycle.front(), cycle[1 % cycle.size()]));
}

}  // namespace hebb::cli
