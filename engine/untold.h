// Outcomes of which a command of the user is still to be told (EngineOptions::outcome_taken). Each
// is kept as a dead letter, written together with the outcome, until the command has succeeded: so
// none is forgotten when hebb or the machine ends before, and `dead-letters retry` tells of it
// again.
#pragma once

#include <string_view>

#include "engine/inbox/inbox.h"
#include "engine/ledger/event.h"

namespace hebb {

// The format and the file of such a letter, whose line is the outcome's position. Stored; do not
// rename.
inline constexpr std::string_view kToldFormat = "on-outcome";

// The letter; its text is what the command reads: a JSON object. Precondition: an outcome of the
// ledger, so without secrets.
DeadLetter untold(const Event& outcome);

}  // namespace hebb
