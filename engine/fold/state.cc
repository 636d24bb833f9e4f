#include "engine/fold/state.h"

#include <algorithm>
#include <chrono>

#include "engine/fold/done_once.h"

namespace hebb {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

namespace {

bool is_after(const Event& e, const EventOrder& order) {
  return e.at > order.at || (e.at == order.at && e.key > order.key);
}

void renew_policy(StateParts& parts) {
  parts.in_force.reset();
  if (parts.facts.learned)
    parts.in_force = reward::in_force(parts.policies.last().policy, parts.facts.learned);
}

}  // namespace

bool Scope::meets(const Scope& other) const {
  if (nodes.size() + edges.size() < other.nodes.size() + other.edges.size()) {
    return other.meets(*this);
  }
  if (everything || other.everything) return true;
  return std::any_of(other.nodes.begin(), other.nodes.end(),
                     [&](NodeId n) { return nodes.contains(n); }) ||
         std::any_of(other.edges.begin(), other.edges.end(),
                     [&](const EdgeKey& e) { return edges.contains(e); });
}

void Scope::add(const Scope& other) {
  nodes.insert(other.nodes.begin(), other.nodes.end());
  edges.insert(other.edges.begin(), other.edges.end());
  everything = everything || other.everything;
}

State::State(bool track_changes) {
  parts_.tracks = track_changes;
  graph::Graph& g = parts_.graph;
  g.add_node(kFrontier);
  g.nodes().type[kFrontierNode] = g.node_types().intern("SYSTEM_ANCHOR");
  g.nodes().created_at[kFrontierNode] = 0;
  touch(parts_, kFrontierNode);
}

reward::View State::view() const {
  const Policies::Era& era = policies().last();
  return {graph(), vectors(), parts_.in_force ? *parts_.in_force : era.policy, era.types,
          kFrontierNode};
}

reward::View view_as_set(const State& state) {
  const Policies::Era& era = state.policies().last();
  return {state.graph(), state.vectors(), era.policy, era.types, kFrontierNode};
}

const reward::Ranking& State::ranking(reward::Times times) {
  const bool of_tables = times.now == times.stamp;
  parts_.keeps_both = parts_.keeps_both || of_tables;
  reward::Ranking& kept = of_tables ? parts_.ranking : parts_.current;
  if (!of_tables && !kept.keeps(times.stamp) && parts_.ranking.keeps(times.stamp))
    kept = parts_.keeps_both ? parts_.ranking : std::exchange(parts_.ranking, {});
  kept.update(view(), times);
  return kept;
}

TimeMs State::rank_time(TimeMs now) const {
  const reward::Ranking& kept = parts_.current;
  const bool is_kept = kept.keeps(facts().ranked_at()) && kept.times().now <= now;
  return is_kept && now < holds_until(*this, kept.times().now) ? kept.times().now : now;
}

TimeMs holds_until(const State& state, TimeMs at) {
  TimeMs until = at + reward::kMsPerMinute;
  for (const TimeMs snoozed : state.graph().nodes().snoozed_until)
    if (snoozed > at) until = std::min(until, snoozed);
  return until;
}

std::optional<NodeId> State::find(std::string_view id) const {
  const auto n = graph().find_node(id);
  if (!n || graph().nodes().created_at[*n] == kNever) return std::nullopt;
  return n;
}

bool State::exists(std::string_view id) const {
  const auto n = find(id);
  return n && graph().nodes().deleted_at[*n] == kNever;
}

std::optional<EdgeId> State::find_edge(const EdgeName& name) const {
  const auto s = graph().find_node(name.source);
  const auto t = graph().find_node(name.target);
  const auto y = graph().edge_types().find(name.type);
  if (!s || !t || !y) return std::nullopt;
  return graph().find_edge(*s, *t, *y);
}

TimeMs LedgerFacts::ranked_at() const {
  if (latest.at == kNever) return 0;
  using namespace std::chrono;
  const TimeMs hour = milliseconds(floor<hours>(milliseconds(latest.at))).count();
  return std::max(hour, recalibrated_at);
}

reward::Times LedgerFacts::times(std::optional<TimeMs> now) const {
  return now ? reward::Times(std::min(ranked_at(), *now), *now) : reward::Times(ranked_at());
}

// --- as one piece of memory ----------------------------------------------------------------------

graph::Packing State::pack() {
  graph::Packing packing = parts_.graph.pack();
  parts_.vectors.pack(packing);
  if (parts_.ranking.has_notes()) parts_.ranking.clear();
  parts_.ranking.pack(packing);
  return packing;
}

graph::Packing State::unpack(std::shared_ptr<const void> memory) {
  parts_.memory = std::move(memory);
  parts_.graph = {};
  graph::Packing packing = parts_.graph.unpack();
  parts_.vectors.pack(packing);
  parts_.ranking.clear();
  parts_.current.clear();
  parts_.ranking.pack(packing);
  return packing;
}

void State::load(LedgerFacts facts, const std::array<std::vector<std::string>, 3>& names) {
  graph::Graph& g = parts_.graph;
  for (const std::string& name : names[0]) g.node_types().intern(name);
  for (const std::string& name : names[1]) g.states().intern(name);
  for (const std::string& name : names[2]) g.edge_types().intern(name);
  parts_.facts = std::move(facts);
  parts_.policies.cover(g.edge_types());
  renew_policy(parts_);
}

// --- folding -------------------------------------------------------------------------------------

void State::note_latest(const Event& e) {
  if (is_claim(e.payload)) return;
  LedgerFacts& facts = parts_.facts;
  if (is_after(e, facts.latest)) facts.latest = {e.at, e.key};
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (upsert && !upsert->vector.empty() && facts.dimension == 0) {
    facts.dimension = upsert->vector.size();
    facts.embedder = upsert->embedder;
  }
}

void State::apply(const Event& e, const Scope* scope) {
  if (is_claim(e.payload)) return;
  hebb::apply(parts_, e, scope);
  LedgerFacts& facts = parts_.facts;
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  const bool learns = outcome && outcome->outcome == OutcomeKind::success && outcome->learned &&
                      is_after(e, facts.learned_from);
  if (learns) {
    facts.learned = outcome->learned;
    facts.learned_from = {e.at, e.key};
  }
  if (learns || std::holds_alternative<PolicyChange>(e.payload)) renew_policy(parts_);
  if (!scope) note_latest(e);
}

bool State::in_order(const Event& e) const {
  if (is_after(e, facts().latest)) return true;
  if (std::holds_alternative<PolicyChange>(e.payload) || std::holds_alternative<Pivot>(e.payload) ||
      std::holds_alternative<Forget>(e.payload) || std::holds_alternative<Undo>(e.payload)) {
    return false;
  }
  // Older than the latest event, but in order all the same if nothing that it touches was touched
  // since. A node or edge that is not there may have been removed since: that counts as touched.
  if (changes_subject(e.payload)) {
    const auto n = find(e.subject);
    if (!n || last_touch(graph(), *n) >= e.at) return false;
    // Outcomes of a done task leave no trace, and count once it is reopened before them.
    const bool may_reopen = !std::holds_alternative<OutcomeSignal>(e.payload);
    if (may_reopen && is_done(graph(), policies().at({e.at, e.key}), *n)) return false;
  }
  std::vector<EdgeRule> rules;
  edge_rules(e, policies().at({e.at, e.key}), rules);
  return std::all_of(rules.begin(), rules.end(), [&](const EdgeRule& r) {
    const auto edge =
        find_edge({std::string(r.source), std::string(r.target), std::string(r.type)});
    return edge && graph().edges().touched_at[*edge] < e.at;
  });
}

// --- what a late event touches, and its removal, so that it can be folded anew -------------------

bool State::drop_nodes_without_event(bool even_few) {
  graph::Graph& g = parts_.graph;
  const Changes& c = parts_.changes;  // they name nodes and edges by number
  if (!c.everything && !(c.nodes.empty() && c.edges.empty())) return false;
  std::vector<bool> unmade(g.node_bound());
  std::size_t count = 0;
  for (NodeId n = 0; parts_.may_hold_nodes_without_event && n < g.node_bound(); ++n) {
    unmade[n] = last_touch(g, n) == kNever && g.out_edges(n).empty() && g.in_edges(n).empty();
    count += unmade[n];
  }
  parts_.may_hold_nodes_without_event = count > 0;
  const std::size_t gaps = count + g.edge_bound() - g.num_edges();
  const bool are_many = gaps > (g.node_bound() + g.edge_bound()) / 8;
  if (!are_many && (count == 0 || !even_few)) return false;
  const std::vector<NodeId> ids = g.remove_nodes(unmade);
  const auto renumber = [&](auto& by_node, const auto& renamed) {
    std::decay_t<decltype(by_node)> kept;
    for (auto& [key, value] : by_node) {
      if (const auto now = renamed(key)) kept.emplace(*now, std::move(value));
    }
    by_node = std::move(kept);
  };
  const auto node = [&](NodeId n) {
    return ids[n] == graph::kNoNode ? std::nullopt : std::optional(ids[n]);
  };
  const auto edge = [&](const EdgeKey& e) {
    const auto source = node(e.source), target = node(e.target);
    return source && target ? std::optional(EdgeKey{*source, *target, e.type}) : std::nullopt;
  };
  renumber(parts_.changes.content, node);
  renumber(parts_.changes.edge_properties, edge);
  parts_.vectors.renumber(ids);
  parts_.ranking.clear();
  parts_.current.clear();
  parts_.may_hold_nodes_without_event = false;
  return true;
}

void State::add_touched(const Event& e, Scope& scope) {
  if (std::holds_alternative<PolicyChange>(e.payload)) {
    scope.everything = true;  // a policy holds for all events after it
    return;
  }
  std::vector<EdgeRule> rules;
  edge_rules(e, policies().at({e.at, e.key}), rules);
  for (const auto& r : rules) {
    if (const auto key = key_of(parts_, r))
      scope.edges.insert(*key);
    else
      scope.everything = true;  // where an end is gone, nothing shows what else goes with it
  }
  if (std::holds_alternative<Pivot>(e.payload)) {
    for (const EdgeId edge : graph().out_edges(kFrontierNode)) {
      scope.edges.insert({kFrontierNode, graph().target(edge), graph().type(edge)});
    }
  }
  if (const auto* f = std::get_if<Forget>(&e.payload)) {
    // All edges that are there: nothing shows the state of a removed one before its removal.
    for (const auto& id : f->nodes) {
      const auto n = graph().find_node(id);
      if (!n) continue;
      scope.nodes.insert(*n);
      for (const auto edges : {graph().out_edges(*n), graph().in_edges(*n)}) {
        for (const EdgeId edge : edges)
          scope.edges.insert({graph().source(edge), graph().target(edge), graph().type(edge)});
      }
    }
  }
  if (changes_subject(e.payload)) scope.nodes.insert(name_node(parts_, e.subject));
}

void State::reset(const Scope& scope) {
  for (const EdgeKey& key : scope.edges) {
    if (const auto e = graph().find_edge(key.source, key.target, key.type)) remove_edge(parts_, *e);
    touch(parts_, key);
  }
  for (const NodeId n : scope.nodes) clear_node(parts_, n);
}

TimeMs last_touch(const graph::Graph& graph, NodeId n) {
  const auto& c = graph.nodes();
  return std::max(
      {c.created_at[n], c.updated_at[n], c.outcome_at[n], c.tried_at[n], c.deleted_at[n]});
}

EdgeName edge_name(const graph::Graph& graph, EdgeId e) {
  return {std::string(graph.id(graph.source(e))), std::string(graph.id(graph.target(e))),
          graph.edge_types().name(graph.type(e))};
}

}  // namespace hebb
