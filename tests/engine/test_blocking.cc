// Tasks that block one another.
#include <algorithm>

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

TEST_CASE("only edges that count, between unfinished tasks, block") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), blocks("a", "b")});
  CHECK(blocking_cycle(engine.state(), kStart).empty());
  engine.append(blocks("b", "a"));
  CHECK(blocking_cycle(engine.state(), kStart) == Ids{"a", "b"});
  CHECK(blocking_cycle(engine.state(), kStart + 1000 * kDay) == Ids{"a", "b"});
  engine.append(policy(kStart, {{"type.BLOCKS.protected", "false"}}));
  CHECK(blocking_cycle(engine.state(), kStart + 100 * kDay).empty());  // both are dormant
  engine.append(state(kStart + 1, "b", "CLOSED"));
  CHECK(blocking_cycle(engine.state(), kStart + 1).empty());
  engine.append(state(kStart + 2, "b", "OPEN"));
  CHECK(blocking_cycle(engine.state(), kStart + 2) == Ids{"a", "b"});
  engine.append(remove(kStart + 3, "a"));
  CHECK(blocking_cycle(engine.state(), kStart + 3).empty());
}

TEST_CASE("a dependency holds until what blocks is done, whatever its state and however long") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "first"), node(kStart, "second"), blocks("first", "second")});
  const auto waits = [&](TimeMs now) { return ranking(engine, now) == Ids{}; };
  TimeMs at = kStart;
  for (const auto* unfinished : {"IN_PROGRESS", "BLOCKED", "DEFERRED", "in review"}) {
    CAPTURE(unfinished);
    engine.append(state(++at, "first", unfinished));
    CHECK(waits(at));
    CHECK(waits(at + 1000 * kDay));
  }
  engine.append(state(++at, "first", "CLOSED"));
  CHECK(ranking(engine, at) == Ids{"second"});
  engine.append(state(++at, "first", "IN_PROGRESS"));
  CHECK(waits(at));
  engine.append(success(++at, "first"));
  CHECK(ranking(engine, at) == Ids{"second"});
  engine.append(state(++at, "first", "DEFERRED"));  // opened again after its success
  CHECK(waits(at));
  engine.append(remove(++at, "first"));
  CHECK(ranking(engine, at) == Ids{"second"});
}

TEST_CASE("a success opens the gate of a task that it does not close") {
  Engine engine = open(":memory:");
  engine.append({policy(0, {{"close_on_success", "false"}}), node(kStart, "first"),
                 node(kStart, "second"), blocks("first", "second")});
  engine.append(failure(kStart + 1, "first"));
  CHECK(ranking(engine, kStart + 1) == Ids{"first"});
  engine.append(success(kStart + 2, "first"));
  CHECK(ranking(engine, kStart + 2).size() == 2);
  engine.append({state(kStart + 3, "first", "DEFERRED"), state(kStart + 4, "first", "OPEN")});
  CHECK(ranking(engine, kStart + 4) == Ids{"first"});
}

TEST_CASE("what has no state is no task and blocks nothing") {
  Engine engine = open(":memory:");
  engine.append(
      {node(kStart, "label", "LABEL", ""), node(kStart, "task"), blocks("label", "task")});
  CHECK(ranking(engine, kStart) == Ids{"task"});
}

TEST_CASE("a policy of BLOCKS that somebody set stays") {
  Engine engine = open(":memory:");
  engine.append({policy(0, {{"type.BLOCKS.protected", "false"}}), node(kStart, "first"),
                 node(kStart, "second"), blocks("first", "second")});
  CHECK(ranking(engine, kStart + 79 * kDay) == Ids{"first"});
  CHECK(ranking(engine, kStart + 80 * kDay).size() == 2);
}

TEST_CASE("tasks in progress that block one another are a cycle of what waits for them") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a", "TASK", "IN_PROGRESS"), node(kStart, "b", "TASK", "DEFERRED"),
                 node(kStart, "c"), blocks("a", "b"), blocks("b", "a")});
  CHECK(blocking_cycle(engine.state(), kStart).empty());  // no OPEN task waits
  CHECK(blocking_cycle(engine.state(), kStart, "a", "b") == Ids{"a", "b"});
  engine.append(blocks("b", "c"));
  CHECK(blocking_cycle(engine.state(), kStart) == Ids{"a", "b"});
  engine.sync();
  CHECK(engine.blocking_cycle() == Ids{"a", "b"});
  engine.append(success(kStart + 1, "a"));
  engine.sync();
  CHECK(engine.blocking_cycle().empty());
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

TEST_CASE("tasks that wait for one another by their parts are found") {
  Engine engine = open(":memory:");
  for (const auto* id : {"epic", "x", "part", "first"}) engine.append(node(kStart, id));
  engine.append({link(kStart, "epic", "PARENT_OF", "part"), blocks("first", "epic")});
  CHECK(blocking_cycle(engine.state(), kStart).empty());  // the part waits for "first" alone
  engine.append({blocks("epic", "x"), blocks("x", "part")});
  Ids ring = blocking_cycle(engine.state(), kStart);  // which begins anywhere
  std::rotate(ring.begin(), std::find(ring.begin(), ring.end(), "epic"), ring.end());
  CHECK(ring == Ids{"epic", "x", "part"});
  engine.append(state(kStart + 1, "x", "Won't do"));
  CHECK(blocking_cycle(engine.state(), kStart + 1).empty());
  // What holds up the whole waits for a part of it.
  engine.append(blocks("part", "first"));
  ring = blocking_cycle(engine.state(), kStart + 1);
  std::sort(ring.begin(), ring.end());
  CHECK(ring == Ids{"first", "part"});
}

TEST_CASE("what waits for parts waits for each of them, and a part for the others") {
  Engine engine = open(":memory:");
  for (const auto* id : {"epic", "one", "two", "after"}) engine.append(node(kStart, id));
  engine.append({link(kStart, "epic", "PARENT_OF", "one"), link(kStart, "epic", "PARENT_OF", "two"),
                 link(kStart, "epic", "WAITS_FOR", "after"),
                 link(kStart, "epic", "WAITS_FOR", "one")});
  CHECK(blocking_cycle(engine.state(), kStart).empty());  // one waits for two, not for itself
  engine.append(blocks("after", "two"));
  Ids ring = blocking_cycle(engine.state(), kStart);
  std::sort(ring.begin(), ring.end());
  CHECK(ring == Ids{"after", "two"});
  CHECK(blocking_cycle(engine.state(), kStart, "after", "two") == Ids{"after", "two"});
}
