#include "cli/describe.h"

namespace hebb::cli {

namespace {

// CLI11 keeps allowed values in the name of the type: "TEXT:{table,json}".
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> choices;
  for (const auto& choice : CLI::detail::split(type.substr(open + 1, close - open - 1), ',')) {
    choices.push_back(choice);
  }
  return choices;
}

OptionText describe(const CLI::Option& option) {
  OptionText text;
  for (const auto& name : option.get_snames()) text.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) text.names.push_back("--" + name);
  const std::string type = option.get_type_name();
  text.choices = choices_of(type);
  text.takes_value = option.get_items_expected_max() > 0;
  text.value =
      option.nonpositional() ? type.substr(0, type.find_first_of(":{ ")) : option.get_name(true);
  text.description = option.get_description();
  text.required = option.get_required();
  text.repeats = option.get_items_expected_max() > 1;
  return text;
}

CommandText describe(const CLI::App& app, const std::vector<std::string>& path) {
  CommandText text;
  text.path = path;
  text.description = app.get_description();
  text.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an old name
    (option->nonpositional() ? text.options : text.positionals).push_back(describe(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    auto beneath = path;
    beneath.push_back(command->get_name());
    text.commands.push_back(describe(*command, beneath));
  }
  return text;
}

void append(const CommandText& command, std::vector<const CommandText*>& all) {
  all.push_back(&command);
  for (const auto& beneath : command.commands) append(beneath, all);
}

}  // namespace

CommandText describe(const CLI::App& app) { return describe(app, {}); }

std::vector<const CommandText*> all_commands(const CommandText& command) {
  std::vector<const CommandText*> all;
  append(command, all);
  return all;
}

}  // namespace hebb::cli
