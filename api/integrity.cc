#include "api/integrity.h"

#include <set>

#include <fmt/format.h>

#include "api/common.h"

namespace hebb::api {

// --- verify --------------------------------------------------------------------------------------

const Fields& VerifyRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& VerifyResult::fields() {
  static const Fields kFields{
      field("ok", &VerifyResult::ok, "Nothing is wrong"),
      field("problems", &VerifyResult::problems, "What is wrong, and what to do about it"),
  };
  return kFields;
}

VerifyResult verify(Session& session, const VerifyRequest&) {
  VerifyResult result;
  try {
    result.problems = session.engine(Access::read).verify();
  } catch (const sql::Error& e) {
    if (!e.corrupt()) throw;
    result.problems = {fmt::format("file: {}", e.what())};
  }
  result.ok = result.problems.empty();
  return result;
}

Operation verify_operation() {
  return operation<VerifyRequest, VerifyResult>(
      {.name = "verify",
       .command = "verify",
       .summary = "Check the file, the ledger, and that the mirror is what it folds to (exit 1 if "
                  "not)",
       .example = "  hebb verify\n  hebb verify --json | jq -r '.problems[]'",
       .effect = Effect::reads,
       .path = "/verify"},
      verify);
}

// --- rebuild -------------------------------------------------------------------------------------

const Fields& RebuildRequest::fields() {
  static const Fields kFields{
      field("force", &RebuildRequest::force,
            "Also from what is left of a damaged ledger: what only the mirror still knew is lost"),
  };
  return kFields;
}

const Fields& RebuildResult::fields() {
  static const Fields kFields{
      field("events", &RebuildResult::events, "How many events the mirror is made from")};
  return kFields;
}

RebuildResult rebuild(Session& session, const RebuildRequest& request) {
  Engine& engine = session.engine(Access::write);
  engine.rebuild(request.force);
  return {engine.ledger().last_position()};
}

Operation rebuild_operation() {
  return operation<RebuildRequest, RebuildResult>(
      {.name = "rebuild",
       .command = "rebuild",
       .summary = "Make the mirror anew, from the ledger alone",
       .example = "  hebb rebuild && hebb verify",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::damaged_ledger, ProblemType::read_only},
       .idempotent = true},
      rebuild);
}

// --- quarantine ----------------------------------------------------------------------------------

const Fields& QuarantineRequest::fields() {
  static const Fields kFields{field("events", &QuarantineRequest::events,
                                    "Their positions in the ledger",
                                    {.required = true, .positional = true, .option = "EVENT"})};
  return kFields;
}

const Fields& QuarantinedEvent::fields() {
  static const Fields kFields{
      field("event", &QuarantinedEvent::event, "Their positions in the ledger"),
      field("damage", &QuarantinedEvent::damage, "What is wrong with it"),
  };
  return kFields;
}

const Fields& QuarantineResult::fields() {
  static const Fields kFields{
      field("events", &QuarantineResult::events, "The events that no longer count")};
  return kFields;
}

QuarantineResult quarantine(Session& session, const QuarantineRequest& request) {
  const std::set<std::int64_t> each_once(request.events.begin(), request.events.end());
  const std::vector<std::int64_t> events(each_once.begin(), each_once.end());
  const auto damages = session.engine(Access::write).quarantine(events, session.now());
  QuarantineResult result;
  for (std::size_t i = 0; i < damages.size(); ++i) result.events.push_back({events[i], damages[i]});
  return result;
}

Operation quarantine_operation() {
  return operation<QuarantineRequest, QuarantineResult>(
      {.name = "quarantine",
       .command = "quarantine",
       .summary = "Take events out of what counts that are damaged in the ledger, as `verify` "
                  "names them",
       .example = "  hebb verify\n  hebb quarantine 4711",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::conflict, ProblemType::read_only},
       .destructive = true},
      quarantine);
}

}  // namespace hebb::api
