// Damaged events of the ledger: leaving them out with a warning, finding them, quarantine. Also
// rebuild(), which refuses to write the mirror from a damaged ledger.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "sql/database.h"

namespace hebb {

std::string ahead_of_ledger(std::int64_t mirrored, std::int64_t last) {
  return fmt::format(
      "the mirror has taken in event {}, and the ledger ends with {}: either its end is lost, then "
      "restore a backup, or give it up with `hebb rebuild --force`; or only that number in the "
      "mirror is wrong, then `hebb rebuild` mends it",
      mirrored, last);
}

void EngineImpl::leave_out(std::int64_t at, const std::string& why) {
  if (undone.quarantined.contains(at)) return;
  unreadable.insert_or_assign(at, why);
  ++left_out;
  if (loaded) warn();  // before loading it is not known which events are in quarantine
}

void EngineImpl::warn() {
  if (!options.warning) return;
  for (const auto& [at, why] : unreadable) {
    if (undone.quarantined.contains(at) || !told.insert(at).second) continue;
    options.warning(fmt::format(
        "event {} cannot be read and is left out: {}; `hebb verify` says what to do", at, why));
  }
}

void EngineImpl::apply(State& state, const Event& e, const Scope* scope) {
  try {
    state.apply(e, scope);
  } catch (const std::invalid_argument& damage) {
    leave_out(e.position, damage.what());
  }
}

std::unordered_set<std::string> EngineImpl::drop_hanging(State& state, const Undone& without) {
  if (without.quarantined.empty() && unreadable.empty()) return {};
  return state.drop_hanging();
}

// The mirror does not store which ids are named by events but made by none, so after loading from
// it any new node may be one.
bool EngineImpl::brings_back(const Event& e) const {
  if (!makes_node(e.payload) || undone.quarantined.empty() || loaded->find(e.subject)) return false;
  return !hanging || hanging->contains(e.subject);
}

std::vector<LedgerFault> EngineImpl::open_faults(Claims& into) {
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
  const auto left_out = impl.unreadable.find(position);
  if (left_out == impl.unreadable.end()) return std::nullopt;
  return left_out->second;
}

// rebuild() wants the ledger mended before it makes a damaged mirror anew, so the state comes from
// the ledger alone if the mirror cannot be read. False: then the mirror is left to rebuild().
bool fold_if_unloadable(EngineImpl& impl) {
  try {
    impl.state();
    return true;
  } catch (const sql::Error& e) {
    if (!e.damage() || impl.mirror.position() > impl.ledger.last_position()) throw;
  }
  const auto snapshot = impl.one_moment();
  impl.fold_all();
  impl.claims = claims_of(impl.ledger, impl.position, impl.undone.quarantined);
  return false;
}

}  // namespace

std::vector<std::string> Engine::quarantine(std::span<const std::int64_t> positions, TimeMs now) {
  impl_->require_writable();
  impl_->told.insert(positions.begin(), positions.end());  // whoever names them knows of them
  const bool mirrored = fold_if_unloadable(*impl_);
  EngineImpl::Batch batch(*impl_);
  const auto last = impl_->ledger.last_position();
  std::vector<std::string> damages;
  for (const std::int64_t position : positions) {
    if (position < 1 || position > last) {
      throw std::invalid_argument(
          fmt::format("there is no event {}; the ledger has 1 to {}", position, last));
    }
    if (impl_->undone.quarantined.contains(position))  // also if this call listed it twice
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
void refuse_lost_end(EngineImpl& impl, const Claims& claims) {
  const auto mirrored = impl.mirror.position();
  if (mirrored <= impl.position) return;
  std::vector<std::string> differences;
  impl.mirror.compare(*impl.loaded, differences);
  if (differences.empty() && same_claims(impl.mirror.claims(), claims)) return;
  throw DamagedLedger(
      fmt::format("the ledger ends with event {}, and the mirror, which has taken in event {}, may "
                  "be the only good copy of what was lost: it stays as it is. Restore a backup, or "
                  "give up what is lost with `hebb rebuild --force`",
                  impl.position, mirrored));
}

}  // namespace

void Engine::rebuild(bool force) {
  impl_->require_writable();
  const auto transaction = impl_->storage->begin(Storage::Access::write);
  Claims claims = Claims::from_start();
  const auto faults = impl_->open_faults(claims);
  if (!force) refuse_damaged(faults);
  try {
    impl_->storage->restore();
    for (const LedgerFault& fault : faults) {
      if (fault.kind == LedgerFault::Kind::checksum) impl_->ledger.mend_checksum(fault);
    }
    impl_->fold_all();
    if (force) {
      impl_->loaded->drop_hanging();  // what names nodes that only lost events had made
    } else {
      refuse_lost_end(*impl_, claims);
    }
    impl_->mirror.rewrite(*impl_->loaded, impl_->position);
    impl_->claims = std::move(claims);
    impl_->mirror.write_claims(impl_->claims, impl_->position);
    transaction->commit();
    impl_->keep_image(EngineImpl::Due::always);
  } catch (...) {
    impl_->loaded.reset();
    throw;
  }
}

}  // namespace hebb
