// A ledger as a history log.
#include <limits>

#include "engine/engine_impl.h"

namespace hebb {

namespace {

using Ids = std::unordered_set<std::string>;

// Takes the names of these nodes out of an event. False: nothing is left of it.
bool forget_names(Event& e, const Ids& ids) {
  const auto gone = [&](const std::string& id) { return ids.contains(id); };
  if (gone(e.subject)) return false;
  if (const auto* link = std::get_if<Link>(&e.payload)) return !gone(link->target);
  if (const auto* unlink = std::get_if<Unlink>(&e.payload)) return !gone(unlink->target);
  if (auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) {
    std::erase_if(outcome->contexts, gone);
    if (outcome->related) std::erase_if(*outcome->related, gone);
  } else if (auto* recalibration = std::get_if<Recalibration>(&e.payload)) {
    std::erase_if(recalibration->guides, [&](const Guide& g) { return gone(g.node); });
  }
  return true;
}

}  // namespace

// Claims are left out: they are known by their positions in this ledger. So are nodes that only a
// damaged event had made, wherever other events name them: no import could take them.
void Engine::export_log(const std::function<void(std::string_view line)>& write) {
  const auto snapshot = one_moment();
  const auto left_out = undone();
  Ids hanging;
  if (!impl_->undone.quarantined.empty() || !impl_->unreadable.empty()) {
    State state;
    impl_->fold_into(state, kEndOfTime, kEndOfTime, impl_->undone);
    hanging = state.drop_hanging();
  }
  impl_->ledger.events_until(std::numeric_limits<TimeMs>::max(), [&](Event&& e) {
    if (left_out.contains(e.position) || std::holds_alternative<Undo>(e.payload)) return;
    if (is_claim(e.payload) || !forget_names(e, hanging)) return;
    write(export_line(e) + "\n");
  });
}

}  // namespace hebb
