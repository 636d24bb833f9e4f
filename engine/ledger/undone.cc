#include "engine/ledger/undone.h"

#include <algorithm>
#include <utility>

namespace hebb {

Undone undone_by(std::vector<Event> undos) {
  // From the last to the first: an undo that is itself undone undoes nothing.
  std::sort(undos.begin(), undos.end(),
            [](const Event& a, const Event& b) { return a.position > b.position; });
  Undone undone;
  for (const Event& e : undos) {
    if (undone.contains(e.position)) continue;
    const auto& undo = std::get<Undo>(e.payload);
    undone.events.insert(undo.event);
    if (!undo.damage.empty()) undone.quarantined.insert(undo.event);
    if (undo.repeats) undone.repeated.emplace(undo.event, e.position);
  }
  return undone;
}

Undone undone_at(const Ledger& ledger, TimeMs until, std::int64_t last) {
  std::vector<Event> undos;
  ledger.events_of_kind("undo", [&](Event&& e) {
    const bool in_time = e.at <= until || !std::get<Undo>(e.payload).damage.empty();
    if (in_time && e.position <= last) undos.push_back(std::move(e));
  });
  return undone_by(std::move(undos));
}

}  // namespace hebb
