#include "capture/tools.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "capture/trace_learn.h"
#include "reward/weight.h"

namespace hebb::capture {
namespace {

std::vector<ToolSuggestion> of_relation(const State& state, graph::NodeId tool, Relation relation,
                                        TimeMs now, std::size_t top) {
  const auto& graph = state.graph();
  std::vector<ToolSuggestion> found;
  const auto type = graph.edge_types().find(edge_type(relation));
  if (!type) return found;
  const auto& policy = state.type_policy(*type);
  double total = 0;
  for (const graph::EdgeId e : graph.out_edges(tool)) {
    const graph::NodeId target = graph.target(e);
    if (graph.type(e) != *type || graph.nodes().deleted_at[target] != graph::kNever) continue;
    const double w = graph.edges().weight[e];
    const TimeMs t = graph.edges().touched_at[e];
    if (reward::dormant(policy, w, t, now)) continue;
    ToolSuggestion s;
    s.relation = relation;
    s.tool = graph.id(target);
    s.weight = reward::effective(policy, w, t, now);
    s.touched_at = t;
    total += s.weight;
    found.push_back(std::move(s));
  }
  std::sort(found.begin(), found.end(), [](const ToolSuggestion& a, const ToolSuggestion& b) {
    return std::tie(b.weight, a.tool) < std::tie(a.weight, b.tool);
  });
  if (found.size() > top) found.resize(top);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].rank = i + 1;
    found[i].share = found[i].weight / total;
  }
  return found;
}

}  // namespace

ToolKnown tool_known(const State& state, std::string_view tool) {
  if (!state.exists(tool)) return ToolKnown::no_such_node;
  const auto& graph = state.graph();
  const auto type = graph.nodes().type[*state.find(tool)];
  return graph.node_types().name(type) == kToolType ? ToolKnown::yes : ToolKnown::not_a_tool;
}

std::vector<ToolSuggestion> suggest_tools(const State& state, std::string_view tool, TimeMs now,
                                          std::size_t top) {
  std::vector<ToolSuggestion> all;
  if (tool_known(state, tool) != ToolKnown::yes) return all;
  const graph::NodeId node = *state.find(tool);
  for (const auto relation : {Relation::follows, Relation::co_occurs, Relation::contains}) {
    auto some = of_relation(state, node, relation, now, top);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace hebb::capture
