// list: nodes by what they are, rather than by what to do next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/which.h"

namespace hebb::api {

struct ListRequest : Which {
  std::int64_t limit = 50, offset = 0;
  static const Fields& fields();
};

struct ListedTask {
  std::string id, name, type, state, project;
  std::optional<std::int64_t> priority;
  std::optional<Time> due_at, snoozed_until;
  bool pinned = false;
  std::optional<Time> created_at;
  std::vector<std::string> labels, blocked_by, not_ready;
  static const Fields& fields();
};

struct ListResult {
  std::vector<ListedTask> nodes;
  std::int64_t total = 0;  // with those that `top` leaves out
  static const Fields& fields();
};

ListResult list(Session& session, const ListRequest& request);
Operation list_operation();

}  // namespace hebb::api
