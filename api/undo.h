// undo, events: listing events, and undoing them.
#pragma once

#include <optional>
#include <string>

#include "api/operation.h"

namespace hebb::api {

struct LedgerEvent {
  std::int64_t event = 0;
  Time at;
  std::string kind, subject, what;
  bool undone = false;
};
RECORD(LedgerEvent, FIELD(event, "Its position in the ledger"), FIELD(at, "When it happened"),
       FIELD(kind, "node, edge, outcome, …"), FIELD(subject, "The node it is about"),
       FIELD(what, "All of it in a line"), FIELD(undone, "It no longer counts"))

// nullopt: the event does not exist or cannot be read.
std::optional<LedgerEvent> ledger_event(Engine& engine, std::int64_t position);

}  // namespace hebb::api
