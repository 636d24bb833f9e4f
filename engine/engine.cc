// Opening, catching up with the ledger, folding, and append(); the larger operations have files of
// their own.

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/embed_nodes.h"
#include "engine/engine_impl.h"
#include "engine/fold/blocking.h"
#include "engine/tables.h"
#include "sql/database.h"

namespace hebb {

namespace {

constexpr std::size_t kProgressEvery = 4096;  // events

}  // namespace

Refused::Refused(Refusal refusal)
    : std::runtime_error(fmt::format("{} ({})", refusal.detail, refusal.reason)),
      refusal_(std::move(refusal)) {}

sql::Database open_database(const EngineOptions& o) {
  using Mode = sql::Database::Mode;
  const Mode mode = o.read_only ? Mode::read_only
                    : o.create  ? Mode::read_write_create
                                : Mode::read_write;
  sql::Database db(o.path, mode, o.busy_timeout_ms);
  sql::migrate(db);
  return db;
}

// --- Impl ----------------------------------------------------------------------------------------

EngineImpl::EngineImpl(EngineOptions o)
    : options(std::move(o)),
      storage(std::make_unique<Storage>(open_database(options), options.read_only)),
      ledger(storage->ledger()),
      mirror(storage->mirror()),
      inbox(storage->inbox()) {
  ledger.on_unreadable(
      [this](std::int64_t position, const std::string& why) { leave_out(position, why); });
}

std::shared_ptr<void> EngineImpl::one_moment() {
  if (storage->in_transaction()) return nullptr;
  return std::shared_ptr<Storage::Transaction>(storage->begin(Storage::Access::snapshot));
}

void EngineImpl::require_writable() const {
  if (options.read_only) throw std::logic_error("the engine was opened read-only");
}

Undone EngineImpl::undone_at(TimeMs until, std::int64_t last) {
  std::vector<Event> undos;
  ledger.events_of_kind("undo", [&](Event&& e) {
    const bool in_time = e.at <= until || !std::get<Undo>(e.payload).damage.empty();
    if (in_time && e.position <= last) undos.push_back(std::move(e));
  });
  return undone_by(std::move(undos));
}

Undone EngineImpl::undone_by(std::vector<Event> undos) {
  // From the last to the first: an undo that is itself undone undoes nothing.
  std::sort(undos.begin(), undos.end(),
            [](const Event& a, const Event& b) { return a.position > b.position; });
  Undone undone;
  for (const Event& e : undos) {
    if (undone.contains(e.position)) continue;
    const auto& undo = std::get<Undo>(e.payload);
    undone.events.insert(undo.event);
    if (!undo.damage.empty()) undone.quarantined.insert(undo.event);
    if (undo.repeats) undone.repeated.emplace(undo.event, e.position);
  }
  return undone;
}

State& EngineImpl::state() {
  if (loaded && ledger.last_position() == position) {
    settle();
    return *loaded;
  }
  const auto snapshot = one_moment();  // rows and position are read as of the same moment
  try {
    load_and_catch_up();
  } catch (...) {
    loaded.reset();  // half folded
    throw;
  }
  warn();
  return *loaded;
}

void EngineImpl::start_anew() {
  forget_late();
  loaded.emplace(true);
  mirror.forget_keys();
  mean_of_tasks.reset();
}

void EngineImpl::load_and_catch_up() {
  if (!loaded) {
    undone = undone_at(kEndOfTime);
    start_anew();
    position = mirror.position();
    changed_at = position;
    hanging.reset();
    if (position > ledger.last_position()) {
      throw sql::Error(sql::kCorrupt, ahead_of_ledger(position, ledger.last_position()));
    }
    if (position == 0) {
      fold_all();
      claims = claims_of(ledger, position, undone.quarantined);
    } else {
      claims = Claims(mirror.claims(), mirror.claims_made(), position);
      if (!load_image()) fold_all();
    }
  }
  catch_up();
  // The rows are those of this fold. Of a new database there are none.
  if (position != 0 && mirror.position() == position) loaded->changes() = Changes{};
}

// Reads all policy events, which are few. Those after the position are folded by catch_up().
void EngineImpl::load_policies() {
  ledger.events_of_kind("policy", [&](Event&& e) {
    if (e.position <= position && !undone.contains(e.position)) loaded->add_policy(e);
  });
}

void EngineImpl::catch_up() {
  const auto last = ledger.last_position();
  const auto left_out_before = left_out;
  ledger.events_after(std::min(position, claims.position()), [&](Event&& e) {
    claims.take(e);
    if (!is_claim(e.payload)) changed_at = e.position;
    if (e.position <= position) return;  // a whole fold included this event
    position = e.position;
    fold(e);
  });
  position = std::max(position, last);  // the last events may be unreadable: no call for them
  settle();
  if (left_out != left_out_before) fold_all();
}

NodeContent EngineImpl::content(std::string_view id) {
  settle();
  NodeContent content = mirror.content(id);
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

void EngineImpl::fold_all() {
  if (replaying_) throw NeedsWholeFold{};
  useful_from_ = ledger.last_position();
  start_anew();
  loaded->changes().everything = true;
  undone = undone_at(kEndOfTime);
  position = useful_from_;
  fold_into(*loaded, kEndOfTime, position, undone);
  hanging = drop_hanging(*loaded, undone);
}

void EngineImpl::fold_into(State& state, TimeMs until, std::int64_t last, const Undone& left_out) {
  if (!loaded)
    undone = undone_at(kEndOfTime);  // so that no warning is given of what is in quarantine
  const auto total = static_cast<std::size_t>(ledger.last_position());
  std::size_t done = 0;
  ledger.events_until(until, [&](Event&& e) {
    if (options.progress && ++done % kProgressEvery == 0) options.progress(done, total);
    if (e.position > last) return;
    if (left_out.quarantined.contains(e.position)) return;
    if (left_out.contains(e.position)) {
      state.note_latest(e);
    } else {
      apply(state, e, nullptr);
    }
  });
  const auto& content = state.changes().content;
  make_vectors(state, [&](graph::NodeId n) { return content.at(n); }, {});
  if (options.progress) options.progress(total, total);
  warn();
}

// Removes the `progress` rows of inputs that were read to their end. Called once the mirror is on
// disk: if the process is killed before this commit, the same input adds nothing when read again.
void EngineImpl::forget_finished() {
  if (finished.empty()) return;
  const auto transaction = storage->begin(Storage::Access::write_lazily);
  for (const auto& [content, reader] : finished) inbox.set_progress(content, {0, 0, reader});
  transaction->commit();
  for (const auto& [content, reader] : finished) input_locks.give_back(content + reader);
  finished.clear();
}

void EngineImpl::write_mirror() {
  const auto mirrored = mirror.position();
  if (mirrored == 0 || mirrored < changed_at) mirror.write(*loaded, position);
  mirror.write_claims(claims, position);
}

bool EngineImpl::sync(int wait_ms) {
  require_writable();
  const auto wait_again = [this] { storage->set_busy_timeout(options.busy_timeout_ms); };
  storage->set_busy_timeout(wait_ms);
  try {
    if (mirror.position() == 0 || mirror.position() < ledger.last_position()) {
      const auto transaction = storage->begin(Storage::Access::write);
      state();
      try {
        write_mirror();
        transaction->commit();
      } catch (...) {
        loaded.reset();  // part of its record of changes is used up already
        throw;
      }
    }
    if (!options.reports_later) forget_finished();
    keep_image(Due::when_old);
  } catch (const sql::Error& e) {
    wait_again();
    if (e.busy() && (finished.empty() || options.reports_later)) return false;
    throw;
  }
  wait_again();
  return true;
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
  impl_->require_writable();
  try {
    return impl_->sync(impl_->options.busy_timeout_ms);
  } catch (const sql::Error& e) {
    if (e.corrupt() || e.busy()) throw;
    if (impl_->options.warning) {
      impl_->options.warning(
          fmt::format("everything was taken, but the tables could not be brought up to date; the "
                      "next command does it ({})",
                      e.what()));
    }
    return false;
  }
}
void Engine::forget_inputs() {
  try {
    impl_->forget_finished();
  } catch (const sql::Error& e) {
    if (e.corrupt() || e.busy() || !impl_->options.warning) throw;
    impl_->options.warning(
        fmt::format("everything was taken, but the same input given again within a day will count "
                    "as this one ({})",
                    e.what()));
  }
}
bool Engine::try_sync() {
  if (impl_->options.read_only) return false;
  try {
    return impl_->sync(0);
  } catch (const sql::Error& e) {
    if (e.corrupt()) throw;
    return false;  // a full disk, for example
  }
}
const State& Engine::state() { return impl_->state(); }
bool Engine::has_node(std::string_view id) { return impl_->state().exists(id); }
const Ledger& Engine::ledger() const { return impl_->ledger; }
std::shared_ptr<void> Engine::one_moment() { return impl_->one_moment(); }
std::vector<DeadLetter> Engine::dead_letters(std::int64_t after, std::size_t bytes) {
  return impl_->inbox.dead_letters_after(after, bytes);
}
std::vector<std::string> Engine::blocking_cycle() {
  State& s = impl_->state();
  std::vector<graph::NodeId> blocked;
  for (const reward::Candidate& row : s.ranking(s.stamp()).open()) {
    if (row.is_blocked != 0) blocked.push_back(row.node);
  }
  return hebb::blocking_cycle(s, s.stamp(), blocked);
}
NodeContent Engine::content(std::string_view id) { return impl_->content(id); }
void Engine::back_up(const std::string& path, bool replace) {
  impl_->storage->back_up(path, replace);
}

std::int64_t Engine::drop_dead_letters(std::span<const std::int64_t> ids) {
  impl_->require_writable();
  const auto transaction = impl_->storage->begin(Storage::Access::write);
  std::int64_t dropped = 0;
  for (const auto id : ids) dropped += impl_->inbox.drop_dead_letter(id);
  transaction->commit();
  return dropped;
}

Storage& storage_of(Engine& engine) { return *engine.impl_->storage; }

sql::Database& tables_of(Engine& engine) { return storage_of(engine).database(); }

}  // namespace hebb
