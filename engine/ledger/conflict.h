// Whether two events of one key are the same one again.
#pragma once

#include <optional>

#include "engine/input/input.h"
#include "engine/ledger/event.h"

namespace hebb {

// Why `came` is not taken for `there`, which has its key: it says something else. nullopt: it is
// the same again. Compared is what came, not what was looked up on arrival; a time only where it
// came with one.
std::optional<Refusal> conflict(const Event& there, const Event& came);

}  // namespace hebb
