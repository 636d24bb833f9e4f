// What capture taught can be explained event by event, folded anew, and taught in any order.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "capture/actions/score.h"
#include "capture/trace/learn.h"
#include "engine/rank/explain.h"
#include "tests/capture/actions_support.h"

namespace hebb::capture::test {
namespace {

struct TracedCall {
  const char* id;
  const char* tool;
  std::int64_t from, ms;
  const char* parent = "";
};

void add_traced_call(TraceFold& fold, const TracedCall& c) {
  TraceEvent e;
  e.trace_id = c.id;
  e.tool = c.tool;
  e.ts = kStart + c.from;
  e.parent_trace_id = c.parent;
  fold.add(e);
  e.kind = TraceEvent::Kind::end;
  e.success = true;
  e.duration_ms = static_cast<double>(c.ms);
  fold.add(e);
}

void learn_calls(Engine& engine, const std::vector<TracedCall>& calls) {
  TraceFold fold;
  for (const TracedCall& c : calls) add_traced_call(fold, c);
  learn(engine, fold, {});
}

const std::vector<TracedCall> kFirst = {{"1", "plan", 0, 100},
                                        {"2", "read", 10, 5, "1"},
                                        {"3", "write", 20, 30, "1"},
                                        {"4", "lint", 30, 30, "1"}};
const std::vector<TracedCall> kSecond = {
    {"5", "plan", 200, 100}, {"6", "read", 210, 5, "5"}, {"7", "write", 220, 30, "5"}};

class Taught : public Log {
 public:
  Taught() : engine(EngineOptions{.path = path}) {
    NodeUpsert upsert;
    upsert.type = "CLASS";
    engine.append(Event{0, kStart - 1, "Button", event_key(upsert, "test:Button"), upsert});
  }
  void score() { score_actions(db, engine, kStart + 1'000'000); }

  // Every edge with the bits of its weight, from the fold or from the mirror after a rebuild.
  std::vector<std::string> edges() {
    std::vector<std::string> lines;
    const auto& g = engine.state().graph();
    for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
      if (!g.is_live_edge(e)) continue;
      const auto& c = g.edges();
      lines.push_back(fmt::format("{} {} {} {:a} {}", g.id(g.source(e)),
                                  g.edge_types().name(g.type(e)), g.id(g.target(e)), c.weight[e],
                                  c.touched_at[e]));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  Engine engine;
};

EdgeExplanation explained(Engine& engine, const EdgeName& edge) {
  return explain(engine, edge, std::nullopt, std::nullopt);
}

}  // namespace

TEST_CASE("explain: the edges of traces and scores show their events") {
  Taught t;
  learn_calls(t.engine, kFirst);
  learn_calls(t.engine, kSecond);
  t.add({row(300, "a_paint", "write", R"({"on":"Button"})")});
  t.add({row(400, "a_again", "write", R"({"on":"Button"})")});
  t.score();
  t.engine.sync();
  SECTION("FOLLOWS") {
    const auto x = explained(t.engine, {"read", "write", "FOLLOWS"});
    REQUIRE(x.steps.size() == 2);
    CHECK(x.steps[0].cause.what == "link read FOLLOWS write");
    CHECK(x.steps[0].cause.at == kStart + 50);
    CHECK(x.steps[1].cause.at == kStart + 250);
    CHECK(*x.steps[1].after > *x.steps[1].before);
    CHECK(x.weight > 1);
  }
  SECTION("CO_OCCURS, both ways") {
    CHECK(explained(t.engine, {"write", "lint", "CO_OCCURS"}).steps.size() == 1);
    CHECK(explained(t.engine, {"lint", "write", "CO_OCCURS"}).steps.size() == 1);
  }
  SECTION("CONTAINS") {
    const auto x = explained(t.engine, {"plan", "read", "CONTAINS"});
    REQUIRE(x.steps.size() == 2);
    CHECK(x.steps[1].cause.what == "link plan CONTAINS read");
  }
  SECTION("VALIDATES names its sequences") {
    const auto x = explained(t.engine, {"write", "Button", "VALIDATES"});
    REQUIRE(x.steps.size() == 2);
    CHECK(x.steps[0].cause.what == R"(link write VALIDATES Button {"sequence":"a_paint"})");
    CHECK(x.steps[1].cause.what == R"(link write VALIDATES Button {"sequence":"a_again"})");
    CHECK(x.properties == R"({"sequence":"a_again"})");
  }
  SECTION("a tool's node: what made it, and what was last seen of it") {
    const auto x = explain(t.engine, "write", std::nullopt, std::nullopt);
    CHECK(x.type == "TOOL");
    CHECK_FALSE(x.ranked);
    REQUIRE(x.history.size() >= 3);
    CHECK(x.history.front().what == "node write");
    CHECK(x.history.front().at == kStart + 50);
    CHECK(x.history.back().what == R"(link write VALIDATES Button {"sequence":"a_again"})");
  }
}

TEST_CASE("rebuild: what traces and scores taught is the same again") {
  Taught t;
  learn_calls(t.engine, kSecond);
  learn_calls(t.engine, kFirst);  // late
  t.add({row(300, "a_paint", "write", R"({"on":"Button"})")});
  t.score();
  t.engine.sync();
  CHECK(t.engine.verify().empty());
  const auto before = t.edges();
  REQUIRE(before.size() > 6);
  t.engine.rebuild();
  CHECK(t.edges() == before);
  CHECK(t.engine.verify().empty());
  Engine reopened(EngineOptions{.path = t.path});
  CHECK(reopened.verify().empty());
  CHECK(reopened.state().find_edge({"write", "Button", "VALIDATES"}));
}

TEST_CASE("a late trace and a late sequence give the weights of those in order") {
  const ActionRow early = row(300, "a_paint", "write", R"({"on":"Button"})");
  const ActionRow later = row(400, "a_again", "write", R"({"on":"Button"})");
  Taught in_order, late;
  learn_calls(in_order.engine, kFirst);
  learn_calls(in_order.engine, kSecond);
  in_order.add({early});
  in_order.score();
  in_order.add({later});
  in_order.score();

  late.add({later});
  late.score();
  late.add({early});
  late.score();
  learn_calls(late.engine, kSecond);
  learn_calls(late.engine, kFirst);
  CHECK(late.edges() == in_order.edges());
  late.engine.sync();
  CHECK(late.engine.verify().empty());
}

}  // namespace hebb::capture::test
