#include "reward/factors.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace hebb::reward {

namespace {

// Each factor is within these bounds, whatever the settings, so their product with a base (at most
// about 1e13) is finite and above 0 where the base is. Not a number becomes kLeastFactor.
constexpr double kLeastFactor = 1e-25, kMostFactor = 1e25;
double bounded(double factor) { return std::min(std::max(kLeastFactor, factor), kMostFactor); }

double semantic(const Policy& policy, const Evidence& evidence) {
  return evidence.distance < 0 ? 0.0 : 1.0 / (evidence.distance + policy.semantic_offset);
}

double minutes_between(TimeMs from, TimeMs to) {
  return ms_between(from, to) / static_cast<double>(kMsPerMinute);
}

double minutes_apart(const Evidence& evidence) {
  const double apart = ms_between(evidence.anchor, evidence.created_at) +
                       ms_between(evidence.created_at, evidence.anchor);  // one of the two is 0
  return apart / static_cast<double>(kMsPerMinute);
}

// 0 until 14 days before it is due, then from .2 up to 1 at 7 days after; 0 where nobody said when.
// The ramp is that of Taskwarrior's urgency (https://taskwarrior.org/docs/urgency/), but for what
// is due later: there it counts .2 as well, here nothing.
double lateness(const Evidence& evidence) {
  constexpr double kBefore = 14, kAfter = 7, kFirst = 0.2;  // days, days, at the beginning
  if (evidence.due_at == graph::kNever) return 0;
  const double late = days_between(evidence.due_at, evidence.now) -
                      days_between(evidence.now, evidence.due_at);  // one of them is 0
  if (late < -kBefore) return 0;
  return std::min(kFirst + (1 - kFirst) * (late + kBefore) / (kBefore + kAfter), 1.0);
}

// How much more urgent what waits for it is than itself, at least 1.
double more_urgent(const Policy& policy, const Evidence& evidence) {
  return std::max(evidence.awaited_urgency / urgency(policy, evidence), 1.0);
}

std::string rate_text(const Policy& p, double successes, double failures) {
  const double prior = p.success_rate_alpha / (p.success_rate_alpha + p.success_rate_beta);
  return fmt::format("((({0} + {2:.4g}) / ({1} + {2:.4g} + {3:.4g})) / {4:.4g}) ^ {5}",
                     p.success_rate_alpha, p.success_rate_alpha + p.success_rate_beta, successes,
                     failures, prior, p.success_rate_exponent);
}

double test_failures(const Policy& policy, const Evidence& evidence) {
  if (evidence.is_test == 0 || policy.test_failure_factor == 1) return 0;
  return policy.test_failure_factor > 1 ? evidence.penalised : -evidence.penalised;
}

// Whether the two differ in one of these.
template <auto... member>
bool differ(const Evidence& a, const Evidence& b) {
  return ((a.*member != b.*member) || ...);
}

constexpr bool kAgainstMean = true, kAlsoOfTests = true;

constexpr Factor kFactors[] = {
    // A task that was touched recently is likely to be worked on next.
    {"recency",
     {"recency", "active lately", "quiet for long"},
     &Factors::recency,
     [](const Policy& p, const Evidence& e) {
       return std::pow(1.0 + minutes_between(e.last_activity, e.now), -p.recency_exponent);
     },
     differ<&Evidence::now, &Evidence::last_activity>,
     "How lately something happened to it",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("(1 + {:.1f} min) ^ -{}", minutes_between(e.last_activity, e.now),
                          p.recency_exponent);
     },
     [](const graph::Graph&, const Evidence& e, double strength) {
       const std::string ago = span_text(std::max<TimeMs>(0, e.now - e.last_activity));
       return strength > 0 ? fmt::format("active {} ago", ago) : fmt::format("quiet for {}", ago);
     },
     kAgainstMean},
    // Tasks created together tend to be completed together.
    {"time_proximity",
     {"creation time", "created close to the task completed last",
      "created long before or after the task completed last"},
     &Factors::time_proximity,
     [](const Policy& p, const Evidence& e) {
       if (e.anchor == graph::kNever) return 1.0;
       return std::pow(1.0 + minutes_apart(e), -p.time_proximity_exponent);
     },
     differ<&Evidence::anchor, &Evidence::created_at>,
     "How near in time it was created to the task completed last",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (e.anchor == graph::kNever) return "nothing was completed yet";
       return fmt::format("(1 + {:.1f} min) ^ -{}", minutes_apart(e), p.time_proximity_exponent);
     },
     [](const graph::Graph&, const Evidence& e, double strength) -> std::string {
       if (e.anchor == graph::kNever) return {};
       return fmt::format("created {} {} the task completed last",
                          span_text(std::abs(e.created_at - e.anchor)),
                          strength > 0 ? "from" : "away from");
     },
     kAgainstMean},
    // People and agents work through tasks that were filed together, whether within a second or a
    // week. The more the tasks of its contexts fail, the smaller the effect.
    {"order_proximity",
     {"creation order", "created next to what was completed lately",
      "created far from what was completed lately"},
     &Factors::order_proximity,
     [](const Policy& p, const Evidence& e) {
       if (e.filed_between < 0) return 1.0;
       const double exponent =
           p.order_proximity_exponent / (1.0 + e.failures / p.order_proximity_failures);
       return std::pow(1.0 + e.filed_between, -exponent);
     },
     differ<&Evidence::filed_between, &Evidence::failures>,
     "How few tasks were created between it and those completed lately",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (p.order_proximity_exponent == 0) return "off";
       if (e.filed_between < 0) return "nothing was completed yet";
       return fmt::format("(1 + {} created between) ^ -({} / (1 + {:.4g} failures / {}))",
                          e.filed_between, p.order_proximity_exponent, e.failures,
                          p.order_proximity_failures);
     },
     nullptr,
     kAgainstMean},
    // After a task, tasks with the same contexts tend to be completed next.
    {"context_overlap",
     {"shared labels", "labelled like the task completed last",
      "labelled unlike the task completed last"},
     &Factors::context_overlap,
     [](const Policy& p, const Evidence& e) {
       return std::exp(p.context_overlap_weight * e.overlap);
     },
     differ<&Evidence::overlap>,
     "How many labels it shares with the task completed last",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("exp({} * {:.4g})", p.context_overlap_weight, e.overlap);
     }},
    // Successes of neighbours raise a task for about a day, by at most exp(reward_weight).
    {"reward",
     {"reward", "rewarded by related successes", "not rewarded by related successes"},
     &Factors::reward,
     [](const Policy& p, const Evidence& e) {
       return std::exp(p.reward_weight * e.rewards / (1.0 + e.rewards));
     },
     differ<&Evidence::rewards>,
     "The effect of its neighbours' successes",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("exp({} * R / (1 + R)), R = {:.4g}", p.reward_weight, e.rewards);
     }},
    // How likely a task is to succeed, relative to the prior: from the outcomes of tasks of its
    // contexts, or of all contexts if it has none, and from its own. The first is never below the
    // policy's floor: failures of other tasks can lower a task only so far. Its own failures are
    // bounded by their cap only.
    {"success_rate",
     {"success rate", "successes in its labels", "failures in its labels"},
     &Factors::success_rate,
     [](const Policy& p, const Evidence& e) {
       return std::max(rate(p, e.successes, e.failures), p.success_rate_floor) * e.general *
              rate(p, e.own_successes, e.own_failures);
     },
     differ<&Evidence::successes, &Evidence::failures, &Evidence::general, &Evidence::own_successes,
            &Evidence::own_failures>,
     "How often it succeeds, and tasks with its labels",
     [](const Policy& p, const Evidence& e) {
       std::string text = rate_text(p, e.successes, e.failures);
       if (p.success_rate_floor > 0 && rate(p, e.successes, e.failures) <= p.success_rate_floor)
         text += fmt::format(", at least {}", p.success_rate_floor);
       if (e.general != 1) text = fmt::format("{:.4g}", e.general);
       if (e.own_successes + e.own_failures > 0)
         text += " * " + rate_text(p, e.own_successes, e.own_failures);
       return text;
     }},
    // A multiplication, so that k failures lower a task by the same factor whatever its base is.
    {"failure_penalty",
     {"own failures", "failed before, or not tried yet", "failed before"},
     &Factors::failure_penalty,
     [](const Policy& p, const Evidence& e) {
       return std::pow(e.is_test != 0 ? p.test_failure_factor : p.failure_penalty, e.penalised);
     },
     differ<&Evidence::penalised>,
     "The effect of its own failures",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("{} ^ {:.4g}", e.is_test != 0 ? p.test_failure_factor : p.failure_penalty,
                          e.penalised);
     },
     nullptr,
     !kAgainstMean,
     kAlsoOfTests},
    // What people say: how urgent a task is, and when it is due.
    {"urgency",
     {"urgency", "urgent, or due soon", "not urgent"},
     &Factors::urgency,
     urgency,
     differ<&Evidence::now, &Evidence::priority, &Evidence::due_at>,
     "What people set: how urgent it is, and when it is due",
     [](const Policy& p, const Evidence& e) -> std::string {
       std::vector<std::string> parts;
       if (e.priority != graph::kNoPriority)
         parts.push_back(fmt::format("{} ^ (2 - {})", p.urgency_base, e.priority));
       if (e.due_at != graph::kNever)
         parts.push_back(fmt::format("(1 + {} * {:.4g})", p.due_weight, lateness(e)));
       if (parts.empty()) return "no priority and no date set";
       return fmt::format("{}", fmt::join(parts, " * "));
     },
     [](const graph::Graph&, const Evidence& e, double) {
       std::vector<std::string> words;
       if (e.priority != graph::kNoPriority) words.push_back(fmt::format("P{}", e.priority));
       if (e.due_at != graph::kNever) {
         words.push_back(e.due_at >= e.now
                             ? fmt::format("due in {}", span_text(e.due_at - e.now))
                             : fmt::format("late by {}", span_text(e.now - e.due_at)));
       }
       return fmt::format("{}", fmt::join(words, ", "));
     },
     !kAgainstMean,
     kAlsoOfTests},
    // A task is as urgent as what waits for it, and the more wait the more it counts.
    {"unblocks",
     {"unblocks", "unblocks other tasks", "unblocks nothing"},
     &Factors::unblocks,
     [](const Policy& p, const Evidence& e) {
       return std::pow(more_urgent(p, e), p.unblocks_urgency) *
              std::pow(1 + e.waiting, p.unblocks_exponent);
     },
     differ<&Evidence::waiting, &Evidence::awaited_urgency, &Evidence::now, &Evidence::priority,
            &Evidence::due_at>,
     "What waits for it: how urgent that is, and how much",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (e.waiting_count == 0) return "nothing waits for it";
       return fmt::format("{:.4g} ^ {} * (1 + {:.4g}) ^ {}", more_urgent(p, e), p.unblocks_urgency,
                          e.waiting, p.unblocks_exponent);
     },
     [](const graph::Graph& g, const Evidence& e, double) -> std::string {
       if (e.waiting_count == 0) return {};
       const std::int64_t priority = e.awaited_priority;
       return fmt::format(
           "unblocks {}{}{}", g.id(e.awaited_by),
           priority == graph::kNoPriority ? "" : fmt::format(" (P{})", priority),
           e.waiting_count == 1 ? "" : fmt::format(" and {} more", e.waiting_count - 1));
     }},
    // What was not touched for long sinks by the factors above; this one lifts it again, without
    // end.
    {"waiting",
     {"waiting", "waiting for long", "not waiting for long"},
     &Factors::waiting,
     [](const Policy& p, const Evidence& e) {
       const double days = days_between(e.last_activity, e.now);
       return std::pow(std::max(days / p.waiting_days, 1.0), p.waiting_exponent);
     },
     differ<&Evidence::now, &Evidence::last_activity>,
     "How long nothing has happened to it",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("({:.1f} d / {}) ^ {}, at least 1", days_between(e.last_activity, e.now),
                          p.waiting_days, p.waiting_exponent);
     },
     [](const graph::Graph&, const Evidence& e, double) -> std::string {
       return fmt::format("waiting for {}",
                          span_text(std::max<TimeMs>(0, e.now - e.last_activity)));
     }},
};

}  // namespace

std::span<const Factor> factors() { return kFactors; }

double rate(const Policy& policy, double successes, double failures) {
  const double alpha = policy.success_rate_alpha;
  const double beta = policy.success_rate_beta;
  // Without evidence both quotients have the same bits, so the rate is exactly 1.
  const double posterior = (alpha + successes) / (alpha + beta + (successes + failures));
  const double prior = alpha / (alpha + beta);
  return bounded(std::pow(posterior / prior, policy.success_rate_exponent));
}

double general_rate(const Policy& policy, double successes, double failures) {
  return std::max(rate(policy, successes, failures), 1.0);
}

double urgency(const Policy& policy, const Evidence& evidence) {
  constexpr int kOrdinary = 2;
  const int priority = evidence.priority == graph::kNoPriority ? kOrdinary : evidence.priority;
  return std::pow(policy.urgency_base, kOrdinary - priority) *
         (1 + policy.due_weight * lateness(evidence));
}

std::string span_text(TimeMs ms) {
  const double minutes = static_cast<double>(ms) / static_cast<double>(kMsPerMinute);
  if (minutes < 120) return fmt::format("{:.0f} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{:.0f} h", minutes / 60);
  return fmt::format("{:.0f} d", minutes / (24 * 60));
}

void multiply(const Policy& policy, const Evidence& evidence, const Evidence* before, Factors& f) {
  const bool is_test = evidence.is_test != 0;
  f.semantic = is_test ? 0 : semantic(policy, evidence);
  f.structural = is_test ? 0 : evidence.structural;
  f.base = is_test ? policy.test_base
                   : policy.prior + policy.semantic_weight * f.semantic +
                         policy.structural_weight * f.structural;
  f.priority = f.base;
  for (const Factor& factor : kFactors) {
    double& value = f.*factor.value;
    if (is_test && !factor.of_tests) {
      value = 1;
    } else if (before == nullptr || factor.differs(*before, evidence)) {
      value = bounded(factor.of(policy, evidence));
    }
    f.priority *= value;
  }
  f.test_failures = test_failures(policy, evidence);
}

Factors factors_of_new(const Policy& policy, double general, bool is_test) {
  Evidence evidence;
  evidence.created_at = evidence.last_activity = evidence.now;
  evidence.is_test = is_test && policy.test_by_failures ? 1 : 0;
  evidence.general = general;
  evidence.penalised =
      evidence.is_test != 0 ? policy.test_untried_failures : policy.untried_failures;
  Factors result;
  multiply(policy, evidence, nullptr, result);
  return result;
}

}  // namespace hebb::reward
