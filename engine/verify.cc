// Whether the file, its schema and the ledger are whole, and whether the mirror is what the ledger
// folds to: every row is compared with the fold in memory.
#include <fmt/format.h>

#include "engine/damage.h"
#include "engine/engine_impl.h"
#include "sql/database.h"

namespace hebb {

namespace {

std::string describe(const LedgerFault& fault) {
  const auto at = fault.first;
  switch (fault.kind) {
    case LedgerFault::Kind::missing:
      return fault.first == fault.last
                 ? fmt::format(
                       "event {} is missing; restore a backup, or go on without it: `hebb "
                       "quarantine {}`",
                       at, at)
                 : fmt::format(
                       "events {} to {} are missing; restore a backup, or go on without "
                       "them: `hebb quarantine {} …`",
                       at, fault.last, at);
    case LedgerFault::Kind::changed:
      return fmt::format(
          "event {} is not what was appended{}{}; restore a backup, or take it out of what counts: "
          "`hebb quarantine {}`",
          at, fault.why.empty() ? "" : ": ", fault.why, at);
    case LedgerFault::Kind::unreadable:
      return fmt::format("event {} cannot be read: {}; `hebb quarantine {}` takes it out for good",
                         at, fault.why, at);
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
  const auto snapshot = impl.storage.begin(Storage::Access::snapshot);
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
        "mirror: not compared with a damaged ledger; it may hold what those events did, so make a "
        "copy of the file before you change anything");
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
      problems.push_back(fmt::format(
          "ledger: event {} cannot be folded: {}; `hebb quarantine {}` takes it out for good", at,
          why, at));
    }
    return;
  }
  impl.mirror.compare(fresh, problems);
  const Claims claims = read.last == position
                            ? read.claims
                            : claims_of(impl.ledger, position,
                                        undone_at(impl.ledger, kEndOfTime, position).quarantined);
  if (!same_claims(impl.mirror.claims(), claims))
    problems.emplace_back(
        "mirror: the table claim differs from the ledger; `hebb rebuild` mends it");
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
    const auto snapshot = impl_->storage.begin(Storage::Access::snapshot);
    check_mirror(*impl_, read, problems);
    if (problems.empty() && !unloadable.empty()) problems.push_back(unloadable);
    if (!image_fault.empty()) {
      problems.push_back(
          fmt::format("image: {}, so it is not used; `hebb rebuild` writes it anew", image_fault));
    }
  } catch (const sql::Error& e) {
    if (!e.damage()) throw;
    problems.emplace_back(e.what());
  }
  return problems;
}

}  // namespace hebb
