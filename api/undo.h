// undo, events: listing events, and undoing them.
#pragma once

#include <optional>
#include <string>

#include "api/operation.h"

namespace hebb::api {

struct LedgerEvent {
  MEMBER(std::int64_t, event, "Its position in the ledger");
  TIME_MEMBER(TimeMs, at, "When it happened");
  MEMBER(std::string, kind, "node, edge, outcome, …");
  MEMBER(std::string, subject, "The node it is about");
  MEMBER(std::string, what, "All of it in a line");
  MEMBER(bool, undone, "It no longer counts");
};

// Nothing for one that is not there or cannot be read.
std::optional<LedgerEvent> ledger_event(Engine& engine, std::int64_t position);

}  // namespace hebb::api
