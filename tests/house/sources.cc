// Reads the source tree from HEBB_SOURCE_DIR.
#include "tests/house/sources.h"

#include <algorithm>
#include <fstream>

namespace hebb::test {
namespace fs = std::filesystem;

const std::vector<std::string>& library_rooms() {
  static const std::vector<std::string> rooms{"text", "secrets", "graph",   "reward",
                                              "sql",  "engine",  "capture", "skill",
                                              "api",  "c",       "serve"};
  return rooms;
}

const std::vector<std::string>& all_rooms() {
  static const std::vector<std::string> rooms = [] {
    auto all = library_rooms();
    all.insert(all.end(), {"cli", "tests", "bench", "examples"});
    return all;
  }();
  return rooms;
}

std::vector<Source> sources(const std::vector<std::string>& rooms) {
  const fs::path root = HEBB_SOURCE_DIR;
  std::vector<Source> out;
  for (const std::string& room : rooms) {
    if (!fs::exists(root / room)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const auto extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".h" && extension != ".cc")) continue;
      Source source{fs::relative(entry.path(), root).generic_string(), room, {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) source.lines.push_back(line);
      out.push_back(std::move(source));
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return out;
}

std::vector<std::string> own_includes(const Source& source) {
  std::vector<std::string> out;
  for (std::string_view line : source.lines) {
    constexpr std::string_view kDirective = "#include \"";
    if (!line.starts_with(kDirective)) continue;
    line.remove_prefix(kDirective.size());
    out.emplace_back(line.substr(0, line.find('"')));
  }
  return out;
}

std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.substr(i).starts_with("//")) {
      return line.substr(0, i);
    }
  }
  return line;
}

}  // namespace hebb::test
