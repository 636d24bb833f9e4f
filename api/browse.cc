#include "api/browse.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "api/common.h"
#include "api/graph_view.h"
#include "engine/storage/storage.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

namespace {

bool exists(const State& s, NodeId n) {
  const auto& c = s.graph().nodes();
  return n != s.frontier() && s.graph().is_live_node(n) && c.created_at[n] != graph::kNever &&
         c.deleted_at[n] == graph::kNever;
}

TimeMs changed_at(const State& s, NodeId n) {
  const auto& c = s.graph().nodes();
  return std::max({c.created_at[n], c.updated_at[n], c.outcome_at[n], c.completed_at[n]});
}

bool leads_to(const State& s, NodeId n, const std::unordered_set<NodeId>& labels) {
  const auto& g = s.graph();
  const auto edges = g.out_edges(n);
  return std::any_of(edges.begin(), edges.end(), [&](EdgeId e) {
    return labels.contains(g.target(e)) && s.type_policy(g.type(e)).context;
  });
}

// Given by id or name, as in rank.
std::unordered_set<NodeId> labels_of(Engine& engine, const State& s, const std::string& label) {
  std::unordered_set<NodeId> found;
  if (const auto n = s.graph().find_node(label)) found.insert(*n);
  for (const std::string& id : storage_of(engine).mirror().ids_by_name(label)) {
    if (const auto n = s.graph().find_node(id)) found.insert(*n);
  }
  return found;
}

}  // namespace

// --- nodes ---------------------------------------------------------------------------------------

const Fields& NodesRequest::fields() {
  using R = NodesRequest;
  static const Fields kFields = with_presets<R>({
      field("state", &R::state, "Only nodes in this state"),
      field("type", &R::type, "Only nodes of this type"),
      field("label", &R::label,
            "Only nodes with this label (or category, or assignee): its id or name"),
      field("project", &R::project, "Only nodes of this project"),
      field("limit", &R::limit, "At most so many", {.unit = "nodes", .min = 1, .max = 1000}),
      field("offset", &R::offset, "How many to leave out at the beginning", {.min = 0}),
  });
  return kFields;
}

const Fields& NodeLine::fields() {
  using N = NodeLine;
  static const Fields kFields{
      field("id", &N::id, "The node"),
      field("name", &N::name, "Its name"),
      field("type", &N::type, "TASK, LABEL, …"),
      field("state", &N::state, "OPEN is a task to be ranked"),
      field("project", &N::project, "What it belongs to"),
      field("contexts", &N::contexts, "Its labels, categories and assignees: their ids"),
      field("changed_at", &N::changed_at, "When it was last set or had an outcome"),
      field("completed_at", &N::completed_at, "Its last success"),
  };
  return kFields;
}

const Fields& NodesResult::fields() {
  static const Fields kFields{
      field("nodes", &NodesResult::nodes, "Changed last first"),
      field("next", &NodesResult::next, "The offset to go on with; absent: there are no more"),
  };
  return kFields;
}

NodesResult nodes(Session& session, const NodesRequest& request) {
  Engine& engine = session.engine(Access::read);
  const State& s = engine.state();
  engine.try_sync();  // names and projects are read from the mirror
  const auto& g = s.graph();
  const auto& c = g.nodes();
  std::unordered_set<NodeId> labels;
  if (!request.label.empty()) labels = labels_of(engine, s, request.label);
  std::vector<NodeId> chosen;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(s, n)) continue;
    if (!request.state.empty() && g.states().name(c.state[n]) != request.state) continue;
    if (!request.type.empty() && g.node_types().name(c.type[n]) != request.type) continue;
    if (!request.label.empty() && !leads_to(s, n, labels)) continue;
    chosen.push_back(n);
  }
  std::sort(chosen.begin(), chosen.end(), [&](NodeId a, NodeId b) {
    const auto at = changed_at(s, a), bt = changed_at(s, b);
    return at != bt ? at > bt : g.id(a) < g.id(b);
  });
  NodesResult result;
  std::int64_t place = 0;
  for (const NodeId n : chosen) {
    const std::string id(g.id(n));
    std::optional<NodeContent> content;  // read only where it is needed
    if (!request.project.empty()) {
      content = engine.content(id);
      if (content->project.value_or("") != request.project) continue;
    }
    if (place++ < request.offset) continue;
    if (std::ssize(result.nodes) == request.limit) {
      result.next = request.offset + request.limit;
      break;
    }
    if (!content) content = engine.content(id);
    NodeLine line;
    line.id = id;
    line.name = content->name.value_or("");
    line.type = g.node_types().name(c.type[n]);
    line.state = g.states().name(c.state[n]);
    line.project = content->project.value_or("");
    for (const EdgeId e : g.out_edges(n)) {
      if (s.type_policy(g.type(e)).context && is_between_existing(s, e))
        line.contexts.emplace_back(g.id(g.target(e)));
    }
    line.changed_at = time_or_nothing(changed_at(s, n));
    line.completed_at = time_or_nothing(c.completed_at[n]);
    result.nodes.push_back(std::move(line));
  }
  return result;
}

Operation nodes_operation() {
  return operation<NodesRequest, NodesResult>(
      {.name = "nodes",
       .command = "search",
       .summary = "The nodes of a state, type, label or project, changed last first",
       .example = "  hebb search login --state CLOSED",
       .effect = Effect::reads,
       .doors = kHttp,
       .path = "/nodes"},
      nodes);
}

// --- facets --------------------------------------------------------------------------------------

const Fields& FacetsRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& Facet::fields() {
  static const Fields kFields{
      field("value", &Facet::value, "The state, type, project, or the label's id"),
      field("name", &Facet::name, "Of a label: what people call it"),
      field("count", &Facet::count, "How many nodes have it"),
      field("open", &Facet::open, "How many of these are OPEN"),
  };
  return kFields;
}

const Fields& FacetsResult::fields() {
  using R = FacetsResult;
  static const Fields kFields{
      field("states", &R::states, "Of nodes that have one, those of most OPEN nodes first"),
      field("types", &R::types, "Likewise"),
      field("labels", &R::labels, "What nodes have as a context; those of most OPEN nodes first"),
      field("projects", &R::projects, "Likewise"),
  };
  return kFields;
}

namespace {

void sort_facets(std::vector<Facet>& facets) {
  std::sort(facets.begin(), facets.end(), [](const Facet& a, const Facet& b) {
    return std::tie(b.open, b.count, a.value) < std::tie(a.open, a.count, b.value);
  });
}

std::vector<Facet> facets_of(const std::map<std::string, Facet>& counts) {
  std::vector<Facet> list;
  for (const auto& [value, facet] : counts) {
    list.push_back(facet);
    list.back().value = value;
  }
  sort_facets(list);
  return list;
}

}  // namespace

FacetsResult facets(Session& session, const FacetsRequest&) {
  Engine& engine = session.engine(Access::read);
  const State& s = engine.state();
  engine.try_sync();
  const auto& g = s.graph();
  const auto& c = g.nodes();
  std::map<std::string, Facet> states, types;
  std::unordered_map<NodeId, Facet> labels;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(s, n)) continue;
    const std::string& state = g.states().name(c.state[n]);
    const bool open = state == kOpen;
    const auto count = [&](Facet& facet) {
      ++facet.count;
      facet.open += open;
    };
    if (!state.empty()) count(states[state]);
    count(types[g.node_types().name(c.type[n])]);
    std::unordered_set<NodeId> seen;  // a label may be one by two types
    for (const EdgeId e : g.out_edges(n)) {
      const NodeId target = g.target(e);
      if (s.type_policy(g.type(e)).context && exists(s, target) && seen.insert(target).second)
        count(labels[target]);
    }
  }
  FacetsResult result;
  result.states = facets_of(states);
  result.types = facets_of(types);
  for (auto& [n, facet] : labels) {
    facet.value = g.id(n);
    if (auto name = engine.content(facet.value).name; name && !name->empty())
      facet.name = std::move(*name);
    result.labels.push_back(std::move(facet));
  }
  sort_facets(result.labels);
  auto& rows = session.tables(Access::read).query(sql::Query::count_by_project);
  const sql::Reset reset(rows);
  while (rows.step()) {
    Facet facet;
    facet.value = rows.text(0);
    facet.count = rows.integer(1);
    facet.open = rows.integer(2);
    result.projects.push_back(std::move(facet));
  }
  return result;
}

Operation facets_operation() {
  return operation<FacetsRequest, FacetsResult>(
      {.name = "facets",
       .command = "topology",
       .summary = "The states, types, labels and projects there are, with how many nodes have them",
       .example = "  hebb topology",
       .effect = Effect::reads,
       .doors = kHttp,
       .path = "/facets"},
      facets);
}

}  // namespace hebb::api
