// facets: the states, types, labels and projects there are, for whoever looks around.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "api/common.h"
#include "api/operations.h"
#include "api/room.h"
#include "reward/evidence.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

struct Facet {
  std::string value;
  std::optional<std::string> name;   // of a label: what people call it
  std::int64_t count = 0, open = 0;  // nodes, and those of them that are OPEN
};
RECORD(Facet,
       FIELD(value, "The state, type, project, or the label's id"),
       FIELD(name, "Of a label: what people call it"),
       FIELD(count, "How many nodes have it"),
       FIELD(open, "How many of these are OPEN"))

struct FacetsResult {
  std::vector<Facet> states, types, labels, projects;  // most OPEN nodes first
};
RECORD(FacetsResult,
       FIELD(states, "Of nodes that have one, those of most OPEN nodes first"),
       FIELD(types, "Likewise"),
       FIELD(labels, "What nodes have as a context; those of most OPEN nodes first"),
       FIELD(projects, "Likewise"))

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

static FacetsResult facets(Session& session, const Nothing&) {
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

Operations facets_operations() {
  return {
      operation(
          {.name = "facets",
           .command = "topology",
           .summary =
               "The states, types, labels and projects there are, with how many nodes have them",
           .example = "  hebb topology",
           .route = "GET /facets",
           .command_line = false},
          facets),
  };
}

}  // namespace hebb::api
