// actions: what `hebb record` recorded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

std::vector<std::string> actions_export_formats();
struct ActionsExport {
  PRESET_MEMBER(std::string, format, "jsonl", "The format", {.choices = actions_export_formats()});
  TIME_MEMBER(std::optional<TimeMs>, since,
         "Only calls from then on: 7d, yesterday, a time", {.back = true});
  MEMBER(std::string, sequence, "Only this turn");
  MEMBER(std::string, session, "Only this session");
};
// Another program's format, a piece at a time.
void actions_export(Session& session, const ActionsExport& request,
                    const std::function<void(std::string_view)>& sink);

}  // namespace hebb::api
