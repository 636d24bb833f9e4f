// Folds one event into the parts of a state.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/embed/embedder.h"
#include "engine/fold/done_once.h"
#include "engine/fold/state.h"
#include "engine/ledger/event_fields.h"
#include "engine/ledger/outcome_input.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

namespace {

bool lists_changes(const StateParts& p) { return p.tracks && !p.changes.everything; }

}  // namespace

void touch(StateParts& p, NodeId n) {
  p.ranking.note_node(n);
  p.current.note_node(n);
  if (lists_changes(p)) p.changes.nodes.push_back(n);
}

void touch(StateParts& p, const EdgeKey& k) {
  p.ranking.note_edge(k.source, k.target, k.type);
  p.current.note_edge(k.source, k.target, k.type);
  if (lists_changes(p)) p.changes.edges.push_back(k);
}

NodeId name_node(StateParts& p, std::string_view id, bool is_made) {
  if (const auto n = p.graph.find_node(id)) return *n;
  p.may_hold_nodes_without_event = p.may_hold_nodes_without_event || !is_made;
  return p.graph.add_node(id);
}

// The last policy gets settings for the new type at once, so that const methods need not add it.
std::optional<EdgeKey> key_of(StateParts& p, const EdgeRule& rule) {
  const graph::TypeId type = p.graph.edge_types().intern(rule.type);
  p.policies.cover(p.graph.edge_types());
  if (rule.rule != Rule::remove && rule.rule != Rule::scale)
    return EdgeKey{name_node(p, rule.source), name_node(p, rule.target), type};
  const auto source = p.graph.find_node(rule.source), target = p.graph.find_node(rule.target);
  if (!source || !target) return std::nullopt;
  return EdgeKey{*source, *target, type};
}

void set_vector(StateParts& p, NodeId n, std::span<const float> vector) {
  if (vector.empty()) {
    p.vectors.clear(n);
  } else {
    p.vectors.set(n, vector);
  }
}

void remove_edge(StateParts& p, EdgeId e) {
  const EdgeKey key{p.graph.source(e), p.graph.target(e), p.graph.type(e)};
  p.graph.remove_edge(e);
  touch(p, key);
  if (p.tracks) p.changes.edge_properties[key] = "{}";
}

void remove_edges_of(StateParts& p, NodeId n, const Scope* scope) {
  std::vector<EdgeId> edges(p.graph.out_edges(n).begin(), p.graph.out_edges(n).end());
  for (const EdgeId e : p.graph.in_edges(n)) {
    if (p.graph.source(e) != n) edges.push_back(e);
  }
  for (const EdgeId e : edges) {
    const EdgeKey key{p.graph.source(e), p.graph.target(e), p.graph.type(e)};
    if (!scope || scope->edges.contains(key)) remove_edge(p, e);
  }
}

void clear_node(StateParts& p, NodeId n) {
  p.facts.completed -= p.graph.nodes().completed_at[n] != kNever;
  p.graph.reset_node(n);
  p.may_hold_nodes_without_event = true;
  if (p.vectors.has(n)) {
    p.vectors.clear(n);
  }
  if (p.tracks) p.changes.content[n] = NodeContent{true, {}, {}, {}, {}, {}};
  touch(p, n);
}

// --- one event -----------------------------------------------------------------------------------

namespace {

class Applying {
 public:
  Applying(StateParts& parts, const Event& e, const Scope* scope)
      : p_(parts),
        c_(parts.graph.nodes()),
        e_(e),
        scope_(scope),
        era_(parts.policies.era_at({e.at, e.key})) {}

  void run() {
    if (!counts(p_.graph, era_.policy, e_)) return;
    if (std::holds_alternative<Recalibration>(e_.payload))
      p_.facts.recalibrated_at = std::max(p_.facts.recalibrated_at, e_.at);
    if (changes_subject(e_.payload)) {
      const NodeId n = name_node(p_, e_.subject, !scope_ && makes_node(e_.payload));
      if (!scope_ || scope_->nodes.contains(n)) node(n);
    }
    if (std::holds_alternative<Pivot>(e_.payload)) scale_frontier();
    edges();
    if (const auto* f = std::get_if<Forget>(&e_.payload)) forget(*f);
  }

 private:
  void node(NodeId n) {
    touch(p_, n);
    if (const auto* upsert = std::get_if<NodeUpsert>(&e_.payload)) {
      upserted(*upsert, n);
    } else if (std::holds_alternative<NodeDelete>(e_.payload)) {
      c_.deleted_at[n] = e_.at;
    } else if (const auto* change = std::get_if<StateChange>(&e_.payload)) {
      set_state(n, change->state, change->opens);
    } else if (const auto* outcome = std::get_if<OutcomeSignal>(&e_.payload)) {
      outcome_of(*outcome, n);
    } else if (std::holds_alternative<Pivot>(e_.payload)) {
      if (c_.created_at[n] == kNever) {
        c_.created_at[n] = e_.at;
        c_.updated_at[n] = e_.at;
        c_.type[n] = p_.graph.node_types().intern("CONTEXT_NODE");
      }
    }
  }

  void set_state(NodeId n, std::string_view state, bool opens_closed = true) {
    if (!opens_closed && c_.state[n] == p_.graph.states().intern(kClosed)) return;
    c_.failing[n] = 0;
    const auto open = p_.graph.states().intern(kOpen);
    const auto next = p_.graph.states().intern(kept_state(state));
    // A node that was there and had no state becomes a task only now.
    const bool is_new = c_.state[n] == 0 && c_.created_at[n] >= e_.at;
    const graph::Names& states = p_.graph.states();
    const bool opens = next == open || (reward::is_over(states.name(c_.state[n])) &&
                                        !reward::is_over(states.name(next)));
    if (opens && c_.state[n] != next && !is_new) c_.reopened_at[n] = e_.at;
    c_.state[n] = next;
    c_.updated_at[n] = e_.at;
  }

  void upserted(const NodeUpsert& upsert, NodeId n) {
    if (c_.created_at[n] == kNever) c_.created_at[n] = e_.at;
    c_.deleted_at[n] = kNever;
    c_.updated_at[n] = e_.at;
    if (upsert.type) c_.type[n] = p_.graph.node_types().intern(*upsert.type);
    if (upsert.state) {
      set_state(n, *upsert.state, upsert.opens);
    } else if (c_.state[n] == 0 && is_task_type(p_.graph.node_types().name(c_.type[n]))) {
      set_state(n, kOpen);
    }
    each_field<NodeUpsert>([&](const auto& field) {
      if constexpr (std::decay_t<decltype(field)>::kOfUser) {
        auto& cell = (c_.*field.column)[n];
        if (const auto& value = upsert.*field.member)
          cell = static_cast<std::decay_t<decltype(cell)>>(*value);
      }
    });
    if (!upsert.vector.empty() || !upsert.embedder.empty()) set_vector(p_, n, upsert.vector);
    if (!p_.tracks) return;
    NodeContent& content = p_.changes.content[n];
    if (upsert.name) content.name = upsert.name;
    if (upsert.description) content.description = upsert.description;
    if (upsert.project) content.project = upsert.project;
    if (upsert.scope) content.scope = upsert.scope;
    if (upsert.properties) content.properties = upsert.properties;
  }

  // A failure may end early: its duration is that of the node only before the first success.
  void note_duration(const OutcomeSignal& outcome, NodeId n) {
    constexpr double kLongestMs = 3660.0 * 24 * 3'600'000;  // longer ones are no measurements
    if (outcome.outcome == OutcomeKind::failure && c_.completed_at[n] != kNever) return;
    const auto ms = execution_time_ms(outcome);
    if (ms && *ms >= 0 && *ms <= kLongestMs) c_.duration_ms[n] = std::llround(*ms);
  }

  void outcome_of(const OutcomeSignal& outcome, NodeId n) {
    if (outcome.outcome != OutcomeKind::failure) c_.outcome_at[n] = e_.at;
    if (outcome.outcome == OutcomeKind::partial) return;
    note_duration(outcome, n);
    const reward::Policy& policy = era_.policy;
    reward::OwnOutcomes own{c_.successes[n], c_.failures[n], c_.tried_at[n]};
    const bool is_test =
        policy.test_by_failures && p_.graph.node_types().name(c_.type[n]) == reward::kTestType;
    if (outcome.outcome == OutcomeKind::success) {
      is_test ? reward::add_success_of_test(policy, own, e_.at)
              : reward::add_success(policy, own, outcome.score, e_.at);
      p_.facts.completed += c_.completed_at[n] == kNever;
      c_.completed_at[n] = e_.at;
      c_.failing[n] = 0;
      // A node without a state is no task, and has none to leave.
      const bool is_task = c_.state[n] != 0 && c_.state[n] != p_.graph.states().intern(kClosed);
      if (policy.close_on_success && is_task && !is_test) set_state(n, kClosed);
    } else {
      is_test ? reward::add_failure_of_test(policy, own, e_.at)
              : reward::add_failure(policy, own, e_.at);
      ++c_.failed[n];
      ++c_.failing[n];
    }
    c_.successes[n] = own.successes;
    c_.failures[n] = own.failures;
    c_.tried_at[n] = own.at;
  }

  void scale_frontier() {
    const auto target = p_.graph.find_node(e_.subject);
    const auto pivot = p_.graph.edge_types().find(kStrategicPivot);
    for (const EdgeId edge : p_.graph.out_edges(kFrontierNode)) {
      const EdgeKey key{kFrontierNode, p_.graph.target(edge), p_.graph.type(edge)};
      if (scope_ && !scope_->edges.contains(key)) continue;
      if (pivot && key.type == *pivot && target && key.target == *target) continue;
      const auto& type = era_.of(key.type, p_.graph.edge_types());
      if (type.is_protected) continue;
      reward::Weight w = weight(edge);
      reward::scale(type, w, era_.policy.pivot_factor, e_.at);
      set_weight(edge, key, w);
    }
  }

  void edges() {
    std::vector<EdgeRule> rules;
    edge_rules(e_, era_.policy, rules);
    for (const EdgeRule& rule : rules) {
      const auto named = key_of(p_, rule);
      if (!named || (scope_ && !scope_->edges.contains(*named))) continue;
      const EdgeKey key = *named;
      auto edge = p_.graph.find_edge(key.source, key.target, key.type);
      const auto before = edge ? std::optional(weight(*edge)) : std::nullopt;
      const auto after = apply_rule(rule, era_.of(key.type, p_.graph.edge_types()), before, e_.at);
      if (!after) {
        if (edge) remove_edge(p_, *edge);
        continue;
      }
      if (!edge) edge = p_.graph.add_edge(key.source, key.target, key.type);
      set_weight(*edge, key, *after);
      const auto* link = std::get_if<Link>(&e_.payload);
      if (link && link->properties && p_.tracks)
        p_.changes.edge_properties[key] = *link->properties;
    }
  }

  reward::Weight weight(EdgeId e) const {
    const auto& c = p_.graph.edges();
    return {c.weight[e], c.touched_at[e], c.gained[e]};
  }
  void set_weight(EdgeId e, const EdgeKey& key, const reward::Weight& w) {
    auto& c = p_.graph.edges();
    c.weight[e] = w.w;
    c.touched_at[e] = w.t;
    c.gained[e] = w.gained;
    touch(p_, key);
  }

  // gc listed the edges it knew of; others may have arrived late.
  void forget(const Forget& f) {
    for (const auto& id : f.nodes) {
      const auto n = p_.graph.find_node(id);
      if (!n) continue;
      if (!scope_ || scope_->nodes.contains(*n)) clear_node(p_, *n);
      remove_edges_of(p_, *n, scope_);
    }
  }

  StateParts& p_;
  graph::NodeColumns& c_;
  const Event& e_;
  const Scope* scope_;
  Policies::Era& era_;
};

void check_vector_of(const StateParts& p, const Event& e) {
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (!upsert || upsert->vector.empty() || p.vectors.dimension() == 0) return;
  if (upsert->vector.size() == p.vectors.dimension()) return;
  throw std::invalid_argument("its vector has another dimension than those before it");
}

// A long history may have had more node types and states than a graph can hold, though never so
// many at one time.
void make_room_for_names(graph::Graph& g, const Event& e) {
  constexpr std::size_t kRoom = 4;  // for the event's own and the engine's
  const auto is_full = [](const graph::Names& names) {
    return names.size() + kRoom > graph::Names::kMax;
  };
  if (!is_full(g.node_types()) && !is_full(g.states())) return;
  g.drop_unused_names();
  const auto lacks_room = [&](const graph::Names& names, std::string_view name) {
    return is_full(names) && !names.find(name);
  };
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  const auto* change = std::get_if<StateChange>(&e.payload);
  const graph::Names& states = g.states();
  if ((upsert && upsert->type && lacks_room(g.node_types(), *upsert->type)) ||
      (upsert && upsert->state && lacks_room(states, kept_state(*upsert->state))) ||
      (change && lacks_room(states, kept_state(change->state)))) {
    throw std::invalid_argument("the nodes of that time have all the types or states there can be");
  }
}

}  // namespace

void apply(StateParts& p, const Event& e, const Scope* scope) {
  check_vector_of(p, e);
  make_room_for_names(p.graph, e);
  if (std::holds_alternative<PolicyChange>(e.payload)) {
    p.policies.add(e, p.graph.edge_types());
    p.changes.policy = true;
  } else if (!std::holds_alternative<Undo>(e.payload)) {
    // An undo takes effect by leaving its target out of the fold.
    Applying(p, e, scope).run();
  }
}

}  // namespace hebb
