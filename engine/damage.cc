// Damage: whether the file, its schema and the ledger are whole, and whether the mirror is what the
// ledger folds to (verify); making the mirror anew (rebuild), which is refused for a damaged
// ledger.
#include <algorithm>

#include <fmt/format.h>

#include "engine/batch.h"
#include "sql/database.h"

namespace hebb {

namespace {

// --- verify --------------------------------------------------------------------------------------

// The claims that the ledger folds to, and how far it was read for that.
struct ClaimsRead {
  Claims claims = Claims::from_start();
  std::int64_t last = 0;
};

// Whether events are damaged, so that their fold says nothing about the mirror.
bool check_ledger(EngineImpl& impl, ClaimsRead& read, std::vector<std::string>& problems) {
  const sql::Transaction snapshot(impl.storage.database(), sql::Transaction::Kind::deferred);
  bool damaged = false;
  read.last = impl.ledger.last_position();
  for (const LedgerFault& fault : impl.ledger.check([&](Event&& e) { read.claims.take(e); })) {
    damaged = damaged || !fault.checksum;
    if (problems.size() < kProblemsKept) {
      problems.push_back(fmt::format("ledger: {}; {}", fault.what,
                                     fault.checksum ? "`hebb rebuild` mends it" : kAboutDamage));
    }
  }
  const auto mirrored = impl.mirror.position(), last = impl.ledger.last_position();
  if (mirrored > last) {
    problems.push_back("ledger: " + ahead_of_ledger(mirrored, last));
    damaged = true;
  }
  if (damaged) {
    problems.emplace_back(
        "tables: not compared with a damaged ledger; they may hold what those events did, so copy "
        "the file before you change anything");
  }
  return damaged;
}

// Compares the mirror with the fold of the ledger up to the mirror's position: others may have
// appended since, and a reader cannot bring the mirror up to date.
void check_mirror(EngineImpl& impl, const ClaimsRead& read, std::vector<std::string>& problems) {
  const auto position = impl.mirror.position();
  if (position == 0) return;  // nothing was mirrored yet
  State fresh = impl.folded.as_of(kEndOfTime, position);
  const Claims claims = read.last == position ? read.claims : claims_of(impl.ledger, position);
  impl.mirror.compare(fresh, claims, problems);
}

}  // namespace

std::vector<std::string> Engine::verify() {
  auto [problems, readable, indexed] = impl_->storage.check();
  if (!readable) return problems;
  try {
    ClaimsRead read;
    if (check_ledger(*impl_, read, problems) || !indexed) return problems;
    const std::string cache_fault = impl_->graph_cache.fault();  // before a sync writes it anew
    std::string unloadable;
    try {
      if (!impl_->options.read_only && cache_fault.empty()) try_sync();
    } catch (const sql::Error& e) {
      if (!e.damage()) throw;
      unloadable = e.what();  // reported below, unless the comparison finds problems
    }
    const sql::Transaction snapshot(impl_->storage.database(), sql::Transaction::Kind::deferred);
    check_mirror(*impl_, read, problems);
    if (problems.empty() && !unloadable.empty()) problems.push_back(unloadable);
    if (!cache_fault.empty()) {
      problems.push_back(
          fmt::format("graph cache: {}; `hebb rebuild` writes it anew", cache_fault));
    }
    if (sql::Upstream* server = impl_->storage.upstream()) {
      for (std::string& problem : server->check(impl_->storage.database()))
        problems.push_back(std::move(problem));
    }
  } catch (const sql::Error& e) {
    if (!e.damage()) throw;
    problems.emplace_back(e.what());
  }
  return problems;
}

// --- rebuild -------------------------------------------------------------------------------------

namespace {

// The mirror may hold the only good copy of a damaged event's data: it is not overwritten.
void refuse_damaged(const std::vector<LedgerFault>& faults) {
  const auto first =
      std::ranges::find_if(faults, [](const LedgerFault& fault) { return !fault.checksum; });
  if (first == faults.end()) return;
  throw DamagedLedger(
      fmt::format("the ledger is damaged: {}; the current tables may be the only good copy of what "
                  "it said, and stay as they are. `hebb verify` names all damage; {}",
                  first->what, kAboutDamage));
}

// Refuses to overwrite it where the ledger's end is lost. If only the mirror's position is wrong,
// it holds nothing but what the ledger folds to. Precondition: the ledger is folded.
void refuse_lost_end(EngineImpl& impl) {
  const auto mirrored = impl.mirror.position();
  if (mirrored <= impl.folded.position()) return;
  std::vector<std::string> differences;
  impl.mirror.compare(*impl.folded.loaded(), impl.folded.claims(), differences);
  if (differences.empty()) return;
  throw DamagedLedger(fmt::format(
      "the ledger ends with event {}, and the current tables, which have taken in event "
      "{}, may be the only good copy of what was lost: they stay as they are. Restore a backup, or "
      "give up what is lost with `hebb rebuild --force`",
      impl.folded.position(), mirrored));
}

}  // namespace

void Engine::rebuild(bool force) {
  require_writable(*impl_);
  sql::Transaction transaction(impl_->storage.database(), sql::Transaction::Kind::of_copy);
  Claims claims = Claims::from_start();
  const auto faults = impl_->ledger.check([&](Event&& e) { claims.take(e); });
  refuse_damaged(faults);
  try {
    impl_->storage.restore();
    Folded& folded = impl_->folded;
    folded.fold_whole(std::move(claims));
    if (!force) refuse_lost_end(*impl_);
    for (const LedgerFault& fault : faults) impl_->ledger.mend(fault);
    folded.write_mirror();
    impl_->mirror.renew_index_of_words();
    transaction.commit();
    impl_->graph_cache.write_if_due(*folded.loaded(), folded.position(),
                                    GraphCacheKeeper::Due::always);
  } catch (...) {
    impl_->folded.drop();
    throw;
  }
}

}  // namespace hebb
