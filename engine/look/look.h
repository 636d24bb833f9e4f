// Looking around: which nodes and edges there are, and how near they are. Nothing is changed.
//
// Weights are those at `now`, after decay. An edge counts if both of its ends exist, it is not
// dormant, and its weight is above 0. A node that is given is live: State::find() gives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb {

// Called with the bytes of each row's texts; an exception ends the work.
using TookRow = std::function<void(std::size_t)>;

// An edge as it is at some time.
struct EdgeNow : EdgeName {
  double weight = 0, stored_weight = 0;  // stored: when it was last touched
  TimeMs touched_at = 0;
  bool dormant = false;
};
EdgeNow edge_now(const State& s, graph::EdgeId e, TimeMs now);

// --- the edges of a node -------------------------------------------------------------------------

struct NeighborsQuery {
  std::string direction = "both";  // of the edges: in, out, both
  std::string type;                // only edges of it; empty: of any
  bool dormant = false;            // dormant edges too
};
struct Neighbors {
  std::vector<EdgeNow> edges;  // strongest first; one from the node to itself once
  std::int64_t dormant_omitted = 0;
};
Neighbors neighbors(const State& s, graph::NodeId n, const NeighborsQuery& query, TimeMs now);

// The path of least cost along edges that count, each from its source to its target.
struct LeastPath {
  double cost = 0;             // the sum of 1 / weight
  std::vector<EdgeNow> edges;  // in order; empty if both ends are the same node
};
// nullopt: there is none. O(edges + n log n).
std::optional<LeastPath> least_path(const State& s, graph::NodeId source, graph::NodeId target,
                                    TimeMs now);

// --- around a node -------------------------------------------------------------------------------

struct NeighborhoodQuery {
  std::int64_t depth = 2;             // how many edges far, in either direction
  std::optional<std::int64_t> limit;  // at most so many nodes
  bool dormant = false;               // along dormant edges too
  // Where to draw it: few nodes (40, if there is no limit), the middle's strongest 24 neighbors and
  // 6 of each other's, and none that only the frontier connects with one another.
  bool layout = false;
};
struct AroundNode {
  std::string id, name, type, state;
  std::int64_t depth = 0;
  std::optional<std::int64_t> reached_by;  // index of its edge; absent: the middle
  // With a layout: how many of its neighbors are left out; its middle, from the left and the top.
  std::int64_t more = 0;
  double x = 0, y = 0;
};
struct AroundEdge : EdgeNow {
  std::string path;  // with a layout: its line, as the attribute d of SVG has it
};
struct Neighborhood {
  double width = 0, height = 0;   // of a layout
  std::vector<AroundNode> nodes;  // the middle, then the nearest, those by stronger edges first
  std::vector<AroundEdge> edges;  // all that count between these nodes, strongest first
};
// O(the edges of these nodes), sorted.
Neighborhood neighborhood(Engine& engine, graph::NodeId middle, const NeighborhoodQuery& query,
                          TimeMs now, const TookRow& took = {});

// --- the whole graph -----------------------------------------------------------------------------

struct NodeTypeCount {
  std::string type;
  std::int64_t count = 0, open = 0;
};
struct EdgeTypeCount {
  std::string type;
  std::int64_t count = 0, dormant = 0;
};
struct BlockingCycle {
  std::vector<std::string> tasks;  // each blocks the next, the last the first
};
// A property that several nodes have in common.
struct Facet {
  std::string value;                 // a state, a project, the id of a label
  std::optional<std::string> name;   // of a label: what people call it
  std::int64_t count = 0, open = 0;  // nodes, and those of them that are OPEN
};
struct Topology {
  std::vector<NodeTypeCount> node_types;  // by type
  // Of the graph: absent where facets were asked for.
  std::optional<std::vector<EdgeTypeCount>> edge_types;       // by type
  std::optional<std::int64_t> components;                     // by edges that count
  std::optional<std::vector<BlockingCycle>> blocking_cycles;  // at most 20, no edge in two of them
  // Facets: most OPEN nodes first.
  std::optional<std::vector<Facet>> states, labels, projects;
};
// facets: rather those. O(nodes + edges).
Topology topology(Engine& engine, bool facets, TimeMs now, const TookRow& took = {});

// --- nodes ---------------------------------------------------------------------------------------

// Why a node is snoozed: the reason given with the last snooze until that time, if it lasts beyond
// `now`; empty: it is not snoozed, or no reason was given. O(events of the node).
std::string why_snoozed(Engine& engine, std::string_view node, TimeMs now,
                        TimeMs until = kEndOfTime);

// A node as lists and the view of a task show it. An OPEN one that an agent has claimed is
// IN_PROGRESS.
struct DescribedNode : NodeFacts {
  std::string id, name, type, state, project;
  std::string claimed_by;  // the agent; empty: no claim holds
  TimeMs claimed_until = graph::kNever;
  TimeMs snoozed_until = graph::kNever, created_at = graph::kNever;
  std::string because;  // why_snoozed()
  bool pinned = false;
  // why_not_ready() of a node whose state does not say that it is over.
  std::vector<std::string> not_ready;
};
struct LinkedTask {
  std::string id, name, state;
};
// An outcome as it was reported.
struct ReportedOutcome {
  TimeMs at = 0;
  std::string outcome, agent, because;  // empty: not given
};
// The last ones of a task, the latest first. failures: only failures after its last success.
// O(events of the task).
std::vector<ReportedOutcome> last_outcomes(Engine& engine, std::string_view task, std::size_t limit,
                                           bool failures = false);

struct ShownTask : DescribedNode {
  std::string description;
  TimeMs updated_at = graph::kNever;
  std::optional<TimeMs> estimate;
  std::vector<LinkedTask> part_of;               // the wholes that it is a part of
  std::vector<LinkedTask> blocked_by, unblocks;  // tasks that it waits for; that wait for it
  std::vector<ReportedOutcome> outcomes;         // the last five
};
// Nodes of that id or name, as the tables have them; capital letters of a name make no difference.
// O(nodes).
std::vector<std::string> ids_named(Engine& engine, const std::string& name);
// ids_named() for each of the names. O(nodes + names).
std::vector<std::vector<std::string>> ids_named(Engine& engine,
                                                const std::vector<std::string>& names);
ShownTask shown_task(Engine& engine, graph::NodeId n, TimeMs now);

// --- nodes by what they are ----------------------------------------------------------------------

// No state: those whose state does not say that they are over, but of claimed ones any; "any": all
// that have one.
struct ListQuery : WhichNodes {
  bool claimed = false;    // only those that an agent has claimed
  std::string claimed_by;  // only those that this agent has claimed
  // Only tests whose verdict changed and changed back, and none of the failures says which files
  // were changed. Reads all events about tests.
  bool flaky = false;
  // What comes first: "created" (what is newest), "updated" (what was changed last), "due" (what is
  // due first; last, what is not due) or "priority" (P0; last, what has none). Empty: the newest,
  // and of flaky tests those that did so most often. Level ones: the newest first.
  std::string sort;
  std::optional<std::int64_t> limit;  // else 50
  std::int64_t offset = 0;
};
// The state that is shown, of a node with that claim; nullptr: it has none that is active.
std::string state_shown(const std::string& state, const ClaimRow* claim);

struct ListedNode : DescribedNode {
  std::vector<std::string> blocked_by;  // ids; of one whose state does not say that it is over
  // Of a flaky test: how often its verdict changed.
  std::optional<std::int64_t> verdict_changes;
};
struct NodeList {
  std::vector<ListedNode> nodes;  // sorted as ListQuery::sort says
  std::int64_t total = 0;         // with those that are left out
};
NodeList list_nodes(Engine& engine, const ListQuery& query, TimeMs now, const TookRow& took = {});

}  // namespace hebb
