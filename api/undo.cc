#include "api/undo.h"

#include <algorithm>
#include <limits>

#include "api/common.h"
#include "engine/rank/cause.h"

namespace hebb::api {

// --- events --------------------------------------------------------------------------------------

struct EventsRequest {
  std::int64_t limit = 20;
  std::optional<std::int64_t> before;
};
RECORD(EventsRequest, FIELD(limit, "At most so many", {.unit = "events", .min = 1, .max = 1000}),
       FIELD(before, "Only those before this position in the ledger", {.min = 1}))

struct EventsResult {
  std::vector<LedgerEvent> events;
  std::optional<std::int64_t> next;
};
RECORD(EventsResult, FIELD(events, "The newest first, by their position"),
       FIELD(next, "The `before` to go on with; absent: there are no more"))

std::optional<LedgerEvent> ledger_event(Engine& engine, std::int64_t position) {
  const auto event = engine.ledger().event(position);
  if (!event) return std::nullopt;
  return LedgerEvent{position,
                     event->at,
                     std::string(kind_name(event->payload)),
                     event->subject,
                     cause_of(*event).what,
                     engine.undone().contains(position)};
}

EventsResult events(Session& session, const EventsRequest& request) {
  Engine& engine = session.engine(Access::read);
  std::int64_t position = engine.ledger().last_position();
  if (request.before) position = std::min(position, *request.before - 1);
  EventsResult result;
  Room room(session);
  for (; position > 0 && std::ssize(result.events) < request.limit; --position) {
    auto event = ledger_event(engine, position);
    if (!event) continue;
    const bool first = result.events.empty();
    if (!room.fits(6, event->subject, event->what) && !first) break;
    result.events.push_back(std::move(*event));
  }
  if (position > 0) result.next = position + 1;
  return result;
}

// --- undo ----------------------------------------------------------------------------------------

struct UndoRequest {
  Json event;
  std::int64_t last = 0;
  std::string outcome_id;
};
RECORD(UndoRequest,
       FIELD(event, "Its position in the ledger, or the id that an outcome came with",
             {.positional = true}),
       FIELD(last, "Of a gc: undo all from that event to this one", {.min = 1, .rare = true}),
       FIELD(outcome_id, "Instead of that: an outcome's id, which may be a number",
             {.option = "--id"}))

struct UndoResult {
  std::int64_t event = 0, last = 0;
  std::string kind, subject;
  Time at;
  std::int64_t undone_by = 0;
};
RECORD(UndoResult, FIELD(event, "Its position in the ledger"),
       FIELD(last, "The last of the events that were undone", {.may_be_absent = true}),
       FIELD(kind, "node, edge, outcome, …"), FIELD(subject, "The node it is about"),
       FIELD(at, "When it happened"),
       FIELD(undone_by, "The position of the undo; undoing that brings the event back"))

namespace {

std::int64_t position_of(Engine& engine, const UndoRequest& request) {
  const Json& event = request.event;
  if (event.is_null() == request.outcome_id.empty()) {
    throw invalid("event", "name the event by {}, its position, or by {}", named("event"),
                  named("outcome_id"));
  }
  if (!event.is_null() && !event.is_string()) {
    const bool whole = event.is_number_integer() && event >= 1 &&
                       event <= std::numeric_limits<std::int64_t>::max();
    if (whole) return event.get<std::int64_t>();
    throw invalid(
        "event",
        "{} is {} and has to be a position, a whole number from 1, or an outcome's id, a text",
        named("event"), event.dump());
  }
  const std::string id = event.is_string() ? event.get<std::string>() : request.outcome_id;
  for (const auto& key : {event_key(OutcomeSignal{}, id), id}) {
    if (const auto position = engine.ledger().position_of(key)) return *position;
  }
  throw problem(ProblemType::not_found, "outcome_id",
                "there is no outcome with the id \"{}\"; `hebb explain TASK` names the events "
                "behind a task by their position",
                id);
}

}  // namespace

static UndoResult undo(Session& session, const UndoRequest& request) {
  return write(session, [&](Engine& engine) {
    UndoResult result;
    result.event = position_of(engine, request);
    const auto [undone, by] = engine.undo(result.event, session.now(), request.last);
    result.last = request.last;
    result.kind = kind_name(undone.payload);
    result.subject = undone.subject;
    result.at = undone.at;
    result.undone_by = by;
    return result;
  });
}

Operations undo_operations() {
  return {
      operation({.name = "events",
                 .command = "undo",
                 .summary = "The latest events of the ledger: what there is to undo",
                 .example = "  hebb undo",
                 .route = "GET /ledger"},
                events),
      operation({.name = "undo",
                 .summary = "Undo an event (it stays in the ledger, marked)",
                 .example = "  hebb undo 4711\n  hebb undo ci-run-99\n"
                            "  hebb undo 4711 --last 4790",
                 .route = "POST /undo",
                 .tool = Tool::all,
                 .problems = {ProblemType::not_found, ProblemType::conflict},
                 .destructive = true},
                undo),
  };
}

}  // namespace hebb::api
