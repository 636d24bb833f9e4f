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

}  // namespace hebb::cli
