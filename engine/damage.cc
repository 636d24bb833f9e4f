// Damage: whether the file, its schema and the ledger are whole, and whether the mirror is what the
// ledger folds to (verify); putting damaged events aside (quarantine); making the mirror anew
// (rebuild), which is refused for a damaged ledger.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/batch.h"
#include "sql/database.h"

namespace hebb {

namespace {

// The faults of the ledger other than events that are in quarantine, found from its rows alone, in
// order of position: an index may be damaged. What is read is folded into `into`, which is
// Claims::from_start().
std::vector<LedgerFault> open_faults(const Ledger& ledger, Claims& into) {
  std::vector<Event> undos;
  auto faults = ledger.check(1, std::numeric_limits<std::int64_t>::max(), [&](Event&& e) {
    into.take(e);
    if (std::holds_alternative<Undo>(e.payload)) undos.push_back(std::move(e));
  });
  const auto quarantined = undone_by(std::move(undos)).quarantined;
  const auto in_quarantine = [&](const LedgerFault& fault) {
    if (fault.kind == LedgerFault::Kind::checksum) return false;
    for (std::int64_t at = fault.first; at <= fault.last; ++at) {
      if (!quarantined.contains(at)) return false;
    }
    return true;
  };
  std::erase_if(faults, in_quarantine);
  if (!quarantined.empty()) into = claims_of(ledger, ledger.last_position(), quarantined);
  return faults;
}

// --- verify --------------------------------------------------------------------------------------

std::string describe(const LedgerFault& fault) {
  const auto at = fault.first;
  switch (fault.kind) {
    case LedgerFault::Kind::missing:
      return fmt::format(
          "event{} missing; restore a backup, or go on without {}: `hebb quarantine {}{}`",
          at == fault.last ? fmt::format(" {} is", at)
                           : fmt::format("s {} to {} are", at, fault.last),
          at == fault.last ? "it" : "them", at, at == fault.last ? "" : " …");
    case LedgerFault::Kind::changed:
      return fmt::format(
          "event {} is not what was appended{}{}; restore a backup, or set it aside: "
          "`hebb quarantine {}`",
          at, fault.why.empty() ? "" : ": ", fault.why, at);
    case LedgerFault::Kind::unreadable:
      return fmt::format("event {} cannot be read: {}; `hebb quarantine {}` sets it aside", at,
                         fault.why, at);
    case LedgerFault::Kind::checksum:
      break;
  }
  return fmt::format(
      "the checksum of event {} is damaged, the event itself is whole; `hebb rebuild` mends it",
      at);
}

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
  for (const LedgerFault& fault : open_faults(impl.ledger, read.claims)) {
    damaged = damaged || fault.kind != LedgerFault::Kind::checksum;
    if (problems.size() < kProblemsKept) problems.push_back("ledger: " + describe(fault));
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
  Folded& folded = impl.folded;
  const auto noted = folded.left_out().noted();
  State fresh = folded.as_of(kEndOfTime, position);
  if (folded.left_out().noted() != noted) {  // some events can be read but not folded
    for (const auto& [at, why] : folded.left_out().why()) {
      if (folded.undone().quarantined.contains(at)) continue;
      problems.push_back(
          fmt::format("ledger: event {} cannot be applied: {}; `hebb quarantine {}` sets it aside",
                      at, why, at));
    }
    return;
  }
  impl.mirror.compare(fresh, problems);
  const Claims claims = read.last == position
                            ? read.claims
                            : claims_of(impl.ledger, position,
                                        undone_at(impl.ledger, kEndOfTime, position).quarantined);
  if (impl.mirror.claims() != claims.list())
    problems.emplace_back("tables: claim differs from the ledger; `hebb rebuild` mends it");
}

}  // namespace

std::vector<std::string> Engine::verify() {
  auto [problems, readable, indexed] = impl_->storage.check();
  if (!readable) return problems;
  try {
    ClaimsRead read;
    if (check_ledger(*impl_, read, problems) || !indexed) return problems;
    const std::string image_fault = impl_->images.fault();  // before a sync writes it anew
    std::string unloadable;
    try {
      if (!impl_->options.read_only) try_sync();
    } catch (const sql::Error& e) {
      if (!e.damage()) throw;
      unloadable = e.what();  // reported below, unless the comparison finds problems
    }
    const sql::Transaction snapshot(impl_->storage.database(), sql::Transaction::Kind::deferred);
    check_mirror(*impl_, read, problems);
    if (problems.empty() && !unloadable.empty()) problems.push_back(unloadable);
    if (!image_fault.empty()) {
      problems.push_back(fmt::format(
          "graph cache: {}, so it is not used; `hebb rebuild` writes it anew", image_fault));
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

// --- quarantine ----------------------------------------------------------------------------------

namespace {

// What is wrong with one event, if anything.
std::optional<std::string> damage_of(EngineImpl& impl, std::int64_t position) {
  // Its neighbours are checked too: their checksums tell which of two rows is damaged.
  const auto first = std::max<std::int64_t>(1, position - 1);
  for (const LedgerFault& fault : impl.ledger.check(first, position + 1, [](Event&&) {})) {
    if (position < fault.first || position > fault.last) continue;
    if (fault.kind == LedgerFault::Kind::checksum) continue;
    if (fault.kind == LedgerFault::Kind::missing) return "it is missing";
    return fault.why.empty() ? "it is not what was appended" : fault.why;
  }
  const auto& left_out = impl.folded.left_out().why();
  const auto found = left_out.find(position);
  return found == left_out.end() ? std::nullopt : std::optional(found->second);
}

// rebuild() wants the ledger mended before it makes a damaged mirror anew, so the state comes from
// the ledger alone if the mirror cannot be read. False: then the mirror is left to rebuild().
bool fold_if_unloadable(EngineImpl& impl) {
  try {
    impl.folded.state();
    return true;
  } catch (const sql::Error& e) {
    if (!e.damage() || impl.mirror.position() > impl.ledger.last_position()) throw;
  }
  const auto moment = impl.storage.one_moment();
  impl.folded.fold_whole();
  return false;
}

}  // namespace

std::vector<std::string> Engine::quarantine(std::span<const std::int64_t> positions, TimeMs now) {
  require_writable(*impl_);
  impl_->folded.left_out().expect(positions);
  const bool mirrored = fold_if_unloadable(*impl_);
  Batch batch(*impl_);
  const auto last = impl_->ledger.last_position();
  std::vector<std::string> damages;
  for (const std::int64_t position : positions) {
    if (position < 1 || position > last) {
      throw std::invalid_argument(
          fmt::format("there is no event {}; the ledger has 1 to {}", position, last));
    }
    if (impl_->folded.undone().quarantined.contains(position))  // also if this call listed it twice
      throw std::invalid_argument(fmt::format("event {} is in quarantine already", position));
    const auto damage = damage_of(*impl_, position);
    if (!damage) {
      throw std::invalid_argument(
          fmt::format("event {} is whole, as it was appended; `hebb undo {}` takes it out of what "
                      "counts",
                      position, position));
    }
    Event e;
    e.at = now;
    e.subject = "ledger";
    e.payload = Undo{position, *damage};
    batch.add_own(e);
    damages.push_back(*damage);
  }
  batch.commit(mirrored);
  return damages;
}

// --- rebuild -------------------------------------------------------------------------------------

namespace {

// The mirror may hold the only good copy of what damaged events said: it is not overwritten.
void refuse_damaged(const std::vector<LedgerFault>& faults) {
  const auto first = std::ranges::find_if(
      faults, [](const LedgerFault& fault) { return fault.kind != LedgerFault::Kind::checksum; });
  if (first == faults.end()) return;
  throw DamagedLedger(fmt::format(
      "the ledger is damaged at event {}, and the current tables may be the only good copy "
      "of what it said: they stay as they are. `hebb verify` names all damage; restore a "
      "backup, or put aside what is damaged with `hebb quarantine`, and rebuild then",
      first->first));
}

// The same where the ledger's end is lost. If only the mirror's position is wrong, it holds nothing
// but what the ledger folds to. Precondition: the ledger is folded.
void refuse_lost_end(EngineImpl& impl) {
  const auto mirrored = impl.mirror.position();
  if (mirrored <= impl.folded.position()) return;
  std::vector<std::string> differences;
  impl.mirror.compare(*impl.folded.loaded(), differences);
  if (differences.empty() && impl.mirror.claims() == impl.folded.claims().list()) return;
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
  const auto faults = open_faults(impl_->ledger, claims);
  if (!force) refuse_damaged(faults);
  try {
    impl_->storage.restore();
    for (const LedgerFault& fault : faults) {
      if (fault.kind == LedgerFault::Kind::checksum) impl_->ledger.mend_checksum(fault);
    }
    Folded& folded = impl_->folded;
    folded.fold_whole(std::move(claims));
    if (force) {
      folded.loaded()->drop_hanging();  // what names nodes that only lost events had made
    } else {
      refuse_lost_end(*impl_);
    }
    folded.write_mirror();
    impl_->mirror.renew_index_of_words();
    transaction.commit();
    impl_->images.keep(*folded.loaded(), folded.position(), ImageKeeper::Due::always);
  } catch (...) {
    impl_->folded.drop();
    throw;
  }
}

}  // namespace hebb
