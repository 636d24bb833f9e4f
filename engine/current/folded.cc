#include "engine/current/folded.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/current/events.h"
#include "engine/values/json.h"
#include "sql/database.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr std::size_t kProgressEvery = 4096;  // events

// The agent that an outcome names; empty: none.
std::string named_agent(const OutcomeSignal& outcome) {
  if (outcome.input.empty()) return {};
  input::JsonReader reader;
  return input::text_in(reader.parse_object(outcome.input), "agentId");
}

bool brings_node_back(const Payload& undone) {
  const auto* forget = std::get_if<Forget>(&undone);
  return forget && !forget->nodes.empty();
}

// Throws damaged_event() for one that can be read but not applied.
void apply_or_name(State& state, const Event& e, const Scope* scope) {
  try {
    state.apply(e, scope);
  } catch (const std::invalid_argument& damage) {
    throw damaged_event(e.position, damage.what());
  }
}

// Call it once the rows of the state are in the tables.
void forget_changes(State& state, Mirror& mirror) {
  state.changes() = Changes{};
  if (state.drop_nodes_without_event(false)) mirror.forget_keys();
}

}  // namespace

std::string ahead_of_ledger(std::int64_t mirrored, std::int64_t last) {
  return fmt::format(
      "the current tables have taken in event {}, and the ledger ends with {}: either its end is "
      "lost, then "
      "restore a backup, or give it up with `hebb rebuild --force`; or only that number in the "
      "tables is wrong, then `hebb rebuild` mends it",
      mirrored, last);
}

Folded::Folded(Storage& storage, GraphCacheKeeper& graph_cache, const EngineOptions& options)
    : storage_(storage),
      ledger_(storage.ledger()),
      graph_cache_(graph_cache),
      options_(options),
      whole_gcs_(ledger_) {}

State& Folded::state() {
  if (loaded_ && ledger_.last_position() == position_) {
    settle();
    return *loaded_;
  }
  const auto moment = storage_.read_snapshot();  // rows and position are read as of the same moment
  try {
    if (!loaded_) load();
    catch_up(ledger_.last_position());
  } catch (...) {
    drop();  // half folded
    throw;
  }
  // The rows are those of this fold. A new database has none.
  if (position_ != 0 && storage_.mirror().position() == position_)
    forget_changes(*loaded_, storage_.mirror());
  return *loaded_;
}

void Folded::load() {
  undone_ = undone_at(ledger_, kEndOfTime);
  const Mirror& mirror = storage_.mirror();
  const auto mirrored = mirror.position(), last = ledger_.last_position();
  if (mirrored > last) throw sql::Error(sql::kCorrupt, ahead_of_ledger(mirrored, last));
  changed_at_ = mirrored;
  if (mirrored == 0) return fold_whole();
  claims_ = Claims(mirror.claims(), mirror.claims_total(), mirrored);
  start_anew();
  const auto cached = graph_cache_.load(*loaded_, mirrored);
  if (!cached) return fold_all();
  position_ = *cached;
  // All policy events, which are few. Those behind its position are folded with the others.
  ledger_.events_of_kind("policy", [&](Event&& e) {
    if (e.position <= position_ && !undone().contains(e.position)) loaded_->apply(e);
  });
  catch_up(mirrored);
  if (!loaded_->changes().everything) forget_changes(*loaded_, storage_.mirror());
}

void Folded::start_anew() {
  late_ = Late();
  completed_by_.clear();
  whole_gcs_.forget();
  loaded_.emplace(true);
  ++loads_;
  storage_.mirror().forget_keys();
}

void Folded::catch_up(std::int64_t last) {
  const auto done = std::min(position_, claims_.position());
  if (done < last) {
    ledger_.events_after(done, [&](Event&& e) {
      if (e.position <= last) follow(e);
    });
  }
  position_ = std::max(position_, last);  // an event that was set aside makes no call
  settle();
}

void Folded::take(const Event& e) { follow(e); }

const std::string& Folded::completed_by(const std::string& task) {
  const auto known = completed_by_.find(task);
  if (known != completed_by_.end()) return known->second;
  std::vector<Event> events;
  ledger_.events_of_subject(task, [&](Event&& e) { events.push_back(std::move(e)); });
  std::ranges::sort(events, {}, &Event::position);
  const auto n = loaded_->find(task);
  std::string claimed, by;
  for (const Event& e : events) {
    if (const auto* claim = std::get_if<Claim>(&e.payload)) claimed = claim->agent;
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || undone().contains(e.position)) continue;
    const std::string ended = std::exchange(claimed, {});  // any outcome ends the claim
    const bool counts = n && e.at == loaded_->graph().nodes().completed_at[*n];
    if (outcome->outcome != OutcomeKind::success || !counts) continue;
    by = named_agent(*outcome);
    if (by.empty()) by = ended;
  }
  return completed_by_[task] = by;
}

State Folded::as_of(TimeMs until, std::int64_t last) {
  const auto moment = storage_.read_snapshot();
  State state(true);  // with the words of nodes, which verify() compares
  state.changes().everything = true;
  fold_into(state, until, last, undone_at(ledger_, until, last));
  return state;
}

void Folded::fold_whole(std::optional<Claims> claims) {
  fold_all();
  claims_ = claims ? std::move(*claims) : claims_of(ledger_, position_);
}

void Folded::fold_all() {
  start_anew();
  loaded_->changes().everything = true;
  undone_ = undone_at(ledger_, kEndOfTime);
  position_ = ledger_.last_position();
  graph_cache_.require_from(position_);
  fold_into(*loaded_, kEndOfTime, position_, undone());
}

void Folded::fold_into(State& state, TimeMs until, std::int64_t last, const Undone& without) {
  const auto total = static_cast<std::size_t>(ledger_.last_position());
  std::size_t done = 0;
  ledger_.events_until(until, [&](Event&& e) {
    if (options_.progress && ++done % kProgressEvery == 0) options_.progress(done, total);
    if (e.position > last) return;
    if (without.contains(e.position)) {
      state.note_latest(e);
    } else {
      apply_or_name(state, e, nullptr);
    }
  });
  if (options_.progress) options_.progress(total, total);
  state.drop_nodes_without_event(true);
}

void Folded::write_mirror() {
  Mirror& mirror = storage_.mirror();
  const auto mirrored = mirror.position();
  if (mirrored == 0 || mirrored < changed_at_ || loaded_->changes().everything)
    mirror.write(*loaded_, position_);
  mirror.write_claims(claims_, position_);
}

// --- new events of the ledger --------------------------------------------------------------------

void Folded::follow(const Event& e) {
  claims_.take(e);
  completed_by_.erase(e.subject);
  if (!is_claim(e.payload)) changed_at_ = std::max(changed_at_, e.position);
  if (e.position <= position_) return;  // a whole fold included this event
  position_ = e.position;
  if (is_claim(e.payload)) return;
  whole_gcs_.take(e);
  if (std::holds_alternative<Undo>(e.payload)) {
    settle();
    fold_undo(e);
  } else if (undone().contains(e.position)) {
    // an undo later in the tail leaves it out
  } else if (!waits(e)) {
    apply_or_name(*loaded_, e, nullptr);
  }
  if (loaded_) loaded_->note_latest(e);
}

// Whether the event waits: it is out of order, or touches what a waiting event touches.
bool Folded::waits(const Event& e) {
  const bool in_order = loaded_->in_order(e);
  if (late_.scope().empty() && in_order) return false;
  Scope scope;
  loaded_->add_touched(e, scope);
  if (!scope.everything && !late_.scope().meets(scope) && in_order) return false;
  if (std::holds_alternative<Recalibration>(e.payload))  // for ranked_at()
    apply_or_name(*loaded_, e, &scope);
  late_.add(e, scope, *loaded_);
  if (scope.everything) settle();
  return true;
}

void Folded::fold_undo(const Event& e) {
  const auto& undo = std::get<Undo>(e.payload);
  const auto target = ledger_.event(undo.event);
  completed_by_.clear();
  undone_ = undone_at(ledger_, kEndOfTime);
  Scope scope;
  // Everything, if the effect of the target is not known (it is missing or set aside) or reaches
  // further than its edges: an undone undo brings an event back, a recalibration changes
  // ranked_at(), an undone gc may bring back edges that it does not name, and an undone outcome
  // that learned puts earlier multiples in force again.
  const auto* outcome = target ? std::get_if<OutcomeSignal>(&target->payload) : nullptr;
  scope.everything = !target || undo.last != 0 || std::holds_alternative<Undo>(target->payload) ||
                     brings_node_back(target->payload) ||
                     std::holds_alternative<Recalibration>(target->payload) ||
                     (outcome && outcome->learned);
  if (!scope.everything) loaded_->add_touched(*target, scope);
  late_.add(e, scope, *loaded_);
  settle();
}

void Folded::settle() {
  if (!loaded_) return;
  if (!late_.scope().empty()) {
    Scope scope = late_.take();
    if (scope.everything) return fold_all();
    try {
      const auto events = events_of(*this, scope);
      loaded_->reset(scope);
      for (const Event& e : events) apply_or_name(*loaded_, e, &scope);
    } catch (...) {
      drop();  // what waited is folded no more
      throw;
    }
  }
}

NodeContent content_of(Folded& folded, std::string_view id) {
  folded.settle();
  NodeContent content = folded.storage().mirror().content(id);
  State* state = folded.loaded();
  if (state == nullptr) return content;
  const auto n = state->graph().find_node(id);
  if (!n) return content;
  const auto& unsaved = state->changes().content;
  const auto it = unsaved.find(*n);
  if (it == unsaved.end()) return content;
  const NodeContent& c = it->second;
  const auto take = [&](std::optional<std::string>& to, const std::optional<std::string>& from) {
    if (from || c.reset) to = from.value_or("");
  };
  take(content.name, c.name);
  take(content.description, c.description);
  take(content.project, c.project);
  take(content.scope, c.scope);
  if (c.properties || c.reset) content.properties = c.properties.value_or("{}");
  return content;
}

// --- what waits ----------------------------------------------------------------------------------

void Late::add(const Event& e, const Scope& touched, const State& state) {
  if (touched.empty()) return;
  scope_.add(touched);
  changes_lookups_ = changes_lookups_ || !std::holds_alternative<OutcomeSignal>(e.payload) ||
                     std::any_of(touched.edges.begin(), touched.edges.end(), [&](const EdgeKey& k) {
                       return type_policy(state, k.type).context;
                     });
}

bool Late::is_read_by(const Event& e, const State& state) const {
  if (scope_.empty()) return false;
  const auto waits = [&](std::string_view id) {
    const auto n = state.graph().find_node(id);
    return n && scope_.nodes.contains(*n);
  };
  if (const auto* link = std::get_if<Link>(&e.payload))
    return waits(e.subject) || waits(link->target);
  if (const auto* unlink = std::get_if<Unlink>(&e.payload))
    return waits(e.subject) || waits(unlink->target);
  if (std::holds_alternative<StateChange>(e.payload) ||
      std::holds_alternative<NodeUpsert>(e.payload) ||
      std::holds_alternative<NodeDelete>(e.payload)) {
    return waits(e.subject);
  }
  if (const auto* forget = std::get_if<Forget>(&e.payload)) {
    return std::ranges::any_of(forget->nodes, waits) ||
           std::ranges::any_of(forget->edges, [&](const EdgeName& edge) {
             return waits(edge.source) || waits(edge.target);
           });
  }
  // A waiting outcome (unless changes_lookups_) changes rewards, guidance and a task's state. Only
  // a success whose related nodes must be found, or from which on exponents may be learned, or a
  // pivot and the like, looks at these.
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  const bool looks = !outcome || (outcome->outcome == OutcomeKind::success &&
                                  (!outcome->related || e.at >= state.facts().latest.at));
  return looks || changes_lookups_;
}

Scope Late::take() {
  changes_lookups_ = false;
  return std::exchange(scope_, Scope{});
}

}  // namespace hebb
