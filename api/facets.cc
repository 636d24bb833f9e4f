#include "api/facets.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "api/common.h"
#include "api/room.h"
#include "reward/evidence.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

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
  const auto view = s.view();
  const auto exists = [&](NodeId n) { return n != kFrontierNode && reward::exists(view, n); };
  const auto& g = s.graph();
  const auto& c = g.nodes();
  std::map<std::string, Facet> states, types;
  std::unordered_map<NodeId, Facet> labels;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(n)) continue;
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
      if (s.type_policy(g.type(e)).context && exists(target) && seen.insert(target).second)
        count(labels[target]);
    }
  }
  FacetsResult result;
  Room room(session);
  result.states = facets_of(states);
  result.types = facets_of(types);
  for (auto& [n, facet] : labels) {
    facet.value = g.id(n);
    if (auto name = engine.content(facet.value).name; name && !name->empty())
      facet.name = std::move(*name);
    room.take(4, facet.value, facet.name.value_or(""));
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
    room.take(4, facet.value);
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
