// The fold: a graph that events are applied to. Pure memory, no clock, no I/O.
//
// Every edge and every node depends only on the events that name it (and on the policy in force at
// each), so a late event is put right by folding the edges and nodes it touches again, in order
// (refold), and a whole fold in order gives the same bits.
//
// Const methods change nothing: any number of threads may read a state while none writes to it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/fold/states.h"
#include "engine/ledger/event.h"
#include "graph/graph.h"
#include "graph/vectors.h"
#include "reward/policy.h"
#include "reward/ranking.h"

namespace hebb {

inline constexpr std::string_view kFrontier = "frontier";

struct EdgeKey {
  graph::NodeId source = graph::kNoNode, target = graph::kNoNode;
  graph::TypeId type = 0;
  auto operator<=>(const EdgeKey&) const = default;
};
struct EdgeKeyHash {
  std::size_t operator()(const EdgeKey& k) const {
    std::uint64_t h = (std::uint64_t{k.source} << 32) ^ (std::uint64_t{k.target} << 8) ^ k.type;
    h *= 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// The fold's order.
struct Stamp {
  TimeMs at = graph::kNever;
  std::string key;
  auto operator<=>(const Stamp&) const = default;
};

// Fields of a node that only the mirror stores.
struct NodeContent {
  bool reset = false;  // fields not set here are back to empty, rather than as they were
  std::optional<std::string> name, description, project, scope, properties;
};

// What has changed since the mirror was last written.
struct Changes {
  bool everything =
      false;  // the fold began with the first event; then no nodes and edges are listed
  bool policy = false;
  std::vector<graph::NodeId> nodes;    // with repeats
  std::vector<EdgeKey> edges;          // with repeats; removed ones are no longer in the graph
  std::vector<graph::NodeId> vectors;  // with repeats
  std::unordered_map<graph::NodeId, NodeContent> content;
  std::unordered_map<EdgeKey, std::string, EdgeKeyHash> edge_properties;
};

// The nodes and edges that a fold may change.
struct Scope {
  std::unordered_set<graph::NodeId> nodes;
  std::unordered_set<EdgeKey, EdgeKeyHash> edges;
  bool everything = false;
  bool empty() const { return !everything && nodes.empty() && edges.empty(); }
  bool meets(const Scope& other) const;  // O(the smaller)
  void add(const Scope& other);
};

class State {
 public:
  explicit State(bool track_changes = false);  // holds the frontier and nothing else

  // --- folding ---------------------------------------------------------------------------------
  // Whether applying e now gives the same as folding all events in order.
  bool in_order(const Event& e) const;
  // Folds e into all it touches, or only into the part that is in scope. Throws
  // std::invalid_argument, and changes nothing, for a damaged event.
  void apply(const Event& e, const Scope* scope = nullptr);
  void drop_unused_names() { graph_.drop_unused_names(); }
  // Adds what e touches to `scope`.
  void add_touched(const Event& e, Scope& scope);
  // Clears what is in scope. The caller then applies the scope's events in order.
  void reset(const Scope& scope);
  // Updates latest(), whose time reads use while nothing was recalibrated; the first vector sets
  // embedder() and dimension(). Also called for undone events: an undo changes none of these.
  void note_latest(const Event& e);
  // If events are left out, others may name nodes that no event has made: such nodes "hang". Drops
  // them and their edges and returns their ids. O(nodes and edges).
  std::unordered_set<std::string> drop_hanging();
  bool hangs(const Scope& scope) const;  // whether the scope has such a node, or an edge of one

  // --- vectors of words: see engine/embed_nodes.h ------------------------------------------------
  // Nodes of which words or a vector came, by what the last of the vectors was made from: as
  // NodeUpsert::made_from; nothing: words alone came. Those whose vector is that of their words for
  // certain are left out. Whoever takes them sets the vectors that differ.
  using Worded = std::unordered_map<graph::NodeId, std::optional<std::uint64_t>>;
  Worded take_worded() { return std::exchange(worded_, {}); }
  bool has_worded() const { return !worded_.empty(); }
  void replace_vector(graph::NodeId n, std::span<const float> vector);

  // --- reading ---------------------------------------------------------------------------------
  // When an event last made, changed or deleted the node, or was an outcome of it; or kNever.
  TimeMs last_touch(graph::NodeId n) const;
  void check_policies() const;  // throws reward::BadPolicy if one ever in force breaks its bounds
  const graph::Graph& graph() const { return graph_; }
  const graph::Vectors& vectors() const { return vectors_; }
  const reward::Policy& policy() const { return eras_.back().policy; }
  const reward::Policy& policy_at(const Stamp& stamp) const { return eras_[era_at(stamp)].policy; }
  const reward::TypePolicy& type_policy(graph::TypeId type) const;  // in force last
  reward::View view() const;                                        // with the policy in force last
  graph::NodeId frontier() const { return frontier_; }
  std::optional<graph::NodeId> find(std::string_view id) const;  // created, perhaps deleted
  bool exists(std::string_view id) const;                        // created and not deleted
  std::optional<graph::EdgeId> find_edge(const EdgeName& name) const;
  const std::string& embedder() const { return embedder_; }  // of all vectors; never changes
  std::size_t dimension() const { return dimension_; }       // likewise; 0: no vector yet
  const Stamp& latest() const { return latest_; }
  // The time that the stored priorities are for: of the last recalibration, or, before the first
  // one, the last full hour before the latest event: or each event would change all priorities.
  TimeMs stamp() const;
  bool recalibrated() const { return recalibrated_at_ != graph::kNever; }

  Changes& changes() { return changes_; }
  const Changes& changes() const { return changes_; }

  // The ranking at a time, kept from one call to the next: costs what was changed since the last
  // call for the same time, and else what a ranking costs. Valid until the next change.
  const reward::Ranking& ranking(TimeMs now);

  // --- loading from the mirror (engine/mirror/) --------------------------------------------
  graph::Graph& load_graph() { return graph_; }
  graph::Vectors& load_vectors() { return vectors_; }
  // Call it after the graph and vectors are loaded.
  void load_marks(Stamp latest, TimeMs recalibrated_at, std::string embedder,
                  std::size_t dimension);
  void add_policy(const Event& policy_event);  // also what apply() does with one

  // --- as one piece of memory: see engine/mirror/image.h ---------------------------------------
  graph::Packing pack();  // see Graph::pack()
  // Precondition: nothing was folded. The state keeps `memory` as long as it lives.
  graph::Packing unpack(std::shared_ptr<const void> memory);

 private:
  struct Era {
    Stamp from;
    reward::Policy policy;
    reward::TypeTable types;  // the last era has all edge types, others those that were looked up
  };
  std::size_t era_at(const Stamp& stamp) const;
  const reward::TypePolicy& type_policy(Era& era, graph::TypeId type);
  graph::TypeId intern_edge_type(std::string_view name);
  graph::NodeId name_node(std::string_view id);
  void set_state(graph::NodeId n, std::string_view state, TimeMs at, bool opens_closed = true);
  void set_vector(graph::NodeId n, std::span<const float> vector);
  void apply_node(const Event& e, graph::NodeId n);
  void note_words(const NodeUpsert& upsert, graph::NodeId n, bool is_new);
  void apply_upsert(const NodeUpsert& upsert, graph::NodeId n, TimeMs at);
  void apply_outcome(const Event& e, const OutcomeSignal& outcome, graph::NodeId n);
  void apply_edges(const Event& e, Era& era, const Scope* scope);
  void scale_frontier(const Event& e, Era& era, const Scope* scope);
  void forget(const Forget& f, const Scope* scope);
  void clear_node(graph::NodeId n);
  void remove_edge(graph::EdgeId e);
  void remove_edges_of(graph::NodeId n, const Scope* scope);
  void check_vector_of(const Event& e) const;
  void make_room_for_names(const Event& e);
  void touch(graph::NodeId n);
  void touch(const EdgeKey& k);
  bool lists_changes() const { return track_ && !changes_.everything; }

  std::shared_ptr<const void> memory_;  // the mapping that columns may be views of
  graph::Graph graph_;
  graph::Vectors vectors_;
  graph::NodeId frontier_;
  std::string embedder_;
  std::size_t dimension_ = 0;
  std::vector<Era> eras_;  // sorted by `from`; the first begins before all events
  Stamp latest_;
  TimeMs recalibrated_at_ = graph::kNever;
  bool track_;
  Changes changes_;
  Worded worded_;
  reward::Ranking ranking_;
};

}  // namespace hebb
