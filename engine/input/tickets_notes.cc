// What the user should know of a snapshot besides its tasks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/tickets.h"
#include "engine/values/counted.h"

namespace hebb::input {

void Tickets::note(const std::string& text) const {
  if (options_.note) options_.note(text);
}

void Tickets::tell_no_tasks() const {
  std::map<std::string, std::int64_t> all = skipped_;
  for (const Taken& taken : tickets_)
    if (!taken.chosen) ++all[taken.ticket.no_task];
  std::int64_t items = 0;
  std::vector<std::string> why;
  for (const auto& [text, count] : all) {
    items += count;
    why.push_back(fmt::format("{} {}", count, text));
  }
  if (items > 0)
    note(fmt::format("{} left out: {}",
                     counted(items, "item that is no task was", "items that are no tasks were"),
                     fmt::join(why, ", ")));
}

void Tickets::tell_reasons() const {
  std::map<std::string, std::int64_t> reasons;
  std::int64_t tasks = 0;
  for (const Taken& taken : tickets_) {
    if (!taken.chosen || taken.ticket.unknown_reason.empty()) continue;
    ++reasons[taken.ticket.unknown_reason];
    ++tasks;
  }
  if (tasks == 0) return;
  Examples shown;
  constexpr std::int64_t kShown = 5;
  for (const auto& [reason, count] : reasons)
    shown.add(fmt::format("\"{}\" {}", reason.substr(0, 64), count), kShown, ", ");
  note(fmt::format(
      "{} for a reason of which hebb does not know whether it means done, and {} "
      "neither as done nor as failed: {}{}; `hebb policy set \"reason.{}.success=true\"` "
      "and the same import again make it a success, .failure a failure",
      counted(tasks, "task was closed", "tasks were closed"), tasks == 1 ? "counts" : "count",
      shown.first, shown.count > kShown ? ", …" : "", reasons.begin()->first.substr(0, 64)));
}

void Tickets::tell_other_outcomes() const {
  if (other_outcomes_.count == 0) return;
  note(fmt::format("{} taken before for another reason than it has now, and counts as then: {}",
                   counted(other_outcomes_.count, "closing was", "closings were"),
                   other_outcomes_.first));
}

void Tickets::tell_left_out() const {
  constexpr std::int64_t kShown = 3;
  Examples fields;
  for (const Taken& taken : tickets_)
    for (const std::string& why : taken.ticket.left_out)
      fields.add(fmt::format("{}: {}", taken.ticket.id, why), kShown);
  if (fields.count == 0) return;
  note(fmt::format("{} left out, the rest of their tasks was taken: {}{}",
                   counted(fields.count, "field was", "fields were"), fields.first,
                   fields.count > kShown ? "; …" : ""));
}

void Tickets::tell_unlisted() const {
  constexpr std::int64_t kShown = 3;
  Examples tasks;
  std::set<std::string> told;
  for (const auto& [task, other] : waiting_)
    if (told.insert(task).second) tasks.add(fmt::format("{} for {}", task, other), kShown, ", ");
  if (!options_.note || tasks.count == 0) return;
  options_.note(fmt::format(
      "{} for what is neither in the list nor known here, and so {} not handed out: {}{}",
      counted(tasks.count, "task waits", "tasks wait"), tasks.count == 1 ? "is" : "are",
      tasks.first, tasks.count > kShown ? ", …" : ""));
}

}  // namespace hebb::input
