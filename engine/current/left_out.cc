#include "engine/current/left_out.h"

#include <fmt/format.h>

namespace hebb {

void LeftOut::note(std::int64_t position, const std::string& why) {
  why_.insert_or_assign(position, why);
  ++noted_;
}

void LeftOut::expect(std::span<const std::int64_t> positions) {
  told_.insert(positions.begin(), positions.end());
}

void LeftOut::warn(const Undone& undone) {
  if (!warning_) return;
  for (const auto& [at, why] : why_) {
    if (undone.quarantined.contains(at) || !told_.insert(at).second) continue;
    warning_(fmt::format(
        "event {} cannot be read and is left out: {}; `hebb verify` says what to do", at, why));
  }
}

}  // namespace hebb
