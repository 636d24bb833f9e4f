// Nodes by what they are, rather than by what to do next.
#include "engine/look/look.h"
#include "engine/rank/node_filter.h"
#include "engine/rank/why_not.h"
#include "engine/tables.h"
#include "reward/outcome.h"
#include "reward/states.h"

namespace hebb {

using graph::NodeId;

namespace {

// Any state but none: what has no state is a label, a file, an agent.
constexpr std::string_view kAny = "any";

bool in_state(const std::string& state, const std::string& wanted) {
  return same_name(wanted, kAny) ? !state.empty() : same_name(state, kept_state(wanted));
}

ListedNode listed(Engine& engine, const reward::View& view, reward::Readiness& readiness, NodeId n,
                  TimeMs now) {
  const auto& g = view.graph;
  const auto& c = g.nodes();
  const NodeContent content = engine.content(g.id(n));
  const auto ids = [&](const std::vector<NodeId>& nodes) {
    std::vector<std::string> ids;
    for (const NodeId one : nodes) ids.emplace_back(g.id(one));
    return ids;
  };
  ListedNode node;
  node.id = g.id(n);
  node.name = content.name.value_or("");
  node.type = g.node_types().name(c.type[n]);
  node.state = g.states().name(c.state[n]);
  node.project = content.project.value_or("");
  if (c.priority[n] != graph::kNoPriority) node.priority = c.priority[n];
  node.due_at = c.due_at[n];
  node.snoozed_until = c.snoozed_until[n];
  node.created_at = c.created_at[n];
  node.pinned = c.pinned[n] != 0;
  node.labels = ids(reward::contexts(view, n, now));
  std::ranges::sort(node.labels);
  if (reward::is_over(node.state)) return node;
  node.blocked_by = ids(reward::blockers(view, n, now));
  node.not_ready = why_not_ready(view, readiness, n);
  return node;
}

std::size_t bytes_of(const ListedNode& node) {
  std::size_t bytes = node.id.size() + node.name.size() + node.type.size() + node.state.size() +
                      node.project.size();
  for (const auto* texts : {&node.labels, &node.blocked_by, &node.not_ready})
    for (const std::string& text : *texts) bytes += text.size();
  return bytes;
}

}  // namespace

NodeList list_nodes(Engine& engine, const ListQuery& query, std::optional<TimeMs> now,
                    const TookRow& took) {
  const auto moment = engine.one_moment();
  const State& s = engine.state();
  const auto view = s.view();
  const auto& g = view.graph;
  const auto& created_at = g.nodes().created_at;
  const std::string state = query.state.empty() ? std::string(kOpen) : query.state;
  const NodeFilter filter(folded_of(engine), s, view, query);
  std::vector<NodeId> found;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || n == kFrontierNode || !reward::exists(view, n)) continue;
    if (in_state(g.states().name(g.nodes().state[n]), state) && filter.takes(n)) found.push_back(n);
  }
  std::ranges::sort(found, [&](NodeId a, NodeId b) {
    return created_at[a] != created_at[b] ? created_at[a] > created_at[b] : g.id(a) < g.id(b);
  });
  NodeList list;
  list.total = std::ssize(found);
  const auto begin = std::min(query.offset, list.total);
  const auto end = begin + std::min(query.limit, list.total - begin);
  const TimeMs at = now.value_or(s.stamp());
  reward::Readiness readiness(view, at);
  for (auto i = begin; i < end; ++i) {
    list.nodes.push_back(listed(engine, view, readiness, found[static_cast<std::size_t>(i)], at));
    if (took) took(bytes_of(list.nodes.back()));
  }
  return list;
}

}  // namespace hebb
