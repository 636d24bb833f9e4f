// Opening, append(), sync() and short reads; the larger operations have files of their own.

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/current/embed_nodes.h"
#include "engine/current/events.h"
#include "engine/fold/blocking.h"
#include "engine/rank/explain.h"
#include "sql/database.h"
#include "sql/postgres/copy.h"

namespace hebb {

Refused::Refused(Refusal refusal)
    : std::runtime_error(fmt::format("{} ({})", refusal.detail, refusal.reason)),
      refusal_(std::move(refusal)) {}

sql::Database open_database(const EngineOptions& o) {
  if (postgres::is_address(o.path)) {
    return postgres::open_copy(postgres::read_address(o.path), o.create && !o.read_only,
                               o.busy_timeout_ms);
  }
  using Mode = sql::Database::Mode;
  const Mode mode = o.read_only ? Mode::read_only
                    : o.create  ? Mode::read_write_create
                                : Mode::read_write;
  sql::Database db(o.path, mode, o.busy_timeout_ms);
  sql::migrate(db);
  return db;
}

void require_writable(const EngineImpl& impl) {
  if (impl.options.read_only) throw std::logic_error("the engine was opened read-only");
}

void write_mirror(EngineImpl& impl) {
  sql::Transaction transaction(impl.storage.database(), sql::Transaction::Kind::of_copy);
  impl.folded.state();
  try {
    impl.folded.write_mirror();
    transaction.commit();
  } catch (...) {
    impl.folded.drop();  // part of its record of changes is used up already
    throw;
  }
}

namespace {

// Engine::sync() that waits `wait_ms` for another writer, and does nothing where the mirror is at
// most `behind` events behind.
bool sync(EngineImpl& impl, int wait_ms, std::int64_t behind) {
  require_writable(impl);
  const std::shared_ptr<void> wait_again(
      nullptr, [&](void*) { impl.storage.set_busy_timeout(impl.options.busy_timeout_ms); });
  impl.storage.set_busy_timeout(wait_ms);
  try {
    const auto mirrored = impl.mirror.position();
    if (mirrored == 0 || impl.ledger.last_position() - mirrored > behind) write_mirror(impl);
    if (State* state = impl.folded.loaded())
      impl.graph_cache.write_if_due(*state, impl.folded.position(),
                                    GraphCacheKeeper::Due::when_old);
  } catch (const sql::Error& e) {
    if (e.busy()) return false;
    throw;
  }
  return true;
}

}  // namespace

Engine::Engine(EngineOptions options) : impl_(std::make_unique<EngineImpl>(std::move(options))) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

void Engine::write(const std::function<void()>& work) {
  append_or_retry(*impl_, [&] {
    Batch whole(*impl_);
    work();
    whole.commit();
  });
}

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
  embed_nodes(impl_->folded, pointers, nullptr, brings_vectors(pointers), unembedded);
  const bool may_be_again = impl_->storage.upstream() != nullptr;
  const auto results = append_or_retry(*impl_, [&] {
    Batch batch(*impl_, options.latest);
    std::vector<Applied> applied;
    for (Event& e : events) {
      auto result = batch.add(may_be_again ? Event(e) : std::move(e));
      if (auto* refusal = std::get_if<Refusal>(&result)) throw Refused(std::move(*refusal));
      applied.push_back(std::get<Applied>(result));
    }
    batch.commit();
    return applied;
  });
  if (options.missing) *options.missing = unembedded.count(impl_->folded);
  return results;
}

void embed(Engine& engine, std::span<Event> events, Embedder& embedder) {
  std::vector<Event*> pointers;
  for (Event& e : events) {
    if (auto refusal = validate(e)) throw Refused(std::move(*refusal));
    pointers.push_back(&e);
  }
  Unembedded unembedded;
  embed_nodes(engine.impl().folded, pointers, &embedder, false, unembedded);
}

std::vector<std::variant<Applied, Refusal>> offer(Engine& engine, std::vector<Event> events) {
  Batch batch(engine.impl());
  std::vector<std::variant<Applied, Refusal>> results;
  results.reserve(events.size());
  for (Event& e : events) results.push_back(batch.add(std::move(e)));
  batch.commit();
  return results;
}

bool Engine::sync() {
  require_writable(*impl_);
  try {
    return hebb::sync(*impl_, impl_->options.busy_timeout_ms, may_be_behind(*impl_));
  } catch (const sql::Error& e) {
    if (e.corrupt()) throw;
    if (impl_->options.warning) {
      impl_->options.warning(
          fmt::format("everything was taken, but the tables could not be brought up to date; the "
                      "next command does it ({})",
                      e.what()));
    }
    return false;
  }
}
bool Engine::try_sync(std::int64_t behind) {
  if (impl_->options.read_only) return false;
  constexpr int kTurnMs = 1'000;
  const bool needs_turn = behind == 0 && impl_->storage.upstream();
  try {
    return hebb::sync(*impl_, needs_turn ? kTurnMs : 0, behind);
  } catch (const sql::Error& e) {
    if (e.corrupt()) throw;
    return false;  // a full disk, for example
  }
}
const State& Engine::state() { return impl_->folded.state(); }
const std::unordered_set<std::int64_t>& Engine::undone() {
  impl_->folded.state();
  return impl_->folded.undone().events;
}
const Ledger& Engine::ledger() const { return impl_->ledger; }
std::shared_ptr<void> Engine::read_snapshot() { return impl_->storage.read_snapshot(); }
std::vector<DeadLetter> Engine::dead_letters(std::int64_t after, std::size_t bytes) {
  return impl_->inbox.dead_letters_after(after, bytes);
}
NodeContent Engine::content(std::string_view id) { return content_of(impl_->folded, id); }
void Engine::back_up(const std::string& path, bool replace) {
  using Existing = sql::FileReplacement::Existing;
  impl_->storage.database().backup_to(path, replace ? Existing::replace : Existing::keep);
}
std::vector<ClaimRow> Engine::claims() {
  impl_->folded.state();
  return impl_->folded.claims().list();
}
std::vector<RankRow> Engine::rank(const RankQuery& query, RankSummary* summary) {
  return hebb::rank(impl_->folded, impl_->mean_of_tasks, query, summary);
}

std::int64_t drop_dead_letters(Engine& engine, std::span<const std::int64_t> ids) {
  EngineImpl& impl = engine.impl();
  require_writable(impl);
  sql::Transaction transaction(impl.storage.database());
  std::int64_t dropped = 0;
  for (const auto id : ids) dropped += impl.inbox.drop_dead_letter(id);
  transaction.commit();
  return dropped;
}

State state_as_of(Engine& engine, TimeMs at) { return engine.impl().folded.as_of(at); }

TaskExplanation explain(Engine& engine, std::string_view id, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  return explain(engine.impl().folded, id, as_of, now);
}

EdgeExplanation explain(Engine& engine, const EdgeName& edge, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  return explain(engine.impl().folded, edge, as_of, now);
}

std::vector<Event> events_of_node(Engine& engine, std::string_view id, TimeMs until) {
  Folded& folded = engine.impl().folded;
  folded.state();
  return events_about(folded, {std::string(id)}, false, until);
}

void records_of_node(Engine& engine, std::string_view id,
                     const std::function<void(Ledger::Record&&)>& sink) {
  Folded& folded = engine.impl().folded;
  folded.state();
  folded.storage().ledger().records_of_subject(id, [&](Ledger::Record&& record) {
    const bool counts =
        record.position <= folded.position() && !folded.undone().contains(record.position);
    if (counts) sink(std::move(record));
  });
}

std::vector<std::string> blocking_cycle(Engine& engine, std::optional<TimeMs> now) {
  State& s = engine.impl().folded.state();
  const reward::Times times = s.facts().times(now);
  std::vector<graph::NodeId> blocked;
  for (const reward::Candidate& row : s.ranking(times).open()) {
    if (row.is_blocked != 0) blocked.push_back(row.node);
  }
  return blocking_cycle(s, times, blocked);
}

Storage& storage_of(Engine& engine) { return engine.impl().storage; }
Folded& folded_of(Engine& engine) { return engine.impl().folded; }
void drop_rolled_back(Engine& engine) { engine.impl().folded.drop(); }
sql::Database& tables_of(Engine& engine) { return storage_of(engine).database(); }

}  // namespace hebb
