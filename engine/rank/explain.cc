#include "engine/rank/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/rank/explainer.h"

namespace hebb {

namespace {

// How strongly a factor speaks for one of two, on either side alike.
double strength(const FactorAgainst& f) {
  return f.ratio > 0 ? std::abs(std::log(f.ratio)) : std::numeric_limits<double>::infinity();
}

// Who goes first, and why.
void decide(const TaskExplanation& mine, const TaskExplanation& theirs, Against& against) {
  const auto better = [&](bool first, std::string_view why) {
    against.winner = first ? mine.id : theirs.id;
    against.decides = why;
  };
  if (mine.ranked != theirs.ranked) return better(mine.ranked, "ranked");
  if (mine.pinned != theirs.pinned) return better(mine.pinned, "pinned");
  const double a = mine.factors.priority, b = theirs.factors.priority;
  if (a == b) return better(mine.rank <= theirs.rank, "tie");
  for (const FactorAgainst& f : against.factors) {
    if ((f.mine > f.theirs) == (a > b) && f.mine != f.theirs) return better(a > b, f.name);
  }
  better(a > b, "tie");  // each rounds to the other's
}

}  // namespace

Against compare(const TaskExplanation& mine, const TaskExplanation& theirs) {
  Against out;
  out.id = theirs.id;
  out.name = theirs.name;
  if (theirs.ranked) out.rank = theirs.rank;
  out.priority = theirs.factors.priority;
  out.pinned = theirs.pinned;
  for (std::size_t i = 0; i < mine.lines.size(); ++i) {
    const FactorLine &a = mine.lines[i], &b = theirs.lines[i];
    if (a.name == "semantic" || a.name == "structural") continue;  // parts of base
    out.factors.push_back({a.name, a.value, b.value, b.value > 0 ? a.value / b.value : 0});
  }
  std::ranges::stable_sort(out.factors, std::greater<>(), strength);
  decide(mine, theirs, out);
  return out;
}

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
