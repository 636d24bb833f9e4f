// The golden path: section 4 of docs/semantics.md. Pure: same view and time, same bits, whatever
// the order in which nodes and edges were added (sums are taken on a grid, see exact_sum.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/vectors.h"
#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb::reward {

// Policies by TypeId, so that inner loops look nothing up by name.
class TypeTable {
 public:
  TypeTable() = default;
  TypeTable(const Policy& policy, const graph::Names& edge_types);  // covers ids below edge_types.size()
  const TypePolicy& operator[](graph::TypeId type) const;

 private:
  std::vector<TypePolicy> by_id_;
};

struct View {
  const graph::Graph& graph;
  const graph::Vectors& vectors;
  const Policy& policy;
  const TypeTable& types;
  graph::NodeId frontier;  // the node "frontier"
};

// What the ranking is near to.
struct Focus {
  std::vector<double> vector;           // empty: no semantic term
  TimeMs anchor = graph::kNever;        // creation of the task completed last; kNever: no locality
};
// The policy.frontier_tasks nodes with the latest completed_at (ties: smaller id first), not deleted.
std::vector<graph::NodeId> completed_last(const View& view);
Focus focus(const View& view);  // from completed_last(): plain mean of those vectors that exist

struct Factors {
  double priority = 0;
  double base = 0;
  double semantic = 0;
  double structural = 0;
  double recency = 1;
  double locality = 1;
  double reward = 1;
  double expectancy = 1;
  double restraint = 1;
};

struct Ranked {
  graph::NodeId node = graph::kNoNode;
  Factors factors;
};

bool is_candidate(const View& view, graph::NodeId n, TimeMs now);
std::vector<graph::NodeId> blockers(const View& view, graph::NodeId n, TimeMs now);  // OPEN nodes that block n
TimeMs last_activity(const View& view, graph::NodeId n);
Factors factors(const View& view, const Focus& focus, graph::NodeId n, TimeMs now);

// All candidates, best first; ties: higher base, then older, then id.
std::vector<Ranked> rank(const View& view, const Focus& focus, TimeMs now);
bool better(const graph::Graph& g, const Ranked& a, const Ranked& b);

}  // namespace hebb::reward
