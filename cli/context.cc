// The global options, opening the database, and reading arguments: what every command shares.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "api/problem.h"
#include "cli/command.h"
#include "cli/outcome_hook.h"

namespace hebb::cli {

namespace fs = std::filesystem;

constexpr const char* kRest = "COMMAND";  // the positional that stands for a command of its own

TimeMs Context::now() const { return now_option ? *now_option : clock_now(); }

namespace {

// A database that is gone with the process would lose what a command says is done.
std::string named_file(std::string path, std::string_view by) {
  if (path != ":memory:" && !path.starts_with("file:")) return path;
  throw api::Problem(api::ProblemType::invalid_argument,
                     fmt::format("{} names \"{}\": give the path of a file (./{} if that is one)",
                                 by, path, path));
}

}  // namespace

std::string Context::db_path() const {
  if (!db.empty()) return named_file(db, "--db");
  if (const char* env = std::getenv("HEBB_DB"); env && *env) return named_file(env, "HEBB_DB");
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) {
    return (fs::path(state) / "hebb" / "hebb.db").string();
  }
  const char* home = std::getenv("HOME");
  if (!home || !*home) {
    throw api::Problem(
        api::ProblemType::invalid_argument,
        "no database named: give --db PATH, or set HEBB_DB (HOME is not set either)");
  }
  return (fs::path(home) / ".local" / "state" / "hebb" / "hebb.db").string();
}

void Context::make_default_folder() const {
  const char* env = std::getenv("HEBB_DB");
  if (!db.empty() || (env && *env)) return;
  std::error_code ec;
  fs::create_directories(fs::path(db_path()).parent_path(), ec);
}

EngineOptions Context::opening(api::Access access) const {
  if (access == api::Access::write) make_default_folder();
  EngineOptions options;
  options.path = db_path();
  options.reports_later = true;
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

void add_rest(CLI::App& command, const std::string& does) {
  // For help, completions and the man page; main.cc takes the words away before CLI11 sees them.
  command.add_option_function<std::vector<std::string>>(
      kRest, [](const std::vector<std::string>&) {}, does);
}

bool has_rest(const CLI::App& command) { return command.get_option_no_throw(kRest) != nullptr; }

std::string format_time(TimeMs t) {
  if (t == graph::kNever) return "never";
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(floor<seconds>(milliseconds(t)).count()));
}

}  // namespace hebb::cli
