#include "cli/graph_edges.h"

#include <limits>

#include <fmt/format.h>

#include "engine/ledger/refusals.h"
#include "reward/weight.h"

namespace hebb::cli {

using graph::EdgeId;
using graph::NodeId;

void require_text(const std::string& text, std::string_view field) {
  try {
    const std::string ignored = Json(text).dump();
  } catch (const Json::type_error&) {
    throw Stop(kUsage, fmt::format("{} is not valid UTF-8", field));
  }
}

void require_name(const std::string& text, std::string_view field) {
  require_text(text, field);
  if (auto refusal = check_name(text, field)) throw Refused(std::move(*refusal));
}

std::string require_properties(const std::string& json) {
  require_text(json, "--properties");
  auto properties = canonical_properties(json, "--properties");
  if (auto* refusal = std::get_if<Refusal>(&properties)) {
    if (refusal->reason == refusal::kNotJson) {
      throw Stop(kUsage, fmt::format("--properties is not JSON: {}", refusal->detail));
    }
    throw Refused(std::move(*refusal));
  }
  return std::get<std::string>(std::move(properties));
}

NodeId require_node(const State& s, const std::string& id) {
  if (s.exists(id)) return *s.find(id);
  throw Stop(kFailed, s.find(id) ? fmt::format("the node \"{}\" is deleted", id)
                                 : fmt::format("there is no node \"{}\"; `hebb search` finds nodes "
                                               "by their text",
                                               id));
}

EdgeNow edge_now(const State& s, EdgeId e, TimeMs now) {
  const auto& g = s.graph();
  const auto& type = s.type_policy(g.type(e));
  EdgeNow edge;
  edge.source = g.id(g.source(e));
  edge.target = g.id(g.target(e));
  edge.type = g.edge_types().name(g.type(e));
  edge.stored_weight = g.edges().weight[e];
  edge.touched_at = g.edges().touched_at[e];
  edge.weight = reward::effective(type, edge.stored_weight, edge.touched_at, now);
  edge.dormant = reward::dormant(type, edge.stored_weight, edge.touched_at, now);
  return edge;
}

Json edge_json(const EdgeNow& edge) {
  return {{"source", edge.source},
          {"target", edge.target},
          {"type", edge.type},
          {"weight", edge.weight},
          {"stored_weight", edge.stored_weight},
          {"touched_at", edge.touched_at},
          {"dormant", edge.dormant}};
}

std::string edge_text(const EdgeNow& edge) {
  return fmt::format("{} -{}-> {}", edge.source, edge.type, edge.target);
}

std::string weight_text(const EdgeNow& edge) {
  return fmt::format("{:.4g}{}", edge.weight, edge.dormant ? " (dormant)" : "");
}

bool is_between_existing(const State& s, EdgeId e) {
  const auto& c = s.graph().nodes();
  for (const NodeId n : {s.graph().source(e), s.graph().target(e)}) {
    const bool exists = c.created_at[n] != graph::kNever && c.deleted_at[n] == graph::kNever;
    if (n != s.frontier() && !exists) return false;
  }
  return true;
}

std::vector<double> costs(const State& s, TimeMs now) {
  const auto& g = s.graph();
  std::vector<double> all(g.edge_bound(), std::numeric_limits<double>::infinity());
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || !is_between_existing(s, e)) continue;
    const auto& type = s.type_policy(g.type(e));
    const double w = g.edges().weight[e];
    const TimeMs t = g.edges().touched_at[e];
    const double weight = reward::effective(type, w, t, now);
    if (weight > 0 && !reward::dormant(type, w, t, now)) all[e] = 1 / weight;
  }
  return all;
}

}  // namespace hebb::cli
