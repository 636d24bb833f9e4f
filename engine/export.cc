// A ledger as a history log.
#include <limits>

#include "engine/engine_impl.h"

namespace hebb {

void Engine::export_log(const std::function<void(std::string_view line)>& write) {
  const auto snapshot = one_moment();
  const auto left_out = undone();
  impl_->ledger.events_until(std::numeric_limits<TimeMs>::max(), [&](Event&& e) {
    if (left_out.contains(e.position) || std::holds_alternative<Undo>(e.payload)) return;
    write(export_line(e) + "\n");
  });
}

}  // namespace hebb
