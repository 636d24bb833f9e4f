#include "api/recalibrate.h"

#include <chrono>

#include <fmt/format.h>

namespace hebb::api {

const Fields& RecalibrateRequest::fields() {
  static const Fields kFields =
      with_presets<RecalibrateRequest>({field("no_wait", &RecalibrateRequest::no_wait,
                                              "If another process is writing, exit 75 rather than "
                                              "wait")});
  return kFields;
}

const Fields& GuideNow::fields() {
  static const Fields kFields{
      field("id", &GuideNow::id, "The task"),
      field("weight", &GuideNow::weight, "Its priority divided by that of the first"),
  };
  return kFields;
}

const Fields& ChangedEdge::fields() {
  static const Fields kFields{
      field("source", &ChangedEdge::source, "The node it goes out from"),
      field("target", &ChangedEdge::target, "The node it leads to"),
      field("type", &ChangedEdge::type, "Its type"),
      field("weight", &ChangedEdge::weight, "As it is now"),
  };
  return kFields;
}

const Fields& RecalibrateResult::fields() {
  using R = RecalibrateResult;
  static const Fields kFields{
      field("at", &R::at, "The time that everything was ranked as of"),
      field("repeated", &R::repeated, "It was done before for this time: nothing changed"),
      field("candidates", &R::candidates, "How many tasks were ranked"),
      field("guides", &R::guides, "The tasks to which the frontier points now, best first"),
      field("entered", &R::entered, "Tasks that came into the top"),
      field("left", &R::left, "Tasks that fell out of it"),
      field("became_dormant", &R::became_dormant, "Edges that no longer count"),
      field("woke", &R::woke, "Edges that count again"),
  };
  return kFields;
}

namespace {

std::vector<ChangedEdge> changed(const std::vector<EdgeChange>& changes) {
  std::vector<ChangedEdge> edges;
  for (const auto& c : changes)
    edges.push_back({c.edge.source, c.edge.target, c.edge.type, c.weight});
  return edges;
}

// One recalibration of a time that is still to come stays the last one until then.
void warn_of_the_future(Session& session) {
  using namespace std::chrono;
  const TimeMs clock = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  if (session.now() <= latest_taken(clock)) return;
  session.note(
      fmt::format("warning: {} is still to come; rankings are of that time until a later "
                  "recalibration, and `hebb undo` takes this one back",
                  format_rfc3339(session.now())));
}

}  // namespace

RecalibrateResult recalibrate(Session& session, const RecalibrateRequest& request) {
  constexpr int kWaitMs = 600'000;
  Engine& engine = session.waiting_engine(Access::write, request.no_wait ? 0 : kWaitMs);
  warn_of_the_future(session);
  const RecalibrationReport report = engine.recalibrate(session.now());
  RecalibrateResult result;
  result.at = {report.at};
  result.repeated = report.repeated;
  result.candidates = static_cast<std::int64_t>(report.candidates);
  for (const auto& g : report.guides) result.guides.push_back({g.node, g.x});
  result.entered = report.entered;
  result.left = report.left;
  result.became_dormant = changed(report.became_dormant);
  result.woke = changed(report.woke);
  return result;
}

Operation recalibrate_operation() {
  return operation<RecalibrateRequest, RecalibrateResult>(
      {.name = "recalibrate",
       .command = "recalibrate",
       .summary = "The batch job: rank everything as of now and write what guides",
       .example = "  hebb recalibrate\n  hebb recalibrate --no-wait || [ $? = 75 ]",
       .effect = Effect::writes,
       .path = "/recalibrations",
       .problems = {ProblemType::refused, ProblemType::read_only},
       .idempotent = true},
      recalibrate);
}

}  // namespace hebb::api
