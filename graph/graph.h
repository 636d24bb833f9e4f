// A directed multigraph of named nodes and typed edges, kept as flat arrays.
//
// Topology is private and changes only through add/remove. The columns (the data of nodes and
// edges) are plain arrays indexed by NodeId and EdgeId that the graph's owner may read and write.
// An edge is unique by (source, target, type). Ids are stable until remove_nodes(); the id of a
// removed edge is reused later.
// The class models Boost.Graph's VertexList, EdgeList and Bidirectional concepts (graph/bgl.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "graph/adjacency.h"
#include "graph/column.h"
#include "graph/id_index.h"
#include "graph/names.h"
#include "graph/texts.h"

namespace hebb::graph {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;  // is also the Boost edge descriptor
using TimeMs = std::int64_t;   // epoch milliseconds, UTC

inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr TimeMs kNever = std::numeric_limits<TimeMs>::min();
inline constexpr std::int8_t kNoPriority = -1;

// The data of nodes. All columns have node_bound() rows; a fresh row holds the default.
struct NodeColumns {
  Column<TypeId> type;          // names: Graph::node_types(); default: "" (0)
  Column<TypeId> state;         // names: Graph::states();     default: "" (0)
  Column<TimeMs> created_at;    // kNever: named by an edge or event, but not (yet) created
  Column<TimeMs> updated_at;    // last upsert or state change
  Column<TimeMs> reopened_at;   // last change of state to OPEN, or from CLOSED to any other
  Column<TimeMs> outcome_at;    // last outcome that was not a failure
  Column<TimeMs> completed_at;  // last success
  Column<TimeMs> deleted_at;    // soft delete; kNever: not deleted
  // Its own outcomes as evidence about it, as they were at tried_at.
  Column<double> successes, failures;
  Column<TimeMs> tried_at;        // last success or failure
  Column<std::uint32_t> failed;   // how many failures there were
  Column<std::uint32_t> failing;  // failures since the last success or set state
  // Set by people.
  Column<std::int8_t> priority;          // 0 (most urgent) to 4, or kNoPriority
  Column<TimeMs> due_at, snoozed_until;  // kNever: not set
  Column<std::uint8_t> pinned;           // 0 or 1
  Column<TimeMs> estimate;               // expected duration, in ms; kNever: not set
  // Measured duration, in ms: of its last success that has one, before its first success of its
  // last failure that has one; kNever: not known.
  Column<TimeMs> duration_ms;
};

// A column of nodes: its name, which the table `node` has, too, and the default.
template <class T>
struct NodeColumn {
  std::string_view name;
  Column<T> NodeColumns::*values;
  T initial;
};

// All of them, in the order in which they are packed: stored, a new one comes last.
inline constexpr auto kNodeColumns = std::tuple{
    NodeColumn<TypeId>{"type", &NodeColumns::type, 0},
    NodeColumn<TypeId>{"state", &NodeColumns::state, 0},
    NodeColumn<TimeMs>{"created_at", &NodeColumns::created_at, kNever},
    NodeColumn<TimeMs>{"updated_at", &NodeColumns::updated_at, kNever},
    NodeColumn<TimeMs>{"reopened_at", &NodeColumns::reopened_at, kNever},
    NodeColumn<TimeMs>{"outcome_at", &NodeColumns::outcome_at, kNever},
    NodeColumn<TimeMs>{"completed_at", &NodeColumns::completed_at, kNever},
    NodeColumn<TimeMs>{"deleted_at", &NodeColumns::deleted_at, kNever},
    NodeColumn<TimeMs>{"tried_at", &NodeColumns::tried_at, kNever},
    NodeColumn<TimeMs>{"due_at", &NodeColumns::due_at, kNever},
    NodeColumn<TimeMs>{"snoozed_until", &NodeColumns::snoozed_until, kNever},
    NodeColumn<double>{"successes", &NodeColumns::successes, 0},
    NodeColumn<double>{"failures", &NodeColumns::failures, 0},
    NodeColumn<std::uint32_t>{"failed", &NodeColumns::failed, 0},
    NodeColumn<std::int8_t>{"priority", &NodeColumns::priority, kNoPriority},
    NodeColumn<std::uint8_t>{"pinned", &NodeColumns::pinned, 0},
    NodeColumn<TimeMs>{"estimate", &NodeColumns::estimate, kNever},
    NodeColumn<std::uint32_t>{"failing", &NodeColumns::failing, 0},
    NodeColumn<TimeMs>{"duration_ms", &NodeColumns::duration_ms, kNever},
};

// The data of edges. All columns have edge_bound() rows; a fresh or removed row holds 0.
struct EdgeColumns {
  Column<double> weight;      // as it was when last touched
  Column<TimeMs> touched_at;  // when that weight was set
  Column<double> gained;      // reinforcement received on the UTC day of touched_at
};

class Graph {
 public:
  // Reserves memory for so many in all, which only saves time.
  void reserve(std::size_t nodes, std::size_t edges);

  // --- nodes: O(1) expected each --------------------------------------------------------------
  NodeId add_node(std::string_view id);  // precondition: find_node(id) is empty
  void reset_node(NodeId n);             // gives all its columns their defaults
  std::optional<NodeId> find_node(std::string_view id) const;
  std::string_view id(NodeId n) const { return ids_[n]; }  // valid until remove_nodes()
  std::size_t num_nodes() const { return ids_.size(); }
  NodeId node_bound() const { return static_cast<NodeId>(ids_.size()); }  // one past the last
  // Removes nodes that have no incident edge. All others get new ids, in the same order, and so do
  // the edges: all memory is as if the removed ones had never been there. Returns the new ids, by
  // the old ones; kNoNode: removed. is_removed: by NodeId. O(nodes + edges).
  std::vector<NodeId> remove_nodes(const std::vector<bool>& is_removed);

  // --- edges: O(1) expected to add and find, O(degree) to remove ---------------------------------
  EdgeId add_edge(NodeId source, NodeId target, TypeId type);  // precondition: not present
  void remove_edge(EdgeId e);                                  // precondition: live
  std::optional<EdgeId> find_edge(NodeId source, NodeId target, TypeId type) const;
  bool is_live_edge(EdgeId e) const { return e < sources_.size() && sources_[e] != kNoNode; }
  std::size_t num_edges() const { return sources_.size() - free_edges_.size(); }
  EdgeId edge_bound() const { return static_cast<EdgeId>(sources_.size()); }
  // Precondition: live. All three throw Damaged rather than return an invalid node or type.
  NodeId source(EdgeId e) const { return checked(sources_[e], ids_.size()); }
  NodeId target(EdgeId e) const { return checked(targets_[e], ids_.size()); }
  TypeId type(EdgeId e) const { return checked(types_[e], edge_types_.size()); }
  // In order of adding; valid until the next add or remove.
  std::span<const EdgeId> out_edges(NodeId n) const { return out_.list(n); }
  std::span<const EdgeId> in_edges(NodeId n) const { return in_.list(n); }

  // --- whole columns, for passes over everything (dead rows included: source == kNoNode) --------
  std::span<const NodeId> sources() const { return sources_; }
  std::span<const NodeId> targets() const { return targets_; }
  std::span<const TypeId> types() const { return types_; }

  NodeColumns& nodes() { return nodes_; }
  const NodeColumns& nodes() const { return nodes_; }
  EdgeColumns& edges() { return edges_; }
  const EdgeColumns& edges() const { return edges_; }

  Names& node_types() { return node_types_; }
  const Names& node_types() const { return node_types_; }
  Names& states() { return states_; }
  const Names& states() const { return states_; }
  Names& edge_types() { return edge_types_; }
  const Names& edge_types() const { return edge_types_; }
  // Takes the node types and states that no node has out of their Names, which gives the others new
  // ids, in the same order. O(nodes + names).
  void drop_unused_names();

  std::size_t memory_bytes() const;  // of topology and columns, without ids and their index

  // All columns and counts except for the three Names; valid until the next change. Makes room in
  // the indexes for an eighth more, so O(nodes) or O(edges) if any were added since the last time,
  // else O(1).
  Packing pack();
  Packing unpack();  // the columns of a new graph, to be filled; precondition: it never had a node

 private:
  template <class Id>
  static Id checked(Id id, std::size_t bound) {
    if (id >= bound) [[unlikely]]
      throw_damaged();
    return id;
  }
  Packing packing(Texts& ids);
  std::uint32_t hash_of_node(NodeId n) const;
  std::uint32_t hash_of_edge(EdgeId e) const;
  EdgeId add_edge_row(NodeId source, NodeId target, TypeId type);  // in no list yet
  void reset_edge_row(EdgeId e);

  Texts ids_;           // by NodeId
  IdIndex node_index_;  // by id

  Column<NodeId> sources_;  // by EdgeId; kNoNode: removed
  Column<NodeId> targets_;
  Column<TypeId> types_;
  Column<EdgeId> free_edges_;
  Adjacency out_, in_;
  IdIndex edge_index_;  // by (source, target, type)

  NodeColumns nodes_;
  EdgeColumns edges_;
  Names node_types_, states_, edge_types_;
};

}  // namespace hebb::graph
