#include "tests/reward/world.h"

namespace hebb::reward {

using graph::NodeId;

World::World(Policy p) : policy(std::move(p)) { node("frontier", "", 0); }

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
