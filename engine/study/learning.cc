#include "engine/study/learning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "engine/fold/done_once.h"
#include "reward/ranking.h"
#include "reward/weight.h"

namespace hebb::study {

namespace {

struct Outcomes {
  std::map<std::string, std::vector<std::pair<TimeMs, bool>>> contexts;  // by time; true: a success
  std::vector<std::int64_t> successes;  // positions, in the fold's order
  TimeMs first = 0, last = 0;
};

Outcomes read_outcomes(Engine& engine, TimeMs until, Learning& sums) {
  const auto undone = engine.undone();
  Outcomes found;
  State s;
  engine.ledger().events_until(until, [&](Event&& e) {
    if (undone.contains(e.position)) return;
    const bool counts = hebb::counts(s, e);
    s.apply(e);
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || !counts) return;
    if (sums.successes + sums.partial + sums.failures == 0) found.first = e.at;
    found.last = e.at;
    const bool success = outcome->outcome == OutcomeKind::success;
    const bool partial = outcome->outcome == OutcomeKind::partial;
    ++(success ? sums.successes : partial ? sums.partial : sums.failures);
    if (partial) return;
    if (success) found.successes.push_back(e.position);
    for (const std::string& context : outcome->contexts)
      found.contexts[context].emplace_back(e.at, success);
  });
  return found;
}

// Where the ranking puts the task that is about to be completed; nothing, where it is not ranked.
std::optional<Foreseen> foresee(const State& s, const Event& e) {
  const auto task = s.find(e.subject);
  const auto view = s.view();
  if (!task || !reward::is_candidate(view, *task, e.at)) return std::nullopt;
  const auto ranked = reward::Ranking(view, e.at).all(view.graph);
  Foreseen foreseen{e.subject, e.at, 0, std::ssize(ranked), 1};
  const auto& created = s.graph().nodes().created_at;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i].node == *task) foreseen.place = static_cast<std::int64_t>(i) + 1;
    foreseen.newest_place += created[ranked[i].node] > created[*task];
  }
  if (foreseen.place == 0) return std::nullopt;
  return foreseen;
}

// Folds the ledger once more, and asks before each of these successes.
std::vector<Foreseen> look_back(Engine& engine, TimeMs until,
                                std::span<const std::int64_t> successes) {
  const std::unordered_set<std::int64_t> asked(successes.begin(), successes.end());
  const auto undone = engine.undone();
  std::vector<Foreseen> foreseen;
  State s;
  std::size_t left = asked.size();
  if (left == 0) return foreseen;
  engine.ledger().events_until(until, [&](Event&& e) {
    if (left == 0 || undone.contains(e.position)) return;
    if (asked.contains(e.position)) {
      --left;
      if (auto one = foresee(s, e)) foreseen.push_back(std::move(*one));
    }
    s.apply(e);
  });
  return foreseen;
}

// The mean of 1, 1/2, … 1/n.
double random_reciprocal(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 1; i <= n; ++i) sum += 1 / static_cast<double>(i);
  return sum / static_cast<double>(n);
}

void summarise(Learning& result) {
  result.completions = std::ssize(result.foreseen);
  const auto n = static_cast<double>(result.completions);
  for (const Foreseen& f : result.foreseen) {
    result.mrr += 1 / static_cast<double>(f.place) / n;
    result.newest_mrr += 1 / static_cast<double>(f.newest_place) / n;
    result.random_mrr += random_reciprocal(f.candidates) / n;
    result.first_three += f.place <= 3 ? 1 / n : 0;
  }
}

ContextCurve curve_of(const std::string& id, std::span<const std::pair<TimeMs, bool>> outcomes,
                      const reward::Policy& policy, const Outcomes& all, std::int64_t buckets) {
  ContextCurve curve{id, {}, 0, 0, {}};
  double good = 0, bad = 0;
  TimeMs at = all.first;
  const auto fade_to = [&](TimeMs then) {
    const double left = std::exp2(-reward::days_between(at, then) / policy.evidence_half_life_days);
    good *= left;
    bad *= left;
    at = then;
  };
  const auto span = static_cast<double>(all.last - all.first);
  auto next = outcomes.begin();
  for (std::int64_t b = 1; b <= buckets; ++b) {
    auto& bucket = curve.buckets.emplace_back();
    bucket.at = b == buckets ? all.last
                             : all.first + std::llround(span * static_cast<double>(b) /
                                                        static_cast<double>(buckets));
    for (; next != outcomes.end() && next->first <= bucket.at; ++next) {
      fade_to(next->first);
      (next->second ? good : bad) += 1;
      ++(next->second ? bucket.successes : bucket.failures);
    }
    fade_to(bucket.at);
    const double a = policy.success_rate_alpha, c = policy.success_rate_beta;
    bucket.rate = (a + good) / (a + c + good + bad);
    curve.successes += bucket.successes;
    curve.failures += bucket.failures;
  }
  return curve;
}

}  // namespace

Learning learning(Engine& engine, const LearningQuery& query, TimeMs now) {
  const State& s = engine.state();
  const TimeMs until = std::max(now, s.facts().latest.at);
  Learning result;
  const Outcomes outcomes = read_outcomes(engine, until, result);
  const std::span successes(outcomes.successes);
  const auto asked = std::min(successes.size(), static_cast<std::size_t>(query.last));
  result.foreseen = look_back(engine, until, successes.last(asked));
  summarise(result);
  auto& contexts = result.contexts;
  for (const auto& [id, of_context] : outcomes.contexts)
    contexts.push_back(curve_of(id, of_context, s.policy(), outcomes, query.buckets));
  std::ranges::stable_sort(contexts, std::greater<>(), [](const ContextCurve& curve) {
    return curve.successes + curve.failures;
  });
  contexts.resize(std::min(contexts.size(), static_cast<std::size_t>(query.contexts)));
  for (ContextCurve& curve : contexts) curve.name = engine.content(curve.id).name.value_or("");
  return result;
}

}  // namespace hebb::study
