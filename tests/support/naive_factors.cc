// The naive model: the factors of a task.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/support/naive_model.h"

namespace hebb::naive {

// How much of what the last completion says is left.
double Model::left_of_focus(const Focus& focus, Ms now) const {
  if (!focus.completed_at) return 0;
  return 1 / (1 + elapsed(*focus.completed_at, now) / kHour / rules["proximity_hours"]);
}

double Model::order_proximity(const Focus& focus, const std::string& id, double failures,
                              Ms now) const {
  std::optional<double> least;
  for (const auto& done : focus.completed) {
    const auto between = filed_between(id, done);
    if (between && (!least || *between < *least)) least = between;
  }
  const double exponent = rules["order_proximity_exponent"] * left_of_focus(focus, now) /
                          (1 + failures / rules["order_proximity_failures"]);
  return least ? std::pow(1 + 10 * std::pow(1 + *least, -0.3), exponent) : 1;
}

double Model::semantic(const Focus& focus, const Node& node) const {
  if (focus.vector.empty() || node.vector.empty()) return 0;
  double squares = 0;
  for (std::size_t i = 0; i < focus.vector.size(); ++i) {
    squares += std::pow(focus.vector[i] - static_cast<double>(node.vector[i]), 2);
  }
  return 1 / (std::sqrt(squares) + rules["semantic_offset"]);
}

Factors Model::factors(const Focus& focus, const std::string& id, Ms now) const {
  const Node& node = nodes.at(id);
  if (is_test(id)) return factors_of_test(id, now);
  const std::set<std::string> own_contexts = evidence_contexts(id, now);
  double structural = 0, r = 0, failures = 0, times_counted = 1;
  for (const auto& [key, edge] : edges) {
    if (key.target != id || !exists(key.source) || !exists(id)) continue;
    if (key.type == "REWARD_NEGATIVE" && key.source == kFrontier) {
      if (const auto at = last_failure(id))
        times_counted = 1 + 4 * std::pow(2, -elapsed(*at, now) / kMinute / 15);
      const bool fades = rules.of(key.type, "protected") == 0;
      const double kept = fades ? rules.of(key.type, "decay_per_day") : 1;
      failures = edge.w * std::pow(kept, elapsed(edge.t, now) / kDay);
    }
    if (!counts(key, now)) continue;
    if (rules.of(key.type, "structural") != 0) structural += effective(key, now);
    if (key.type == "REWARD_POSITIVE")
      r += faded(key, now, rules["reward_half_life_hours"] * kHour);
  }
  const auto [s, u] = outcomes_of(own_contexts, now);
  const bool tried = node.outcome || node.completed ||
                     edges.contains({std::string(kFrontier), id, "REWARD_NEGATIVE"});
  if (!tried && node.created && !node.deleted && rules["untried_failures"] > 0)
    failures = rules["untried_failures"];
  const auto activity = last_activity(id, now);

  Factors f{};
  f.semantic = semantic(focus, node);
  f.structural = structural;
  f.base = rules["prior"] + rules["semantic_weight"] * f.semantic +
           rules["structural_weight"] * structural;
  f.recency = f.age = 1;
  if (activity) {
    const double since_activity = elapsed(*activity, now);
    const double since_creation = node.created ? elapsed(*node.created, now) : 0;
    f.recency = std::pow((1 + since_activity / kMinute) * (1 + since_creation / kMinute),
                         -rules["recency_exponent"]);
    f.age = std::pow(1 + since_activity / kDay / rules["waiting_days"], -rules["age_exponent"]);
  }
  f.time_proximity = 1;
  if (focus.anchor && node.created) {
    const double apart = std::abs(static_cast<double>(*node.created - *focus.anchor)) / kMinute;
    f.time_proximity = std::pow(1 + 10 * std::pow(1 + apart, -0.7),
                                rules["time_proximity_exponent"] * left_of_focus(focus, now));
  }
  f.order_proximity = order_proximity(focus, id, u, now);
  std::vector<std::string> shared;
  std::set_intersection(own_contexts.begin(), own_contexts.end(), focus.contexts.begin(),
                        focus.contexts.end(), std::back_inserter(shared));
  const double both = static_cast<double>(shared.size());
  const double all = static_cast<double>(own_contexts.size() + focus.contexts.size()) - both;
  const bool either_has_none = own_contexts.empty() || focus.contexts.empty();
  f.context_overlap = std::exp(either_has_none ? 0 : rules["context_overlap_weight"] * both / all);
  f.reward = std::exp(rules["reward_weight"] * r / (1 + r));
  Node own = node;
  if (own.tried) own.tried = std::min(*own.tried, stamp_of(now));
  fade(own, now);
  f.attention = attention(s);
  const double own_prior = rules["success_rate_alpha"] + rules["success_rate_beta"];
  const double of_others = own_contexts.empty() ? general_rate(now) : of_labels(s, u);
  f.success_rate = of_others * rate(own_prior, own.successes, own.failures);
  f.failure_penalty = std::pow(rules["failure_penalty"], failures * times_counted);
  f.urgency = urgency(given_priority(id), slack(id, now));
  const Awaited waits = awaited(id, now);
  f.unblocks = std::pow(std::max(waits.urgency / f.urgency, 1.0), rules["unblocks_urgency"]) *
               std::pow(1 + waits.how_many, rules["unblocks_exponent"]);
  f.duration = std::pow(std::max(days_it_takes(id, now), 1.0 / 96), -rules["duration_exponent"]);
  f.tier = tier(id, waits, now);
  f.waiting = 1;
  if (activity) {
    const double times = elapsed(*activity, now) / kDay / rules["waiting_days"];
    f.waiting = std::pow(times > 1 ? times : 1, rules["waiting_exponent"]);
  }
  f.priority = f.base * f.recency * f.age * f.time_proximity * f.order_proximity *
               f.context_overlap * f.reward * f.attention * f.success_rate * f.failure_penalty *
               f.urgency * f.unblocks * f.duration * f.waiting;
  return f;
}

Factors Model::factors_of_test(const std::string& id, Ms now) const {
  const Node& node = nodes.at(id);
  const bool tried = node.outcome || node.completed ||
                     edges.contains({std::string(kFrontier), id, "REWARD_NEGATIVE"});
  double failures = tried ? node.failures : rules["test.untried_failures"];
  if (!exists(id)) failures = 0;
  Factors f{};
  f.base = rules["test.base"];
  f.recency = f.age = f.time_proximity = f.order_proximity = f.context_overlap = f.reward = 1;
  f.attention = f.success_rate = f.unblocks = f.duration = f.waiting = 1;
  f.tier = node.pinned ? 14 : 0;
  const double factor = rules["test.failure_factor"];
  f.failure_penalty = std::pow(factor, failures);
  f.test_failures = factor > 1 ? failures : factor < 1 ? -failures : 0;
  std::optional<double> left;  // a test has no labels
  if (node.due) {
    left = static_cast<double>(*node.due - now) / kDay - known_days(node).value_or(1);
  }
  f.urgency = urgency(given_priority(id), left);
  f.priority = f.base * f.failure_penalty * f.urgency;
  return f;
}

// Whatever waits for it, by steps: each time all nodes are looked at.
Model::Awaited Model::awaited(const std::string& id, Ms now) const {
  Awaited result;
  if (!exists(id)) return result;
  const auto takes = [&](const std::string& n) { return known_days(nodes.at(n)).value_or(1); };
  std::map<std::string, int> steps{{id, 0}};
  std::map<std::string, double> days{{id, takes(id)}};
  std::string most_urgent;
  for (int step = 1; step <= 8; ++step) {
    std::map<std::string, double> found;
    for (const auto& [other, node] : nodes) {
      if (steps.contains(other) || !is_unfinished(other)) continue;
      if (node.state == "DEFERRED" || is_snoozed(other, now)) continue;
      for (const auto& blocker : blockers(other, now)) {
        const auto met = steps.find(blocker);
        if (met == steps.end() || met->second != step - 1) continue;
        found[other] = std::max(found[other], days.at(blocker) + takes(other));
      }
    }
    const double counts = std::pow(rules["unblocks_decay"], step - 1);
    for (const auto& [other, after] : found) {
      steps[other] = step;
      days[other] = after;
      result.how_many += counts;
      std::optional<double> left;
      if (const auto due = nodes.at(other).due)
        left = static_cast<double>(*due - static_cast<Ms>(after * kDay) - now) / kDay;
      const double urgent = counts * urgency(given_priority(other), left);
      result.presses = std::max(result.presses,
                                presses(given_priority(other), left, own_activity(other, now), now));
      result.priority = std::min(result.priority, given_priority(other).value_or(2));
      if (!most_urgent.empty() &&
          (urgent < result.urgency || (urgent == result.urgency && other > most_urgent)))
        continue;
      most_urgent = other;
      result.urgency = urgent;
    }
  }
  return result;
}

int Model::tier(const std::string& id, const Awaited& awaited, Ms now) const {
  const Node& node = nodes.at(id);
  if (node.pinned) return 14;
  const auto failure = last_failure(id);
  const bool just_failed = failure && exists(id) && elapsed(*failure, now) < kDay;
  std::optional<Ms> active = last_activity(id, now);
  for (const auto& [key, edge] : edges) {
    const bool gates =
        key.type == "BLOCKS" || key.type == "WAITS_FOR" || key.type == "WAITS_FOR_ANY";
    if (key.target != id || !gates || !exists(key.source) || !exists(id)) continue;
    if (!is_unfinished(key.source)) active = std::max(active, nodes.at(key.source).completed);
  }
  int most = presses(given_priority(id), slack(id, now), active, now);
  if (awaited.how_many > 0) most = std::max(most, awaited.presses);
  if (just_failed) most = 0;
  if (rules["strict"] == 0) return most == 0 ? 0 : 11 + most;
  int priority = given_priority(id).value_or(2);
  if (awaited.how_many > 0) priority = std::min(priority, awaited.priority);
  return 2 * (5 - priority) + (most > 0 ? 1 : 0);
}

// Absent: none, or it has succeeded since.
std::optional<Ms> Model::last_failure(const std::string& id) const {
  const auto failure = edges.find({std::string(kFrontier), id, "REWARD_NEGATIVE"});
  const Node& node = nodes.at(id);
  if (failure == edges.end()) return std::nullopt;
  if (!node.tried) return failure->second.t;  // by a link
  if (node.completed && *node.completed >= *node.tried) return std::nullopt;
  return std::min(*node.tried, failure->second.t);
}

int Model::presses(std::optional<int> priority, std::optional<double> slack,
                   std::optional<Ms> activity, Ms now) const {
  const double lately = rules["pressing_days"];
  const bool is_late = slack && *slack <= 0;
  const bool is_active = activity && elapsed(*activity, now) / kDay <= lately;
  const bool does = (is_late && *slack >= -lately) || ((priority == 0 || is_late) && is_active);
  if (lately == 0 || !does) return 0;
  return priority == 0 ? 2 : 1;
}

// Successes and failures of tasks that have these labels.
std::pair<double, double> Model::outcomes_of(const std::set<std::string>& of, Ms now) const {
  double s = 0, u = 0;
  for (const auto& [key, edge] : edges) {
    if (!exists(key.source) || !exists(key.target) || !of.contains(key.target)) continue;
    if (is_test(key.source) || !was_given_context(key.source, key.target)) continue;
    const double kept = std::pow(2, -elapsed(std::min(edge.t, stamp_of(now)), now) /
                                        rules["evidence_half_life_days"] / kDay);
    if (key.type == "REWARD_POSITIVE") s += edge.w * kept;
    if (key.type == "REWARD_NEGATIVE") u += std::sqrt(edge.w) * kept;
  }
  return {s, u};
}

double Model::general_rate(Ms now) const {
  std::set<std::string> met;
  for (const auto& [id, node] : nodes) {
    if (is_candidate(id, now) && !is_test(id)) met.merge(evidence_contexts(id, now));
  }
  const auto [s, u] = outcomes_of(met, now);
  return std::max(attention(s) * of_labels(s, u), 1.0);
}

double Model::attention(double successes) const {
  const double a = rules["success_rate_alpha"], b = rules["success_rate_beta"];
  return std::pow((a + successes) / (a + b + successes) / (a / (a + b)),
                  rules["attention_exponent"]);
}

double Model::rate(double k, double successes, double failures) const {
  const double a = rules["success_rate_alpha"], b = rules["success_rate_beta"];
  const double r = a / (a + b);
  return std::pow((k * r + successes) / (k + successes + failures) / r,
                  rules["success_rate_exponent"]);
}

// The rate, so that it and the attention together stay within their bounds.
double Model::of_labels(double successes, double failures) const {
  const double least = rules["success_rate_floor"];
  const double rated = rate(rules["success_rate_prior"], successes, failures);
  if (least == 0) return rated;
  const double both = attention(successes) * rated;
  return std::min(std::max(both, least), 1 / least) / attention(successes);
}

// As people say, else as its last success took.
std::optional<double> Model::known_days(const Node& node) const {
  if (node.estimate && *node.estimate > 0) return static_cast<double>(*node.estimate) / kDay;
  if (node.completed && node.duration && *node.duration > 0)
    return static_cast<double>(*node.duration) / kDay;
  return std::nullopt;
}

std::optional<double> Model::days_of_labels(const std::set<std::string>& of) const {
  double logs = 0, count = 0;
  for (const auto& [key, edge] : edges) {
    if (!exists(key.source) || is_test(key.source) || !of.contains(key.target)) continue;
    if (key.source == key.target || rules.of(key.type, "context") == 0) continue;
    if (key.source == kFrontier || nodes.at(key.source).state.empty()) continue;
    const auto days = known_days(nodes.at(key.source));
    if (!days) continue;
    logs += std::log(std::max(*days, 1.0 / 96));
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::exp(logs / count);
}

std::optional<double> Model::usual_days() const {
  double logs = 0, count = 0;
  for (const auto& [id, node] : nodes) {
    const auto days = known_days(node);
    if (id == kFrontier || !exists(id) || node.state.empty() || is_test(id) || !days) continue;
    logs += std::log(std::max(*days, 1.0 / 96));
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::exp(logs / count);
}

double Model::days_it_takes(const std::string& id, Ms now) const {
  if (const auto days = known_days(nodes.at(id))) return *days;
  if (const auto days = days_of_labels(evidence_contexts(id, now))) return *days;
  return usual_days().value_or(1);
}

std::optional<double> Model::slack(const std::string& id, Ms now) const {
  const auto& due = nodes.at(id).due;
  if (!due) return std::nullopt;
  return static_cast<double>(*due - now) / kDay - days_it_takes(id, now);
}

std::optional<int> Model::given_priority(const std::string& id) const {
  if (nodes.at(id).priority) return nodes.at(id).priority;
  std::optional<int> said;
  for (const auto& [key, edge] : edges) {
    if (key.source != id || key.type != "LABELED_AS" || !exists(key.target)) continue;
    const auto by = rules.label_priority(key.target);
    if (by) said = std::min(said.value_or(*by), *by);
  }
  return said;
}

double Model::urgency(std::optional<int> priority, std::optional<double> slack) const {
  double added = 0;
  if (slack) added = std::pow(2, -std::max(*slack, 0.0) * 24 / rules["due_hours"]);
  return std::pow(rules["urgency_base"], 2 - priority.value_or(2)) *
         (1 + rules["due_weight"] * added);
}

}  // namespace hebb::naive
