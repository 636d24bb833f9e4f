#include "cli/usage.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "api/values.h"

namespace hebb::cli {

namespace {

// The options that the command accepts: its own, and those of its parents.
std::vector<std::string> option_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_group().empty()) continue;  // an old name
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

}  // namespace

const CLI::App& reached(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : reached(*named.back());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? full_name(*parent) + " " + app.get_name() : app.get_name();
}

std::string no_command_text(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(c->get_name());
  }
  const std::string meant = did_you_mean_text(word, names);
  return fmt::format("there is no command \"{} {}\"{} `{} --help` says what there is",
                     full_name(app), word, meant.empty() ? ";" : meant, full_name(app));
}

std::string usage_error_text(const CLI::App& app, const CLI::ParseError& e) {
  const CLI::App& command = reached(app);
  const auto left = app.remaining(true);
  if (dynamic_cast<const CLI::RequiredError*>(&e)) {
    const auto word =
        std::find_if(left.begin(), left.end(), [](const auto& w) { return !is_option(w); });
    const bool wants_command = command.get_require_subcommand_min() > 0;
    if (wants_command && word != left.end()) return no_command_text(command, *word);
  }
  const auto option = std::find_if(left.begin(), left.end(), is_option);
  if (option != left.end()) {
    const std::string name = option->substr(0, option->find('='));
    const std::string meant = did_you_mean_text(name, option_names(&command));
    // Other errors may follow from this one: the misspelt option may be a required one.
    if (!meant.empty() || dynamic_cast<const CLI::ExtrasError*>(&e)) {
      return fmt::format("`{}` has no option {}{} `{} --help` says what there is",
                         full_name(command), name, meant.empty() ? ";" : meant, full_name(command));
    }
  }
  const std::string why = e.what();
  return fmt::format("{}{} `{} --help` says what there is", why, why.ends_with('?') ? "" : ";",
                     full_name(command));
}

}  // namespace hebb::cli
