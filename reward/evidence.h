// Reads the graph for the factors: each inbound edge of a candidate once, each context once.
//
// What counts: an edge between two nodes that exist (created, not deleted) that is not dormant.
// The frontier always exists. Only last_activity also heeds dormant edges: what happened, happened.
#pragma once

#include <cstdint>
#include <vector>

#include "reward/exact_sum.h"
#include "reward/factors.h"
#include "reward/ranking.h"

namespace hebb::reward {

// Ids of the names that the formulas speak of. A name not interned yet equals no id.
struct Kinds {
  explicit Kinds(const graph::Graph& g);

  std::uint32_t open;  // a state; the others are edge types
  std::uint32_t reward_positive, reward_negative, blocks, guides;
  std::uint32_t cross_references, resolves, parent_of, labeled_as;
};

bool exists(const View& view, graph::NodeId n);
bool is_open(const View& view, const Kinds& kinds, graph::NodeId n);  // and exists

// The effective weight of an edge that counts; 0 of one that does not.
double counting_weight(const View& view, graph::EdgeId e, TimeMs now);

// The contexts of a task, by NodeId, without repeats: targets of its context edges that count,
// other than itself and the frontier.
void contexts(const View& view, graph::NodeId task, TimeMs now,
              std::vector<graph::NodeId>& targets);

// w * 2^(-elapsed / half-life): how outcomes fade as evidence.
double faded(const View& view, graph::EdgeId e, TimeMs now, double half_life_ms);

// What was learned about a context from outcomes of its tasks: of the nodes that have a context
// edge to it, dormant or not. A reward from any other node says nothing about it.
struct ContextEvidence {
  ExactSum successes, failures;
};
ContextEvidence context_evidence(const View& view, const Kinds& kinds, graph::NodeId context,
                                 TimeMs now);

// Remembers the evidence of contexts at one instant, so that candidates that share a context read
// it once; its memory serves the next instant.
class ContextCache {
 public:
  void begin(graph::NodeId node_bound);  // forgets what is remembered, in O(1) after the first time
  const ContextEvidence& get(const View& view, const Kinds& kinds, graph::NodeId context,
                             TimeMs now);

  std::vector<graph::NodeId> targets;  // scratch of gather()

 private:
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> round_of_;  // by NodeId: the round in which by_node_ was filled
  std::vector<ContextEvidence> by_node_;
};

// Tasks filed between the two; negative: the order does not know one of them.
double filed_between(const Focus& focus, graph::NodeId n, graph::NodeId done);
// What gather() finds about any node, candidate or not.
Evidence evidence_of(const View& view, const Focus& focus, graph::NodeId n, TimeMs now);

enum class Gate { respect, ignore };

// False, and `out` unfinished, if the gate is respected and something blocks n. Without a cache
// (nullptr) nothing of the graph's size is allocated.
bool gather(const View& view, const Kinds& kinds, const Focus& focus, graph::NodeId n, TimeMs now,
            Gate gate, ContextCache* cache, Evidence& out);

}  // namespace hebb::reward
