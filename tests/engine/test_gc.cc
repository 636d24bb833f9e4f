// gc removes what is forgotten, and nothing else; what it removed can be brought back.
#include <catch2/catch.hpp>

#include "engine/rank/explain.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

constexpr TimeMs kLater = kStart + 200 * kDay;

std::vector<Event> forgotten_world() {
  return {node(kStart, "open"),
          node(kStart, "closed", "TASK", "CLOSED"),
          node(kStart, "kept", "TASK", "CLOSED"),
          node(kStart, "end", "TASK", "CLOSED"),
          node(kStart, "other", "TASK", "CLOSED"),
          link(kStart, "closed", "RELATES", "open"),
          link(kStart, "kept", "IMPLEMENTS", "end"),
          link(kLater - kHour, "other", "RELATES", "open")};
}

TEST_CASE(
    "gc takes dormant edges and the nodes they leave alone, never an open task or what a protected "
    "edge holds") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(forgotten_world());
  engine.append(node(kStart, "deferred", "TASK", "DEFERRED"));
  engine.sync();
  const auto before = dump(engine.state());

  const auto dry = engine.gc(kLater, 30 * kDay, true);
  CHECK(dry.edges == std::vector<EdgeName>{{"closed", "open", "RELATES"}});
  CHECK(dry.nodes == std::vector<std::string>{"closed"});
  CHECK(difference(dump(engine.state()), before) == "");

  const auto report = engine.gc(kLater, 30 * kDay, false);
  CHECK(report.edges == dry.edges);
  CHECK(report.nodes == dry.nodes);
  CHECK_FALSE(engine.has_node("closed"));
  for (const char* id : {"open", "deferred", "kept", "end", "other", "frontier"})
    CHECK(engine.has_node(id));
  CHECK(weight(engine.state(), {"kept", "end", "IMPLEMENTS"}) == 1);
  CHECK(engine.verify().empty());

  const auto event = engine.ledger().event(engine.ledger().last_position());
  REQUIRE(event);
  const auto& forget = std::get<Forget>(event->payload);
  CHECK(forget.edges == report.edges);
  CHECK(forget.nodes == report.nodes);

  CHECK(engine.gc(kLater, 30 * kDay, false).nodes.empty());  // and records nothing
  CHECK(engine.ledger().last_position() == event->position);

  engine.undo(event->position, kLater + kHour);
  CHECK(engine.has_node("closed"));
  CHECK(weight(engine.state(), {"closed", "open", "RELATES"}) == 1);
  CHECK(engine.verify().empty());
}

TEST_CASE("gc leaves a task that failed of late, and what it removes can still be explained") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "t", "TASK", "CLOSED"), failure(kLater - kDay, "t"),
                 unlink(kLater - kDay + 1, "frontier", "REWARD_NEGATIVE", "t")});
  CHECK(engine.gc(kLater, 90 * kDay, false).nodes.empty());

  engine.append({node(kStart, "a", "TASK", "CLOSED"), node(kStart, "b", "TASK", "CLOSED"),
                 link(kStart + 1, "a", "RELATES", "b")});
  REQUIRE(engine.gc(kLater, 90 * kDay, false).nodes == std::vector<std::string>{"a", "b"});
  const EdgeName edge{"a", "b", "RELATES"};
  const auto then = engine.explain(edge, kStart + 2);
  CHECK(then.stored_weight == 1);
  CHECK(then.steps.size() == 1);
  CHECK(engine.explain(edge).steps.size() == 2);  // the gc as well
  CHECK(engine.events_of_node("a", kStart).size() == 1);
}

TEST_CASE("gc leaves alone what was touched within the age") {
  Engine engine = open(":memory:");
  engine.append(forgotten_world());
  CHECK(engine.gc(kLater, 300 * kDay, false).edges.empty());
  CHECK(engine.gc(kLater, 300 * kDay, false).nodes.empty());
}

TEST_CASE("an open task without any edge stays, however old") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "task"), node(kStart, "note", "NOTE", "")});
  CHECK(engine.gc(kLater, 0, false).nodes == std::vector<std::string>{"note"});
  CHECK(engine.has_node("task"));
}

TEST_CASE(
    "what gc forgot can come again, and what arrives late for it is refused or forgotten too") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(forgotten_world());
  engine.gc(kLater, 30 * kDay, false);
  CHECK_THROWS_AS(engine.append(link(kStart + kHour, "closed", "RELATES", "kept")), Refused);
  // A pivot makes its target, but this one lies before the gc that took it.
  engine.append(pivot(kStart + kHour, "closed"));
  CHECK_FALSE(engine.has_node("closed"));
  CHECK(engine.verify() == std::vector<std::string>{});
  engine.append(node(kLater + kHour, "closed"));
  CHECK(engine.has_node("closed"));
  CHECK(engine.state().graph().out_edges(*engine.state().find("closed")).empty());
  CHECK(engine.verify() == std::vector<std::string>{});
}

}  // namespace
}  // namespace hebb::test
