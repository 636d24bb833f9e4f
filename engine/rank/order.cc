// Which of two goes first.
#include "reward/order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/rank/explain.h"
#include "engine/rank/query.h"

namespace hebb {

bool goes_before(const RankRow& a, const RankRow& b) {
  const auto standing = [](const RankRow& row) {
    return reward::Standing{row.factors,     row.factors.priority, row.change_proximity.value_or(1),
                            row.duration_ms, row.created_at,       row.id};
  };
  return reward::goes_first(standing(a), standing(b));
}

namespace {

// How strongly a factor favours one of two tasks, whichever it is.
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
  const auto key = [](const TaskExplanation& x) {
    return reward::RankKey{x.ranked ? x.factors.tier : 0, x.factors.priority};
  };
  const reward::RankKey a = key(mine), b = key(theirs);
  if ((a <=> b) == 0) return better(mine.rank <= theirs.rank, "tie");
  const bool first = a > b;
  if (a.tier != b.tier) return better(first, reward::tier_name(std::max(a.tier, b.tier)));
  for (const FactorAgainst& f : against.factors) {
    if ((f.mine > f.theirs) == first && f.mine != f.theirs) return better(first, f.name);
  }
  better(first, "tie");  // each factor rounds to the other's
}

}  // namespace

Against compare(const TaskExplanation& mine, const TaskExplanation& theirs) {
  Against out;
  out.id = theirs.id;
  out.name = theirs.name;
  if (theirs.ranked) out.rank = theirs.rank;
  out.priority = theirs.factors.priority;
  out.tier = theirs.tier;
  for (std::size_t i = 0; i < mine.lines.size(); ++i) {
    const FactorLine &a = mine.lines[i], &b = theirs.lines[i];
    if (a.name == "semantic" || a.name == "structural") continue;  // parts of base
    out.factors.push_back({a.name, a.value, b.value, b.value > 0 ? a.value / b.value : 0});
  }
  std::ranges::stable_sort(out.factors, std::greater<>(), strength);
  decide(mine, theirs, out);
  return out;
}

}  // namespace hebb
