// Which events the undos of a ledger take out of the fold.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ledger/ledger.h"

namespace hebb {

// Positions.
struct Undone {
  std::unordered_set<std::int64_t> events;       // all of them
  std::unordered_set<std::int64_t> quarantined;  // those left out at any time, see Undo::damage
  // Those left out by Undo::repeats, and the position of that undo.
  std::unordered_map<std::int64_t, std::int64_t> repeated;
  bool contains(std::int64_t position) const { return events.contains(position); }
};

// What these undos take out.
Undone undone_by(std::vector<Event> undos);
// What the undos up to a time and a position do.
Undone undone_at(const Ledger& ledger, TimeMs until,
                 std::int64_t last = std::numeric_limits<std::int64_t>::max());

}  // namespace hebb
