#include "reward/factors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace hebb::reward {

namespace {

double minutes_between(TimeMs from, TimeMs to) {
  return ms_between(from, to) / static_cast<double>(kMsPerMinute);
}

// All failures of a task count five times just after the last, so that another task is tried first.
double times_counted(const Evidence& e) {
  constexpr double kMore = 4, kHalfLifeMinutes = 15;
  if (e.is_test != 0 || e.failed_at == graph::kNever) return 1;
  return 1 + kMore * std::exp2(-minutes_between(e.failed_at, e.now) / kHalfLifeMinutes);
}

double semantic(const Policy& policy, const Evidence& evidence) {
  return evidence.distance < 0 ? 0.0 : 1.0 / (evidence.distance + policy.semantic_offset);
}

double minutes_apart(const Evidence& evidence) {
  const double apart = ms_between(evidence.anchor, evidence.created_at) +
                       ms_between(evidence.created_at, evidence.anchor);  // one of the two is 0
  return apart / static_cast<double>(kMsPerMinute);
}

// The share of closeness to the last completion that is left: it fades as that recedes.
double guidance(const Policy& p, const Evidence& e) {
  const double hours = ms_between(e.completed_at, e.now) / static_cast<double>(kMsPerHour);
  return 1 / (1 + hours / p.proximity_hours);
}

double order_exponent(const Policy& p, const Evidence& e) {
  return p.order_proximity_exponent * guidance(p, e) /
         (1.0 + e.failures / p.order_proximity_failures);
}

// How much more urgent than itself the tasks are that wait for it, at least 1.
double more_urgent(const Policy& policy, const Evidence& evidence) {
  return std::max(awaited_urgency(policy, evidence) / urgency(policy, evidence), 1.0);
}

std::string rate_text(const Policy& p, double k, double successes, double failures) {
  const double r = base_rate(p);
  return fmt::format("(({0} * {1:.4g} + {2:.4g}) / ({0} + {2:.4g} + {3:.4g}) / {1:.4g}) ^ {4:.4g}",
                     k, r, successes, failures, p.success_rate_exponent);
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

bool takes_otherwise(const Evidence& a, const Evidence& b) {
  return days_it_takes(a) != days_it_takes(b);
}

// Whether priority or due date differ, or the time left until it.
bool says_otherwise(const Evidence& a, const Evidence& b) {
  return differ<&Evidence::priority, &Evidence::due_at>(a, b) ||
         (b.due_at != graph::kNever && (a.now != b.now || takes_otherwise(a, b)));
}

// The priority or the due date, whichever raises the task, or lowers it.
std::string urgency_words(const Evidence& e, double strength) {
  const bool is_due = e.due_at != graph::kNever, is_set = e.priority != graph::kNoPriority;
  std::vector<std::string> words;
  if (is_set && (!is_due || (strength > 0) == (e.priority <= kOrdinaryPriority)))
    words.push_back(fmt::format("P{}", e.priority));
  if (is_due && (strength > 0 || !is_set)) {
    const TimeMs left = e.due_at - e.now;
    words.push_back(left < 0 ? fmt::format("late by {}", span_text(-left))
                             : fmt::format("due in {}{}", span_text(left),
                                           slack_ms(e) > 0 ? "" : " with no time to spare"));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

constexpr bool kAgainstMean = true, kAlsoOfTests = true;

constexpr Factor kFactors[] = {
    // A task that was touched recently is likely to be worked on next.
    {"recency",
     {"recency", "active lately", "quiet for long"},
     &Factors::recency,
     [](const Policy& p, const Evidence& e) {
       return std::pow((1.0 + minutes_between(e.last_activity, e.now)) *
                           (1.0 + minutes_between(e.created_at, e.now)),
                       -p.recency_exponent);
     },
     differ<&Evidence::now, &Evidence::last_activity, &Evidence::created_at>,
     "How lately something happened to it, and how lately it was created",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("((1 + {:.1f} min) * (1 + {:.1f} min)) ^ -{:.4g}",
                          minutes_between(e.last_activity, e.now),
                          minutes_between(e.created_at, e.now), p.recency_exponent);
     },
     [](const graph::Graph&, const Evidence& e, double strength) {
       const std::string ago = span_text(std::max<TimeMs>(0, e.now - e.last_activity));
       return strength > 0 ? fmt::format("active {} ago", ago) : fmt::format("quiet for {}", ago);
     },
     kAgainstMean},
    // A task that nobody has touched for weeks is seldom next.
    {"age",
     {"age", "not old", "quiet for weeks"},
     &Factors::age,
     [](const Policy& p, const Evidence& e) {
       return std::pow(1.0 + days_between(e.last_activity, e.now) / p.waiting_days,
                       -p.age_exponent);
     },
     differ<&Evidence::now, &Evidence::last_activity>,
     "For how many weeks nothing has happened to it",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("(1 + {:.1f} d / {}) ^ -{:.4g}", days_between(e.last_activity, e.now),
                          p.waiting_days, p.age_exponent);
     },
     [](const graph::Graph&, const Evidence&, double) -> std::string { return {}; },
     kAgainstMean},
    // Tasks created together tend to be completed together.
    {"time_proximity",
     {"creation time", "created close to the task completed last",
      "created long before or after the task completed last"},
     &Factors::time_proximity,
     [](const Policy& p, const Evidence& e) {
       return std::exp(p.time_proximity_exponent * guidance(p, e) * e.near_in_time);
     },
     differ<&Evidence::now, &Evidence::near_in_time, &Evidence::completed_at>,
     "How near in time it was created to the task completed last",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (e.anchor == graph::kNever) return "nothing was completed yet";
       return fmt::format("(1 + 10 * (1 + {:.1f} min) ^ -0.7) ^ ({:.4g} * {:.4g})",
                          minutes_apart(e), p.time_proximity_exponent, guidance(p, e));
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
       return std::exp(order_exponent(p, e) * e.near_in_order);
     },
     differ<&Evidence::now, &Evidence::completed_at, &Evidence::near_in_order, &Evidence::failures>,
     "How few tasks were created between it and those completed lately",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (p.order_proximity_exponent == 0) return "off";
       if (e.filed_between < 0) return "nothing was completed yet";
       return fmt::format(
           "(1 + 10 * (1 + {} created between) ^ -0.3) ^ ({:.4g} * {:.4g} / (1 + "
           "{:.4g} failures / {}))",
           e.filed_between, p.order_proximity_exponent, guidance(p, e), e.failures,
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
       return fmt::format("exp({:.4g} * {:.4g})", p.context_overlap_weight, e.overlap);
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
    // Labels of which tasks succeeded lately are being worked on.
    {"attention",
     {"attention", "labels worked on lately", "labels not worked on lately"},
     &Factors::attention,
     [](const Policy& p, const Evidence& e) { return attention(p, e.successes); },
     differ<&Evidence::successes>,
     "How much its labels are worked on",
     [](const Policy& p, const Evidence& e) {
       const double a = p.success_rate_alpha, b = p.success_rate_beta;
       return fmt::format("(({0} + {2:.4g}) / ({1} + {2:.4g}) / {3:.4g}) ^ {4:.4g}", a, a + b,
                          e.successes, a / (a + b), p.attention_exponent);
     },
     nullptr,
     kAgainstMean},
    // How likely a task is to succeed, relative to the base rate: from the outcomes of tasks of its
    // contexts, or of all contexts if it has none, and from its own. What contexts say, here and by
    // `attention`, is bounded both ways. Its own failures are bounded by their cap only.
    {"success_rate",
     {"success rate", "successes in its labels", "failures in its labels"},
     &Factors::success_rate,
     [](const Policy& p, const Evidence& e) {
       return of_labels(p, e) * e.general * own_rate(p, e.own_successes, e.own_failures);
     },
     differ<&Evidence::successes, &Evidence::failures, &Evidence::general, &Evidence::own_successes,
            &Evidence::own_failures>,
     "How often it succeeds, and tasks with its labels",
     [](const Policy& p, const Evidence& e) {
       std::string text = rate_text(p, p.success_rate_prior, e.successes, e.failures);
       if (of_labels(p, e) != rate(p, e.successes, e.failures))
         text = fmt::format("{:.4g}, the bound of what labels say", of_labels(p, e));
       if (e.general != 1) text = fmt::format("{:.4g}", e.general);
       if (e.own_successes + e.own_failures > 0)
         text += " * " + rate_text(p, own_prior(p), e.own_successes, e.own_failures);
       return text;
     }},
    // A multiplication, so that k failures lower a task by the same factor whatever its base is.
    {"failure_penalty",
     {"own failures", "failed before, or not tried yet", "failed before"},
     &Factors::failure_penalty,
     [](const Policy& p, const Evidence& e) {
       return std::pow(e.is_test != 0 ? p.test_failure_factor : p.failure_penalty,
                       e.penalised * times_counted(e));
     },
     [](const Evidence& a, const Evidence& b) {
       return differ<&Evidence::failed_at, &Evidence::penalised>(a, b) ||
              (b.penalised != 0 && a.now != b.now);
     },
     "The effect of its own failures",
     [](const Policy& p, const Evidence& e) {
       const double base = e.is_test != 0 ? p.test_failure_factor : p.failure_penalty;
       const double times = times_counted(e);
       if (times < 1.01 || e.penalised == 0) return fmt::format("{} ^ {:.4g}", base, e.penalised);
       return fmt::format("{} ^ ({:.4g} * {:.4g})", base, e.penalised, times);
     },
     nullptr,
     !kAgainstMean,
     kAlsoOfTests},
    // The priority and the due date that people set.
    {"urgency",
     {"urgency", "urgent, or due soon", "not urgent"},
     &Factors::urgency,
     urgency,
     says_otherwise,
     "What people set: how urgent it is, and when it is due",
     [](const Policy& p, const Evidence& e) -> std::string {
       std::vector<std::string> parts;
       if (e.priority != graph::kNoPriority)
         parts.push_back(fmt::format("{:.4g} ^ (2 - {})", p.urgency_base, e.priority));
       if (e.due_at != graph::kNever)
         parts.push_back(fmt::format("(1 + {} * 2 ^ -({:.4g} h of slack / {}))", p.due_weight,
                                     std::max(slack_ms(e), 0.0) / kMsPerHour, p.due_hours));
       if (parts.empty()) return "no priority and no date set";
       return fmt::format("{}", fmt::join(parts, " * "));
     },
     [](const graph::Graph&, const Evidence& e, double strength) {
       return urgency_words(e, strength);
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
     [](const Evidence& a, const Evidence& b) {
       return differ<&Evidence::waiting, &Evidence::awaited_weight, &Evidence::awaited_due,
                     &Evidence::awaited_priority>(a, b) ||
              (b.waiting_count > 0 && (a.now != b.now || says_otherwise(a, b)));
     },
     "What waits for it: how urgent that is, and how much",
     [](const Policy& p, const Evidence& e) -> std::string {
       if (e.waiting_count == 0) return "nothing waits for it";
       return fmt::format("{:.4g} ^ {} * (1 + {:.4g}) ^ {}", more_urgent(p, e), p.unblocks_urgency,
                          e.waiting, p.unblocks_exponent);
     },
     [](const graph::Graph& g, const Evidence& e, double) -> std::string {
       if (e.waiting_count == 0) return {};
       const std::int64_t priority = e.awaited_by_priority;
       return fmt::format(
           "unblocks {}{}{}", g.id(e.awaited_by),
           priority == graph::kNoPriority ? "" : fmt::format(" (P{})", priority),
           e.waiting_count == 1 ? "" : fmt::format(" and {} more", e.waiting_count - 1));
     }},
    // Of tasks of equal worth the shorter goes first.
    {"duration",
     {"duration", "short", "long"},
     &Factors::duration,
     [](const Policy& p, const Evidence& e) {
       return std::pow(std::max(days_it_takes(e), kLeastDays), -p.duration_exponent);
     },
     takes_otherwise,
     "How long it takes",
     [](const Policy& p, const Evidence& e) {
       return fmt::format("({:.4g} d{}) ^ -{}", std::max(days_it_takes(e), kLeastDays),
                          e.own_days > 0     ? ""
                          : e.label_days > 0 ? " by its labels"
                          : e.usual_days > 0 ? " as other tasks"
                                             : " as nothing is known",
                          p.duration_exponent);
     },
     [](const graph::Graph&, const Evidence& e, double) -> std::string {
       if (e.own_days <= 0 && e.label_days <= 0 && e.usual_days <= 0) return {};  // not known
       return fmt::format("{} {}{}", e.own_days > 0 ? "takes" : "probably takes",
                          span_text(static_cast<TimeMs>(days_it_takes(e) * kMsPerDay)),
                          e.own_days > 0 || e.label_days > 0 ? "" : " as others do");
     },
     kAgainstMean},
    // A task that nobody touched for long sinks by the factors above; this one lifts it again,
    // without end.
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

void set_near(Evidence& e) {
  e.near_in_time = e.near_in_order = 0;
  if (e.anchor != graph::kNever)
    e.near_in_time = std::log(1.0 + 10.0 * std::pow(1.0 + minutes_apart(e), -0.7));
  if (e.filed_between >= 0)
    e.near_in_order = std::log(1.0 + 10.0 * std::pow(1.0 + e.filed_between, -0.3));
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
      value = bounded(factor.compute(policy, evidence));
    }
    f.priority *= value;
  }
  f.tier = tier(policy, evidence);
  f.test_failures = test_failures(policy, evidence);
}

Factors factors_of_new(const Policy& policy, double general, double usual_days, bool is_test) {
  Evidence evidence;
  evidence.created_at = evidence.last_activity = evidence.now;
  evidence.is_test = is_test && policy.test_by_failures ? 1 : 0;
  evidence.general = general;
  evidence.usual_days = usual_days;
  evidence.penalised =
      evidence.is_test != 0 ? policy.test_untried_failures : policy.untried_failures;
  Factors result;
  multiply(policy, evidence, nullptr, result);
  return result;
}

}  // namespace hebb::reward
