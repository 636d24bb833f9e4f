#include "engine/fold/state.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <stdexcept>

#include "engine/embed/words.h"
#include "engine/fold/edge_rules.h"
#include "engine/ledger/event_fields.h"
#include "reward/evidence.h"
#include "reward/outcome.h"
#include "reward/states.h"

namespace hebb {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

State::State(bool track_changes) : track_(track_changes) {
  eras_.push_back({Stamp{}, reward::Policy::learned(), {}});
  eras_.back().types.cover(eras_.back().policy, graph_.edge_types());
  frontier_ = graph_.add_node(kFrontier);
  graph_.nodes().type[frontier_] = graph_.node_types().intern("SYSTEM_ANCHOR");
  graph_.nodes().created_at[frontier_] = 0;
  touch(frontier_);
}

// --- policy -------------------------------------------------------------------------------------

std::size_t State::era_at(const Stamp& stamp) const {
  std::size_t i = eras_.size() - 1;
  while (i > 0 && stamp < eras_[i].from) --i;
  return i;
}

const reward::TypePolicy& State::type_policy(Era& era, graph::TypeId type) {
  if (type >= era.types.size()) era.types.cover(era.policy, graph_.edge_types());
  return era.types[type];
}

const reward::TypePolicy& State::type_policy(graph::TypeId type) const {
  return eras_.back().types[type];
}

// Gives the last era the new type's policy at once, so that const methods need not add it.
graph::TypeId State::intern_edge_type(std::string_view name) {
  const graph::TypeId type = graph_.edge_types().intern(name);
  Era& last = eras_.back();
  if (type >= last.types.size()) last.types.cover(last.policy, graph_.edge_types());
  return type;
}

void State::add_policy(const Event& e) {
  const auto& change = std::get<PolicyChange>(e.payload);
  assert((Stamp{e.at, e.key} > eras_.back().from));
  reward::Policy policy = change.replace ? reward::Policy::learned() : eras_.back().policy;
  for (const auto& [key, value] : change.settings) reward::set(policy, key, value);
  reward::TypeTable types(policy, graph_.edge_types());
  eras_.push_back({Stamp{e.at, e.key}, std::move(policy), std::move(types)});
  changes_.policy = true;
}

void State::check_policies() const {
  for (const Era& era : eras_) reward::check(era.policy);
}

// --- reading ------------------------------------------------------------------------------------

reward::View State::view() const {
  const Era& era = eras_.back();
  return {graph_, vectors_, era.policy, era.types, frontier_};
}

const reward::Ranking& State::ranking(TimeMs now) {
  ranking_.update(view(), now);
  return ranking_;
}

std::optional<NodeId> State::find(std::string_view id) const {
  const auto n = graph_.find_node(id);
  if (!n || graph_.nodes().created_at[*n] == kNever) return std::nullopt;
  return n;
}

bool State::exists(std::string_view id) const {
  const auto n = find(id);
  return n && graph_.nodes().deleted_at[*n] == kNever;
}

std::optional<EdgeId> State::find_edge(const EdgeName& name) const {
  const auto s = graph_.find_node(name.source);
  const auto t = graph_.find_node(name.target);
  const auto y = graph_.edge_types().find(name.type);
  if (!s || !t || !y) return std::nullopt;
  return graph_.find_edge(*s, *t, *y);
}

TimeMs State::stamp() const {
  if (recalibrated()) return recalibrated_at_;
  if (latest_.at == kNever) return 0;
  using namespace std::chrono;
  return milliseconds(floor<hours>(milliseconds(latest_.at))).count();
}

void State::load_marks(Stamp latest, TimeMs recalibrated_at, std::string embedder,
                       std::size_t dimension) {
  latest_ = std::move(latest);
  recalibrated_at_ = recalibrated_at;
  embedder_ = std::move(embedder);
  dimension_ = dimension;
  frontier_ = graph_.find_node(kFrontier).value();
  Era& last = eras_.back();
  last.types.cover(last.policy, graph_.edge_types());
}

graph::Packing State::pack() {
  graph::Packing packing = graph_.pack();
  vectors_.pack(packing);
  if (ranking_.has_notes()) ranking_.clear();
  ranking_.pack(packing);
  return packing;
}

graph::Packing State::unpack(std::shared_ptr<const void> memory) {
  memory_ = std::move(memory);
  graph_ = {};
  graph::Packing packing = graph_.unpack();
  vectors_.pack(packing);
  ranking_.clear();
  ranking_.pack(packing);
  return packing;
}

// --- folding ------------------------------------------------------------------------------------

void State::note_latest(const Event& e) {
  if (is_claim(e.payload)) return;
  if (e.at > latest_.at || (e.at == latest_.at && e.key > latest_.key)) latest_ = {e.at, e.key};
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (upsert && !upsert->vector.empty() && dimension_ == 0) {
    dimension_ = upsert->vector.size();
    embedder_ = upsert->embedder;
  }
}

void State::touch(NodeId n) {
  ranking_.note_node(n);
  if (lists_changes()) changes_.nodes.push_back(n);
}

void State::touch(const EdgeKey& k) {
  ranking_.note_edge(k.source, k.target, k.type);
  if (lists_changes()) changes_.edges.push_back(k);
}

NodeId State::name_node(std::string_view id) {
  if (const auto n = graph_.find_node(id)) return *n;
  return graph_.add_node(id);
}

TimeMs State::last_touch(NodeId n) const {
  const auto& c = graph_.nodes();
  return std::max(
      {c.created_at[n], c.updated_at[n], c.outcome_at[n], c.tried_at[n], c.deleted_at[n]});
}

bool State::in_order(const Event& e) const {
  if (e.at > latest_.at || (e.at == latest_.at && e.key > latest_.key)) return true;
  if (std::holds_alternative<PolicyChange>(e.payload) || std::holds_alternative<Pivot>(e.payload) ||
      std::holds_alternative<Forget>(e.payload) || std::holds_alternative<Undo>(e.payload)) {
    return false;
  }
  // Older than the latest event, but in order all the same if nothing that it touches was touched
  // since. A node or edge that is not there may have been removed since: that counts as touched.
  if (changes_subject(e.payload)) {
    const auto n = find(e.subject);
    if (!n || last_touch(*n) >= e.at) return false;
  }
  std::vector<EdgeRule> rules;
  edge_rules(e, policy_at({e.at, e.key}), rules);
  return std::all_of(rules.begin(), rules.end(), [&](const EdgeRule& r) {
    const auto edge =
        find_edge({std::string(r.source), std::string(r.target), std::string(r.type)});
    return edge && graph_.edges().touched_at[*edge] < e.at;
  });
}

void State::set_state(NodeId n, std::string_view state, TimeMs at, bool opens_closed) {
  auto& c = graph_.nodes();
  if (!opens_closed && c.state[n] == graph_.states().intern(kClosed)) return;
  const auto open = graph_.states().intern(kOpen);
  const auto next = graph_.states().intern(kept_state(state));
  // A node that was there and had no state becomes a task only now.
  const bool is_new = c.state[n] == 0 && c.created_at[n] >= at;
  const graph::Names& states = graph_.states();
  const bool opens = next == open || (reward::is_over(states.name(c.state[n])) &&
                                      !reward::is_over(states.name(next)));
  if (opens && c.state[n] != next && !is_new) c.reopened_at[n] = at;
  c.state[n] = next;
  c.updated_at[n] = at;
}

// `vector` is empty if the embedder found no word in the text.
void State::set_vector(NodeId n, std::span<const float> vector) {
  if (vector.empty()) {
    vectors_.clear(n);
  } else {
    vectors_.set(n, vector);
  }
  if (lists_changes()) changes_.vectors.push_back(n);
}

void State::replace_vector(NodeId n, std::span<const float> vector) {
  if (std::ranges::equal(vectors_.row(n), vector)) return;
  set_vector(n, vector);
  touch(n);
}

void State::note_words(const NodeUpsert& upsert, NodeId n, bool is_new) {
  if (!upsert.name && !upsert.description && upsert.embedder.empty()) return;
  const bool has_all = is_new || (upsert.name && upsert.description);
  if (has_all && upsert.made_from ==
                     hash_of_words(upsert.name.value_or(""), upsert.description.value_or(""))) {
    worded_.erase(n);
    return;
  }
  auto& made_from = worded_[n];
  if (!upsert.embedder.empty()) made_from = upsert.made_from;
}

void State::apply_upsert(const NodeUpsert& upsert, NodeId n, TimeMs at) {
  auto& c = graph_.nodes();
  note_words(upsert, n, c.created_at[n] == kNever);
  if (c.created_at[n] == kNever) c.created_at[n] = at;
  c.deleted_at[n] = kNever;
  c.updated_at[n] = at;
  if (upsert.type) c.type[n] = graph_.node_types().intern(*upsert.type);
  if (upsert.state) {
    set_state(n, *upsert.state, at, upsert.opens);
  } else if (c.state[n] == 0 && is_task_type(graph_.node_types().name(c.type[n]))) {
    set_state(n, kOpen, at);
  }
  each_field<NodeUpsert>([&](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kSaid) {
      auto& kept = (c.*field.column)[n];
      if (const auto& value = upsert.*field.member)
        kept = static_cast<std::decay_t<decltype(kept)>>(*value);
    }
  });
  if (!upsert.vector.empty() || !upsert.embedder.empty()) set_vector(n, upsert.vector);
  if (!track_) return;
  NodeContent& content = changes_.content[n];
  if (upsert.name) content.name = upsert.name;
  if (upsert.description) content.description = upsert.description;
  if (upsert.project) content.project = upsert.project;
  if (upsert.scope) content.scope = upsert.scope;
  if (upsert.properties) content.properties = upsert.properties;
}

void State::apply_outcome(const Event& e, const OutcomeSignal& outcome, NodeId n) {
  auto& c = graph_.nodes();
  if (outcome.outcome != OutcomeKind::failure) c.outcome_at[n] = e.at;
  if (outcome.outcome == OutcomeKind::partial) return;
  const reward::Policy& policy = policy_at({e.at, e.key});
  reward::OwnOutcomes own{c.successes[n], c.failures[n], c.tried_at[n]};
  const bool is_test =
      policy.test_by_failures && graph_.node_types().name(c.type[n]) == reward::kTestType;
  if (outcome.outcome == OutcomeKind::success) {
    is_test ? reward::add_success_of_test(policy, own, e.at)
            : reward::add_success(policy, own, outcome.score, e.at);
    c.completed_at[n] = e.at;
    // A node without a state is no task, and has none to leave.
    const bool is_task = c.state[n] != 0 && c.state[n] != graph_.states().intern(kClosed);
    if (policy.close_on_success && is_task && !is_test) set_state(n, kClosed, e.at);
  } else {
    is_test ? reward::add_failure_of_test(policy, own, e.at)
            : reward::add_failure(policy, own, e.at);
    ++c.failed[n];
  }
  c.successes[n] = own.successes;
  c.failures[n] = own.failures;
  c.tried_at[n] = own.at;
}

void State::apply_node(const Event& e, NodeId n) {
  auto& c = graph_.nodes();
  touch(n);
  if (const auto* upsert = std::get_if<NodeUpsert>(&e.payload)) {
    apply_upsert(*upsert, n, e.at);
  } else if (std::holds_alternative<NodeDelete>(e.payload)) {
    c.deleted_at[n] = e.at;
  } else if (const auto* change = std::get_if<StateChange>(&e.payload)) {
    set_state(n, change->state, e.at, change->opens);
  } else if (const auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) {
    apply_outcome(e, *outcome, n);
  } else if (std::holds_alternative<Pivot>(e.payload)) {
    if (c.created_at[n] == kNever) {
      c.created_at[n] = e.at;
      c.updated_at[n] = e.at;
      c.type[n] = graph_.node_types().intern("CONTEXT_NODE");
    }
  }
}

void State::scale_frontier(const Event& e, Era& era, const Scope* scope) {
  const auto target = graph_.find_node(e.subject);
  const auto pivot = graph_.edge_types().find(kStrategicPivot);
  for (const EdgeId edge : graph_.out_edges(frontier_)) {
    const EdgeKey key{frontier_, graph_.target(edge), graph_.type(edge)};
    if (scope && !scope->edges.contains(key)) continue;
    if (pivot && key.type == *pivot && target && key.target == *target) continue;
    const auto& type = type_policy(era, key.type);
    if (type.is_protected) continue;
    auto& c = graph_.edges();
    reward::Weight w{c.weight[edge], c.touched_at[edge], c.gained[edge]};
    reward::scale(type, w, era.policy.pivot_factor, e.at);
    c.weight[edge] = w.w;
    c.touched_at[edge] = w.t;
    c.gained[edge] = w.gained;
    touch(key);
  }
}

void State::remove_edge(EdgeId e) {
  const EdgeKey key{graph_.source(e), graph_.target(e), graph_.type(e)};
  graph_.remove_edge(e);
  touch(key);
  if (track_) changes_.edge_properties[key] = "{}";
}

void State::apply_edges(const Event& e, Era& era, const Scope* scope) {
  std::vector<EdgeRule> rules;
  edge_rules(e, era.policy, rules);
  for (const EdgeRule& rule : rules) {
    const EdgeKey key{name_node(rule.source), name_node(rule.target), intern_edge_type(rule.type)};
    if (scope && !scope->edges.contains(key)) continue;
    auto edge = graph_.find_edge(key.source, key.target, key.type);
    auto& c = graph_.edges();
    std::optional<reward::Weight> before;
    if (edge) before = reward::Weight{c.weight[*edge], c.touched_at[*edge], c.gained[*edge]};
    const auto after = apply_rule(rule, type_policy(era, key.type), before, e.at);
    if (!after) {
      if (edge) remove_edge(*edge);
      continue;
    }
    if (!edge) edge = graph_.add_edge(key.source, key.target, key.type);
    c.weight[*edge] = after->w;
    c.touched_at[*edge] = after->t;
    c.gained[*edge] = after->gained;
    touch(key);
    if (const auto* link = std::get_if<Link>(&e.payload); link && link->properties && track_) {
      changes_.edge_properties[key] = *link->properties;
    }
  }
}

void State::clear_node(NodeId n) {
  graph_.reset_node(n);
  if (vectors_.has(n)) {
    vectors_.clear(n);
    if (lists_changes()) changes_.vectors.push_back(n);
  }
  worded_.erase(n);
  if (track_) changes_.content[n] = NodeContent{true, {}, {}, {}, {}, {}};
  touch(n);
}

void State::check_vector_of(const Event& e) const {
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  if (!upsert || upsert->vector.empty() || vectors_.dimension() == 0) return;
  if (upsert->vector.size() == vectors_.dimension()) return;
  throw std::invalid_argument("its vector has another dimension than those before it");
}

// A long history may have had more node types and states than a graph can hold, though never so
// many at one time.
void State::make_room_for_names(const Event& e) {
  constexpr std::size_t kRoom = 4;  // for the event's own and the engine's
  const auto is_full = [](const graph::Names& names) {
    return names.size() + kRoom > graph::Names::kMax;
  };
  if (!is_full(graph_.node_types()) && !is_full(graph_.states())) return;
  graph_.drop_unused_names();
  const auto lacks_room = [&](const graph::Names& names, std::string_view name) {
    return is_full(names) && !names.find(name);
  };
  const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
  const auto* change = std::get_if<StateChange>(&e.payload);
  const graph::Names& states = graph_.states();
  if ((upsert && upsert->type && lacks_room(graph_.node_types(), *upsert->type)) ||
      (upsert && upsert->state && lacks_room(states, kept_state(*upsert->state))) ||
      (change && lacks_room(states, kept_state(change->state)))) {
    throw std::invalid_argument("the nodes of that time have all the types or states there can be");
  }
}

void State::apply(const Event& e, const Scope* scope) {
  if (is_claim(e.payload)) return;
  check_vector_of(e);
  make_room_for_names(e);
  if (std::holds_alternative<PolicyChange>(e.payload)) {
    add_policy(e);
  } else if (std::holds_alternative<Undo>(e.payload)) {
    // takes effect by leaving its target out of the fold, see EngineImpl::fold_undo()
  } else {
    if (std::holds_alternative<Recalibration>(e.payload)) {
      recalibrated_at_ = std::max(recalibrated_at_, e.at);
    }
    Era& era = eras_[era_at({e.at, e.key})];
    if (changes_subject(e.payload)) {
      const NodeId n = name_node(e.subject);
      if (!scope || scope->nodes.contains(n)) apply_node(e, n);
    }
    if (std::holds_alternative<Pivot>(e.payload)) scale_frontier(e, era, scope);
    apply_edges(e, era, scope);
    if (const auto* f = std::get_if<Forget>(&e.payload)) forget(*f, scope);
  }
  if (!scope) note_latest(e);
}

void State::forget(const Forget& f, const Scope* scope) {
  for (const auto& id : f.nodes) {
    const NodeId n = name_node(id);
    if (!scope || scope->nodes.contains(n)) clear_node(n);
    remove_edges_of(n, scope);  // gc listed the edges it knew of; others may have arrived late
  }
}

void State::remove_edges_of(NodeId n, const Scope* scope) {
  std::vector<EdgeId> edges(graph_.out_edges(n).begin(), graph_.out_edges(n).end());
  for (const EdgeId e : graph_.in_edges(n)) {
    if (graph_.source(e) != n) edges.push_back(e);
  }
  for (const EdgeId e : edges) {
    const EdgeKey key{graph_.source(e), graph_.target(e), graph_.type(e)};
    if (!scope || scope->edges.contains(key)) remove_edge(e);
  }
}

}  // namespace hebb
