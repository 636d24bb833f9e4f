#include "engine/current/left_out.h"

#include <stdexcept>

#include <fmt/format.h>

namespace hebb {

void LeftOut::renew_undone(const Ledger& ledger) {
  knows_undone_ = false;  // while unreadable ones are noted
  undone_ = undone_at(ledger, kEndOfTime);
  knows_undone_ = true;
  warn();
}

void LeftOut::add_repeated(std::int64_t position, std::int64_t by) {
  undone_.events.insert(position);
  undone_.repeated.emplace(position, by);
}

void LeftOut::note(std::int64_t position, const std::string& why) {
  if (undone_.quarantined.contains(position)) return;
  why_.insert_or_assign(position, why);
  ++noted_;
  if (knows_undone_) warn();
}

void LeftOut::apply(State& state, const Event& e, const Scope* scope) {
  try {
    state.apply(e, scope);
  } catch (const std::invalid_argument& damage) {
    note(e.position, damage.what());
  }
}

void LeftOut::expect(std::span<const std::int64_t> positions) {
  told_.insert(positions.begin(), positions.end());
}

void LeftOut::warn() {
  if (!warning_) return;
  for (const auto& [at, why] : why_) {
    if (undone_.quarantined.contains(at) || !told_.insert(at).second) continue;
    warning_(fmt::format(
        "event {} cannot be read and is left out: {}; `hebb verify` says what to do", at, why));
  }
}

}  // namespace hebb
