// What pages have of the program is what the program has.
#include <cstdlib>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/docs/blocks.h"
#include "tests/docs/page.h"
#include "tests/support/process.h"

using namespace hebb::test;

namespace {

bool updating() { return std::getenv("HEBB_UPDATE_DOCS") != nullptr; }

// The first line that differs, as it is and as it should be; empty: none.
std::string difference(const std::string& now, const std::string& wanted) {
  std::istringstream have(now), want(wanted);
  std::string one, other;
  for (int line = 1;; ++line) {
    const bool has = static_cast<bool>(std::getline(have, one));
    const bool has_other = static_cast<bool>(std::getline(want, other));
    if (!has && !has_other) return "";
    if (has == has_other && one == other) continue;
    return fmt::format("line {} is\n{}\nand should be\n{}", line, has ? one : "(nothing)",
                       has_other ? other : "(nothing)");
  }
}

void write_page(const Page& page, const std::string& made) {
  if (updating() && made != page.text())
    write_text(std::string(HEBB_SOURCE_DIR "/") + page.path(), made);
}

}  // namespace

TEST_CASE("generated blocks are what the program says") {
  std::multiset<std::string> used;
  for (const Page& page : all_pages()) {
    INFO(page.path());
    const auto make = [&](const std::string& name, const std::string& now) {
      INFO("generated: " << name);
      used.insert(name);
      const auto found = generators().find(name);
      if (found == generators().end()) {
        FAIL_CHECK("there is no such block: tests/docs/blocks.h");
        return now;
      }
      const std::string wanted = found->second(now);
      CHECK(difference(now, wanted) == "");              // else: HEBB_UPDATE_DOCS=1 ./test_docs
      CHECK(wanted.find("| ? |") == std::string::npos);  // people have to say why
      return wanted;
    };
    std::string made;
    REQUIRE_NOTHROW(made = with_blocks(page.text(), make));
    write_page(page, made);
  }
  for (const auto& [name, generator] : generators()) {
    INFO("generated: " << name);
    CHECK(used.count(name) == 1);
  }
}

TEST_CASE("docs/api.md is what the program prints") {
  const std::string made = run_process({HEBB_BINARY, "api", "docs"}).out;
  const Page page("docs/api.md");
  CHECK(difference(page.text(), made) == "");  // else: HEBB_UPDATE_DOCS=1 ./test_docs
  write_page(page, made);
}

TEST_CASE("a block that is wrong is noticed") {
  const auto same = [](const std::string&, const std::string& now) { return now; };
  const std::string begin = "<!-- generated: a -->\n", end = "<!-- end -->\n";
  CHECK(with_blocks("x\n" + begin + "old\n" + end + "y\n",
                    [](const std::string& name, const std::string& now) {
                      return name + " " + now + "new\n";
                    }) == "x\n" + begin + "a old\nnew\n" + end + "y\n");
  CHECK_THROWS(with_blocks(begin + "old\n", same));
  CHECK_THROWS(with_blocks(begin + begin + end, same));
  CHECK_THROWS(with_blocks(end, same));
  CHECK_THROWS(with_blocks("see <!-- generated: a -->\n" + end, same));
  const Generator half = half_written_block({"k", "v", "why"}, [] {
    return Rows{{"`b`", "2"}, {"`c`", "1 | 2"}};
  });
  CHECK(half("| k | v | why |\n|---|---|---|\n| `a` | 1 | A |\n| `b` | 1 | B |\n") ==
        "| k | v | why |\n|---|---|---|\n| `b` | 2 | B |\n| `c` | 1 \\| 2 | ? |\n");
}
