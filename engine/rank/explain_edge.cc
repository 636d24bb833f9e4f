// How an edge got its weight.
#include <cmath>
#include <limits>

#include "engine/current/events.h"
#include "engine/rank/cause.h"
#include "engine/rank/explain.h"

namespace hebb {

EdgeExplanation explain(Folded& folded, const EdgeName& edge, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  EdgeExplanation x;
  x.edge = edge;
  const State& current = folded.state();
  const TimeMs until = as_of.value_or(kEndOfTime);
  const auto events = events_in_effect(folded, events_of(folded, edge, until), until);
  std::optional<State> then;
  if (as_of) then.emplace(folded.as_of(*as_of));
  const State& s = then ? *then : current;
  replay_edge(s, edge, events, [&](const Event& e, std::string rule, auto before, auto after) {
    x.steps.push_back({cause_of(e), std::move(rule), before, after});
    if (!before) x.properties = "{}";
    const auto* link = std::get_if<Link>(&e.payload);
    if (link && link->properties) x.properties = *link->properties;
  });
  const auto e = s.find_edge(edge);
  const TimeMs touched_at = e ? s.graph().edges().touched_at[*e] : 0;
  // Not before the edge was last touched: `as_of` gives its earlier weights.
  x.at = std::max(now.value_or(as_of.value_or(s.facts().ranked_at())), touched_at);
  if (!e) return x;
  const auto& type = type_policy(s, s.graph().type(*e));
  x.exists = true;
  x.stored_weight = s.graph().edges().weight[*e];
  x.touched_at = touched_at;
  x.weight = reward::effective(type, x.stored_weight, x.touched_at, x.at);
  x.dormant = reward::dormant(type, x.stored_weight, x.touched_at, x.at);
  return x;
}

EdgeCurve curve_of(const EdgeExplanation& x, const reward::TypePolicy& type, std::int64_t about) {
  EdgeCurve curve{type.cap, type.is_protected ? 0 : type.dormant_below, {}, {}};
  if (!type.is_protected && type.decay_per_day < 1)
    curve.half_life_days = std::log(0.5) / std::log(type.decay_per_day);
  auto& points = curve.points.emplace();
  if (x.steps.empty()) return curve;
  const TimeMs begin = x.steps.front().cause.at, end = std::max(x.at, x.steps.back().cause.at);
  const auto total = static_cast<double>(std::max<TimeMs>(end - begin, 1));
  for (std::size_t i = 0; i < x.steps.size(); ++i) {
    const EdgeStep& step = x.steps[i];
    const TimeMs at = step.cause.at, to = i + 1 < x.steps.size() ? x.steps[i + 1].cause.at : end;
    points.push_back({at, step.before.value_or(0)});
    points.push_back({at, step.after.value_or(0)});
    if (!step.after || to <= at) continue;
    const auto span = static_cast<double>(to - at);
    const auto count = std::max(2.0, std::round(static_cast<double>(about) * span / total));
    for (double k = 1; k < count; ++k) {
      const TimeMs then = at + std::llround(span * k / count);
      points.push_back({then, reward::effective(type, *step.after, at, then)});
    }
  }
  if (end > x.steps.back().cause.at) points.push_back({end, x.weight});
  return curve;
}

}  // namespace hebb
