#include "api/curve.h"

#include <algorithm>
#include <cmath>

#include "api/common.h"
#include "reward/weight.h"

namespace hebb::api {

const Fields& CurveRequest::fields() {
  using R = CurveRequest;
  static const Fields kFields = with_presets<R>({
      field("source", &R::source, "The node it goes out from", {.required = true}),
      field("target", &R::target, "The node it leads to", {.required = true}),
      field("type", &R::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …", {.required = true}),
      field("points", &R::points, "About how many points, besides those of the events",
            {.min = 2, .max = 5000}),
  });
  return kFields;
}

const Fields& CurvePoint::fields() {
  static const Fields kFields{
      field("at", &CurvePoint::at, "The time"),
      field("weight", &CurvePoint::weight, "The effective weight then; 0 where there is no edge"),
  };
  return kFields;
}

const Fields& CurveResult::fields() {
  using R = CurveResult;
  static const Fields kFields{
      field("source", &R::source, "The node it goes out from"),
      field("target", &R::target, "The node it leads to"),
      field("type", &R::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
      field("exists", &R::exists, "False: it does not exist now"),
      field("weight", &R::weight, "Its weight now, after decay"),
      field("dormant", &R::dormant, "Too weak to count"),
      field("cap", &R::cap, "What a weight of this type is at most"),
      field("dormant_below", &R::dormant_below, "A weight below this does not count"),
      field("half_life_days", &R::half_life_days,
            "After so many days half is left; absent: this type does not fade", {.unit = "days"}),
      field("points", &R::points, "By time; at an event two, just before and just after it"),
      field("events", &R::events, "What made its weight, the oldest first"),
  };
  return kFields;
}

namespace {

// What an edge of weight `w` at `from` fades to until `to`, as points.
void add_fading(const reward::TypePolicy& type, double w, TimeMs from, TimeMs to,
                std::int64_t count, std::vector<CurvePoint>& points) {
  for (std::int64_t i = 1; i < count; ++i) {
    const auto at = from + static_cast<TimeMs>(std::llround(static_cast<double>(to - from) *
                                                            static_cast<double>(i) /
                                                            static_cast<double>(count)));
    points.push_back({Time{at}, reward::effective(type, w, from, at)});
  }
}

}  // namespace

CurveResult curve(Session& session, const CurveRequest& request) {
  const ExplainEdgeResult x =
      explain_edge(session, {request.source, request.target, request.type, std::nullopt});
  const State& s = session.engine(Access::read).state();
  const reward::TypePolicy& type = s.policy().type(request.type);
  CurveResult result;
  result.source = x.source;
  result.target = x.target;
  result.type = x.type;
  result.exists = x.exists;
  result.cap = type.cap;
  result.dormant_below = type.is_protected ? 0 : type.dormant_below;
  if (!type.is_protected && type.decay_per_day < 1)
    result.half_life_days = std::log(0.5) / std::log(type.decay_per_day);
  result.events = x.history;
  if (x.history.empty()) return result;
  const TimeMs begin = x.history.front().at.ms;
  const TimeMs end = std::max(session.now(), x.history.back().at.ms);
  if (x.exists) {
    const TimeMs touched_at = x.touched_at->ms;
    result.weight = reward::effective(type, x.stored_weight, touched_at, end);
    result.dormant = reward::dormant(type, x.stored_weight, touched_at, end);
  }
  const auto total = static_cast<double>(std::max<TimeMs>(end - begin, 1));
  for (std::size_t i = 0; i < x.history.size(); ++i) {
    const EdgeStepLine& step = x.history[i];
    const TimeMs to = i + 1 < x.history.size() ? x.history[i + 1].at.ms : end;
    const double w = step.after.value_or(0);
    result.points.push_back({step.at, step.before.value_or(0)});
    result.points.push_back({step.at, w});
    const auto span = static_cast<double>(to - step.at.ms) / total;
    const auto count = std::llround(static_cast<double>(request.points) * span);
    if (step.after && to > step.at.ms)
      add_fading(type, w, step.at.ms, to, std::max<std::int64_t>(2, count), result.points);
  }
  if (end > x.history.back().at.ms) result.points.push_back({Time{end}, result.weight});
  return result;
}

Operation curve_operation() {
  return operation<CurveRequest, CurveResult>(
      {.name = "curve",
       .command = "explain",
       .summary = "The weight of an edge over time, to be drawn",
       .example = "  hebb explain frontier task-7 GUIDES",
       .effect = Effect::reads,
       .doors = kHttp,
       .path = "/edges/curve",
       .problems = {ProblemType::not_found}},
      curve);
}

}  // namespace hebb::api
