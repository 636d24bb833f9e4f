// Notes for the user about a snapshot, besides its tasks.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/input/tickets.h"
#include "engine/values/checks.h"
#include "engine/values/counted.h"
#include "text/ascii.h"

namespace hebb::input {

namespace {

// "3 with pull_request, 2 of type gate", or nothing.
std::string no_tasks(const std::map<std::string, std::int64_t>& all) {
  std::int64_t items = 0;
  std::vector<std::string> why;
  for (const auto& [text, count] : all) {
    items += count;
    why.push_back(fmt::format("{} {}", count, text));
  }
  if (items == 0) return {};
  return fmt::format("{} left out: {}",
                     counted(items, "item that is no task was", "items that are no tasks were"),
                     fmt::join(why, ", "));
}

// reasons: those that are not known, and how many tasks each has closed.
std::string unknown_reasons(const std::map<std::string, std::int64_t>& reasons) {
  if (reasons.empty()) return {};
  constexpr std::int64_t kShown = 5;
  Examples shown;
  std::int64_t tasks = 0;
  for (const auto& [reason, count] : reasons) {
    tasks += count;
    shown.add(fmt::format("\"{}\" {}", cut(reason, kShownBytes), count), kShown, ", ");
  }
  // A command is for a shell, so that nothing else of a reason stands in one.
  const std::string_view first = reasons.begin()->first;
  const bool is_plain =
      first.size() <= kShownBytes && std::all_of(first.begin(), first.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == ' ' || c == '-';
      });
  return fmt::format(
      "{} for a reason of which hebb does not know whether it means done, and {} neither as done "
      "nor as failed: {}{}; `hebb policy set \"reason.{}.success=true\"` and the same import again "
      "make it a success, .failure a failure",
      counted(tasks, "task was closed", "tasks were closed"), tasks == 1 ? "counts" : "count",
      shown.first, shown.count > kShown ? ", …" : "", is_plain ? first : "REASON");
}

}  // namespace

void Tickets::add_notes() const {
  std::map<std::string, std::int64_t> left = skipped_, reasons;
  Examples fields, unlisted;
  for (const Entry& entry : entries_) {
    const Ticket& t = entry.ticket;
    if (!entry.chosen) ++left[t.no_task];
    if (entry.chosen && !t.unknown_reason.empty()) ++reasons[t.unknown_reason];
    for (const std::string& why : t.left_out) fields.add(fmt::format("{}: {}", t.id, why), kShown);
  }
  std::set<std::string> waiting;
  for (const auto& [task, other] : waiting_)
    if (waiting.insert(task).second)
      unlisted.add(fmt::format("{} for {}", task, other), kShown, ", ");
  const auto note = [&](const std::string& text) {
    if (!text.empty()) options_.note(text);
  };
  const auto more = [](const Examples& all, const char* text) {
    return all.count > kShown ? text : "";
  };
  note(no_tasks(left));
  note(unknown_reasons(reasons));
  if (stale_tasks_.count > 0)
    note(fmt::format("{} here a later time of change, so {} left as {}: {}{}",
                     counted(stale_tasks_.count, "task has", "tasks have"),
                     stale_tasks_.count == 1 ? "it is" : "they are",
                     stale_tasks_.count == 1 ? "it is" : "they are", stale_tasks_.first,
                     more(stale_tasks_, ", …")));
  if (other_outcomes_.count > 0)
    note(fmt::format("{} taken before for another reason than it has now, and counts as then: {}",
                     counted(other_outcomes_.count, "closing was", "closings were"),
                     other_outcomes_.first));
  if (fields.count > 0)
    note(fmt::format("{} left out, the rest of their tasks was taken: {}{}",
                     counted(fields.count, "field was", "fields were"), fields.first,
                     more(fields, "; …")));
  if (unlisted.count > 0)
    note(fmt::format(
        "{} for what is neither in the list nor known here, and so {} not handed out: {}{}",
        counted(unlisted.count, "task waits", "tasks wait"), unlisted.count == 1 ? "is" : "are",
        unlisted.first, more(unlisted, ", …")));
}

}  // namespace hebb::input
