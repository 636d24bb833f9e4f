#include "cli/time_option.h"

namespace hebb::cli {

CLI::Option* add_time_option(CLI::App& command, const std::string& name,
                             std::optional<TimeMs>& time, const std::string& does) {
  const auto read = [name, &time](const std::string& text) {
    const ReadTime value = read_time(text);
    if (const auto* why = std::get_if<std::string>(&value)) throw CLI::ValidationError(name, *why);
    time = std::get<TimeMs>(value);
  };
  return command.add_option_function<std::string>(name, read, does)->type_name("TIME");
}

}  // namespace hebb::cli
