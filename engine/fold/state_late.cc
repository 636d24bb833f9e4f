// What a late event touches, and its removal from the state, so that it can be folded anew.
#include <algorithm>

#include "engine/fold/edge_rules.h"
#include "engine/fold/state.h"

namespace hebb {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

bool State::hangs(const Scope& scope) const {
  const auto& created_at = graph_.nodes().created_at;
  const bool node = std::any_of(scope.nodes.begin(), scope.nodes.end(),
                                [&](NodeId n) { return created_at[n] == kNever; });
  return node || std::any_of(scope.edges.begin(), scope.edges.end(), [&](const EdgeKey& key) {
           return created_at[key.source] == kNever || created_at[key.target] == kNever;
         });
}

std::unordered_set<std::string> State::drop_hanging() {
  std::unordered_set<std::string> ids;
  for (NodeId n = 0; n < graph_.node_bound(); ++n) {
    if (!graph_.is_live_node(n) || graph_.nodes().created_at[n] != kNever) continue;
    ids.emplace(graph_.id(n));
    clear_node(n);
    remove_edges_of(n, nullptr);
  }
  return ids;
}

void State::add_touched(const Event& e, Scope& scope) {
  if (std::holds_alternative<PolicyChange>(e.payload)) {
    scope.everything = true;  // a policy holds for all events after it
    return;
  }
  std::vector<EdgeRule> rules;
  edge_rules(e, policy_at({e.at, e.key}), rules);
  for (const auto& r : rules) {
    scope.edges.insert({name_node(r.source), name_node(r.target), intern_edge_type(r.type)});
  }
  if (std::holds_alternative<Pivot>(e.payload)) {
    for (const EdgeId edge : graph_.out_edges(frontier_)) {
      scope.edges.insert({frontier_, graph_.target(edge), graph_.type(edge)});
    }
  }
  if (const auto* f = std::get_if<Forget>(&e.payload); f && !f->nodes.empty()) {
    scope.everything = true;  // removing a node removes edges that f does not list
    return;
  }
  if (changes_subject(e.payload)) scope.nodes.insert(name_node(e.subject));
}

void State::reset(const Scope& scope) {
  for (const EdgeKey& key : scope.edges) {
    if (const auto e = graph_.find_edge(key.source, key.target, key.type)) remove_edge(*e);
    touch(key);
  }
  for (const NodeId n : scope.nodes) clear_node(n);
}

}  // namespace hebb
