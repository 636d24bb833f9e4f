#include "api/database_folder.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/problem.h"

namespace hebb::api {

namespace fs = std::filesystem;

namespace {

fs::path working_folder() {
  std::error_code ec;
  return fs::current_path(ec);
}

bool is_there(const fs::path& path) {
  std::error_code ec;
  return fs::exists(path, ec);
}

bool has_database_folder(const fs::path& folder) { return is_there(folder / kDatabaseFolder); }

// The nearest folder for which `is` holds, from `at` upwards to `last`; empty: there is none.
template <class Is>
fs::path nearest(fs::path at, const fs::path& last, Is is) {
  for (; !at.empty(); at = at.parent_path()) {
    if (is(at)) return at;
    if (at == last || at == at.parent_path()) break;
  }
  return {};
}

// Whether the present user owns the path; of a link, both the link and its target. Others who may
// write to a folder above can plant a database there, so one of another owner is not used.
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

// --- git -----------------------------------------------------------------------------------------

// Whether the folder has the contents of a .git: a bare repository, for example.
bool is_git_folder(const fs::path& folder) {
  return is_there(folder / "HEAD") && is_there(folder / "objects") && is_there(folder / "refs");
}

// Empty: the file has no line, or is none, such as a pipe, which may never end.
std::string first_line_of(const fs::path& path) {
  std::error_code ec;
  std::string line;
  if (!fs::is_regular_file(path, ec)) return line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

// The git folder of a folder that has a .git: that folder, or the one that the file .git names.
fs::path git_folder_of(const fs::path& folder) {
  constexpr std::string_view kBegin = "gitdir: ";
  const std::string line = first_line_of(folder / ".git");
  if (!line.starts_with(kBegin)) return folder / ".git";
  return folder / line.substr(kBegin.size());  // a relative path starts in `folder`
}

// The folder for the database of a repository: the parent of its git folder, or a bare repository
// itself, unless a file .git beside it names it.
fs::path main_folder_of(const fs::path& git) {
  const fs::path around = git.parent_path();
  std::error_code ec;
  const bool is_of_it = git.filename() == ".git" || fs::equivalent(git_folder_of(around), git, ec);
  return is_of_it ? around : git;
}

struct Repository {
  fs::path root;  // of this worktree; empty: there is no repository
  fs::path main;  // of the main worktree, or the bare repository; empty: another user owns it
};

Repository repository_of(const fs::path& here) {
  const fs::path root = nearest(
      here, "/", [](const fs::path& at) { return is_there(at / ".git") || is_git_folder(at); });
  if (root.empty()) return {};
  if (!is_there(root / ".git")) {
    const fs::path around = main_folder_of(root);
    return {around, is_own(root) ? around : fs::path()};
  }
  if (!is_own(root / ".git")) return {root, {}};
  const fs::path git = git_folder_of(root);
  const std::string common = first_line_of(git / "commondir");
  if (common.empty()) return {root, root};  // not a linked worktree, perhaps a submodule
  std::error_code ec;
  return {root, main_folder_of(fs::weakly_canonical(git / common, ec))};
}

// The folder in which the search upwards ends.
fs::path last_folder(const fs::path& here, const Repository& repository) {
  if (!repository.root.empty()) return repository.root;
  const char* home = std::getenv("HOME");
  if (!home || !*home) return "/";
  std::error_code ec;
  const fs::path folder = fs::weakly_canonical(home, ec);
  const fs::path below = here.lexically_relative(folder);
  return below.empty() || *below.begin() == ".." ? "/" : folder;
}

}  // namespace

DatabaseFolder database_folder() {
  const fs::path here = working_folder();
  const auto [root, main] = repository_of(here);
  fs::path found = nearest(here, last_folder(here, {root, main}), has_database_folder);
  std::string_view by = found.empty() || found == root ? ".hebb of this repository"
                        : found == here                ? ".hebb of this folder"
                                                       : kOfFolderAbove;
  if (found.empty() && !main.empty() && main != root) {
    // Goes on from the same folder of the main worktree.
    found = nearest(here == root ? main : main / here.lexically_relative(root), main,
                    has_database_folder);
  }
  if (found.empty()) return {};
  const fs::path folder = found / kDatabaseFolder;
  if (is_own(folder)) return {folder, by};
  throw Problem(ProblemType::invalid_argument,
                fmt::format("{0} belongs to another user; if you trust it, name its database: "
                            "--db {0}/hebb.db",
                            folder.string()));
}

fs::path database_further_up() {
  const fs::path found = nearest(working_folder(), "/", [](const fs::path& at) {
    return is_there(at / kDatabaseFolder / "hebb.db") && is_own(at / kDatabaseFolder);
  });
  return found.empty() ? fs::path() : found / kDatabaseFolder / "hebb.db";
}

fs::path folder_for_database() {
  const fs::path here = working_folder(), main = repository_of(here).main;
  return main.empty() ? here : main;
}

fs::path project_folder() {
  const fs::path here = working_folder();
  const Repository repository = repository_of(here);
  const fs::path found = nearest(here, last_folder(here, repository), has_database_folder);
  if (!found.empty() && is_own(found / kDatabaseFolder)) return found;
  return repository.main.empty() ? here : repository.root;
}

namespace {

constexpr std::string_view kDefault = "the default of this user";

}  // namespace

std::string named_file(std::string path, std::string_view by) {
  if (path != ":memory:" && !path.starts_with("file:")) return path;
  throw Problem(ProblemType::invalid_argument,
                fmt::format("{} names \"{}\": give the path of a file (./{} if that is one)", by,
                            path, path));
}

DatabasePlace database_place() {
  if (const char* env = std::getenv("HEBB_DB"); env && *env)
    return {named_file(env, "HEBB_DB"), "$HEBB_DB"};
  if (const DatabaseFolder found = database_folder(); !found.path.empty())
    return {(found.path / "hebb.db").string(), found.by};
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (!(state && *state) && !(home && *home)) {
    throw Problem(ProblemType::invalid_argument,
                  "no database named: give --db PATH, or set HEBB_DB (HOME is not set either)");
  }
  const fs::path folder = state && *state ? fs::path(state) : fs::path(home) / ".local" / "state";
  return {(folder / "hebb" / "hebb.db").string(), kDefault};
}

bool make_default_folder(const DatabasePlace& place) {
  std::error_code ec;
  if (place.by != kDefault || fs::exists(place.path, ec)) return false;
  fs::create_directories(fs::path(place.path).parent_path(), ec);
  return true;
}

}  // namespace hebb::api
