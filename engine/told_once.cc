// Keeps each completion counted once, whoever tells of it and in whatever order: the rule is in
// engine/fold/completions.h, and what it says is written into the ledger as undos.
#include <algorithm>

#include "engine/batch.h"
#include "engine/current/events.h"
#include "engine/fold/completions.h"

namespace hebb {

using graph::kNever;

// Only a second success of a task, or what comes between two, can change which of them count.
void Batch::note_task(const Event& e) {
  const auto note = [&](const std::string& task) {
    TimeMs& at = retold_.try_emplace(task, e.at).first->second;
    at = std::max(at, e.at);
  };
  if (const auto* undo = std::get_if<Undo>(&e.payload)) {
    if (undo->repeats) return;
    auto target = impl_.ledger.event(undo->event);
    while (target && std::holds_alternative<Undo>(target->payload))
      target = impl_.ledger.event(std::get<Undo>(target->payload).event);
    if (target) note(target->subject);
    return;
  }
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  const auto* node = std::get_if<NodeUpsert>(&e.payload);
  const bool matters = outcome ? outcome->outcome == OutcomeKind::success
                       : node  ? node->state.has_value()
                               : std::holds_alternative<StateChange>(e.payload);
  if (!matters) return;
  const graph::Graph& g = impl_.folded.loaded()->graph();
  const auto n = g.find_node(e.subject);
  if (!n) return;
  const bool done = g.nodes().completed_at[*n] != kNever;
  if (done || impl_.folded.late().scope().nodes.contains(*n)) note(e.subject);
}

void Batch::tell_completions_once() {
  for (const auto& [task, at] : std::exchange(retold_, {})) {
    if (!impl_.ledger.has_keys_in(closing_keys(task))) continue;
    const auto events = events_told_of(impl_.folded, task);
    const auto repeated = repeated_closings(events);
    for (const Event& closing : events) {
      if (!is_closing(closing)) continue;
      const auto known = impl_.folded.undone().repeated.find(closing.position);
      const bool is_left_out = known != impl_.folded.undone().repeated.end();
      if (is_left_out == repeated.contains(closing.position)) continue;
      Event e;
      e.at = std::max(at, closing.at);
      e.subject = "ledger";
      e.payload = Undo{is_left_out ? known->second : closing.position, {}, true};
      add_own(e);
    }
  }
}

}  // namespace hebb
