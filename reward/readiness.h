// Which tasks can be taken (docs/ranking.md, What can be done now), and what keeps the
// others from being one. Pure, as the ranking is.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reward/evidence.h"

namespace hebb::reward {

// Exists with neither type nor state: it was only named, and may be unfinished elsewhere.
bool is_unknown(const View& view, graph::NodeId n);
// Whether it is unfinished or unknown, so that whatever depends on it has to wait.
bool may_be_unfinished(const View& view, const KnownNames& kinds, graph::NodeId n);

// How many steps away something still counts as waiting for a task.
inline constexpr int kWaitingFar = 8;

// A reason why a task is no candidate.
struct Obstacle {
  enum class Kind : std::uint8_t {
    type,       // its type is no work; `node` is itself
    snoozed,    // `node` is itself
    failing,    // it failed so often that it waits for a person; `node` is itself
    blocks,     // `node` blocks it
    waits_for,  // it waits for `node`, or for a whole that `node` is a part of
    part,       // `node` is a part of it, and not finished
    whole,      // it is a part of `node`, whose parts wait with it
    parts_of,   // it waits for all unfinished parts of `node`, of which it is none
  };
  Kind kind;
  graph::NodeId node;
  bool operator==(const Obstacle&) const = default;
};

// As of one view and its times, none of which may change meanwhile. It remembers what it found, so
// that asking whether each node is a candidate costs O(nodes + their edges).
class Readiness {
 public:
  Readiness(const View& view, Times times)
      : view_(view),
        kinds_(view.graph),
        blocks_(view.graph.edge_types().find("BLOCKS")),
        parent_of_(view.graph.edge_types().find("PARENT_OF")),
        times_(times) {}

  const Times& times() const { return times_; }
  bool is_candidate(graph::NodeId n);  // OPEN, exists, is not the frontier, and has no obstacle
  // All obstacles of a node in whatever state, by kind and node, each once; none is of the kind
  // parts_of: each part is listed by itself.
  std::vector<Obstacle> obstacles(graph::NodeId n) { return find_obstacles(n, false); }
  // obstacles(), with parts_of in place of such parts: no more than the node has edges and parts.
  std::vector<Obstacle> obstacles_in_short(graph::NodeId n) { return find_obstacles(n, true); }
  const std::vector<graph::NodeId>& unfinished_parts(graph::NodeId n) {
    return parts_of(n).unfinished;
  }
  // Its parts wait with it: it is unfinished, and BLOCKED, DEFERRED, snoozed, or waiting for
  // something that is no part of it.
  bool holds_parts(graph::NodeId n);
  // The nodes that it waits for by an edge and that are no part of it; empty if it is finished.
  std::vector<graph::NodeId> awaited_outside(graph::NodeId n);
  // The unfinished nodes that wait for an unfinished one by an edge, or because it is a part of
  // what they wait for; not those that are put off themselves (DEFERRED or snoozed). By NodeId.
  std::vector<graph::NodeId> waiting_for(graph::NodeId n);
  bool is_awaited(graph::NodeId n) const;  // something waits for it, or for its parts, by an edge
  // All nodes whose waiting_for(), repeated up to `steps` times, may reach one of `nodes`. Some
  // that cannot are among them, too.
  std::vector<graph::NodeId> upstream(std::vector<graph::NodeId> nodes, int steps);

 private:
  enum class Above : std::uint8_t { looked_at, free, holds };
  struct Parts {
    std::vector<graph::NodeId> unfinished;  // or unknown
    std::size_t finished = 0;
  };
  const Parts& parts_of(graph::NodeId n);
  // What the target of an edge has to wait for because of it: the source (blocks, waits_for), or
  // all unfinished parts of the source but the target itself (parts_of).
  std::optional<Obstacle::Kind> awaited_by(graph::EdgeId e);
  template <class Visit>
  bool each_awaited(graph::NodeId n, Visit visit);  // false: a visit returned false
  std::vector<Obstacle> find_obstacles(graph::NodeId n, bool in_short);
  bool has_part_to_do(graph::NodeId n) const;
  bool waits_with_whole(graph::NodeId n);
  const std::vector<graph::NodeId>& waiting_for_parts_of(graph::NodeId whole);
  bool waits_for(graph::TypeId type) const {
    return type == kinds_.waits_for || type == kinds_.waits_for_any;
  }
  bool is_part(graph::NodeId n, graph::NodeId whole) const;     // by an edge
  bool is_part_of(graph::NodeId n, graph::NodeId whole) const;  // by edges, or n == whole
  bool is_work(graph::NodeId n);
  bool is_failing(graph::NodeId n) const;

  const View view_;
  const KnownNames kinds_;
  const std::optional<graph::TypeId> blocks_, parent_of_;
  const Times times_;
  std::vector<std::uint8_t> work_;  // by the id of a node's type: 0 not looked at, 1 it is, 2 not
  std::unordered_map<graph::NodeId, Parts> parts_;
  std::unordered_map<graph::NodeId, Above> above_;  // of wholes: whether they or theirs hold parts
  std::unordered_map<graph::NodeId, std::vector<graph::NodeId>> waiting_for_parts_;  // of wholes
};

// Whether it can be taken. For many nodes, ask one Readiness.
bool is_candidate(const View& view, graph::NodeId n, Times times);
// The nodes that it waits for by an edge of its own, by NodeId: Obstacle::Kind::blocks and
// waits_for.
std::vector<graph::NodeId> blockers(const View& view, graph::NodeId n, Times times);

}  // namespace hebb::reward
