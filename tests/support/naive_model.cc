#include "tests/support/naive_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace hebb::naive {
namespace {

Ms day_of(Ms t) { return static_cast<Ms>(std::floor(static_cast<double>(t) / kDay)); }

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
  }
  return text;
}

// One of the states with a name of its own, however it is written; else as given.
std::string known(const std::string& state) {
  std::string plain = lower(state);
  std::replace(plain.begin(), plain.end(), '-', '_');
  std::replace(plain.begin(), plain.end(), ' ', '_');
  for (const char* name : {"OPEN", "IN_PROGRESS", "BLOCKED", "DEFERRED", "CLOSED"}) {
    if (plain == lower(name)) return name;
  }
  return state;
}

bool is_over(const std::string& state) {
  std::string plain = lower(state);
  std::replace(plain.begin(), plain.end(), '-', '_');
  std::replace(plain.begin(), plain.end(), ' ', '_');
  const std::set<std::string> over{
      "closed",      "done",      "complete", "completed", "finished", "resolved",   "fixed",
      "merged",      "released",  "shipped",  "cancelled", "canceled", "abandoned",  "rejected",
      "declined",    "wontfix",   "wont_fix", "won't_fix", "wontdo",   "wont_do",    "won't_do",
      "not_planned", "duplicate", "invalid",  "obsolete",  "deleted",  "superseded", "tombstone"};
  return over.contains(plain);
}

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
  if (state) {
    change_state(at, id, *state);
  } else if (node.state.empty() && lower(node.type) == "task") {
    change_state(at, id, "OPEN");
  }
  if (!vector.empty()) node.vector = std::move(vector);
}

void Model::remove(Ms at, const std::string& id) { nodes[id].deleted = at; }

void Model::forget(const std::string& id) {
  nodes.erase(id);
  std::erase_if(
      edges, [&](const auto& edge) { return edge.first.source == id || edge.first.target == id; });
}

void Model::change_state(Ms at, const std::string& id, const std::string& state) {
  Node& node = nodes[id];
  const bool is_new = node.state.empty() && node.created && *node.created >= at;
  const std::string next = known(state);
  const bool left_over = is_over(node.state) && !is_over(next);
  const bool opened = next == "OPEN" && node.state != "OPEN";
  if ((opened || left_over) && !is_new) node.reopened = at;
  node.state = next;
  node.updated = at;
  node.failing = 0;
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
                    std::optional<std::set<std::string>> given,
                    std::optional<std::set<std::string>> given_contexts, std::optional<Ms> took) {
  const bool test = is_test(task);
  const Node& before = nodes[task];
  const bool reopened = before.reopened && before.completed && *before.completed < *before.reopened;
  if (before.completed && !reopened && is_over(before.state) && !test) return;  // it is done once
  const std::set<std::string> own_contexts = given_contexts ? *given_contexts
                                             : test         ? std::set<std::string>()
                                                            : contexts(task, at);
  const bool says_duration =
      kind == Outcome::success || (kind == Outcome::failure && !nodes[task].completed);
  if (took && says_duration) nodes[task].duration = took;
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
    nodes[task].failing = 0;
    const bool is_task = !nodes[task].state.empty() && nodes[task].state != "CLOSED";
    if (rules["close_on_success"] != 0 && is_task && !test) change_state(at, task, "CLOSED");
    if (test) {
      nodes[task].successes = 0;
      // What failed once has more than what never did, for ever.
      const bool had = nodes[task].failures > 0 && rules["test.forgiveness"] > 0;
      nodes[task].failures *= rules["test.forgiveness"];
      if (had && nodes[task].failures == 0) nodes[task].failures = 5e-324;
      nodes[task].tried = nodes[task].outcome = at;
      return;
    }
    fade(nodes[task], at);
    nodes[task].successes =
        std::min(nodes[task].successes + score, rules.of("REWARD_POSITIVE", "cap"));
    nodes[task].failures *= rules["forgiveness"];
  } else if (kind == Outcome::failure) {
    ++nodes[task].failing;
    scale(at, {kFrontier, task, "GUIDES"}, rules["failure_guides_factor"]);
    strengthen(at, {kFrontier, task, "REWARD_NEGATIVE"}, 1);
    for (const auto& c : own_contexts) strengthen(at, {task, c, "REWARD_NEGATIVE"}, 1);
    const std::optional<Ms> last = nodes[task].tried;
    if (test) {
      nodes[task].successes = 0;
      nodes[task].failures = std::min(nodes[task].failures + 1, rules["test.most_failures"]);
      nodes[task].tried = at;
      return;
    }
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

// --- edges and what is near ----------------------------------------------------------------------

bool Model::exists(const std::string& id) const {
  const auto found = nodes.find(id);
  return found != nodes.end() && found->second.created && !found->second.deleted;
}

bool Model::is_open(const std::string& id) const {
  return exists(id) && nodes.at(id).state == "OPEN";
}

bool Model::is_test(const std::string& id) const {
  return rules["test.by_failures"] != 0 && nodes.contains(id) && nodes.at(id).type == "TEST";
}

bool Model::is_unfinished(const std::string& id) const {
  if (!exists(id) || nodes.at(id).state.empty() || is_over(nodes.at(id).state)) return false;
  const Node& node = nodes.at(id);
  const bool succeeded_since =
      node.completed && (!node.reopened || *node.reopened < *node.completed);
  return !succeeded_since;
}

bool Model::may_be_unfinished(const std::string& id) const {
  if (is_unfinished(id)) return true;
  return exists(id) && id != kFrontier && nodes.at(id).type.empty() && nodes.at(id).state.empty();
}

double Model::effective(const EdgeKey& key, Ms now) const {
  const Edge& edge = edges.at(key);
  if (rules.of(key.type, "protected") != 0) return edge.w;
  const double decayed =
      edge.w * std::pow(rules.of(key.type, "decay_per_day"), elapsed(edge.t, stamp_of(now)) / kDay);
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
  return edge.w * std::pow(2, -elapsed(std::min(edge.t, stamp_of(now)), now) / half_life_ms);
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

std::set<std::string> Model::evidence_contexts(const std::string& task, Ms now) const {
  std::set<std::string> found = contexts(task, now);
  std::erase_if(found, [&](const std::string& context) { return !is_evidence(context); });
  return found;
}

bool Model::is_evidence(const std::string& context) const {
  if (rules.label_priority(context)) return rules.is_evidence("priority");
  return rules.is_evidence(nodes.at(context).type);
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
    if (key.type == "PARENT_OF" && is_open(key.target) && !is_test(key.target))
      containers.insert(key.source);
  }
  for (const auto& [key, edge] : edges) {
    if (key.type == "PARENT_OF" && parents.contains(key.source) && counts(key, now)) {
      found.insert(key.target);
    }
  }
  std::vector<std::string> kept;
  for (const auto& id : found) {
    if (is_test(task) || is_test(id)) continue;
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

}  // namespace hebb::naive
