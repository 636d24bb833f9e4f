// hebb policy show, set
#include "api/policy.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_settings(const Context& context, const Json&, const Json& result) {
  if (has(result, "toml")) return context.data(text(result, "toml"));
  for (const auto& [key, value] : result["settings"].items())
    context.line(fmt::format("{} = {}", key, api::setting_text(value)));
}

void print_change(const Context& context, const Json& request, const Json& result) {
  if (has(request, "settings") && !context.quiet) return print_settings(context, request, result);
  const std::string preset = text(request, "preset");
  context.report(fmt::format("{}policy of {} in force",
                             preset.empty() ? "" : fmt::format("preset {}: ", preset),
                             counted(std::ssize(result["settings"]), "value")));
}

}  // namespace

Views policy_views() {
  return {
      {.operation = "policy_get",
       .print = print_settings,
       .prepare = [](const Context& c,
                     Json& request) { request["as_toml"] = !has(request, "keys") && !c.json; }},
      {.operation = "policy_set", .print = print_change},
  };
}

}  // namespace hebb::cli
