// The global options, opening the database, and reading arguments: what every command shares.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/did_you_mean.h"
#include "api/files.h"
#include "api/open.h"
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

constexpr const char* kFolder = ".hebb";  // of a database in a working folder
constexpr std::string_view kOfUser = "of this user";

// The nearest folder, from the working folder upwards, that has something of that name; empty:
// none.
fs::path nearest_with(const char* name) {
  std::error_code ec;
  for (fs::path at = fs::current_path(ec); !ec && !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / name, ec)) return at;
    if (at == at.parent_path()) break;
  }
  return {};
}

// Whether the user who runs this owns it; where it is a link, both the link and what it leads to.
// Whoever may write to a folder above may put something there, so what another user owns is not
// followed.
bool is_own(const fs::path& path) {
  const char* sudo = ::geteuid() == 0 ? std::getenv("SUDO_UID") : nullptr;
  struct stat link {
  }, target{};
  if (::lstat(path.c_str(), &link) != 0 || ::stat(path.c_str(), &target) != 0) return false;
  const auto by_user = [&](const struct stat& status) {
    return status.st_uid == ::geteuid() || (sudo && std::to_string(status.st_uid) == sudo);
  };
  return by_user(link) && by_user(target);
}

// The nearest folder upwards that is a git repository of this user; empty: there is none, or the
// nearest is of another user.
fs::path own_repository() {
  const fs::path folder = nearest_with(".git");
  return folder.empty() || is_own(folder / ".git") ? folder : fs::path();
}

// The main folder of a git repository of which this folder is a further worktree; else the folder.
fs::path main_worktree(const fs::path& folder) {
  constexpr std::string_view kBegin = "gitdir: ", kWithin = "/.git/worktrees/";
  std::ifstream file(folder / ".git");
  std::string line;
  if (!std::getline(file, line) || !line.starts_with(kBegin)) return folder;
  const auto end = line.rfind(kWithin);
  // A path that is not absolute is one from there.
  return end == line.npos ? folder : folder / line.substr(kBegin.size(), end - kBegin.size());
}

// The folder .hebb that is meant in the working folder; empty: there is none. All worktrees of a
// repository have that of the main one, if none is nearer.
fs::path own_folder() {
  std::error_code ec;
  if (const fs::path found = nearest_with(kFolder); !found.empty()) return found / kFolder;
  const fs::path repository = own_repository();
  if (repository.empty()) return {};
  const fs::path folder = main_worktree(repository) / kFolder;
  return fs::exists(folder, ec) ? folder : fs::path();
}

void require_own(const fs::path& folder) {
  if (is_own(folder)) return;
  throw api::Problem(api::ProblemType::invalid_argument,
                     fmt::format("{0} belongs to another user; if you trust it, name its database: "
                                 "--db {0}/hebb.db",
                                 folder.string()));
}

}  // namespace

fs::path project_folder() {
  const fs::path repository = own_repository(), folder = nearest_with(kFolder);
  const bool is_nearer = folder.native().size() > repository.native().size();
  if (is_nearer && is_own(folder / kFolder)) return folder;
  return repository.empty() ? fs::current_path() : repository;
}

Context::Place Context::place() const {
  if (!databases.empty()) return {named_file(databases.front(), "--db"), "--db"};
  if (const char* env = std::getenv("HEBB_DB"); env && *env)
    return {named_file(env, "HEBB_DB"), "$HEBB_DB"};
  if (const fs::path found = own_folder(); !found.empty()) {
    require_own(found);
    return {(found / "hebb.db").string(), "of this folder"};
  }
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (!(state && *state) && !(home && *home)) {
    throw api::Problem(
        api::ProblemType::invalid_argument,
        "no database named: give --db PATH, or set HEBB_DB (HOME is not set either)");
  }
  const fs::path folder = state && *state ? fs::path(state) : fs::path(home) / ".local" / "state";
  return {(folder / "hebb" / "hebb.db").string(), kOfUser};
}

std::string Context::db_path() const { return place().path; }

std::string Context::shown_db() const { return api::shown_path(db_path()); }

bool Context::names_database() const {
  const char* env = std::getenv("HEBB_DB");
  return !databases.empty() || (env && *env);
}

void Context::make_default_folder() const {
  if (names_database()) return;
  std::error_code ec;
  fs::create_directories(fs::path(db_path()).parent_path(), ec);
}

void Context::make_own_folder() const {
  if (names_database() || !own_folder().empty()) return;
  std::error_code ec;
  const fs::path repository = own_repository();
  const fs::path top = repository.empty() ? fs::current_path(ec) : main_worktree(repository);
  const fs::path folder = top / kFolder;
  // Made by this process, or it is refused: what is in it already may be another user's.
  if (::mkdir(folder.c_str(), 0777) != 0) {
    throw api::Problem(api::ProblemType::failed,
                       fmt::format("cannot make {}: {}; name another place with --db or HEBB_DB",
                                   folder.string(), std::strerror(errno)));
  }
  api::replace_file((folder / ".gitignore").string(), "*\n");
}

EngineOptions Context::opening(api::Access access) const {
  const Place at = place();
  std::error_code ec;
  if (access == api::Access::write) make_default_folder();
  // Nobody named it, and where it is may be another place than the one that was meant.
  if (access == api::Access::write && at.by == kOfUser && !fs::exists(at.path, ec))
    note(fmt::format("a new database, of this user: {}; `hebb init` makes one for this folder",
                     at.path));
  EngineOptions options;
  options.path = at.path;
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
                       api::did_you_mean_text(value, choices));
  };
  return {check, type};
}

void add_rest(CLI::App& command, const std::string& does) {
  // For help, completions and the man page; main.cc takes the words away before CLI11 sees them.
  command.add_option_function<std::vector<std::string>>(
      kRest, [](const std::vector<std::string>&) {}, does);
}

bool has_rest(const CLI::App& command) { return command.get_option_no_throw(kRest) != nullptr; }

std::string format_time(TimeMs t) {
  if (t == graph::kNever) return "never";
  return format_rfc3339(t);
}

}  // namespace hebb::cli
