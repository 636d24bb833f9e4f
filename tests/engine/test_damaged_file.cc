// A file whose pages are mixed up, or whose list of free pages is wrong: verify says so, and a
// rebuild, forced or not, writes nothing to it.
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

constexpr std::int64_t kEvents = 200;

void fill_pages(const std::string& path) {
  std::vector<Event> events;
  for (int i = 0; i < kEvents; ++i) events.push_back(node(kStart + i, fmt::format("n{}", i)));
  Engine engine = open(path);
  engine.append(events);
  engine.sync();
  REQUIRE(engine.verify().empty());
}

void put_byte(const std::string& path, std::size_t at, char byte) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

void check_untouched(const std::string& path) {
  const std::string before = read_text(path);
  {
    Engine engine = open(path);
    const auto problems = engine.verify();
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.front().starts_with("file: "));
    for (const bool force : {false, true}) {
      try {
        engine.rebuild(force);
        FAIL("it was rebuilt");
      } catch (const sql::Error& e) {
        CHECK(e.corrupt());
        CHECK_THAT(e.what(), Catch::Contains("nothing was changed"));
      }
    }
    CHECK(engine.ledger().last_position() == kEvents);
    CHECK(engine.ledger().check([](Event&&) {}).empty());
  }
  CHECK((read_text(path) == before));
}

TEST_CASE("two trees that begin at one page: neither is written to", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  fill_pages(path);
  const std::string row = "indexsqlite_autoindex_action_log_1action_log";  // its root page follows
  const std::size_t at = read_text(path).find(row);
  REQUIRE(at != std::string::npos);
  put_byte(path, at + row.size(), 2);  // that of the ledger
  check_untouched(path);
}

TEST_CASE("a list of free pages that is wrong is found, though views come first in the schema",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  fill_pages(path);
  constexpr std::size_t kFreePages = 39;  // the last byte of how many there are
  put_byte(path, kFreePages, 1);
  check_untouched(path);
}

}  // namespace
}  // namespace hebb::test
