// Reads the graph for the factors: each inbound edge of a candidate once, each context once.
//
// An edge counts if both its nodes exist (created, not deleted) and it is not dormant. The frontier
// always exists. Only last_activity also uses dormant edges: the activity did take place.
#pragma once

#include <cstdint>
#include <vector>

#include "reward/exact_sum.h"
#include "reward/factors.h"
#include "reward/ranking.h"

namespace hebb::reward {

// Ids of the names that the formulas use. A name that is not interned yet equals no id.
struct Kinds {
  explicit Kinds(const graph::Graph& g);

  std::uint32_t open;  // a state; the others are edge types
  std::uint32_t reward_positive, reward_negative, blocks, guides;
  std::uint32_t cross_references, resolves, parent_of, labeled_as;
};

bool exists(const View& view, graph::NodeId n);
bool is_open(const View& view, const Kinds& kinds, graph::NodeId n);  // and exists
bool is_snoozed(const View& view, graph::NodeId n, TimeMs now);

// The effective weight of an edge if it counts, else 0.
double counting_weight(const View& view, graph::EdgeId e, TimeMs now);

// The contexts of a task, by NodeId, without repeats: targets of its context edges that count,
// other than itself and the frontier.
void contexts(const View& view, graph::NodeId task, TimeMs now,
              std::vector<graph::NodeId>& targets);

// w * 2^(-elapsed / half-life): how outcomes fade as evidence.
double faded(const View& view, graph::EdgeId e, TimeMs now, double half_life_ms);

// Evidence about a context, from the outcomes of its tasks: the nodes that have a context edge to
// it, dormant or not. Rewards from other nodes are not used.
struct ContextEvidence {
  ExactSum successes, failures;
};
ContextEvidence context_evidence(const View& view, const Kinds& kinds, graph::NodeId context,
                                 TimeMs now);

// Caches the evidence of contexts at one time, so that it is read once for all candidates that
// share a context. The memory is reused for the next time.
class ContextCache {
 public:
  void begin(graph::NodeId node_bound);  // clears the cache, in O(1) after the first time
  const ContextEvidence& get(const View& view, const Kinds& kinds, graph::NodeId context,
                             TimeMs now);

  std::vector<graph::NodeId> targets;  // scratch of gather()

 private:
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> round_of_;  // by NodeId: the round in which by_node_ was filled
  std::vector<ContextEvidence> by_node_;
};

// It has had no outcome of any kind. O(its inbound edges).
bool untried(const View& view, const Kinds& kinds, graph::NodeId n);

// The number of tasks filed between the two; negative: one of them is not in the order.
double filed_between(const Focus& focus, graph::NodeId n, graph::NodeId done);
// As gather(), for any node, candidate or not.
Evidence evidence_of(const View& view, const Focus& focus, graph::NodeId n, TimeMs now);

enum class Gate { respect, ignore };

// False, and `out` incomplete, if the gate is respected and something blocks n. Without a cache
// (nullptr) it allocates nothing of the graph's size.
bool gather(const View& view, const Kinds& kinds, const Focus& focus, graph::NodeId n, TimeMs now,
            Gate gate, ContextCache* cache, Evidence& out);

}  // namespace hebb::reward
