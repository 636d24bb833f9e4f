// Each row of the mirror is compared with the fold: whatever is changed by hand is found, and a
// rebuild makes it as it was.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

void make_all_rows(Engine& engine) {
  engine.append({node(kStart, "a", "TASK", "OPEN", {1, 2}),
                 node(kStart, "b", "TASK", "OPEN", {3, 4}), node(kStart, "c", "TASK", "CLOSED"),
                 link(kStart + 1, "a", "RELATES", "b"), link(kStart + 1, "b", "RELATES", "c"),
                 failure(kStart + kHour, "a")});
  engine.recalibrate(kStart + kDay);
}

TEST_CASE("a row of the mirror that differs from the fold is found and mended", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  make_all_rows(engine);
  REQUIRE(engine.verify() == std::vector<std::string>{});
  const std::string before = dump_mirror(engine);

  const auto [sql, problem] = GENERATE(table<std::string, std::string>({
      {"UPDATE node SET name = 'x' WHERE id = 'a'",
       "node a: name is x in the current tables,  by the ledger"},
      {"UPDATE node SET created_at = NULL WHERE id = 'c'", "node c: created_at is NULL"},
      {"UPDATE node SET successes = 0.5 WHERE id = 'c'", "node c: successes is 0.5"},
      {"UPDATE node SET duration_ms = 7 WHERE id = 'c'",
       "node c: duration_ms is 7 in the current tables, NULL by the ledger"},
      {"UPDATE node SET id = 'z' WHERE id = 'c'",
       "node z is in the current tables, but not in the ledger"},
      {"INSERT INTO node (id, created_at) VALUES ('z', 1)", "node z is in the current tables"},
      {"PRAGMA foreign_keys=OFF; DELETE FROM node WHERE id = 'c'",
       "node c is in the ledger, but not"},
      {"PRAGMA foreign_keys=OFF; UPDATE node SET key = 99 WHERE id = 'c'",
       "edge b with the target 4 RELATES is in the current tables, but not in the ledger"},
      {"UPDATE edge SET weight = 2 * weight", "edge a b RELATES: weight is"},
      {"UPDATE edge SET gained = 7 WHERE gained = 0",
       "gained is 7 in the current tables, 0 by the ledger"},
      {"UPDATE edge SET properties = '{\"x\":1}'",
       "properties is {\"x\":1} in the current tables, {} by"},
      {"DELETE FROM edge", "edge a b RELATES is in the ledger, but not in the current tables"},
      {"UPDATE edge SET target = (SELECT key FROM node WHERE id = 'a')"
       " WHERE target = (SELECT key FROM node WHERE id = 'c')",
       "edge b a RELATES is in the current tables, but not in the ledger"},
      {"PRAGMA foreign_keys=OFF; UPDATE edge SET type = 77 WHERE type = (SELECT max(type) FROM "
       "edge)",
       "of the type 77 is in the current tables, but not in the ledger"},
      {"UPDATE edge_type SET cap = 99", "cap is 99 in the current tables"},
      {"UPDATE ranking SET tasks = '[]'", "the ranking: tasks is [] in the current tables"},
      {"UPDATE ranking SET largest = largest * 2", "the ranking: largest is"},
      {"DELETE FROM ranking", "the ranking is in the ledger, but not in the current tables"},
      {"DELETE FROM policy WHERE key = 'prior'", "policy prior is in the ledger, but not"},
      {"UPDATE policy SET value = 'x' WHERE key = 'prior'",
       "policy prior: value is x in the current tables"},
      {"INSERT INTO policy VALUES ('other', '1')",
       "policy other is in the current tables, but not"},
  }));
  CAPTURE(sql);
  tables_of(engine).exec(sql + "; PRAGMA foreign_keys=ON");
  const auto problems = engine.verify();
  CAPTURE(problems);
  CHECK(std::any_of(problems.begin(), problems.end(), [&](const std::string& line) {
    return line.find(problem) != std::string::npos &&
           line.find("`hebb rebuild` mends it") != std::string::npos;
  }));
  engine.rebuild();
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(difference(dump_mirror(engine), before) == "");
}

TEST_CASE("after a verification, what is written goes to the rows that it is about", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart + 2, "late"));  // the state in memory and a whole fold number them
  engine.append({node(kStart, "a"), node(kStart + 1, "b")});  // in another order
  engine.append(link(kStart + kHour, "a", "RELATES", "b"));
  REQUIRE(engine.sync());
  CHECK(engine.verify() == std::vector<std::string>{});
  engine.append({link(kStart + kDay, "late", "RELATES", "b"), failure(kStart + kDay, "a")});
  REQUIRE(engine.sync());
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("a rebuild leaves the keys of rows that other engines know", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db")), other = open(dir.file("a.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart, "a", "RELATES", "b")});
  engine.undo(3, kStart);  // no event has this type any more
  other.rebuild();
  engine.append(link(kStart, "a", "RELATES", "b"));
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("a policy reaches the types that no event names any more", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart, "a", "RELATES", "b")});
  engine.undo(3, kStart);
  Engine other = open(dir.file("a.db"));  // which never heard of the type
  other.append(policy(kStart, {{"other.decay_per_day", "0.9"}}));
  CHECK(other.verify() == std::vector<std::string>{});
}

TEST_CASE("of many differing rows the first are named", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  std::vector<Event> nodes;
  for (int i = 0; i < 150; ++i) nodes.push_back(node(kStart, fmt::format("n{}", i)));
  engine.append(nodes);
  engine.sync();
  tables_of(engine).exec("UPDATE node SET name = 'x', scope = 'y'");
  CHECK(engine.verify().size() == kProblemsKept);
}

}  // namespace
}  // namespace hebb::test
