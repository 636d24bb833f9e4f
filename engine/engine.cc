// Opening, catching up, folding, and the single write; the larger operations have files of their
// own.
#include "engine/engine.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/embed/embed_nodes.h"
#include "engine/fold/resolve.h"
#include "engine/ledger/conflict.h"
#include "engine/ledger/refusals.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr TimeMs kEnd = std::numeric_limits<TimeMs>::max();
constexpr std::size_t kProgressEvery = 4096;  // events

}  // namespace

sql::Database open_database(const EngineOptions& o) {
  using Mode = sql::Database::Mode;
  const Mode mode = o.read_only ? Mode::read_only
                    : o.create  ? Mode::read_write_create
                                : Mode::read_write;
  sql::Database db(o.path, mode, o.busy_timeout_ms);
  sql::migrate(db);
  return db;
}

Refused::Refused(Refusal refusal)
    : std::runtime_error(fmt::format("{} ({})", refusal.detail, refusal.reason)),
      refusal_(std::move(refusal)) {}

// --- Impl ----------------------------------------------------------------------------------------

EngineImpl::EngineImpl(EngineOptions o) : options(std::move(o)), store(open_database(options)) {
  store.on_unreadable(
      [this](std::int64_t position, const std::string& why) { leave_out(position, why); });
}

void EngineImpl::require_writable() const {
  if (options.read_only) throw std::logic_error("the engine was opened read-only");
}

Undone EngineImpl::undone_at(TimeMs until, std::int64_t last) {
  // From the last to the first: an undo that is itself undone undoes nothing.
  std::vector<Event> undos;
  store.events_of_kind("undo", [&](Event&& e) {
    const bool in_time = e.at <= until || !std::get<Undo>(e.payload).damage.empty();
    if (in_time && e.position <= last) undos.push_back(std::move(e));
  });
  std::sort(undos.begin(), undos.end(),
            [](const Event& a, const Event& b) { return a.position > b.position; });
  Undone undone;
  for (const Event& e : undos) {
    if (undone.contains(e.position)) continue;
    const auto& undo = std::get<Undo>(e.payload);
    undone.events.insert(undo.event);
    if (!undo.damage.empty()) undone.quarantined.insert(undo.event);
  }
  return undone;
}

State& EngineImpl::state() {
  if (loaded && store.last_position() == position) return *loaded;
  std::optional<sql::Transaction> snapshot;  // rows and their position must be of one moment
  if (!store.database().in_transaction()) {
    snapshot.emplace(store.database(), sql::Transaction::Kind::deferred);
  }
  try {
    load_and_catch_up();
  } catch (...) {
    loaded.reset();  // half folded
    throw;
  }
  warn();
  return *loaded;
}

void EngineImpl::load_and_catch_up() {
  if (!loaded) {
    undone = undone_at(kEnd);
    loaded.emplace(true);
    position = store.mirror_position();
    hanging.reset();
    if (position > store.last_position()) {
      throw sql::Error(kCorrupt, ahead_of_ledger(position, store.last_position()));
    }
    const bool fresh = position == 0;
    if (fresh || !load_image()) {
      if (!fresh) store.load(*loaded, options.progress);
      load_policies();
    }
    loaded->changes() = Changes{};
    loaded->changes().everything = fresh;
  }
  catch_up();
}

// They are few and read whole; those after the position come with the tail.
void EngineImpl::load_policies() {
  store.events_of_kind("policy", [&](Event&& e) {
    if (e.position <= position && !undone.contains(e.position)) loaded->add_policy(e);
  });
}

void EngineImpl::catch_up() {
  const auto last = store.last_position();
  if (last == position) return;
  const auto left_out_before = left_out;
  store.events_after(position, [&](Event&& e) {
    if (e.position <= position) return;  // a whole fold on the way took it along
    position = e.position;
    fold(e);
  });
  position = std::max(position, last);  // those that cannot be read are behind us as well
  if (left_out != left_out_before) fold_all();
}

void EngineImpl::fold(const Event& e) {
  State& s = *loaded;
  if (const auto* undo = std::get_if<Undo>(&e.payload)) {
    undone = undone_at(kEnd);
    const auto target = store.event(undo->event);
    Scope scope;
    // What a damaged event did nobody knows. An undo of an undo brings its target's target back;
    // the stamp is made by a whole fold only.
    scope.everything = !target || !undo->damage.empty() ||
                       std::holds_alternative<Undo>(target->payload) ||
                       std::holds_alternative<Recalibration>(target->payload);
    if (!scope.everything) s.add_touched(*target, scope);
    refold(scope);
  } else if (undone.contains(e.position)) {
    // undone further on in the tail
  } else if (brings_back(e)) {
    fold_all();
  } else if (s.in_order(e)) {
    apply(s, e, nullptr);
  } else {
    Scope scope;
    s.add_touched(e, scope);
    if (std::holds_alternative<Recalibration>(e.payload)) apply(s, e, &scope);  // for the stamp
    refold(scope);
  }
  if (loaded && !undone.quarantined.contains(e.position)) loaded->note_latest(e);
}

NodeContent EngineImpl::content(std::string_view id) {
  NodeContent content = store.content(id);
  if (!loaded) return content;
  const auto n = loaded->graph().find_node(id);
  if (!n) return content;
  const auto& unsaved = loaded->changes().content;
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

std::vector<Event> EngineImpl::events_of(const Scope& scope, TimeMs until) {
  const auto& g = loaded->graph();
  const NodeId frontier = loaded->frontier();
  std::unordered_set<NodeId> subjects(scope.nodes);
  bool of_frontier = false;
  for (const EdgeKey& e : scope.edges) {
    subjects.insert(e.source);
    if (e.source == frontier) {
      of_frontier = true;
      subjects.insert(e.target);
    }
  }
  const auto undone_then = until == kEnd ? undone : undone_at(until);
  std::vector<Event> events;
  const auto take = [&](Event&& e) {
    if (e.at <= until && e.position <= position && !undone_then.contains(e.position)) {
      events.push_back(std::move(e));
    }
  };
  for (const NodeId n : subjects) store.events_of_subject(g.id(n), take);
  if (of_frontier) {
    store.events_of_kind("pivot",
                         take);  // its subject is the target; recalibrations are the frontier's
  }
  store.events_of_kind("gc", take);
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.key) < std::tie(b.at, b.key);
  });
  events.erase(std::unique(events.begin(), events.end(),
                           [](const Event& a, const Event& b) { return a.position == b.position; }),
               events.end());
  std::erase_if(events, [](const Event& e) {
    return std::holds_alternative<PolicyChange>(e.payload) ||
           std::holds_alternative<Undo>(e.payload);
  });
  return events;
}

void EngineImpl::refold(const Scope& scope) {
  if (scope.everything) return fold_all();
  if (scope.empty()) return;
  const auto left_out_before = left_out;
  const auto events = events_of(scope, kEnd);
  loaded->reset(scope);
  for (const Event& e : events) apply(*loaded, e, &scope);
  if (left_out != left_out_before) return fold_all();
  if (!undone.quarantined.empty() && loaded->hangs(scope)) hanging = drop_hanging(*loaded, undone);
}

void EngineImpl::fold_all() {
  if (replaying_) throw NeedsWholeFold{};
  useful_from_ = store.last_position();
  loaded.emplace(true);
  undone = undone_at(kEnd);
  position = useful_from_;
  fold_into(*loaded, kEnd, position, undone);
  hanging = drop_hanging(*loaded, undone);
  loaded->changes().everything = true;
}

void EngineImpl::fold_into(State& state, TimeMs until, std::int64_t last, const Undone& left_out) {
  if (!loaded) undone = undone_at(kEnd);  // so that no warning is given of what is in quarantine
  const auto total = static_cast<std::size_t>(store.last_position());
  std::size_t done = 0;
  store.events_until(until, [&](Event&& e) {
    if (options.progress && ++done % kProgressEvery == 0) options.progress(done, total);
    if (e.position > last) return;
    if (left_out.quarantined.contains(e.position)) return;
    if (left_out.contains(e.position)) {
      state.note_latest(e);
    } else {
      apply(state, e, nullptr);
    }
  });
  if (options.progress) options.progress(total, total);
  warn();
}

// The row of an input goes after the mirror is on disk, in a transaction that ends with the write
// that makes it count: killed before it, the same input read again goes on where it was.
void EngineImpl::forget_finished() {
  if (finished.empty()) return;
  const sql::Unsynced unsynced(store.database());
  sql::Transaction transaction(store.database(), sql::Transaction::Kind::immediate);
  for (const std::string& content : finished) store.set_progress(content, {});
  transaction.commit();
  finished.clear();
}

void EngineImpl::mirror() {
  // What the mirror holds follows from its position alone, whoever wrote it.
  const auto mirrored = store.mirror_position();
  if (mirrored != 0 && mirrored == store.last_position()) {
    if (loaded && position == mirrored)
      loaded->changes() = Changes{};  // another process wrote them
    return;
  }
  sql::Transaction transaction(store.database(), sql::Transaction::Kind::immediate);
  State& s = state();
  try {
    store.write(s, position);
    transaction.commit();
  } catch (...) {
    loaded.reset();  // its record of changes is half spent
    throw;
  }
}

bool EngineImpl::sync(int wait_ms) {
  require_writable();
  const auto wait_again = [this] { store.database().set_busy_timeout(options.busy_timeout_ms); };
  store.database().set_busy_timeout(wait_ms);
  try {
    mirror();
    forget_finished();
    keep_image(Due::when_old);
  } catch (const sql::Error& e) {
    wait_again();
    if (e.busy() && finished.empty()) return false;
    throw;
  }
  wait_again();
  return true;
}

// --- Batch ---------------------------------------------------------------------------------------

EngineImpl::Batch::Batch(EngineImpl& impl, std::optional<TimeMs> latest)
    : impl_(impl),
      latest_(latest),
      transaction_((impl.require_writable(), impl.store.database()),
                   sql::Transaction::Kind::immediate) {
  impl_.state();
}

EngineImpl::Batch::~Batch() {
  if (!committed_) impl_.loaded.reset();
}

std::optional<Refusal> EngineImpl::Batch::refuse(Event& e) const {
  if (latest_ && e.at > *latest_) {
    return Refusal{
        std::string(refusal::kFuture),
        fmt::format(
            "its time, {}, is still to come: the latest that is taken is {}; mend the clock "
            "or the time zone that it is from, or take it all the same (--allow-future)",
            format_rfc3339(e.at), format_rfc3339(*latest_))};
  }
  return resolve(*impl_.loaded, e);
}

// The same again, or something else under a used key.
std::variant<Applied, Refusal> EngineImpl::Batch::known(const Event& e) {
  const auto position = impl_.store.position_of(e.key);
  if (const auto there = impl_.store.event(*position)) {
    if (auto refusal = conflict(*there, e)) return std::move(*refusal);
  }
  return Applied::duplicate;
}

std::variant<Applied, Refusal> EngineImpl::Batch::add(Event e) {
  if (auto refusal = validate(e)) return *refusal;
  if (auto refusal = refuse(e)) {
    if (!e.key.empty() && impl_.store.position_of(e.key)) return known(e);
    return *refusal;
  }
  const bool removes =
      std::holds_alternative<Undo>(e.payload) || std::holds_alternative<Forget>(e.payload);
  if (removes) return add_removal(e);
  if (!append_and_fold(e)) return known(e);
  // In its place among the others, which may come after it.
  if (std::holds_alternative<PolicyChange>(e.payload)) impl_.loaded->check_policies();
  return Applied::applied;
}

void EngineImpl::Batch::add_own(Event& e) {
  if (auto refusal = validate(e)) throw Refused(std::move(*refusal));
  append_and_fold(e);
}

bool EngineImpl::Batch::append_and_fold(Event& e) {
  if (!impl_.store.append(e)) return false;
  impl_.position = e.position;
  impl_.unreadable.erase(e.position);
  impl_.fold(e);
  if (impl_.unreadable.contains(e.position))
    throw std::logic_error("an event was valid and cannot be folded: " +
                           impl_.unreadable[e.position]);
  return true;
}

void EngineImpl::Batch::commit() {
  transaction_.commit();
  committed_ = true;
}

// --- Engine --------------------------------------------------------------------------------------

Engine::Engine(EngineOptions options) : impl_(std::make_unique<EngineImpl>(std::move(options))) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

Applied Engine::append(Event e, const AppendOptions& options) {
  std::vector<Event> one;
  one.push_back(std::move(e));
  return append(std::move(one), options).front();
}

std::vector<Applied> Engine::append(std::vector<Event> events, const AppendOptions& options) {
  std::vector<Event*> pointers;
  for (Event& e : events) {
    if (auto refusal = validate(e)) throw Refused(std::move(*refusal));  // before it is embedded
    pointers.push_back(&e);
  }
  Unembedded unembedded;
  embed_nodes(*impl_, pointers, options.embedder, brings_vectors(pointers), unembedded);
  EngineImpl::Batch batch(*impl_, options.latest);
  std::vector<Applied> results;
  for (Event& e : events) {
    auto result = batch.add(std::move(e));
    if (auto* refusal = std::get_if<Refusal>(&result)) throw Refused(std::move(*refusal));
    results.push_back(std::get<Applied>(result));
  }
  batch.commit();
  if (options.missing) *options.missing = unembedded.count(*impl_);
  return results;
}

std::vector<std::variant<Applied, Refusal>> Engine::offer(std::vector<Event> events) {
  EngineImpl::Batch batch(*impl_);
  std::vector<std::variant<Applied, Refusal>> results;
  results.reserve(events.size());
  for (Event& e : events) results.push_back(batch.add(std::move(e)));
  batch.commit();
  return results;
}

bool Engine::sync() {
  try {
    return impl_->sync(impl_->options.busy_timeout_ms);
  } catch (const sql::Error& e) {
    if (e.corrupt() || e.busy()) throw;
    if (impl_->options.warning) {
      impl_->options.warning(
          fmt::format("everything was taken, but the ranking could not be brought up to date; the "
                      "next command does it ({})",
                      e.what()));
    }
    return false;
  }
}
bool Engine::try_sync() {
  if (impl_->options.read_only) return false;
  try {
    return impl_->sync(0);
  } catch (const sql::Error& e) {
    if (e.corrupt()) throw;
    return false;  // a full disk, say: a reader can do without
  }
}
const State& Engine::state() { return impl_->state(); }
bool Engine::has_node(std::string_view id) { return impl_->state().exists(id); }
Store& Engine::store() { return impl_->store; }

}  // namespace hebb
