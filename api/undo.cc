#include "api/undo.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/common.h"
#include "api/room.h"
#include "engine/rank/cause.h"

namespace hebb::api {

// --- events --------------------------------------------------------------------------------------

const Fields& EventsRequest::fields() {
  using R = EventsRequest;
  static const Fields kFields = with_presets<R>({
      field("limit", &R::limit, "At most so many", {.unit = "events", .min = 1, .max = 1000}),
      field("before", &R::before, "Only those before this position in the ledger", {.min = 1}),
  });
  return kFields;
}

const Fields& LedgerEvent::fields() {
  using E = LedgerEvent;
  static const Fields kFields{
      field("event", &E::event, "Its position in the ledger"),
      field("at", &E::at, "When it happened"),
      field("kind", &E::kind, "node, edge, outcome, …"),
      field("subject", &E::subject, "The node it is about"),
      field("what", &E::what, "All of it in a line"),
      field("undone", &E::undone, "It no longer counts"),
  };
  return kFields;
}

const Fields& EventsResult::fields() {
  static const Fields kFields{
      field("events", &EventsResult::events, "The newest first, by their position"),
      field("next", &EventsResult::next, "The `before` to go on with; absent: there are no more"),
  };
  return kFields;
}

std::optional<LedgerEvent> ledger_event(Engine& engine, std::int64_t position) {
  const auto event = engine.ledger().event(position);
  if (!event) return std::nullopt;
  return LedgerEvent{position,       Time{event->at},       std::string(kind_name(event->payload)),
                     event->subject, cause_of(*event).what, engine.undone().contains(position)};
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

Operation events_operation() {
  return operation<EventsRequest, EventsResult>(
      {.name = "events",
       .command = "undo",
       .summary = "The latest events of the ledger: what there is to undo",
       .example = "  hebb undo",
       .effect = Effect::reads,
       .path = "/ledger"},
      events);
}

// --- undo ----------------------------------------------------------------------------------------

const Fields& UndoRequest::fields() {
  static const Fields kFields{
      field("event", &UndoRequest::event, "Its position in the ledger",
            {.min = 1, .positional = true}),
      field("outcome_id", &UndoRequest::outcome_id,
            "Instead of that: the id that an outcome came with, or the key that the ledger has",
            {.option = "--id", .was = "id"}),
  };
  return kFields;
}

const Fields& UndoResult::fields() {
  using R = UndoResult;
  static const Fields kFields{
      field("event", &R::event, "Its position in the ledger"),
      field("kind", &R::kind, "node, edge, outcome, …"),
      field("subject", &R::subject, "The node it is about"),
      field("at", &R::at, "When it happened"),
      field("undone_by", &R::undone_by,
            "The position of the undo; undoing that brings the event back"),
  };
  return kFields;
}

namespace {

std::int64_t position_of(Engine& engine, const UndoRequest& request) {
  if (request.event.has_value() == request.outcome_id.has_value()) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("name the event by {}, its position, or by {}", named("event"),
                              named("outcome_id")),
                  "event");
  }
  if (request.event) return *request.event;
  for (const auto& key : {event_key(OutcomeSignal{}, *request.outcome_id), *request.outcome_id}) {
    if (const auto position = engine.ledger().position_of(key)) return *position;
  }
  throw Problem(ProblemType::not_found,
                fmt::format("there is no outcome with the id \"{}\"; `hebb explain TASK` names "
                            "the events behind a task by their position",
                            *request.outcome_id),
                "outcome_id");
}

}  // namespace

UndoResult undo(Session& session, const UndoRequest& request) {
  Engine& engine = session.engine(Access::write);
  UndoResult result;
  result.event = position_of(engine, request);
  const auto [undone, by] = engine.undo(result.event, session.now());
  result.kind = kind_name(undone.payload);
  result.subject = undone.subject;
  result.at.ms = undone.at;
  result.undone_by = by;
  return result;
}

Operation undo_operation() {
  return operation<UndoRequest, UndoResult>(
      {.name = "undo",
       .command = "undo",
       .summary = "Take an event out of what counts; the ledger keeps both",
       .example = "  hebb undo 4711\n  hebb undo ci-run-99",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/undo",
       .problems = {ProblemType::not_found, ProblemType::conflict, ProblemType::read_only},
       .destructive = true},
      undo);
}

}  // namespace hebb::api
