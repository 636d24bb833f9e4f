// Tasks that block one another.
#include <catch2/catch.hpp>

#include "engine/fold/blocking.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::test;

namespace {

using Ids = std::vector<std::string>;

Event blocks(const std::string& source, const std::string& target) {
  return link(kStart, source, "BLOCKS", target);
}

}  // namespace

TEST_CASE("tasks that block one another are found, whatever the order of the edges") {
  std::vector<Event> edges{blocks("c", "d"),
                           blocks("d", "b"),
                           blocks("b", "c"),
                           blocks("a", "b"),
                           blocks("y", "x"),
                           blocks("x", "y"),
                           link(kStart, "b", "RELATES", "a")};
  for (int turn = 0; turn < 7; ++turn) {
    CAPTURE(turn);
    Engine engine = open(":memory:");
    for (const auto* id : {"a", "b", "c", "d", "x", "y"}) engine.append(node(kStart, id));
    engine.append(edges);
    CHECK(blocking_cycle(engine.state(), kStart) == Ids{"b", "c", "d"});
    CHECK(blocking_cycle(engine.state(), kStart, "d", "b") == Ids{"d", "b", "c"});
    CHECK(blocking_cycle(engine.state(), kStart, "x", "y") == Ids{"x", "y"});
    CHECK(blocking_cycle(engine.state(), kStart, "a", "b").empty());
    std::rotate(edges.begin(), edges.begin() + 1, edges.end());
  }
}

TEST_CASE("only edges that count, between open tasks, block") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), blocks("a", "b")});
  CHECK(blocking_cycle(engine.state(), kStart).empty());
  engine.append(blocks("b", "a"));
  CHECK(blocking_cycle(engine.state(), kStart) == Ids{"a", "b"});
  CHECK(blocking_cycle(engine.state(), kStart + 100 * kDay).empty());  // both are dormant
  engine.append(state(kStart + 1, "b", "CLOSED"));
  CHECK(blocking_cycle(engine.state(), kStart + 1).empty());
  engine.append(state(kStart + 2, "b", "OPEN"));
  CHECK(blocking_cycle(engine.state(), kStart + 2) == Ids{"a", "b"});
  engine.append(remove(kStart + 3, "a"));
  CHECK(blocking_cycle(engine.state(), kStart + 3).empty());
}

TEST_CASE("the mirror names a cycle while there is one, and verifies") {
  const TempDir dir;
  Engine engine = open(dir.file("hebb.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), blocks("a", "b")});
  engine.sync();
  CHECK(engine.blocking_cycle().empty());
  engine.append(blocks("b", "a"));
  engine.sync();
  CHECK(engine.blocking_cycle() == Ids{"a", "b"});
  CHECK(engine.verify().empty());
  engine.rebuild();
  CHECK(engine.blocking_cycle() == Ids{"a", "b"});
  engine.append(unlink(kStart + 1, "a", "BLOCKS", "b"));
  engine.sync();
  CHECK(engine.blocking_cycle().empty());
  CHECK(engine.verify().empty());
}
