// A database with as many types as it can hold: the next is refused, all else goes on.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/values/refusals.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::test;

namespace {

std::string offered(Engine& engine, Event e) {
  std::vector<Event> one;
  one.push_back(std::move(e));
  auto result = offer(engine, std::move(one)).front();
  const auto* refusal = std::get_if<Refusal>(&result);
  return refusal ? refusal->reason : "";
}

}  // namespace

TEST_CASE("the edge type, node type or state beyond the last is refused, and all else is taken",
          "[slow]") {
  const Folder dir;
  {
    Engine engine = open(dir.file("hebb.db"));
    std::vector<Event> events{node(kStart, "a"), node(kStart, "b")};
    for (std::size_t i = 0; i < Limits::kNames; ++i) {
      const std::string n = std::to_string(i);
      events.push_back(link(kStart, "a", "TYPE_" + n, "b"));
      // TASK and SYSTEM_ANCHOR are there already, and so is OPEN.
      events.push_back(node(kStart, "c" + n, i + 2 < Limits::kNames ? "T_" + n : "TASK",
                            i + 1 < Limits::kNames ? "S_" + n : "OPEN"));
    }
    for (const auto& result : offer(engine, std::move(events))) {
      REQUIRE(std::holds_alternative<Applied>(result));
    }
    CHECK(offered(engine, link(kStart, "a", "MORE", "b")) == refusal::kTooManyTypes);
    CHECK(offered(engine, unlink(kStart, "a", "MORE", "b")) == refusal::kTooManyTypes);
    CHECK(offered(engine, node(kStart, "d", "MORE")) == refusal::kTooManyTypes);
    CHECK(offered(engine, node(kStart, "d", "TASK", "MORE")) == refusal::kTooManyTypes);
    CHECK(offered(engine, state(kStart, "a", "MORE")) == refusal::kTooManyTypes);
    CHECK(offered(engine, link(kStart, "a", "TYPE_7", "b")) == "");
    CHECK(offered(engine, success(kStart, "a", {"b"})) == "");  // writes a type of the engine's own
    CHECK(engine.sync());
  }
  Engine engine = open(dir.file("hebb.db"));
  CHECK(engine.state().find_edge({"a", "b", "REWARD_POSITIVE"}));
  CHECK(offered(engine, node(kStart, "d", "MORE")) == refusal::kTooManyTypes);
  CHECK(offered(engine, state(kStart, "a", "MORE")) == refusal::kTooManyTypes);
  CHECK(offered(engine, link(kStart, "a", "MORE", "b")) == refusal::kTooManyTypes);
}

TEST_CASE("a history has any number of node types and states, as long as no time has too many",
          "[slow]") {
  const Folder dir;
  for (int part = 0; part < 2; ++part) {
    Engine engine = open(dir.file("hebb.db"));
    std::vector<Event> events{node(kStart, "a"), node(kStart, "b")};
    for (TimeMs i = 0; i < 40'000; ++i) {
      const std::string n = fmt::format("{}_{}", part, i);
      events.push_back(node(kStart + 100'000 * part + i, "a", "T_" + n, "S_" + n));
    }
    for (const auto& result : offer(engine, std::move(events)))
      REQUIRE(std::holds_alternative<Applied>(result));
    CHECK(engine.sync());
  }
  Engine engine = open(dir.file("hebb.db"));
  CHECK(engine.verify().empty());
  engine.rebuild();
  CHECK(engine.verify().empty());
  const graph::Graph& g = engine.state().graph();
  const graph::NodeId a = *g.find_node("a");
  CHECK(g.node_types().name(g.nodes().type[a]) == "T_1_39999");
  CHECK(g.states().name(g.nodes().state[a]) == "S_1_39999");
  const graph::NodeId b = *g.find_node("b");
  CHECK(g.node_types().name(g.nodes().type[b]) == "TASK");
  CHECK(g.states().name(g.nodes().state[b]) == "OPEN");
}
