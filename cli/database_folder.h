// Where the folder .hebb is that has the database of the working folder, and where one is made. The
// working folder alone decides: git's variables, such as GIT_DIR, are not looked at.
#pragma once

#include <filesystem>
#include <string_view>

namespace hebb::cli {

inline constexpr const char* kDatabaseFolder = ".hebb";
inline constexpr std::string_view kOfFolderAbove = ".hebb of a folder above";

struct DatabaseFolder {
  std::filesystem::path path;  // of .hebb; empty: there is none
  std::string_view by;         // which one it is, for `hebb stats`
};

// The nearest .hebb from the working folder upwards. The search ends at the root of the git
// repository; in a further worktree it goes on in the main one, or in the bare repository. Outside
// of a repository it ends at $HOME, or at / where the working folder is not below $HOME. Throws
// Problem where another user owns the folder that was found.
DatabaseFolder database_folder();

// The database of a folder above the end of that search, of this user; empty: there is none.
std::filesystem::path database_further_up();

// The folder in which `hebb init` makes .hebb: the root of the main worktree, or the bare
// repository; outside of a repository of this user the working folder.
std::filesystem::path folder_for_database();

// The nearest folder upwards that is a git repository or has a .hebb, where this user owns these;
// else the working folder.
std::filesystem::path project_folder();

}  // namespace hebb::cli
