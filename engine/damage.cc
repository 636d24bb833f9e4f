#include "engine/damage.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/batch.h"
#include "sql/database.h"

namespace hebb {

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

// --- quarantine ----------------------------------------------------------------------------------

namespace {

// What is wrong with one event, if anything.
std::optional<std::string> damage_of(EngineImpl& impl, std::int64_t position) {
  // Its neighbours are checked too: their checksums tell which of two rows is damaged.
  const auto first = std::max<std::int64_t>(1, position - 1);
  for (const LedgerFault& fault : impl.ledger.check(first, position + 1, [](Event&&) {})) {
    if (position < fault.first || position > fault.last) continue;
    switch (fault.kind) {
      case LedgerFault::Kind::changed:
        return fault.why.empty() ? "it is not what was appended" : fault.why;
      case LedgerFault::Kind::unreadable:
        return fault.why;
      case LedgerFault::Kind::missing:
        return "it is missing";
      case LedgerFault::Kind::checksum:
        break;
    }
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
  const LedgerFault* first = nullptr;
  for (const LedgerFault& fault : faults) {
    if (fault.kind == LedgerFault::Kind::checksum) continue;
    if (!first) first = &fault;
  }
  if (!first) return;
  throw DamagedLedger(
      fmt::format("the ledger is damaged at event {}, and the mirror may be the only good copy of "
                  "what it said: it stays as it is. `hebb verify` names all damage; restore a "
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
  if (differences.empty() && same_claims(impl.mirror.claims(), impl.folded.claims())) return;
  throw DamagedLedger(
      fmt::format("the ledger ends with event {}, and the mirror, which has taken in event {}, may "
                  "be the only good copy of what was lost: it stays as it is. Restore a backup, or "
                  "give up what is lost with `hebb rebuild --force`",
                  impl.folded.position(), mirrored));
}

}  // namespace

void Engine::rebuild(bool force) {
  require_writable(*impl_);
  const auto transaction = impl_->storage.begin(Storage::Access::write);
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
    transaction->commit();
    impl_->images.keep(*folded.loaded(), folded.position(), ImageKeeper::Due::always);
  } catch (...) {
    impl_->folded.drop();
    throw;
  }
}

}  // namespace hebb
