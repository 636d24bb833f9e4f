// Each criterion of tests/house/criteria.txt names tests that are there.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <catch2/catch.hpp>

namespace {

// The file's text, in which a string that is divided between lines is whole; empty: no such file.
std::string text_of(const std::string& path) {
  static const std::regex divided("\"\\s*\\n\\s*\"");
  std::ifstream file(HEBB_SOURCE_DIR "/" + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return std::regex_replace(text, divided, "");
}

// Whether the file has a test of this name; a file that holds no tests, a line of this beginning.
bool is_there(const std::string& path, const std::string& name) {
  const std::string text = text_of(path);
  const auto has = [&](const std::string& what) { return text.find(what) != std::string::npos; };
  if (path.ends_with(".mjs")) return has("test('" + name + "',") || has("test(\"" + name + "\",");
  if (!path.starts_with("tests/") || !path.ends_with(".cc")) return has(name);
  const std::regex begins("TEST_CASE\\(\\s*$");
  for (auto at = text.find("\"" + name + "\""); at != std::string::npos;
       at = text.find("\"" + name + "\"", at + 1)) {
    const auto from = at < 40 ? 0 : at - 40;
    if (std::regex_search(text.substr(from, at - from), begins)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every criterion has a test, and every test that the list names is there") {
  std::ifstream list(HEBB_SOURCE_DIR "/tests/house/criteria.txt");
  const std::regex criterion("(00[0-9]-[A-Z]+[0-9]+) .+");
  std::set<std::string> ids;
  int tests = 1;
  std::string id;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    INFO(id << " / " << line);
    std::smatch match;
    if (std::regex_match(line, match, criterion)) {
      CHECK(tests > 0);
      CHECK(ids.insert(match[1]).second);
      id = match[1];
      tests = 0;
      continue;
    }
    REQUIRE(line.starts_with("  "));
    const auto colon = line.find(": ");
    REQUIRE(colon != std::string::npos);
    CHECK(is_there(line.substr(2, colon - 2), line.substr(colon + 2)));
    ++tests;
  }
  CHECK(tests > 0);
  for (const std::string first : {"000-AC1", "002-AC1", "003-AC1", "003-S6", "004-AC8"}) {
    INFO(first);
    CHECK(ids.contains(first));
  }
  CHECK_FALSE(is_there("tests/house/test_criteria.cc", "a case that nobody has written"));
  CHECK_FALSE(is_there("tests/house/no_such_file.cc", "x"));
}
