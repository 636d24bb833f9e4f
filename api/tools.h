// tools: what traces taught about tools.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct ToolsSuggestRequest {
  std::string tool;
  int limit = 5;
  static const Fields& fields();
};
struct ToolSuggestion {
  std::string relation;
  std::int64_t rank = 0;
  std::string tool;
  double count = 0, share = 0, weight = 0;
  Time touched_at;
  static const Fields& fields();
};
struct ToolsSuggestResult {
  std::vector<ToolSuggestion> suggestions;
  std::int64_t faded = 0;
  std::optional<Time> faded_last_seen;
  static const Fields& fields();
};
ToolsSuggestResult tools_suggest(Session& session, const ToolsSuggestRequest& request);
Operation tools_suggest_operation();

}  // namespace hebb::api
