// undo, events: listing events, and undoing them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct EventsRequest {
  std::int64_t limit = 20;
  std::optional<std::int64_t> before;  // a position
  static const Fields& fields();
};
struct LedgerEvent {
  std::int64_t event = 0;  // its position
  Time at;
  std::string kind, subject, what;
  bool undone = false;
  static const Fields& fields();
};
struct EventsResult {
  std::vector<LedgerEvent> events;   // the newest first
  std::optional<std::int64_t> next;  // `before` for the next page; absent: no more
  static const Fields& fields();
};
// Nothing for one that is not there or cannot be read.
std::optional<LedgerEvent> ledger_event(Engine& engine, std::int64_t position);
EventsResult events(Session& session, const EventsRequest& request);
Operation events_operation();

struct UndoRequest {
  std::optional<std::int64_t> event;      // its position; or instead
  std::optional<std::string> outcome_id;  // the outcome's own id, or the event's key in the ledger
  static const Fields& fields();
};
struct UndoResult {
  std::int64_t event = 0;
  std::string kind, subject;
  Time at;
  std::int64_t undone_by = 0;  // the position of the undo: undoing that brings the event back
  static const Fields& fields();
};
UndoResult undo(Session& session, const UndoRequest& request);
Operation undo_operation();

}  // namespace hebb::api
