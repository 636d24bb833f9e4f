// The global options, opening the database, and reading arguments: what every command shares.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "api/database_folder.h"
#include "api/files.h"
#include "api/open.h"
#include "api/problem.h"
#include "api/values.h"
#include "cli/command.h"
#include "cli/outcome_hook.h"

namespace hebb::cli {

namespace fs = std::filesystem;

constexpr const char* kRest = "COMMAND";  // the positional argument for another command

TimeMs Context::now() const { return now_option ? *now_option : clock_now(); }

std::string Context::agent() const {
  const char* agent = std::getenv("HEBB_AGENT_ID");
  return agent ? agent : "";
}

api::DatabasePlace Context::place() const {
  if (!databases.empty()) return {api::named_file(databases.front(), "--db"), "--db"};
  return api::database_place();
}

std::string Context::db_path() const { return place().path; }

std::string Context::shown_db() const { return api::shown_path(db_path()); }

bool Context::names_database() const {
  const char* env = std::getenv("HEBB_DB");
  return !databases.empty() || (env && *env);
}

void Context::make_default_folder(const std::function<void(const std::string&)>& note) const {
  const api::DatabasePlace at = place();
  if (!api::make_default_folder(at)) return;
  note(fmt::format("a new database, of this user: {}; `hebb init` makes one for this folder{}",
                   at.path, further_up()));
}

void Context::make_own_folder() const {
  if (names_database() || !api::database_folder().path.empty()) return;
  const fs::path folder = api::folder_for_database() / api::kDatabaseFolder;
  // Fails if the folder exists: another user may have put something into it.
  if (::mkdir(folder.c_str(), 0777) != 0) {
    throw api::Problem(api::ProblemType::failed,
                       fmt::format("cannot make {}: {}; name another place with --db or HEBB_DB",
                                   folder.string(), std::strerror(errno)));
  }
}

void Context::keep_out_of_git() const {
  if (names_database()) return;
  const fs::path folder = api::database_folder().path;
  std::error_code ec;
  if (folder.empty() || fs::exists(db_path(), ec) || fs::exists(folder / ".gitignore", ec)) return;
  api::replace_file((folder / ".gitignore").string(), "*\n");
}

std::string Context::further_up() const {
  if (names_database() || !api::database_folder().path.empty()) return {};
  const fs::path database = api::database_further_up();
  if (database.empty()) return {};
  return fmt::format(
      "; the database of a folder further up is used only where it is named: --db {}",
      database.string());
}

EngineOptions Context::opening(api::Access access) const {
  if (access == api::Access::write) {
    make_default_folder([this](const std::string& text) { note(text); });
    keep_out_of_git();
  }
  EngineOptions options;
  options.path = db_path();
  options.progress = [bar = std::make_shared<ProgressBar>(*this, "reading the graph")](
                         std::size_t done, std::size_t total) { bar->update(done, total); };
  options.outcome_taken = outcome_listener(*this);
  return options;
}

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& does, const std::string& examples,
                      std::function<void()> run) {
  CLI::App* command = app.add_subcommand(name, does);
  command->footer("Examples:\n" + examples);
  command->fallthrough();
  if (run) command->callback([&context, run = std::move(run)] { context.run = run; });
  return command;
}

CLI::Validator not_empty() {
  const auto check = [](const std::string& value) {
    return value.empty() ? std::string("the value is empty: give one, or leave the option out")
                         : std::string();
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> choices) {
  const std::string type = fmt::format("{{{}}}", fmt::join(choices, ","));
  const auto check = [choices = std::move(choices)](const std::string& value) {
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
    return fmt::format("is \"{}\" and has to be one of {}{}", value, fmt::join(choices, ", "),
                       did_you_mean_text(value, choices));
  };
  return {check, type};
}

void add_rest(CLI::App& command, const std::string& does) {
  // For help, completions and the man page; main.cc removes these words before CLI11 parses the
  // line.
  command.add_option_function<std::vector<std::string>>(
      kRest, [](const std::vector<std::string>&) {}, does);
}

bool has_rest(const CLI::App& command) { return command.get_option_no_throw(kRest) != nullptr; }

std::string format_time(TimeMs t) {
  if (t == graph::kNever) return "never";
  return format_rfc3339(t);
}

}  // namespace hebb::cli
