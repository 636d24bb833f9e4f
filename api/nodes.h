// node set, get, delete: changing and reading a single node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// All that is known of a node.
struct Node {
  std::string id, type, state, name, description, project, scope;
  Json properties = Json::object();
  std::optional<Time> created_at, updated_at, reopened_at, outcome_at, completed_at;
  std::optional<std::int64_t> priority;  // what people say, and the next four
  std::optional<Time> due_at, snoozed_until;
  std::optional<Duration> estimate;
  bool pinned = false;
  std::vector<float> vector;
  std::optional<std::string> claimed_by;     // an agent, at present
  std::optional<std::int64_t> recall_count;  // before this read
  std::optional<Time> last_recalled_at;
};
RECORD(Node,
       FIELD(id, "Its id"),
       FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked; IN_PROGRESS, one that an agent has claimed"),
       FIELD(claimed_by, "The agent that has claimed it"),
       FIELD(name, "A line"),
       FIELD(description, "Any text"),
       FIELD(project, "What it belongs to"),
       FIELD(scope, "The scope to which it belongs"),
       OBJECT_FIELD(properties, "Its properties, as they were given"),
       FIELD(created_at, "When it was first set"),
       FIELD(updated_at, "When it was last set or changed its state"),
       FIELD(reopened_at, "When it last became OPEN again, or left CLOSED"),
       FIELD(outcome_at, "Its last outcome that was no failure"),
       FIELD(completed_at, "Its last success"),
       FIELD(priority, "How urgent people say it is: 0 (most) to 4"),
       FIELD(due_at, "When they say it is due"),
       FIELD(snoozed_until, "No candidate before that time"),
       FIELD(estimate, "How long they say it takes", {.unit = "ms"}),
       FIELD(pinned, "Above everything that is not"),
       FIELD(vector, "What it is near to; empty: none"),
       FIELD(recall_count, "How often it was asked for before this"),
       FIELD(last_recalled_at, "When it was last asked for"))

}  // namespace hebb::api
