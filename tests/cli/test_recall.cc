// What counts as asking for a node, and what does not, as commands.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "sql/database.h"
#include "tests/cli/hebb.h"

using hebb::test::Hebb;
using Args = std::vector<std::string>;

namespace {

// The table, as one text.
std::string counted(const Hebb& hebb) {
  namespace sql = hebb::sql;
  sql::Database db(hebb.db(), sql::Database::Mode::read_only);
  return fmt::format("{} nodes, {} recalls, last {}", db.scalar("SELECT count(*) FROM recall"),
                     db.scalar("SELECT total(recall_count) FROM recall"),
                     db.scalar("SELECT ifnull(max(last_recalled_at), 0) FROM recall"));
}

}  // namespace

TEST_CASE("navigation counts nothing") {
  Hebb hebb;
  hebb.fill();
  REQUIRE(hebb.run({"recalibrate"}).exit_code == 0);
  REQUIRE(hebb.run({"node", "get", "task-1"}).exit_code == 0);
  const std::string before = counted(hebb);
  CHECK(before == "1 nodes, 1 recalls, last 1767571200000");
  hebb.now = "1767571300000";
  for (const Args& args : std::vector<Args>{{"neighbors", "task-1"},
                                            {"topology"},
                                            {"topology", "task-1"},
                                            {"path", "epic-1", "task-1"},
                                            {"neighbors", "frontier"},
                                            {"rank"},
                                            {"rank", "--near", "cookie"},
                                            {"explain", "task-1"},
                                            {"explain", "epic-1", "task-1", "PARENT_OF"},
                                            {"recalibrate"},
                                            {"stats"},
                                            {"verify"},
                                            {"promoted", "--min-recalls", "1"}}) {
    CAPTURE(args);
    const auto r = hebb.run(args);
    CAPTURE(r.err);
    CHECK(r.exit_code == 0);
    CHECK(counted(hebb) == before);
  }
}

TEST_CASE("opening a node counts it each time, finding it once a day for the same words") {
  Hebb hebb;
  hebb.fill();
  hebb.run({"node", "get", "task-1"});
  CHECK(counted(hebb) == "1 nodes, 1 recalls, last 1767571200000");
  hebb.now = "1767571300000";
  const auto found = hebb.json({"search", "cookie"})["nodes"];
  REQUIRE(found.size() == 3);
  CHECK(counted(hebb) == "3 nodes, 4 recalls, last 1767571300000");
  hebb.run({"search", "COOKIE", "--limit", "1"});
  CHECK(counted(hebb) == "3 nodes, 4 recalls, last 1767571300000");
  hebb.run({"search", "the cookie", "--limit", "1"});
  CHECK(counted(hebb) == "3 nodes, 5 recalls, last 1767571300000");
  SECTION("what is not found is not counted") {
    hebb.run({"node", "get", "task-99"});
    hebb.run({"search", "xyzzy"});
    CHECK(counted(hebb) == "3 nodes, 5 recalls, last 1767571300000");
  }
  SECTION("promoted lists them by count") {
    const auto promoted = hebb.json({"promoted", "--min-recalls", "1"})["nodes"];
    REQUIRE(promoted.size() == 3);
    CHECK(promoted[0]["recall_count"] == 2);
    CHECK(hebb.json({"promoted", "--min-recalls", "3"})["nodes"].empty());
  }
}
