#include "api/said.h"

#include <fmt/format.h>

namespace hebb::api {

void say(const Said& said, const TakenBack& back, NodeUpsert& upsert) {
  if (said.priority) upsert.priority = static_cast<int>(*said.priority);
  if (said.due_at) upsert.due_at = said.due_at->ms;
  if (said.snoozed_until) upsert.snoozed_until = said.snoozed_until->ms;
  if (said.estimate) upsert.estimate = said.estimate->ms;
  if (said.pinned) upsert.pinned = true;
  const auto take_back = [](const std::string& field, auto& value, auto nothing) {
    if (value) {
      throw Problem(ProblemType::invalid_argument,
                    fmt::format("{} is both set and unset; give one", named(field)), "unset");
    }
    value = nothing;
  };
  for (const auto& field : back.unset) {
    if (field == "priority") take_back(field, upsert.priority, int{graph::kNoPriority});
    if (field == "due_at") take_back(field, upsert.due_at, graph::kNever);
    if (field == "snoozed_until") take_back(field, upsert.snoozed_until, graph::kNever);
    if (field == "estimate") take_back(field, upsert.estimate, graph::kNever);
    if (field == "pinned") take_back(field, upsert.pinned, false);
  }
}

}  // namespace hebb::api
