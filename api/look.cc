// list, neighbors, path, topology, neighborhood: looking around in the graph.
#include "engine/look/look.h"

#include <set>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operation.h"
#include "api/order.h"
#include "api/rank.h"
#include "api/selectors.h"
#include "reward/evidence.h"

namespace hebb {

RECORD(ListQuery, part<WhichNodes>(self),
       FIELD(state, "Nodes in this state: OPEN, CLOSED, …, or any; else unfinished ones"),
       FIELD(claimed, "Only what is claimed"),
       FIELD(claimed_by, "Only what this agent has claimed"),
       FIELD(flaky,
             "Only tests whose verdict changed and changed back without a changed file, the most "
             "frequent first",
             {.rare = true}),
       FIELD(sort,
             "What comes first: the newest (created), what was changed last (updated), what is due "
             "first, P0",
             {.choices = {"created", "updated", "due", "priority"}, .rare = true}),
       FIELD(limit, "How many; else 50, or all with runner",
             {.unit = "nodes", .min = 1, .max = 1e9}),
       FIELD(offset, "How many to leave out at the beginning",
             {.unit = "nodes", .min = 0, .max = 1e9, .rare = true}))

RECORD(ListedNode, FIELD(id, "Its id"), FIELD(name, "A line"), FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       FIELD(claimed_by, "Who has claimed it", {.may_be_absent = true}),
       FIELD_AS(Time, claimed_until, "Until when", {.may_be_absent = true}),
       FIELD(project, "What it belongs to"),
       field("priority", self.set_priority, "Set by people: 0 (most urgent) to 4"),
       FIELD_AS(Time, due_at, "When it is due", {.may_be_absent = true}),
       FIELD_AS(Time, snoozed_until, "Not ranked before that time", {.may_be_absent = true}),
       FIELD(because, "Why it is snoozed", {.may_be_absent = true}),
       FIELD(pinned, "Above everything that is not"),
       FIELD_AS(Time, created_at, "When it was first set", {.may_be_absent = true}),
       FIELD(labels, "Its labels and categories, by name"),
       FIELD(assignees, "To whom it is assigned, by name", {.may_be_absent = true}),
       FIELD(number, "Its number in the tracker it is from", {.may_be_absent = true}),
       FIELD(url, "Its address there", {.may_be_absent = true}),
       FIELD(blocked_by,
             "What it waits for: nodes that block it and are not finished, unless its state says "
             "that it is over"),
       FIELD(not_ready,
             "Why it would not be ranked if it were OPEN: what blocks it, its parts, its type, "
             "being snoozed"),
       FIELD(verdict_changes, "Of a flaky test: how often its verdict changed so"))

RECORD(NodeList, FIELD(nodes, "The newest first, unless sort or flaky says otherwise"),
       FIELD(total, "How many there are, with those that are left out"))

RECORD(LeastPath, FIELD(cost, "The sum of what its edges cost, 1 / weight each"),
       FIELD(edges, "In order; none where it ends at the node it begins at"))

RECORD(NodeTypeCount, FIELD(type, "TASK, LABEL, …"), FIELD(count, "How many nodes are of it"),
       FIELD(open, "How many of these are OPEN"))

RECORD(EdgeTypeCount, FIELD(type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
       FIELD(count, "How many edges are of it"), FIELD(dormant, "How many of these are dormant"))

RECORD(BlockingCycle, FIELD(tasks, "Each blocks the next, and the last the first"))

RECORD(Facet, FIELD(value, "The state, the project, or the label's id"),
       FIELD(name, "Of a label: what people call it"), FIELD(count, "How many nodes have it"),
       FIELD(open, "How many of these are OPEN"))

RECORD(
    Topology, FIELD(node_types, "The nodes that exist, counted by their type"),
    FIELD(edge_types,
          "The edges between them, counted by their type; this and the next two are absent with "
          "facets"),
    FIELD(components, "Parts of the graph that no edge connects, without dormant edges"),
    FIELD(
        blocking_cycles,
        "Rings of tasks that block one another, so that none of them can be ranked; the first 20"),
    FIELD(states, "With facets: of nodes that have one, those of most OPEN nodes first"),
    FIELD(labels, "With facets: what nodes have as a label, those of most OPEN nodes first"),
    FIELD(projects, "With facets: those of most OPEN nodes first"))

RECORD(AroundNode, FIELD(id, "The node"), FIELD(name, "Its name", {.may_be_absent = true}),
       FIELD(type, "TASK, LABEL, …"), FIELD(state, "OPEN is a task to be ranked"),
       FIELD(depth, "How many edges far it is from the middle"),
       FIELD(reached_by,
             "The edge it was reached by: its place in `edges`, from 0; the middle has none"),
       FIELD(more, "With layout: how many of its neighbours are left out", {.may_be_absent = true}),
       FIELD(x, "With layout: where its middle is, from the left", {.may_be_absent = true}),
       FIELD(y, "And from the top", {.may_be_absent = true}))

RECORD(AroundEdge, part<EdgeNow>(self),
       FIELD(path, "With layout: the line, as the attribute d of an SVG path has it",
             {.may_be_absent = true}))

RECORD(Neighborhood,
       FIELD(width, "With layout: of the picture, in the units of x, y and path",
             {.may_be_absent = true}),
       FIELD(height, "With layout: of the picture, in the same units", {.may_be_absent = true}),
       FIELD(nodes,
             "The node in the middle, then the others, the nearest first, and of these those by "
             "stronger edges"),
       FIELD(edges,
             "All edges between these nodes, the strongest first; dormant ones where they are "
             "asked for"))

}  // namespace hebb

namespace hebb::api {

// --- list ----------------------------------------------------------------------------------------

struct ListRequest : ListQuery {
  std::string runner;
};
RECORD(ListRequest, part<ListQuery>(self),
       FIELD(runner, "With `selectors`, of tests alone: how that test runner names them",
             {.choices = runner_names(), .option = "--format", .hidden = true}))

struct ListResult : NodeList {
  std::optional<std::vector<std::string>> selectors;
  std::string no_selector;
};
RECORD(ListResult, part<NodeList>(self),
       FIELD(selectors, "With a runner: what it takes for these tests, each once"),
       FIELD(no_selector, "Of the tests that the runner cannot be given, one, and why",
             {.may_be_absent = true}))

static ListResult list(Session& session, const ListRequest& request) {
  note_unknown_labels(session, request);
  Engine& engine = session.engine(Access::read);
  ListQuery query = request;
  if (!request.runner.empty()) {
    if (query.type.empty()) query.type = reward::kTestType;
    if (!query.limit) query.limit = kAllTasks;  // who runs tests would not notice a limit
  }
  ListResult result{list_nodes(engine, query, session.now(), room_for_rows(session, 6)), {}, {}};
  if (request.runner.empty()) return result;
  const Runner& runner = *find_runner(request.runner);
  result.selectors.emplace();
  std::set<std::string> seen;
  for (const ListedNode& node : result.nodes) {
    const Selector selector =
        runner.select(node.id, engine.content(node.id).properties.value_or("{}"));
    if (selector.text.empty()) {
      result.no_selector = fmt::format("{}: {}", node.id, selector.why);
    } else if (seen.insert(selector.text).second) {
      result.selectors->push_back(selector.text);
    }
  }
  return result;
}

static std::string skips_in_words() {
  std::string text = "What skips the tests that `hebb -q list --flaky --format RUNNER`, …, lists:";
  for (const Runner& runner : runners())
    if (!runner.skip.empty()) text += fmt::format("\n  {:<12}{}", runner.name, runner.skip);
  return text;
}

// --- the edges of a node -------------------------------------------------------------------------

struct NeighborsRequest : NeighborsQuery {
  std::string id;
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
};
RECORD(NeighborsRequest, FIELD_AS(NodeId, id, "The node", {.required = true, .positional = true}),
       FIELD(direction, "Edges that lead to it, that go out from it, or both",
             {.choices = {"in", "out", "both"},
              .flag_words = {"Only edges that lead to it", "Only edges that go out from it"}}),
       FIELD(type, "Only edges of this type"), FIELD(dormant, "Dormant edges too"),
       FIELD(limit, "At most so many; else all", {.unit = "edges", .min = 1}),
       FIELD(offset, "How many to leave out at the beginning", {.unit = "edges", .min = 0}))

struct NeighborsResult : Neighbors {
  std::optional<std::int64_t> next;
};
RECORD(NeighborsResult, FIELD(edges, "The strongest first"),
       FIELD(dormant_omitted, "How many dormant edges were left out"),
       FIELD(next, "The offset to go on with; absent: there are no more"))

// A page, which ends early where the answer would become too long.
static NeighborsResult neighbors(Session& session, const NeighborsRequest& request) {
  const State& s = session.engine(Access::read).state();
  NeighborsResult result{hebb::neighbors(s, require_node(s, request.id), request, session.now()),
                         {}};
  auto& edges = result.edges;
  const auto size = std::ssize(edges);
  const auto begin = std::min(request.offset, size);
  auto end = begin;
  Room room(session);
  for (; end < size && end - begin < request.limit.value_or(size); ++end) {
    const EdgeNow& edge = edges[static_cast<std::size_t>(end)];
    if (!room.fits(7, edge.source, edge.target, edge.type)) break;
  }
  if (end < size) result.next = end;
  edges.erase(edges.begin() + end, edges.end());
  edges.erase(edges.begin(), edges.begin() + begin);
  return result;
}

struct PathRequest {
  NodeId source, target;
};
RECORD(PathRequest, FIELD(source, "Where it begins", {.required = true, .positional = true}),
       FIELD(target, "Where it ends", {.required = true, .positional = true}))

static LeastPath path(Session& session, const PathRequest& request) {
  const State& s = session.engine(Access::read).state();
  const auto source = require_node(s, request.source), target = require_node(s, request.target);
  if (auto path = least_path(s, source, target, session.now())) return *std::move(path);
  throw problem(ProblemType::not_found, "",
                "there is no path from {} to {} along edges that are not dormant; edges are "
                "followed from source to target",
                request.source, request.target);
}

// --- the whole graph -----------------------------------------------------------------------------

struct TopologyRequest {
  bool facets = false;
};
RECORD(TopologyRequest,
       FIELD(facets, "Instead, the states, labels and projects by which nodes can be chosen"))

static Topology topology(Session& session, const TopologyRequest& request) {
  Engine& engine = session.engine(Access::read);
  if (request.facets) engine.try_sync();  // projects are counted in the mirror
  return hebb::topology(engine, request.facets, session.now(), room_for_rows(session, 4));
}

// --- around one node -----------------------------------------------------------------------------

struct NeighborhoodRequest : NeighborhoodQuery {
  std::string id;
};
RECORD(NeighborhoodRequest,
       FIELD_AS(NodeId, id, "The node in the middle",
                {.required = true, .positional = true, .option = "NODE"}),
       FIELD(depth, "How many edges far", {.unit = "edges", .min = 0, .max = 64}),
       FIELD(limit, "At most so many nodes, those by the strongest edges first",
             {.unit = "nodes", .min = 1}),
       FIELD(dormant, "Along dormant edges too"),
       FIELD(layout, "Few nodes (40, where there is no limit), and where to draw them",
             {.hidden = true}))

static Neighborhood neighborhood(Session& session, const NeighborhoodRequest& request) {
  Engine& engine = session.engine(Access::read);
  return hebb::neighborhood(engine, require_node(engine.state(), request.id), request,
                            session.now(), room_for_rows(session, 6));
}

Operations look_operations() {
  return {
      operation({.name = "list",
                 .summary = "List unfinished tasks, newest first",
                 .example = "  hebb list --label bug --not-label wontfix\n"
                            "  hebb list --state IN_PROGRESS --assignee ada\n"
                            "  hebb list --project Home --sort due\n"
                            "  hebb list --state any --project web --json\n"
                            "  hebb list --flaky\n"
                            "  hebb list --flaky --format ctest",
                 .more = skips_in_words,
                 .route = "GET /nodes",
                 .tool = Tool::core},
                list),
      operation({.name = "neighbors",
                 .summary = "The edges of a node, strongest first",
                 .example = "  hebb neighbors task-7\n"
                            "  hebb neighbors task-7 --in --type BLOCKS\n"
                            "  hebb neighbors frontier --out --dormant --json",
                 .route = "GET /edges",
                 .problems = {ProblemType::not_found}},
                neighbors),
      operation({.name = "path",
                 .summary = "The strongest way from one node to another; an edge costs 1 / weight",
                 .example = "  hebb path task-7 task-9\n  hebb path frontier task-9 --json",
                 .route = "GET /edges/path",
                 .tool = Tool::all,
                 .problems = {ProblemType::not_found}},
                path),
      operation(
          {.name = "topology",
           .summary = "How many nodes and edges of which types there are, and what blocks itself",
           .example = "  hebb topology\n  hebb topology --facets",
           .route = "GET /topology"},
          topology),
      operation({.name = "neighborhood",
                 .command = "topology",
                 .summary = "The nodes around a node, and the edges between them",
                 .example = "  hebb topology task-7 --depth 3\n"
                            "  hebb topology task-7 --format dot | dot -Tsvg > task-7.svg",
                 .route = "GET /nodes/{id}/neighborhood",
                 .problems = {ProblemType::not_found}},
                neighborhood),
  };
}

}  // namespace hebb::api
