// docs/schema.md against the program. Its tables of columns and events are generated:
// tests/docs/schema_blocks.cc.
#include <filesystem>
#include <regex>
#include <set>

#include <catch2/catch.hpp>

#include "sql/database.h"
#include "tests/docs/page.h"

using hebb::test::in_backticks;
using hebb::test::Page;
namespace fs = std::filesystem;

TEST_CASE("the page names the version and the mark of the schema") {
  const std::string text = Page("docs/schema.md").text();
  std::smatch version;
  REQUIRE(std::regex_search(text, version, std::regex("`PRAGMA user_version`[^.0-9]* ([0-9]+)")));
  CHECK(version[1] == std::to_string(hebb::sql::schema_version()));
  CHECK(text.find(std::to_string(hebb::sql::kApplicationId)) != text.npos);
}

TEST_CASE("every example in SQL is listed") {
  const auto named = in_backticks(Page("docs/schema.md").text());
  std::set<std::string> documented, actual;
  for (const std::string& name : named) {
    if (name.ends_with(".sql") && name.find('/') == name.npos) documented.insert(name);
  }
  for (const auto& entry : fs::directory_iterator(fs::path(HEBB_SOURCE_DIR) / "examples/sql"))
    actual.insert(entry.path().filename());
  CHECK(documented == actual);
}
