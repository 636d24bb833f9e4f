// The view of a graph that the ranking reads, and the focus of recent work.
//
// An edge counts only while both its ends exist (created and not deleted; the frontier always does)
// and it is not dormant. Only last_activity also uses dormant edges.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/vectors.h"
#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb::reward {

// Policies by TypeId, so that inner loops need no lookup by name. Has the edge types that were
// interned when it was made or when cover() was last called.
class TypeTable {
 public:
  TypeTable() = default;
  TypeTable(const Policy& policy, const graph::Names& edge_types) { cover(policy, edge_types); }
  // Adds the types that were interned since; O(log types) for each. Precondition: policy and names
  // are the same as before.
  void cover(const Policy& policy, const graph::Names& edge_types) {
    for (std::size_t id = size(); id < edge_types.size(); ++id) {
      const auto type = static_cast<graph::TypeId>(id);
      by_id_.push_back(policy.type(edge_types.name(type)));
      if (by_id_.back().context) contexts_.push_back(type);
    }
  }
  std::size_t size() const { return by_id_.size(); }
  const TypePolicy& operator[](graph::TypeId type) const {  // precondition: type < size()
    assert(type < size());
    return by_id_[type];
  }
  std::span<const graph::TypeId> contexts() const { return contexts_; }  // types with `context`

 private:
  std::vector<TypePolicy> by_id_;
  std::vector<graph::TypeId> contexts_;
};

struct View {
  const graph::Graph& graph;
  const graph::Vectors& vectors;
  const Policy& policy;
  const TypeTable& types;
  graph::NodeId frontier;  // the node "frontier"
};

// The place of a node without a state in the order of filing.
inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

// The focus of recent work: the ranking prefers tasks near it.
struct Focus {
  std::vector<double> vector;     // empty: no semantic term; else as long as the nodes' vectors
  TimeMs anchor = graph::kNever;  // creation of the task completed last; kNever: no time_proximity
  TimeMs completed_at = graph::kNever;  // when that was
  // The policy.order_proximity_tasks nodes completed last, latest first.
  std::vector<graph::NodeId> completed;
  std::vector<graph::NodeId> contexts;  // of the task completed last, by NodeId
  // By NodeId: its place in the order of filing, (created_at, id) over all nodes that exist, have
  // a state and are no tests. Empty where nothing was completed, or the factor is off.
  std::span<const std::uint32_t> filed;
};

}  // namespace hebb::reward
