// The rules of CONTRIBUTING.md that can be checked by looking at the text of the sources.
#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "tests/house/sources.h"

using hebb::test::all_rooms;
using hebb::test::library_rooms;
using hebb::test::Source;
using hebb::test::sources;

namespace {

constexpr std::size_t kLinesMax = 450;

std::size_t columns(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) count += (c & 0xc0) != 0x80;  // code points, not bytes
  return count;
}

// One long word in a comment, or an address.
bool unbreakable(const std::string& line) {
  const auto word = line.find_first_not_of(" /");
  return line.find("://") != std::string::npos || line.find(' ', word) == std::string::npos;
}

}  // namespace

TEST_CASE("no file is too long to read at once") {
  const auto all = sources(all_rooms());
  CHECK(all.size() > 30);
  for (const Source& source : all) {
    INFO(source.path);
    CHECK(source.lines.size() <= kLinesMax);
  }
}

static const std::string kCHeader = "c/hebb.h";  // C99, with guards and /* comments */

TEST_CASE("a header is included once") {
  for (const Source& source : sources(all_rooms())) {
    if (!source.header() || source.path == kCHeader) continue;
    INFO(source.path);
    CHECK(std::find(source.lines.begin(), source.lines.end(), "#pragma once") !=
          source.lines.end());
  }
}

TEST_CASE("a file opens with its contract; an implementation may leave it to its header") {
  for (const Source& source : sources(all_rooms())) {
    if (source.room == "tests" && !source.header()) continue;  // the names of its cases say it
    INFO(source.path);
    REQUIRE_FALSE(source.lines.empty());
    const std::string stem = source.path.substr(0, source.path.rfind('.'));
    const bool has_header = source.lines.front() == "#include \"" + stem + ".h\"";
    const auto* begin = source.path == kCHeader ? "/* " : "// ";
    CHECK((has_header || source.lines.front().starts_with(begin)));
  }
}

TEST_CASE("a line fits in a hundred columns, without tabs and trailing spaces") {
  const std::regex end_of_raw("\\)[a-z_~]*\"");
  for (const Source& source : sources(all_rooms())) {
    bool raw = false;  // within a raw string of several lines
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string& line = source.lines[i];
      const bool opens = line.find("R\"") != std::string::npos;
      const bool closes = std::regex_search(line, end_of_raw);
      const bool in_raw = raw || opens;
      raw = in_raw && !closes;
      if (in_raw || source.room == "tests") continue;
      INFO(source.path << ":" << i + 1);
      CHECK((columns(line) <= 100 || unbreakable(line)));
      CHECK(line.find('\t') == std::string::npos);
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

TEST_CASE("nothing is left for later") {
  const std::regex later(std::string("\\b(TO") + "DO|FIX" + "ME|XX" + "X|HA" + "CK)\\b");
  CHECK(std::regex_search(std::string("// TO") + "DO: finish", later));
  for (const Source& source : sources(all_rooms())) {
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(std::regex_search(line, later));
    }
  }
}

TEST_CASE("no using namespace in a header") {
  for (const Source& source : sources(library_rooms())) {
    if (!source.header()) continue;
    for (const std::string& line : source.lines) {
      INFO(source.path << ": " << line);
      CHECK_FALSE(line.starts_with("using namespace"));
    }
  }
}

// A unity build puts files of a room behind one another, where the second would silently mean the
// constant of the first.
TEST_CASE("no constant of a .cc file has the name of one in a header") {
  const std::regex in_header(R"(^inline constexpr [^=({]*\b(k\w+))");
  const std::regex in_file(R"(^constexpr [^=({]*\b(k\w+))");
  std::set<std::string> names;
  const auto all = sources(library_rooms());
  const auto each = [&](const Source& source, const std::regex& constant, const auto& use) {
    for (const std::string& line : source.lines) {
      std::smatch match;
      if (std::regex_search(line, match, constant)) use(match[1].str());
    }
  };
  for (const Source& source : all) {
    if (source.header()) each(source, in_header, [&](const auto& name) { names.insert(name); });
  }
  CHECK(names.contains("kOpen"));
  for (const Source& source : all) {
    if (source.header()) continue;
    each(source, in_file, [&](const auto& name) {
      INFO(source.path << ": " << name);
      CHECK_FALSE(names.contains(name));
    });
  }
}
