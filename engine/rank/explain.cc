#include "engine/rank/explain.h"

#include "engine/engine_impl.h"
#include "engine/rank/explainer.h"

namespace hebb {

TaskExplanation Engine::explain(std::string_view id, std::optional<TimeMs> as_of,
                                std::optional<TimeMs> now) {
  const auto moment = one_moment();
  State& s = impl_->state();
  if (!as_of) {
    const RankedState ranked(s, now.value_or(s.stamp()), false);
    return Explainer(*this, s, ranked, kEndOfTime).run(id);
  }
  const State then = state_as_of(*as_of);
  const RankedState ranked(then, now.value_or(*as_of), false);
  return Explainer(*this, then, ranked, *as_of).run(id);
}

}  // namespace hebb
