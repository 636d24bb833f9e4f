#include "cli/choice.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/did_you_mean.h"

namespace hebb::cli {

CLI::Validator one_of(std::vector<std::string> choices) {
  const std::string type = fmt::format("{{{}}}", fmt::join(choices, ","));
  const auto check = [choices = std::move(choices)](const std::string& value) {
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
    return fmt::format("is \"{}\" and has to be one of {}{}", value, fmt::join(choices, ", "),
                       api::did_you_mean_text(value, choices));
  };
  return {check, type};
}

CLI::Option* add_tools(CLI::App& command, api::Tool& tools) {
  return command
      .add_option_function<std::string>(
          "--tools",
          [&tools](const std::string& list) {
            tools = list == "all" ? api::Tool::all : api::Tool::core;
          },
          "Which tools an agent is given: core, the few that the loop of work needs, or all")
      ->check(one_of({"core", "all"}))
      ->default_str("core");
}

}  // namespace hebb::cli
