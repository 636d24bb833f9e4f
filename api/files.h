// Files that a request of hebb's own user names; "-" is standard input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/input/input.h"

namespace hebb::api {

// Throws Problem, invalid_argument, if the path is the address of a server.
void require_no_address(const std::string& file);
// Checks that the file can be read, or is "-". Throws Problem, no_file.
void require_file(const std::string& path);
// The content of a file of at most 16 MiB. Throws Problem, no_file, and UnreadableInput.
std::string read_file(const std::string& path);
// The path as messages show it: "(stdin)" for "-".
std::string shown_name(const std::string& path);

// Writes a whole file or nothing: a new one, or in place of a regular one; of a link, the file that
// it points to. Throws Problem.
void replace_file(const std::string& path, std::string_view content);

// Adds a file of the user's rules about secrets (docs/tools.md) to hebb's rules, for all that is
// stored from then on. Call it once. Throws Problem: no_file; unreadable, with the line of the
// mistake.
void use_secret_rules(const std::string& path);

// A file that is read piece by piece. Throws Problem, no_file.
class FileInput {
 public:
  explicit FileInput(const std::string& path);
  ~FileInput();
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  Input::Read read() const;    // valid as long as this
  std::uint64_t size() const;  // of a regular file; else 0

 private:
  std::string path_;
  int fd_;
};

}  // namespace hebb::api
