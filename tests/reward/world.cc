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
