// The golden path: section 4 of docs/semantics.md. Pure: same view and time, same bits, whatever
// the order in which nodes and edges were added (sums are taken on a grid, see exact_sum.h).
//
// An edge counts only while both its ends exist (created and not deleted; the frontier always does)
// and it is not dormant. Only last_activity also uses dormant edges.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
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
  void cover(const Policy& policy, const graph::Names& edge_types);
  std::size_t size() const { return by_id_.size(); }
  const TypePolicy& operator[](graph::TypeId type) const;  // precondition: type < size()
  std::span<const graph::TypeId> contexts() const { return contexts_; }  // types with `context`

 private:
  std::vector<TypePolicy> by_id_;
  std::vector<graph::TypeId> contexts_;
};

// The place of a node without a state in the order of filing.
inline constexpr std::uint32_t kNotFiled = std::numeric_limits<std::uint32_t>::max();

struct View {
  const graph::Graph& graph;
  const graph::Vectors& vectors;
  const Policy& policy;
  const TypeTable& types;
  graph::NodeId frontier;  // the node "frontier"
};

// What recent work was about: the ranking prefers tasks near it.
struct Focus {
  std::vector<double> vector;     // empty: no semantic term; else as long as the nodes' vectors
  TimeMs anchor = graph::kNever;  // creation of the task completed last; kNever: no time_proximity
  // The policy.order_proximity_tasks nodes completed last, latest first.
  std::vector<graph::NodeId> completed;
  std::vector<graph::NodeId> contexts;  // of the task completed last, by NodeId
  // What the contexts of the candidates say of a task that has none: see general_rate(). Absent: it
  // is made where it is needed, which takes O(nodes + edges of candidates and their contexts).
  std::optional<double> general = {};
  // By NodeId: its place in the order of filing, (created_at, id) over all nodes that exist, have
  // a state and are no tests. Empty where nothing was completed, or the factor is off.
  std::span<const std::uint32_t> filed;
  std::shared_ptr<const void> filed_memory;  // keeps `filed`, where nobody else does
};
// The policy.frontier_tasks nodes with the latest completed_at (ties: smaller id text first) that
// exist and are no tests. O(nodes).
std::vector<graph::NodeId> completed_last(const View& view);
// Made from the tasks completed last: the mean of their vectors (of those that have one), and the
// contexts of the latest at `now`. O(nodes log nodes); O(nodes) if order_proximity is off or ids
// were given in the order of filing.
Focus focus(const View& view, TimeMs now);

struct Factors {
  double priority = 0;
  double base = 0;
  double semantic = 0;
  double structural = 0;
  double recency = 1;
  double time_proximity = 1;
  double order_proximity = 1;
  double context_overlap = 1;
  double reward = 1;
  double success_rate = 1;
  double failure_penalty = 1;
  double urgency = 1;
};

struct Ranked {
  graph::NodeId node = graph::kNoNode;
  Factors factors;
};

// Whether it can be taken: see readiness.h. For many nodes, ask one Readiness.
bool is_candidate(const View& view, graph::NodeId n, TimeMs now);
// What it waits for by an edge of its own, by NodeId: Obstacle::Kind::blocks and waits_for.
std::vector<graph::NodeId> blockers(const View& view, graph::NodeId n, TimeMs now);
TimeMs last_activity(const View& view, graph::NodeId n);
// The factors of any node, candidate or not. O(its edges and those of its contexts), and what
// Focus::general takes if it is absent.
Factors factors(const View& view, const Focus& focus, graph::NodeId n, TimeMs now);

// Of a task, or of a test, that does not exist yet, made at this moment and without any edge.
Factors factors_of_new(const View& view, const Focus& focus, TimeMs now, bool is_test);

// All candidates, best first: the pinned ones, then by priority; ties: higher base, then older,
// then id.
// O(nodes + edges of candidates and their contexts + candidates log candidates).
std::vector<Ranked> rank(const View& view, const Focus& focus, TimeMs now);
bool better(const graph::Graph& g, const Ranked& a, const Ranked& b);

// As rank(), with the same bits, for ranking often: it reuses its own memory and that of `out`.
// Keeps nothing of a view between calls; not for use by two threads at once.
class Ranker {
 public:
  Ranker();
  ~Ranker();
  Ranker(Ranker&&) noexcept;
  Ranker& operator=(Ranker&&) noexcept;

  void rank(const View& view, const Focus& focus, TimeMs now, std::vector<Ranked>& out);
  // As rank(), without the sorting: by NodeId.
  void score(const View& view, const Focus& focus, TimeMs now, std::vector<Ranked>& out);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace hebb::reward
