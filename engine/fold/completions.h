// One completion that two tell of: the tracker that closes a task, and whoever did the work.
//
// A task is done once between two openings. What counts then is the outcome of whoever did the
// work, which knows more than the tracker; the tracker's closing counts where there is no other.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/ledger/event.h"

namespace hebb {

// The id of the outcome that a tracker's closing of a task is. `when`: so that each closing has its
// own. Stored; do not change.
// is_dated: false for a tracker that does not say when; `when` is that of the last change then.
std::string closing_id(std::string_view task, std::string_view when, bool is_dated = true);
// How the keys of all such outcomes begin.
std::string closing_keys(std::string_view task);
bool is_closing(const Event& e);

// Positions of the closings that repeat what another outcome tells of. Given the events of one task
// in the fold's order, those that repeat among them. Two dated closings without an opening between
// them are two completions: the opening was not seen.
std::set<std::int64_t> repeated_closings(std::span<const Event> events);

}  // namespace hebb
