// learning: how well the ranking foresaw what was done, and how contexts came out over time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "api/common.h"
#include "api/operations.h"
#include "reward/ranking.h"
#include "reward/weight.h"

namespace hebb::api {

using graph::NodeId;

struct LearningRequest {
  std::int64_t last = 100, contexts = 6, buckets = 24;
};
RECORD(LearningRequest,
       FIELD(last, "How many of the latest completions to look at",
             {.unit = "completions", .min = 1, .max = 1000}),
       FIELD(contexts, "How many contexts, those with most outcomes first",
             {.unit = "contexts", .min = 0, .max = 50}),
       FIELD(buckets, "Into how many spans of time their outcomes are counted",
             {.unit = "spans", .min = 1, .max = 200}))

struct Foreseen {
  std::string task;
  Time at;
  std::int64_t place = 0, candidates = 0, newest_place = 0;
};
RECORD(Foreseen,
       FIELD(task, "The task that was completed"),
       FIELD(at, "When it was"),
       FIELD(place, "Where the ranking had put it just before, from 1"),
       FIELD(candidates, "Of how many"),
       FIELD(newest_place, "Where newest first would have put it"))

struct ContextBucket {
  Time at;
  std::int64_t successes = 0, failures = 0;
  double rate = 0;
};
RECORD(ContextBucket,
       FIELD(at, "Its end"),
       FIELD(successes, "Within it"),
       FIELD(failures, "Within it"),
       FIELD(rate, "The expected share of successes at its end: the mean that the factor "
             "success_rate is made from, of outcomes alone"))

struct ContextCurve {
  std::string id, name;
  std::int64_t successes = 0, failures = 0;
  std::vector<ContextBucket> buckets;  // the oldest first
};
RECORD(ContextCurve,
       FIELD(id, "The context"),
       FIELD(name, "Its name"),
       FIELD(successes, "Of tasks that had it"),
       FIELD(failures, "Likewise"),
       FIELD(buckets, "Spans of equal length, the oldest first"))

struct LearningResult {
  std::int64_t completions = 0;
  double mrr = 0, newest_mrr = 0, random_mrr = 0, first_three = 0;
  std::vector<Foreseen> foreseen;  // the oldest first
  std::vector<ContextCurve> contexts;
  std::int64_t successes = 0, partial = 0, failures = 0;
};
RECORD(LearningResult,
       FIELD(completions, "How many were looked at: those that were ranked"),
       FIELD(mrr, "The mean of 1 / place; 1: each stood first"),
       FIELD(newest_mrr, "The same of newest first, to compare"),
       FIELD(random_mrr, "What chance would get"),
       FIELD(first_three, "The share of them that stood among the first three"),
       FIELD(foreseen, "Each of them, the oldest first"),
       FIELD(contexts, "Labels and the like, those with most outcomes first"),
       FIELD(successes, "Of all outcomes"),
       FIELD(partial, "Likewise"),
       FIELD(failures, "Likewise"))

namespace {

struct Tally {
  std::vector<std::pair<TimeMs, bool>> outcomes;  // by time; true: a success
};

// What the first pass over the ledger finds.
struct Outcomes {
  std::map<std::string, Tally> contexts;
  std::vector<std::int64_t> successes;  // positions, in the fold's order
  TimeMs first = 0, last = 0;
};

Outcomes read_outcomes(Engine& engine, TimeMs now, LearningResult& result) {
  const auto undone = engine.undone();
  Outcomes found;
  engine.ledger().events_until(now, [&](Event&& e) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || undone.contains(e.position)) return;
    if (result.successes + result.partial + result.failures == 0) found.first = e.at;
    found.last = e.at;
    const bool success = outcome->outcome == OutcomeKind::success;
    if (outcome->outcome == OutcomeKind::partial) {
      ++result.partial;
      return;
    }
    ++(success ? result.successes : result.failures);
    if (success) found.successes.push_back(e.position);
    for (const std::string& context : outcome->contexts)
      found.contexts[context].outcomes.emplace_back(e.at, success);
  });
  return found;
}

// 1 + 1/2 + … + 1/n, over n.
double random_reciprocal(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 1; i <= n; ++i) sum += 1 / static_cast<double>(i);
  return sum / static_cast<double>(n);
}

// Where the ranking puts the task that is about to be completed; nothing, where it is not ranked.
std::optional<Foreseen> foresee(const State& s, const Event& e) {
  const auto task = s.find(e.subject);
  if (!task) return std::nullopt;
  const auto view = s.view();
  if (!reward::is_candidate(view, *task, e.at)) return std::nullopt;
  const auto ranked = reward::Ranking(view, e.at).all(view.graph);
  Foreseen foreseen;
  foreseen.task = e.subject;
  foreseen.at.ms = e.at;
  foreseen.candidates = std::ssize(ranked);
  foreseen.newest_place = 1;
  const auto& created = s.graph().nodes().created_at;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i].node == *task) foreseen.place = static_cast<std::int64_t>(i) + 1;
    foreseen.newest_place += created[ranked[i].node] > created[*task];
  }
  if (foreseen.place == 0) return std::nullopt;
  return foreseen;
}

// Folds the ledger once more, and asks before each of the last successes. O(events), and a ranking
// for each of these.
void look_back(Engine& engine, TimeMs now, const Outcomes& outcomes, std::int64_t last,
               LearningResult& result) {
  const auto count = std::min<std::ptrdiff_t>(last, std::ssize(outcomes.successes));
  const std::unordered_set<std::int64_t> asked(outcomes.successes.end() - count,
                                               outcomes.successes.end());
  if (asked.empty()) return;
  const auto undone = engine.undone();
  State s;
  std::size_t left = asked.size();
  engine.ledger().events_until(now, [&](Event&& e) {
    if (left == 0 || undone.contains(e.position)) return;
    if (asked.contains(e.position)) {
      --left;
      if (auto one = foresee(s, e)) result.foreseen.push_back(std::move(*one));
    }
    try {
      s.apply(e);
    } catch (const std::invalid_argument&) {
      // It is damaged, and left out of every fold.
    }
  });
}

void summarise(LearningResult& result) {
  result.completions = std::ssize(result.foreseen);
  if (result.foreseen.empty()) return;
  for (const Foreseen& f : result.foreseen) {
    result.mrr += 1 / static_cast<double>(f.place);
    result.newest_mrr += 1 / static_cast<double>(f.newest_place);
    result.random_mrr += random_reciprocal(f.candidates);
    result.first_three += f.place <= 3 ? 1 : 0;
  }
  const auto n = static_cast<double>(result.completions);
  for (double* x : {&result.mrr, &result.newest_mrr, &result.random_mrr, &result.first_three})
    *x /= n;
}

ContextCurve curve_of(const Tally& tally, const reward::Policy& policy, const Outcomes& all,
                      std::int64_t buckets) {
  ContextCurve curve;
  const auto span = static_cast<double>(all.last - all.first);
  const auto fade = [&](double evidence, TimeMs from, TimeMs to) {
    return evidence * std::exp2(-reward::days_between(from, to) / policy.evidence_half_life_days);
  };
  double good = 0, bad = 0;
  TimeMs at = all.first;
  std::size_t next = 0;
  for (std::int64_t b = 1; b <= buckets; ++b) {
    ContextBucket bucket;
    bucket.at.ms = b == buckets ? all.last
                                : all.first + std::llround(span * static_cast<double>(b) /
                                                           static_cast<double>(buckets));
    for (; next < tally.outcomes.size() && tally.outcomes[next].first <= bucket.at.ms; ++next) {
      const auto [when, success] = tally.outcomes[next];
      good = fade(good, at, when) + (success ? 1 : 0);
      bad = fade(bad, at, when) + (success ? 0 : 1);
      at = when;
      ++(success ? bucket.successes : bucket.failures);
    }
    good = fade(good, at, bucket.at.ms);
    bad = fade(bad, at, bucket.at.ms);
    at = bucket.at.ms;
    const double a = policy.success_rate_alpha, c = policy.success_rate_beta;
    bucket.rate = (a + good) / (a + c + good + bad);
    curve.successes += bucket.successes;
    curve.failures += bucket.failures;
    curve.buckets.push_back(bucket);
  }
  return curve;
}

}  // namespace

static LearningResult learning(Session& session, const LearningRequest& request) {
  Engine& engine = session.engine(Access::read);
  const State& s = engine.state();
  LearningResult result;
  const TimeMs until = std::max(session.now(), s.marks().latest.at);
  const Outcomes outcomes = read_outcomes(engine, until, result);
  look_back(engine, until, outcomes, request.last, result);
  summarise(result);
  for (const auto& [id, tally] : outcomes.contexts) {
    ContextCurve curve = curve_of(tally, s.policy(), outcomes, request.buckets);
    curve.id = id;
    result.contexts.push_back(std::move(curve));
  }
  std::stable_sort(result.contexts.begin(), result.contexts.end(),
                   [](const ContextCurve& a, const ContextCurve& b) {
                     return a.successes + a.failures > b.successes + b.failures;
                   });
  if (std::ssize(result.contexts) > request.contexts)
    result.contexts.resize(static_cast<std::size_t>(request.contexts));
  for (ContextCurve& curve : result.contexts)
    curve.name = engine.content(curve.id).name.value_or("");
  return result;
}

Operations learning_operations() {
  return {
      operation(
          {.name = "learning",
           .command = "stats",
           .summary = "How well the ranking foresaw what was completed, and how contexts came out",
           .example = "  hebb stats",
           .route = "GET /learning",
           .command_line = false},
          learning),
  };
}

}  // namespace hebb::api
