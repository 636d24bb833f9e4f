// The naive model: which tasks are candidates, and in which order.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "tests/support/naive_model.h"

namespace hebb::naive {

// The parts that stand directly below it.
std::set<std::string> Model::parts(const std::string& id) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    const bool both = exists(key.source) && exists(key.target);
    if (key.type == "PARENT_OF" && key.source == id && key.target != id && both)
      found.insert(key.target);
  }
  return found;
}

// It and all below it.
std::set<std::string> Model::tree(const std::string& id) const {
  std::set<std::string> found{id};
  for (std::size_t size = 0; size != found.size();) {
    size = found.size();
    std::set<std::string> below;
    for (const auto& n : found) below.merge(parts(n));
    found.merge(below);
  }
  return found;
}

// By edges that block, and by those that say to wait for the parts of a node.
std::set<std::string> Model::blockers(const std::string& id, Ms now) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    if (key.target != id || !counts(key, now)) continue;
    if (key.type == "BLOCKS" && may_be_unfinished(key.source)) found.insert(key.source);
    if (key.type != "WAITS_FOR" && key.type != "WAITS_FOR_ANY") continue;
    std::set<std::string> open, over;
    for (const auto& part : parts(key.source)) {
      if (part == id) continue;
      if (may_be_unfinished(part)) {
        open.insert(part);
      } else if (!nodes.at(part).state.empty()) {
        over.insert(part);
      }
    }
    if (open.empty() && over.empty() && may_be_unfinished(key.source)) open.insert(key.source);
    if (key.type == "WAITS_FOR" || over.empty()) found.merge(open);
  }
  return found;
}

bool Model::is_snoozed(const std::string& id, Ms now) const {
  return nodes.at(id).snoozed && *nodes.at(id).snoozed > now;
}

bool Model::holds_parts(const std::string& id, Ms now) const {
  if (!is_unfinished(id)) return false;
  const std::string& state = nodes.at(id).state;
  if (state == "BLOCKED" || state == "DEFERRED" || is_snoozed(id, now)) return true;
  const std::set<std::string> own = tree(id);
  for (const auto& other : blockers(id, now)) {
    if (!own.contains(other)) return true;
  }
  return false;
}

bool Model::is_candidate(const std::string& id, Ms now) const {
  if (id == kFrontier || !is_open(id) || is_snoozed(id, now) || !blockers(id, now).empty())
    return false;
  if (rules.is_no_work(nodes.at(id).type)) return false;
  if (rules["attempts"] > 0 && nodes.at(id).failing >= rules["attempts"] && !is_test(id))
    return false;
  for (const auto& part : parts(id)) {
    const EdgeKey block{id, part, "BLOCKS"};
    const bool waits_for_it = edges.contains(block) && counts(block, now);
    if (may_be_unfinished(part) && !waits_for_it) return false;
  }
  // Up from part to whole, as far as these are unfinished.
  std::set<std::string> above{id};
  for (std::size_t size = 0; size != above.size();) {
    size = above.size();
    for (const auto& [key, edge] : edges) {
      const bool is_whole = key.type == "PARENT_OF" && above.contains(key.target) &&
                            exists(key.target) && is_unfinished(key.source);
      if (!is_whole) continue;
      if (holds_parts(key.source, now)) return false;
      above.insert(key.source);
    }
  }
  return true;
}

std::vector<std::string> Model::completed_last() const {
  std::vector<std::string> done;
  for (const auto& [id, node] : nodes) {
    if (exists(id) && node.completed && !is_test(id)) done.push_back(id);
  }
  std::stable_sort(done.begin(), done.end(), [&](const auto& a, const auto& b) {
    return *nodes.at(a).completed > *nodes.at(b).completed;
  });
  return done;
}

Focus Model::focus(Ms now) const {
  const std::vector<std::string> done = completed_last();
  Focus result;
  if (done.empty()) return result;
  result.anchor = nodes.at(done.front()).created;
  result.contexts = contexts(done.front(), now);
  for (std::size_t i = 0;
       i < done.size() && static_cast<double>(i) < rules["order_proximity_tasks"]; ++i) {
    result.completed.push_back(done[i]);
  }
  std::vector<std::vector<float>> vectors;
  for (std::size_t i = 0; i < done.size() && static_cast<double>(i) < rules["frontier_tasks"];
       ++i) {
    const auto& vector = nodes.at(done[i]).vector;
    if (!vector.empty()) vectors.push_back(vector);
  }
  if (vectors.empty()) return result;
  for (std::size_t i = 0; i < vectors.front().size(); ++i) {
    double sum = 0;
    for (const auto& vector : vectors) sum += static_cast<double>(vector[i]);
    result.vector.push_back(sum / static_cast<double>(vectors.size()));
  }
  return result;
}

std::optional<Ms> Model::last_activity(const std::string& id) const {
  const Node& node = nodes.at(id);
  // An absent time is less than any other.
  std::optional<Ms> last = std::max({node.created, node.reopened, node.outcome});
  for (const auto& [key, edge] : edges) {
    if (!exists(key.source) || !exists(key.target)) continue;
    const bool inbound = key.target == id && (key.type == "CROSS_REFERENCES" ||
                                              key.type == "RESOLVES" || key.type == "PARENT_OF");
    const bool outbound = key.source == id && key.type == "LABELED_AS";
    if (inbound || outbound) last = std::max(last, std::optional<Ms>(edge.t));
  }
  return last;
}

// Tasks filed after one of them and before the other.
std::optional<double> Model::filed_between(const std::string& a, const std::string& b) const {
  const auto is_filed = [&](const std::string& id) {
    return id != kFrontier && exists(id) && !nodes.at(id).state.empty() && !is_test(id);
  };
  if (!is_filed(a) || !is_filed(b)) return std::nullopt;
  const auto place = [&](const std::string& id) { return std::pair(*nodes.at(id).created, id); };
  const auto [first, last] = std::minmax({place(a), place(b)});
  double between = 0;
  for (const auto& [id, node] : nodes) {
    if (is_filed(id) && first < place(id) && place(id) < last) ++between;
  }
  return between;
}

double Model::order_proximity(const Focus& focus, const std::string& id, double failures) const {
  std::optional<double> least;
  for (const auto& done : focus.completed) {
    const auto between = filed_between(id, done);
    if (between && (!least || *between < *least)) least = between;
  }
  const double exponent =
      rules["order_proximity_exponent"] / (1 + failures / rules["order_proximity_failures"]);
  return least ? std::pow(1 + *least, -exponent) : 1;
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
  const std::set<std::string> own_contexts = contexts(id, now);
  double structural = 0, r = 0, s = 0, u = 0, failures = 0;
  for (const auto& [key, edge] : edges) {
    if (!counts(key, now)) continue;
    if (key.target == id) {
      if (rules.of(key.type, "structural") != 0) structural += effective(key, now);
      if (key.type == "REWARD_POSITIVE") {
        r += faded(key, now, rules["reward_half_life_hours"] * kHour);
      }
      if (key.type == "REWARD_NEGATIVE" && key.source == kFrontier) failures = effective(key, now);
    }
    if (own_contexts.contains(key.target) && !is_test(key.source) &&
        was_given_context(key.source, key.target)) {
      const double evidence = faded(key, now, rules["evidence_half_life_days"] * kDay);
      if (key.type == "REWARD_POSITIVE") s += evidence;
      if (key.type == "REWARD_NEGATIVE") u += evidence;
    }
  }
  const bool tried = node.outcome || node.completed ||
                     edges.contains({std::string(kFrontier), id, "REWARD_NEGATIVE"});
  if (!tried && node.created && !node.deleted && rules["untried_failures"] > 0)
    failures = rules["untried_failures"];
  const auto activity = last_activity(id);

  Factors f{};
  f.semantic = semantic(focus, node);
  f.structural = structural;
  f.base = rules["prior"] + rules["semantic_weight"] * f.semantic +
           rules["structural_weight"] * structural;
  f.recency =
      activity ? std::pow(1 + elapsed(*activity, now) / kMinute, -rules["recency_exponent"]) : 1;
  f.time_proximity = 1;
  if (focus.anchor && node.created) {
    const double apart = std::abs(static_cast<double>(*node.created - *focus.anchor)) / kMinute;
    f.time_proximity = std::pow(1 + apart, -rules["time_proximity_exponent"]);
  }
  f.order_proximity = order_proximity(focus, id, u);
  std::vector<std::string> shared;
  std::set_intersection(own_contexts.begin(), own_contexts.end(), focus.contexts.begin(),
                        focus.contexts.end(), std::back_inserter(shared));
  const double both = static_cast<double>(shared.size());
  const double all = static_cast<double>(own_contexts.size() + focus.contexts.size()) - both;
  const bool either_has_none = own_contexts.empty() || focus.contexts.empty();
  f.context_overlap = std::exp(either_has_none ? 0 : rules["context_overlap_weight"] * both / all);
  f.reward = std::exp(rules["reward_weight"] * r / (1 + r));
  Node own = node;
  fade(own, now);
  const double of_others =
      own_contexts.empty() ? general_rate(now) : std::max(rules["success_rate_floor"], rate(s, u));
  f.success_rate = of_others * rate(own.successes, own.failures);
  f.failure_penalty = std::pow(rules["failure_penalty"], failures);
  f.urgency = urgency(id, node.due, now);
  f.unblocks = unblocks(id, now);
  f.waiting = 1;
  if (activity) {
    const double times = elapsed(*activity, now) / kDay / rules["waiting_days"];
    f.waiting = std::pow(times > 1 ? times : 1, rules["waiting_exponent"]);
  }
  f.priority = f.base * f.recency * f.time_proximity * f.order_proximity * f.context_overlap *
               f.reward * f.success_rate * f.failure_penalty * f.urgency * f.unblocks * f.waiting;
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
  f.recency = f.time_proximity = f.order_proximity = f.context_overlap = f.reward = 1;
  f.success_rate = f.unblocks = f.waiting = 1;
  const double factor = rules["test.failure_factor"];
  f.failure_penalty = std::pow(factor, failures);
  f.test_failures = factor > 1 ? failures : factor < 1 ? -failures : 0;
  f.urgency = urgency(id, node.due, now);
  f.priority = f.base * f.failure_penalty * f.urgency;
  return f;
}

// Whatever waits for it, by steps: each time all nodes are looked at.
double Model::unblocks(const std::string& id, Ms now) const {
  if (!exists(id)) return 1;
  std::map<std::string, int> steps{{id, 0}};
  std::map<std::string, double> days{{id, 0}};
  double waiting = 0, most = 0;
  for (int step = 1; step <= 8; ++step) {
    std::map<std::string, double> found;
    for (const auto& [other, node] : nodes) {
      if (steps.contains(other) || !is_unfinished(other)) continue;
      if (node.state == "DEFERRED" || is_snoozed(other, now)) continue;
      for (const auto& blocker : blockers(other, now)) {
        const auto met = steps.find(blocker);
        if (met == steps.end() || met->second != step - 1) continue;
        const double own = node.estimate ? static_cast<double>(*node.estimate) / kDay : 1;
        found[other] = std::max(found[other], days.at(blocker) + own);
      }
    }
    const double counts = std::pow(rules["unblocks_decay"], step - 1);
    for (const auto& [other, after] : found) {
      steps[other] = step;
      days[other] = after;
      std::optional<Ms> due = nodes.at(other).due;
      if (due) *due -= static_cast<Ms>(after * kDay);
      waiting += counts;
      most = std::max(most, counts * urgency(other, due, now));
    }
  }
  const double more = most / urgency(id, nodes.at(id).due, now);
  return std::pow(more > 1 ? more : 1, rules["unblocks_urgency"]) *
         std::pow(1 + waiting, rules["unblocks_exponent"]);
}

double Model::general_rate(Ms now) const {
  std::set<std::string> met;
  for (const auto& [id, node] : nodes) {
    if (is_candidate(id, now) && !is_test(id)) met.merge(contexts(id, now));
  }
  double s = 0, u = 0;
  for (const auto& [key, edge] : edges) {
    if (!counts(key, now) || !met.contains(key.target)) continue;
    if (is_test(key.source) || !was_given_context(key.source, key.target)) continue;
    const double evidence = faded(key, now, rules["evidence_half_life_days"] * kDay);
    if (key.type == "REWARD_POSITIVE") s += evidence;
    if (key.type == "REWARD_NEGATIVE") u += evidence;
  }
  return std::max(rate(s, u), 1.0);
}

double Model::rate(double successes, double failures) const {
  const double a = rules["success_rate_alpha"], b = rules["success_rate_beta"];
  return std::pow(((a + successes) / (a + b + successes + failures)) / (a / (a + b)),
                  rules["success_rate_exponent"]);
}

std::optional<int> Model::said_priority(const std::string& id) const {
  if (nodes.at(id).priority) return nodes.at(id).priority;
  std::optional<int> said;
  for (const auto& [key, edge] : edges) {
    if (key.source != id || key.type != "LABELED_AS" || !exists(key.target)) continue;
    const auto by = rules.label_priority(key.target);
    if (by) said = std::min(said.value_or(*by), *by);
  }
  return said;
}

double Model::urgency(const std::string& id, std::optional<Ms> due, Ms now) const {
  double d = 0;
  if (due) {
    const double late = static_cast<double>(now - *due) / kDay;
    if (late >= -14) d = 0.2 + 0.8 * std::min((late + 14) / 21, 1.0);
  }
  return std::pow(rules["urgency_base"], 2 - said_priority(id).value_or(2)) *
         (1 + rules["due_weight"] * d);
}

std::vector<std::string> Model::ranking(const Focus& focus, Ms now) const {
  // Ascending by what is best first: pinned, priority, base and failures negated, then the
  // duration, where it is known and the last outcome was no failure, then age, then id.
  std::vector<std::tuple<bool, double, double, double, bool, Ms, Ms, std::string>> places;
  for (const auto& [id, node] : nodes) {
    if (!is_candidate(id, now)) continue;
    const Factors f = factors(focus, id, now);
    const bool failed = std::abs(f.test_failures) >= 1;
    places.emplace_back(!node.pinned, -f.priority, -f.base, -f.test_failures,
                        !failed && !node.duration, failed ? 0 : node.duration.value_or(0),
                        *node.created, id);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::string> ids;
  for (const auto& place : places) ids.push_back(std::get<std::string>(place));
  return ids;
}

}  // namespace hebb::naive
