// Which tasks can be taken: the candidates of docs/semantics.md, section 4, and what keeps the
// others from being one. Pure, as the ranking is.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reward/evidence.h"

namespace hebb::reward {

// Exists, and nobody said what it is: it has neither type nor state. It may be unfinished anywhere.
bool is_unknown(const View& view, graph::NodeId n);
// It is unfinished or unknown: whoever depends on it has to wait.
bool may_be_unfinished(const View& view, const Kinds& kinds, graph::NodeId n);

// What keeps a task from being a candidate.
struct Obstacle {
  enum class Kind : std::uint8_t {
    type,       // its type is no work; `node` is itself
    snoozed,    // `node` is itself
    blocks,     // `node` blocks it
    waits_for,  // it waits for `node`, a part of what it waits for or that itself
    part,       // `node` is a part of it, and not finished
    whole,      // it is a part of `node`, whose parts wait with it
  };
  Kind kind;
  graph::NodeId node;
  bool operator==(const Obstacle&) const = default;
};

// As of one view and time, neither of which may change meanwhile. It remembers what it found, so
// that asking for all nodes costs O(nodes + their edges).
class Readiness {
 public:
  Readiness(const View& view, TimeMs now)
      : view_(view),
        kinds_(view.graph),
        blocks_(view.graph.edge_types().find("BLOCKS")),
        now_(now) {}

  bool is_candidate(graph::NodeId n);  // OPEN, exists, is not the frontier, and has no obstacle
  // All obstacles of a node in whatever state, by kind and node, each once.
  std::vector<Obstacle> obstacles(graph::NodeId n);
  // Its parts wait with it: it is unfinished, and BLOCKED, DEFERRED, snoozed, or waiting for
  // something that is no part of it.
  bool holds_parts(graph::NodeId n) const;
  // What it waits for that is no part of it, by an edge; empty if it is finished.
  std::vector<graph::NodeId> awaited_outside(graph::NodeId n) const;

 private:
  enum class Above : std::uint8_t { looked_at, free, holds };
  template <class Visit>
  bool each_awaited(graph::NodeId n, Visit visit) const;  // false: a visit returned false
  template <class Visit>
  bool each_awaited_by(graph::EdgeId e, Visit visit) const;
  bool has_part_to_do(graph::NodeId n) const;
  bool waits_with_whole(graph::NodeId n);
  bool is_part_of(graph::NodeId n, graph::NodeId whole) const;
  bool is_work(graph::NodeId n);

  const View view_;
  const Kinds kinds_;
  const std::optional<graph::TypeId> blocks_;
  const TimeMs now_;
  std::vector<std::uint8_t> work_;  // by the id of a node's type: 0 not looked at, 1 it is, 2 not
  std::unordered_map<graph::NodeId, Above> above_;  // of wholes: whether they or theirs hold parts
};

}  // namespace hebb::reward
