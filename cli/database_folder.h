// Finds the folder .hebb with the database of the working folder, and the place to make one. The
// working folder alone decides: git's variables, such as GIT_DIR, are not looked at.
#pragma once

#include <filesystem>
#include <string_view>

namespace hebb::cli {

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

// The folder in which `hebb init` makes .hebb: the root of the main worktree, or the bare
// repository; outside of this user's repositories the working folder.
std::filesystem::path folder_for_database();

// The nearest folder upwards with a git repository or a .hebb that this user owns; else the working
// folder.
std::filesystem::path project_folder();

}  // namespace hebb::cli
