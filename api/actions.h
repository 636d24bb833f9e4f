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
  std::string format = "jsonl";
  std::optional<Time> since;
  std::string sequence, session;
};
RECORD(ActionsExport, FIELD(format, "The format", {.choices = actions_export_formats()}),
       FIELD(since, "Only calls from then on: 7d, yesterday, a time", {.past = true}),
       FIELD(sequence, "Only this turn"), FIELD(session, "Only this session"))
// Writes another program's format, a piece at a time.
void actions_export(Session& session, const ActionsExport& request,
                    const std::function<void(std::string_view)>& sink);

}  // namespace hebb::api
