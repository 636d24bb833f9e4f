// The database that is used where none is named, and the folder .hebb of the working folder. The
// working folder alone decides: git's variables, such as GIT_DIR, are not looked at.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hebb::api {

inline constexpr const char* kDatabaseFolder = ".hebb";
inline constexpr std::string_view kOfFolderAbove = ".hebb of a folder above";

struct DatabaseFolder {
  std::filesystem::path path;  // of .hebb; empty: there is none
  std::string_view by;         // how it was found, for `hebb stats`
};

// The nearest .hebb from the working folder upwards. The search ends at the root of the git
// repository; in a linked worktree it goes on in the main worktree, or in the bare repository.
// Outside of a repository it ends at $HOME, or at / if the working folder is not below $HOME.
// Throws Problem where another user owns the folder that was found.
DatabaseFolder database_folder();

// This user's database in a folder above the end of that search; empty: there is none.
std::filesystem::path database_further_up();

struct DatabasePlace {
  std::string path;     // of a ledger on a server: the URL with its password
  std::string_view by;  // which rule found it, for `hebb stats`
};
// $HEBB_DB unless empty, else hebb.db in database_folder(), else the one in the user's state
// folder. Throws Problem where there is none of these, and as named_file().
DatabasePlace database_place();
// Makes the folder of the user's own database if that is meant and is not there yet; whether it was
// meant and the database has to be made.
bool make_default_folder(const DatabasePlace& place);
// Refuses a database in memory, which would lose what is reported as done; `by`: what named it.
// Throws Problem.
std::string named_file(std::string path, std::string_view by);

// The folder in which `hebb init` makes .hebb: the root of the main worktree, or the bare
// repository; outside of this user's repositories the working folder.
std::filesystem::path folder_for_database();

// The nearest folder upwards with a git repository or a .hebb that this user owns; else the working
// folder.
std::filesystem::path project_folder();

}  // namespace hebb::api
