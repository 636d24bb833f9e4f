#include "tests/reward/world.h"

#include <algorithm>

namespace hebb::reward {

using graph::kNever;
using graph::NodeId;

World::World(Policy p) : policy(std::move(p)) { node("frontier", "", 0); }

World::World(const naive::Model& model, Policy p, std::uint64_t shuffle) : policy(std::move(p)) {
  std::mt19937_64 order(shuffle);
  std::vector<std::string> names;
  for (const auto& [id, n] : model.nodes) names.push_back(id);
  std::shuffle(names.begin(), names.end(), order);
  for (const auto& id : names) {
    const naive::Node& from = model.nodes.at(id);
    const NodeId n = node(id, from.state, from.created.value_or(kNever), from.vector);
    graph::NodeColumns& c = g.nodes();
    c.type[n] = g.node_types().intern(from.type);
    c.updated_at[n] = from.updated.value_or(kNever);
    c.reopened_at[n] = from.reopened.value_or(kNever);
    c.outcome_at[n] = from.outcome.value_or(kNever);
    c.completed_at[n] = from.completed.value_or(kNever);
    c.deleted_at[n] = from.deleted.value_or(kNever);
    c.successes[n] = from.successes;
    c.failures[n] = from.failures;
    c.tried_at[n] = from.tried.value_or(kNever);
    c.priority[n] = static_cast<std::int8_t>(from.priority.value_or(graph::kNoPriority));
    c.due_at[n] = from.due.value_or(kNever);
    c.estimate[n] = from.estimate.value_or(kNever);
    c.snoozed_until[n] = from.snoozed.value_or(kNever);
    c.pinned[n] = from.pinned;
  }
  std::vector<naive::EdgeKey> keys;
  for (const auto& [key, e] : model.edges) keys.push_back(key);
  std::shuffle(keys.begin(), keys.end(), order);
  for (const auto& key : keys) {
    const naive::Edge& from = model.edges.at(key);
    edge(key.source, key.target, key.type, from.w, from.t);
  }
}

NodeId World::node(const std::string& id, const std::string& state, TimeMs created,
                   std::vector<float> vector) {
  const NodeId n = g.find_node(id) ? at(id) : g.add_node(id);
  g.nodes().type[n] = g.node_types().intern("ANY");
  g.nodes().state[n] = g.states().intern(state);
  g.nodes().created_at[n] = created;
  g.nodes().updated_at[n] = created;
  if (!vector.empty()) vectors.set(n, vector);
  return n;
}

NodeId World::at(const std::string& id) const { return g.find_node(id).value(); }

void World::edge(const std::string& source, const std::string& target, const std::string& type,
                 double weight, TimeMs touched) {
  const graph::TypeId t = g.edge_types().intern(type);
  auto e = g.find_edge(at(source), at(target), t);
  if (!e) e = g.add_edge(at(source), at(target), t);
  g.edges().weight[*e] = weight;
  g.edges().touched_at[*e] = touched;
}

void World::complete(const std::string& id, TimeMs when) {
  const NodeId n = at(id);
  g.nodes().state[n] = g.states().intern("CLOSED");
  g.nodes().completed_at[n] = when;
  g.nodes().outcome_at[n] = when;
}

void World::strengthen(const std::string& source, const std::string& target,
                       const std::string& type, double x, TimeMs when) {
  const graph::TypeId t = g.edge_types().intern(type);
  const auto found = g.find_edge(at(source), at(target), t);
  const auto e = found ? *found : g.add_edge(at(source), at(target), t);
  graph::EdgeColumns& c = g.edges();
  Weight w{c.weight[e], c.touched_at[e], c.gained[e]};
  if (found) {
    reinforce(policy.type(type), w, x, when);
  } else {
    w = create(policy.type(type), x, when);
  }
  c.weight[e] = w.w;
  c.touched_at[e] = w.t;
  c.gained[e] = w.gained;
}

void World::succeed(const std::string& task, const std::vector<std::string>& rewarded,
                    TimeMs when) {
  for (const auto& r : rewarded) strengthen(task, r, "REWARD_POSITIVE", 1, when);
  try_task(task, [&](OwnOutcomes& own) { add_success(policy, own, 1, when); });
  complete(task, when);
}

void World::fail(const std::string& task, TimeMs when) {
  const auto guides = g.edge_types().find("GUIDES");
  const auto e = guides ? g.find_edge(at("frontier"), at(task), *guides) : std::nullopt;
  if (e) {
    graph::EdgeColumns& c = g.edges();
    Weight w{c.weight[*e], c.touched_at[*e], c.gained[*e]};
    scale(policy.type("GUIDES"), w, policy.failure_guides_factor, when);
    c.weight[*e] = w.w;
    c.touched_at[*e] = w.t;
  }
  strengthen("frontier", task, "REWARD_NEGATIVE", 1, when);
  for (const NodeId c : contexts(view(), at(task), when)) {
    strengthen(task, std::string(g.id(c)), "REWARD_NEGATIVE", 1, when);
  }
  try_task(task, [&](OwnOutcomes& own) { add_failure(policy, own, when); });
}

void World::try_task(const std::string& task, const std::function<void(OwnOutcomes&)>& outcome) {
  graph::NodeColumns& c = g.nodes();
  const NodeId n = at(task);
  OwnOutcomes own{c.successes[n], c.failures[n], c.tried_at[n]};
  outcome(own);
  c.successes[n] = own.successes;
  c.failures[n] = own.failures;
  c.tried_at[n] = own.at;
}

View World::view() const {
  types_ = TypeTable(policy, g.edge_types());
  return {g, vectors, policy, types_, at("frontier")};
}

Factors World::factors(const std::string& id, TimeMs now) const {
  return reward::factors(view(), at(id), now);
}

std::vector<std::string> World::ids(const std::vector<NodeId>& nodes) const {
  std::vector<std::string> result;
  for (const NodeId n : nodes) result.emplace_back(g.id(n));
  return result;
}

std::vector<std::string> World::ranking(TimeMs now) const {
  const View v = view();
  std::vector<NodeId> nodes;
  for (const Ranked& r : rank(v, now)) nodes.push_back(r.node);
  return ids(nodes);
}

}  // namespace hebb::reward
