// Nodes by their properties, rather than by rank.
#include <limits>

#include "engine/current/events.h"
#include "engine/look/counts.h"
#include "engine/rank/node_filter.h"
#include "engine/rank/why_not.h"
#include "engine/tables.h"
#include "text/ascii.h"

namespace hebb {

using graph::NodeId;

namespace {

// Any state but none: a node without state is a label, a file, an agent.
constexpr std::string_view kAny = "any";

// Whether the query asks for nodes of that state, with that claim.
bool asks_for(const ListQuery& query, const std::string& state, const ClaimRow* claim) {
  const bool of_claimed = query.claimed || !query.claimed_by.empty();
  if (of_claimed && (!claim || (!query.claimed_by.empty() && claim->agent != query.claimed_by)))
    return false;
  if (query.state.empty()) return !state.empty() && (of_claimed || !reward::is_over(state));
  if (same_name(query.state, kAny)) return !state.empty();
  return same_name(state_shown(state, claim), kept_state(query.state));
}

// How often the verdict on a test changed, without changes whose failure names a changed file (an
// edge FAILS_WITH of its time). O(its events).
std::int64_t verdict_changes(const Folded& folded, std::string_view test) {
  const std::vector<Event> events = events_with_repeats(folded, test);
  std::unordered_set<TimeMs> named;  // the times of failures that name files
  for (const Event& e : events) {
    const auto* link = std::get_if<Link>(&e.payload);
    if (link && link->type == reward::kFailsWith) named.insert(e.at);
  }
  const Event* last = nullptr;
  std::int64_t changes = 0;
  for (const Event& e : events) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || outcome->outcome == OutcomeKind::partial) continue;  // no verdict
    const auto failed = [](const Event& event) {
      return std::get<OutcomeSignal>(event.payload).outcome == OutcomeKind::failure;
    };
    if (last && failed(*last) != failed(e) && !named.contains(failed(e) ? e.at : last->at))
      ++changes;
    last = &e;
  }
  return changes;
}

// Nodes with smaller ones go first.
TimeMs sort_key(const graph::NodeColumns& nodes, NodeId n, std::string_view sort) {
  constexpr TimeMs kLast = std::numeric_limits<TimeMs>::max();
  const auto newest_first = [](TimeMs time) { return time == graph::kNever ? kLast : -time; };
  if (sort == "updated") return newest_first(nodes.updated_at[n]);
  if (sort == "due") return nodes.due_at[n] == graph::kNever ? kLast : nodes.due_at[n];
  if (sort == "priority")
    return nodes.priority[n] == graph::kNoPriority ? kLast : nodes.priority[n];
  return newest_first(nodes.created_at[n]);
}

std::size_t bytes_of(const ListedNode& node) {
  std::size_t bytes = node.id.size() + node.name.size() + node.type.size() + node.state.size() +
                      node.project.size() + node.claimed_by.size() + node.because.size() +
                      bytes_of(static_cast<const NodeFacts&>(node));
  for (const auto* texts : {&node.blocked_by, &node.not_ready})
    for (const std::string& text : *texts) bytes += text.size();
  return bytes;
}

}  // namespace

std::string state_shown(const std::string& state, const ClaimRow* claim) {
  return claim && state == kOpen ? "IN_PROGRESS" : state;
}

const ClaimRow* claim_at(const Claims& claims, std::string_view id, TimeMs clock) {
  const ClaimRow* claim = claims.of_task(std::string(id));
  return claim && claim->active(clock) ? claim : nullptr;
}

void describe(const reward::View& view, reward::Readiness& readiness, FactsOf& facts, NodeId n,
              const NodeContent& content, const ClaimRow* claim, DescribedNode& node) {
  const auto& g = view.graph;
  const auto& c = g.nodes();
  static_cast<NodeFacts&>(node) = facts(n, content);
  node.id = g.id(n);
  node.name = content.name.value_or("");
  node.type = g.node_types().name(c.type[n]);
  node.state = state_shown(g.states().name(c.state[n]), claim);
  if (claim) {
    node.claimed_by = claim->agent;
    node.claimed_until = claim->expires_at;
  }
  node.project = content.project.value_or("");
  if (reward::is_snoozed(view, n, readiness.times().now)) node.snoozed_until = c.snoozed_until[n];
  node.created_at = c.created_at[n];
  node.pinned = c.pinned[n] != 0;
  if (!reward::is_over(node.state)) node.not_ready = why_not_ready(view, readiness, n);
}

NodeList list_nodes(Engine& engine, const ListQuery& query, TimeMs now, const TookRow& took) {
  const auto moment = engine.read_snapshot();
  const State& s = engine.state();
  const auto view = s.view();
  const auto& g = view.graph;
  const auto& created_at = g.nodes().created_at;
  Folded& folded = folded_of(engine);
  const Claims& claims = folded.claims();
  const NodeFilter filter(folded, s, view, query);
  std::vector<NodeId> found;
  std::unordered_map<NodeId, std::int64_t> changes;  // of flaky tests
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (n == kFrontierNode || !reward::exists(view, n)) continue;
    const ClaimRow* claim = claim_at(claims, g.id(n), now);
    if (!asks_for(query, g.states().name(g.nodes().state[n]), claim) || !filter.takes(n)) continue;
    if (query.flaky) {
      const bool test = same_name(g.node_types().name(g.nodes().type[n]), reward::kTestType);
      if (!test || (changes[n] = verdict_changes(folded, g.id(n))) < 2) continue;
    }
    found.push_back(n);
  }
  std::ranges::sort(found, [&](NodeId a, NodeId b) {
    if (query.flaky && query.sort.empty() && changes[a] != changes[b])
      return changes[a] > changes[b];
    const auto first = sort_key(g.nodes(), a, query.sort),
               second = sort_key(g.nodes(), b, query.sort);
    if (first != second) return first < second;
    return created_at[a] != created_at[b] ? created_at[a] > created_at[b] : g.id(a) < g.id(b);
  });
  NodeList list;
  list.total = std::ssize(found);
  const auto begin = std::clamp<std::int64_t>(query.offset, 0, list.total);
  const auto end =
      begin + std::clamp<std::int64_t>(query.limit.value_or(50), 0, list.total - begin);
  const reward::Times times = s.facts().times(now);
  reward::Readiness readiness(view, times);
  FactsOf facts(folded, view, times.stamp);
  for (auto i = begin; i < end; ++i) {
    const NodeId n = found[static_cast<std::size_t>(i)];
    ListedNode& node = list.nodes.emplace_back();
    describe(view, readiness, facts, n, engine.content(g.id(n)), claim_at(claims, g.id(n), now),
             node);
    if (node.snoozed_until != graph::kNever) node.because = why_snoozed(engine, node.id, now);
    if (!reward::is_over(node.state))
      for (const NodeId by : reward::blockers(view, n, times))
        node.blocked_by.emplace_back(g.id(by));
    if (query.flaky) node.verdict_changes = changes[n];
    if (took) took(bytes_of(node));
  }
  return list;
}

}  // namespace hebb
