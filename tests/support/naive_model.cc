#include "tests/support/naive_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace hebb::naive {
namespace {

constexpr double kMinute = 60e3;
constexpr double kHour = 3600e3;
constexpr double kDay = 86400e3;
const std::string kFrontier = "frontier";

double elapsed(Ms from, Ms to) { return to > from ? static_cast<double>(to - from) : 0.0; }

Ms day_of(Ms t) { return static_cast<Ms>(std::floor(static_cast<double>(t) / kDay)); }

}  // namespace

Model::Model() {
  nodes[kFrontier].type = "SYSTEM_ANCHOR";
  nodes[kFrontier].created = 0;
}

// --- events --------------------------------------------------------------------------------------

void Model::upsert(Ms at, const std::string& id, std::optional<std::string> type,
                   std::optional<std::string> state, std::vector<float> vector) {
  Node& node = nodes[id];
  if (!node.created) node.created = at;
  node.deleted.reset();
  node.updated = at;
  if (type) node.type = *type;
  if (state) change_state(at, id, *state);
  if (!vector.empty()) node.vector = std::move(vector);
}

void Model::remove(Ms at, const std::string& id) { nodes[id].deleted = at; }

void Model::change_state(Ms at, const std::string& id, const std::string& state) {
  Node& node = nodes[id];
  const bool is_new = node.state.empty() && *node.created >= at;
  if (state == "OPEN" && node.state != "OPEN" && !is_new) node.reopened = at;
  node.state = state;
  node.updated = at;
}

void Model::link(Ms at, const EdgeKey& key, double x) {
  const bool asleep = edges.contains(key) && dormant(key, at);
  strengthen(at, key, x);
  if (!asleep) return;
  Edge& edge = edges[key];
  edge.w = std::max(edge.w, std::min(x, rules.of(key.type, "cap")));
}

void Model::strengthen(Ms at, const EdgeKey& key, double x) {
  const double cap = rules.of(key.type, "cap");
  if (!edges.contains(key)) {
    edges[key] = {std::min(x, cap), at, 0};
    return;
  }
  Edge& edge = edges[key];
  const double before = effective(key, at);
  const double today = day_of(edge.t) == day_of(at) ? edge.gained : 0;
  const double allowed = rules.of(key.type, "max_gain_per_day") - today;
  const double gain =
      std::max(0.0, std::min({rules.of(key.type, "rate") * x, cap - before, allowed}));
  edge = {std::min(before + gain, cap), at, today + gain};
}

void Model::unlink(const EdgeKey& key) { edges.erase(key); }

void Model::scale(Ms at, const EdgeKey& key, double m) {
  if (!edges.contains(key)) return;
  Edge& edge = edges[key];
  const double today = day_of(edge.t) == day_of(at) ? edge.gained : 0;
  edge = {effective(key, at) * m, at, today};
}

void Model::pivot(Ms at, const std::string& target, double weight) {
  if (!nodes.contains(target) || !nodes[target].created) {
    nodes[target].type = "CONTEXT_NODE";
    nodes[target].created = at;
    nodes[target].updated = at;
  }
  const EdgeKey pivot{kFrontier, target, "STRATEGIC_PIVOT"};
  for (const auto& entry : edges) {
    const EdgeKey& key = entry.first;
    if (key.source != kFrontier || key == pivot || rules.of(key.type, "protected") != 0) continue;
    scale(at, key, rules["pivot_factor"]);
  }
  const Edge before = edges.contains(pivot) ? edges[pivot] : Edge{0, at, 0};
  edges[pivot] = {std::min(weight, rules.of(pivot.type, "cap")), at,
                  day_of(before.t) == day_of(at) ? before.gained : 0};
}

void Model::outcome(Ms at, const std::string& task, Outcome kind, double score,
                    std::optional<std::set<std::string>> given) {
  const std::set<std::string> own_contexts = contexts(task, at);
  if (kind == Outcome::success) {
    std::set<std::string> rewarded = own_contexts;
    if (given) {
      rewarded.insert(given->begin(), given->end());
    } else {
      for (const auto& r : related(task, at)) rewarded.insert(r);
    }
    rewarded.erase(task);
    rewarded.erase(kFrontier);
    for (const auto& r : rewarded) strengthen(at, {task, r, "REWARD_POSITIVE"}, score);
    scale(at, {kFrontier, task, "REWARD_NEGATIVE"}, rules["forgiveness"]);
    nodes[task].completed = at;
    const bool is_task = !nodes[task].state.empty() && nodes[task].state != "CLOSED";
    if (rules["close_on_success"] != 0 && is_task) change_state(at, task, "CLOSED");
    fade(nodes[task], at);
    nodes[task].successes =
        std::min(nodes[task].successes + score, rules.of("REWARD_POSITIVE", "cap"));
    nodes[task].failures *= rules["forgiveness"];
  } else if (kind == Outcome::failure) {
    scale(at, {kFrontier, task, "GUIDES"}, rules["failure_guides_factor"]);
    strengthen(at, {kFrontier, task, "REWARD_NEGATIVE"}, 1);
    for (const auto& c : own_contexts) strengthen(at, {task, c, "REWARD_NEGATIVE"}, 1);
    const std::optional<Ms> last = nodes[task].tried;
    fade(nodes[task], at);
    if (last) {
      const double kept =
          std::pow(rules.of("REWARD_NEGATIVE", "decay_per_day"), elapsed(*last, at) / kDay);
      nodes[task].failures =
          std::min(nodes[task].failures + 1 - kept, rules.of("REWARD_NEGATIVE", "cap"));
    }
  }
  if (kind != Outcome::failure) nodes[task].outcome = at;
}

void Model::fade(Node& node, Ms at) const {
  if (node.tried) {
    const double days = elapsed(*node.tried, at) / kDay;
    const double kept = std::pow(0.5, days / rules["evidence_half_life_days"]);
    node.successes *= kept;
    node.failures *= kept;
  }
  node.tried = at;
}

void Model::recalibrate(Ms at) {
  if (recalibrated == at) return;
  recalibrated = at;
  const Focus near = focus(at);
  std::vector<std::string> best = ranking(near, at);
  best.resize(std::min(best.size(), static_cast<std::size_t>(rules["top_k"])));
  std::map<std::string, double> x;
  double largest = 0;
  for (const auto& id : best) largest = std::max(largest, factors(near, id, at).priority);
  for (const auto& id : best) {
    x[id] = factors(near, id, at).priority / (rules["guides_relative"] != 0 ? largest : 1);
  }
  for (const auto& [id, strength] : x) {
    if (strength > 0) strengthen(at, {kFrontier, id, "GUIDES"}, strength);
  }
}

// --- edges and what is near ----------------------------------------------------------------------

bool Model::exists(const std::string& id) const {
  const auto found = nodes.find(id);
  return found != nodes.end() && found->second.created && !found->second.deleted;
}

bool Model::is_open(const std::string& id) const {
  return exists(id) && nodes.at(id).state == "OPEN";
}

double Model::effective(const EdgeKey& key, Ms now) const {
  const Edge& edge = edges.at(key);
  if (rules.of(key.type, "protected") != 0) return edge.w;
  const double decayed =
      edge.w * std::pow(rules.of(key.type, "decay_per_day"), elapsed(edge.t, now) / kDay);
  return std::max(decayed, std::min(edge.w, rules.of(key.type, "floor")));
}

bool Model::dormant(const EdgeKey& key, Ms now) const {
  if (rules.of(key.type, "protected") != 0) return false;
  return effective(key, now) < rules.of(key.type, "dormant_below");
}

bool Model::counts(const EdgeKey& key, Ms now) const {
  return exists(key.source) && exists(key.target) && !dormant(key, now);
}

double Model::faded(const EdgeKey& key, Ms now, double half_life_ms) const {
  const Edge& edge = edges.at(key);
  return edge.w * std::pow(2, -elapsed(edge.t, now) / half_life_ms);
}

std::set<std::string> Model::contexts(const std::string& task, Ms now) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    if (key.target == task || key.target == kFrontier) continue;
    if (key.source == task && rules.of(key.type, "context") != 0 && counts(key, now)) {
      found.insert(key.target);
    }
  }
  return found;
}

bool Model::was_given_context(const std::string& task, const std::string& context) const {
  if (task == context) return false;
  for (const auto& [key, edge] : edges) {
    if (key.source != task || key.target != context) continue;
    if (rules.of(key.type, "context") != 0) return true;
  }
  return false;
}

std::vector<std::string> Model::related(const std::string& task, Ms now) const {
  const std::set<std::string> not_over{"BLOCKS", "GUIDES", "REWARD_POSITIVE", "REWARD_NEGATIVE"};
  std::set<std::string> found, parents, containers;
  for (const auto& [key, edge] : edges) {
    if (!counts(key, now)) continue;
    if (!not_over.contains(key.type)) {
      if (key.source == task) found.insert(key.target);
      if (key.target == task) found.insert(key.source);
    }
    if (key.type == "PARENT_OF" && key.target == task) parents.insert(key.source);
    if (key.type == "PARENT_OF" && is_open(key.target)) containers.insert(key.source);
  }
  for (const auto& [key, edge] : edges) {
    if (key.type == "PARENT_OF" && parents.contains(key.source) && counts(key, now)) {
      found.insert(key.target);
    }
  }
  std::vector<std::string> kept;
  for (const auto& id : found) {
    if (is_open(id) && id != task && id != kFrontier && !containers.contains(id)) {
      kept.push_back(id);
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [&](const auto& a, const auto& b) {
    return *nodes.at(a).created > *nodes.at(b).created;
  });
  kept.resize(std::min(kept.size(), static_cast<std::size_t>(rules["max_related"])));
  return kept;
}

// --- ranking -------------------------------------------------------------------------------------

std::set<std::string> Model::blockers(const std::string& id, Ms now) const {
  std::set<std::string> found;
  for (const auto& [key, edge] : edges) {
    if (key.type == "BLOCKS" && key.target == id && is_open(key.source) && counts(key, now)) {
      found.insert(key.source);
    }
  }
  return found;
}

bool Model::is_candidate(const std::string& id, Ms now) const {
  if (id == kFrontier || !is_open(id) || !blockers(id, now).empty()) return false;
  return !nodes.at(id).snoozed || *nodes.at(id).snoozed <= now;
}

std::vector<std::string> Model::completed_last() const {
  std::vector<std::string> done;
  for (const auto& [id, node] : nodes) {
    if (exists(id) && node.completed) done.push_back(id);
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
    return id != kFrontier && exists(id) && !nodes.at(id).state.empty();
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
    if (own_contexts.contains(key.target) && was_given_context(key.source, key.target)) {
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
  f.success_rate =
      std::max(rules["success_rate_floor"], rate(s, u)) * rate(own.successes, own.failures);
  f.failure_penalty = std::pow(rules["failure_penalty"], failures);
  f.urgency = urgency(node, now);
  f.priority = f.base * f.recency * f.time_proximity * f.order_proximity * f.context_overlap *
               f.reward * f.success_rate * f.failure_penalty * f.urgency;
  return f;
}

double Model::rate(double successes, double failures) const {
  const double a = rules["success_rate_alpha"], b = rules["success_rate_beta"];
  return std::pow(((a + successes) / (a + b + successes + failures)) / (a / (a + b)),
                  rules["success_rate_exponent"]);
}

double Model::urgency(const Node& node, Ms now) const {
  double d = 0;
  if (node.due) {
    const double late = static_cast<double>(now - *node.due) / kDay;
    if (late >= -14) d = 0.2 + 0.8 * std::min((late + 14) / 21, 1.0);
  }
  return std::pow(rules["urgency_base"], 2 - node.priority.value_or(2)) *
         (1 + rules["due_weight"] * d);
}

std::vector<std::string> Model::ranking(const Focus& focus, Ms now) const {
  // Ascending by what is best first: pinned, priority and base negated, then age, then id.
  std::vector<std::tuple<bool, double, double, Ms, std::string>> places;
  for (const auto& [id, node] : nodes) {
    if (!is_candidate(id, now)) continue;
    const Factors f = factors(focus, id, now);
    places.emplace_back(!node.pinned, -f.priority, -f.base, *node.created, id);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::string> ids;
  for (const auto& place : places) ids.push_back(std::get<4>(place));
  return ids;
}

}  // namespace hebb::naive
