// The fold: a graph that events are applied to. Pure memory, no clock, no I/O.
//
// Every node depends only on the events about it (and on the policy in force at each), every edge
// on those that name it and, where these are outcomes, on whether they count, which follows from
// their task (done_once.h). So a late event is put right by folding the nodes and edges it touches
// again, in order (refold), a task together with the edges of its outcomes, and a whole fold in
// order gives the same bits.
//
// Const methods change nothing: any number of threads may read a state while none writes to it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/fold/edge_rules.h"
#include "engine/fold/policies.h"
#include "engine/fold/states.h"
#include "engine/ledger/event.h"
#include "graph/graph.h"
#include "graph/vectors.h"
#include "reward/ranking.h"

namespace hebb {

inline constexpr std::string_view kFrontier = "frontier";
inline constexpr graph::NodeId kFrontierNode = 0;  // every state begins with it

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

// Fields of a node that only the mirror stores.
struct NodeContent {
  bool reset = false;  // fields not set here are back to empty, rather than as they were
  std::optional<std::string> name, description, project, scope, properties;
};

// Changes since the mirror was last written.
struct Changes {
  // The fold began with the first event; then no nodes and edges are listed.
  bool everything = false;
  bool policy = false;
  std::vector<graph::NodeId> nodes;  // with repeats
  std::vector<EdgeKey> edges;        // with repeats; removed ones are no longer in the graph
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

// Facts about the events as a whole, undone ones included.
struct LedgerFacts {
  EventOrder latest;
  TimeMs recalibrated_at = graph::kNever;  // the last recalibration's
  std::string embedder;                    // of all vectors; never changes
  std::size_t dimension = 0;               // likewise; 0: no vector yet
  std::size_t completed = 0;               // how many nodes have ever succeeded
  // The exponents learned on arrival of the latest such outcome that is not undone; and which
  // outcome that is.
  std::optional<reward::Learned> learned;
  EventOrder learned_from;
  bool recalibrated() const { return recalibrated_at != graph::kNever; }
  // The time of edge weights and of stored priorities: the last full hour before the latest event,
  // or each event would change all priorities; or the last recalibration's, if that is later.
  TimeMs ranked_at() const;
  // The times of a ranking at `now`; absent: of the stored one.
  reward::Times times(std::optional<TimeMs> now) const;
};

// The parts of a state. Only for engine/fold/: others ask State.
struct StateParts {
  std::shared_ptr<const void> memory;  // the mapping that columns may be views of
  graph::Graph graph;
  graph::Vectors vectors;
  Policies policies{graph.edge_types()};
  LedgerFacts facts;
  std::optional<reward::Policy> in_force;  // the last policy with what was learned, if anything
  bool tracks = false;                     // lists what changes
  Changes changes;
  reward::Ranking ranking;  // as the tables and the graph cache have it
  reward::Ranking current;  // with weights of the same time, as of the time that was last asked for
  bool keeps_both = false;  // `ranking` was asked for: `current` is made of a copy of it
  // A node was named or cleared, which perhaps no event makes.
  bool may_hold_nodes_without_event = false;
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
  void drop_unused_names() { parts_.graph.drop_unused_names(); }
  // Adds what e touches to `scope`.
  void add_touched(const Event& e, Scope& scope);
  // Clears the nodes and edges in scope. The caller then applies the scope's events in order.
  void reset(const Scope& scope);
  // Updates facts().latest, whose time reads use while nothing was recalibrated; the first vector
  // sets embedder and dimension. Also called for undone events: an undo changes none of these.
  void note_latest(const Event& e);
  // Takes the nodes out of the graph that no event makes, such as those that a gc removed, and the
  // room that removed edges left. True: all NodeIds and EdgeIds may be others, and the ranking is
  // to be made anew. even_few: also where that is less than an eighth of the graph. O(1) if no node
  // was named or cleared since the last time, else O(nodes), or O(nodes + edges) where there are
  // any. Preconditions: changes() lists nothing, or everything; no Scope is kept.
  bool drop_nodes_without_event(bool even_few);

  // --- reading ---------------------------------------------------------------------------------
  const graph::Graph& graph() const { return parts_.graph; }
  const graph::Vectors& vectors() const { return parts_.vectors; }
  const Policies& policies() const { return parts_.policies; }
  const reward::Policy& policy() const { return policies().last().policy; }  // as it was set last
  reward::View view() const;  // with the policy in force last, learned exponents included
  std::optional<graph::NodeId> find(std::string_view id) const;  // created, perhaps deleted
  bool exists(std::string_view id) const;                        // created and not deleted
  std::optional<graph::EdgeId> find_edge(const EdgeName& name) const;
  const LedgerFacts& facts() const { return parts_.facts; }

  Changes& changes() { return parts_.changes; }

  // The ranking at these times, kept from one call to the next: costs the changes since the last
  // call for the same times, a pass over the tasks if only `now` is another, and else a whole
  // ranking. Valid until the next change.
  const reward::Ranking& ranking(reward::Times times);
  // The time to rank at, to the minute: that of the kept ranking, if it is of the minute before
  // `now` and no snooze has ended since; else `now`. O(nodes).
  TimeMs rank_time(TimeMs now) const;

  // --- as one piece of memory: see engine/mirror/graph_cache.h ---------------------------------
  graph::Packing pack();  // see Graph::pack()
  // Precondition: nothing was folded. The state keeps `memory` as long as it lives.
  graph::Packing unpack(std::shared_ptr<const void> memory);
  // Loads the rest, after the columns: the names of node types, states and edge types.
  void load(LedgerFacts facts, const std::array<std::vector<std::string>, 3>& names);

 private:
  StateParts parts_;
};

inline const reward::TypePolicy& type_policy(const State& state, graph::TypeId type) {
  return state.policies().last().types[type];  // as it was set last
}
// Until when a ranking of `at` is accurate to the minute. O(nodes).
TimeMs holds_until(const State& state, TimeMs at);
// A view with the policy as it was set: learned exponents are multiples of it.
reward::View view_as_set(const State& state);
// When an event last made, changed or deleted the node, or was an outcome of it; or kNever.
TimeMs last_touch(const graph::Graph& graph, graph::NodeId n);
EdgeName edge_name(const graph::Graph& graph, graph::EdgeId e);

// --- folding one event into the parts of a state; only for engine/fold/ --------------------------

// As State::apply(), for an event that is no claim's; facts.latest stays as it is.
void apply(StateParts& parts, const Event& e, const Scope* scope);

// Notes that the rows and the ranking of these are to be made anew.
void touch(StateParts& parts, graph::NodeId n);
void touch(StateParts& parts, const EdgeKey& key);
// The node of that id, which is added to the graph if it is not there. is_made: the caller then
// notes that an event made it.
graph::NodeId name_node(StateParts& parts, std::string_view id, bool is_made = false);
// The key of a rule's edge, whose nodes are added if the rule may make it; nullopt: it may not, and
// an end is not there.
std::optional<EdgeKey> key_of(StateParts& parts, const EdgeRule& rule);
// Resets the node to what it is without an event. Its edges stay.
void clear_node(StateParts& parts, graph::NodeId n);
void remove_edge(StateParts& parts, graph::EdgeId e);
void remove_edges_of(StateParts& parts, graph::NodeId n, const Scope* scope);
// An empty vector: the embedder found no word in the text.
void set_vector(StateParts& parts, graph::NodeId n, std::span<const float> vector);

}  // namespace hebb
