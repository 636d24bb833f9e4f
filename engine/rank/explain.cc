#include "engine/rank/explain.h"

#include "engine/rank/explainer.h"

namespace hebb {

TaskExplanation explain(Folded& folded, std::string_view id, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  const auto moment = folded.storage().one_moment();
  State& s = folded.state();
  if (!as_of) {
    const RankedState ranked(s, now.value_or(s.stamp()), false);
    return Explainer(folded, s, ranked, kEndOfTime).run(id);
  }
  const State then = folded.as_of(*as_of);
  const RankedState ranked(then, now.value_or(*as_of), false);
  return Explainer(folded, then, ranked, *as_of).run(id);
}

}  // namespace hebb
