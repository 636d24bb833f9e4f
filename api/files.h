// Files that whoever runs hebb names in a request; "-" is standard input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/input/input.h"

namespace hebb::api {

// Throws Problem, invalid_argument, for the address of a server.
void require_no_address(const std::string& file);
// That can be read, or "-". Throws Problem, no_file.
void require_file(const std::string& path);
// A small one, of at most 16 MiB. Throws Problem, no_file, and UnreadableInput.
std::string read_file(const std::string& path);
// As messages name it: "(stdin)" for "-".
std::string shown_name(const std::string& path);

// Writes a file whole or not at all: a new one, or in the place of a regular one; a link stays, and
// what it points to is written. Throws Problem.
void replace_file(const std::string& path, std::string_view content);

// Adds a file of the user's own rules of what is a secret (docs/tools.md) to those of hebb, for all
// that is stored from then on. Call it once. Throws Problem: no_file; unreadable, with the line of
// what is wrong.
void use_secret_rules(const std::string& path);

// A file that is read as it comes. Throws Problem, no_file.
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
