// The project's own source files, as text: what the house tests look at.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::test {

struct Source {
  std::string path;                // from the root, with forward slashes
  std::string room;                // its first folder
  std::vector<std::string> lines;  // without line ends

  bool header() const { return path.ends_with(".h"); }
};

// Every .h and .cc below the rooms named.
std::vector<Source> sources(const std::vector<std::string>& rooms);

const std::vector<std::string>& library_rooms();  // all but the program
const std::vector<std::string>& all_rooms();      // and the program, the tests, the benchmarks

// The paths in #include "…" directives, in order.
std::vector<std::string> own_includes(const Source& source);

// The line without what follows // outside a string; good enough for greps.
std::string_view without_comment(std::string_view line);

}  // namespace hebb::test
