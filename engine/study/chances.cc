#include "engine/study/chances.h"

#include <algorithm>

#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb::study {
namespace {

double chance_of(const reward::View& view, graph::NodeId task, TimeMs at) {
  const reward::KnownNames kinds(view.graph);
  reward::ContextEvidence labels;
  for (const graph::NodeId context : reward::evidence_contexts(view, task, at))
    labels += reward::context_evidence(view, kinds, context, at);
  const auto& c = view.graph.nodes();
  reward::Evidence evidence;
  evidence.successes = labels.successes.value();
  evidence.failures = labels.failures.value();
  if (c.tried_at[task] != graph::kNever) {
    const auto own =
        reward::faded(view.policy, {c.successes[task], c.failures[task], c.tried_at[task]}, at);
    evidence.own_successes = own.successes;
    evidence.own_failures = own.failures;
  }
  return reward::chance(view.policy, evidence);
}

double squared(double x) { return x * x; }

}  // namespace

void ChanceCount::add(const State& state, graph::NodeId task, TimeMs at, bool succeeded,
                      bool asked) {
  const reward::View view = state.view();
  const double came = succeeded ? 1 : 0;
  if (asked) {
    const double a = view.policy.success_rate_alpha, b = view.policy.success_rate_beta;
    const double chance = chance_of(view, task, at);
    ++sums_.outcomes;
    sums_.brier += squared(chance - came);
    sums_.base_brier += squared((a + successes_) / (a + b + outcomes_) - came);
    const double fifths = static_cast<double>(sums_.reliability.size());
    const auto fifth =
        std::min(static_cast<std::size_t>(chance * fifths), sums_.reliability.size() - 1);
    Reliability& bin = sums_.reliability[fifth];
    ++bin.outcomes;
    bin.foreseen += chance;
    bin.succeeded += came;
  }
  successes_ += came;
  ++outcomes_;
}

Chances ChanceCount::result() const {
  Chances means = sums_;
  const auto divide = [](double& sum, std::size_t count) {
    if (count > 0) sum /= static_cast<double>(count);
  };
  divide(means.brier, means.outcomes);
  divide(means.base_brier, means.outcomes);
  for (Reliability& bin : means.reliability) {
    divide(bin.foreseen, bin.outcomes);
    divide(bin.succeeded, bin.outcomes);
  }
  return means;
}

}  // namespace hebb::study
