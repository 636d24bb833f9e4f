#include "engine/explain.h"

#include "engine/explainer.h"

namespace hebb {

TaskExplanation explain_task(Engine& engine, std::string_view id, std::optional<TimeMs> as_of,
                             std::optional<TimeMs> now) {
  const auto moment = engine.one_moment();
  if (as_of) {
    engine.state();
    const State then = engine.state_as_of(*as_of);
    return Explainer(engine, then, nullptr, now.value_or(*as_of), *as_of).run(id);
  }
  const State& s = engine.state();
  const TimeMs at = now.value_or(s.stamp());
  return Explainer(engine, s, standings_at(engine, at), at, kEndOfTime).run(id);
}

TaskExplanation Engine::explain(std::string_view id, std::optional<TimeMs> as_of,
                                std::optional<TimeMs> now) {
  return explain_task(*this, id, as_of, now);
}

}  // namespace hebb
