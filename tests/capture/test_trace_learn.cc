// From trace to database and back: what is learned, what is not, and that it counts once.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/trace/filter.h"
#include "capture/trace/learn.h"
#include "capture/trace/suggest_tools.h"

namespace hebb::capture::test {
namespace {

using Lines = std::vector<std::string>;

constexpr TimeMs kDay = 86'400'000;
constexpr TimeMs kT0 = 1'700'000'000'000;
constexpr TimeBounds kAnyTime{0, kT0 + 1000 * kDay};

Engine memory() {
  EngineOptions options;
  options.path = ":memory:";
  return Engine(options);
}

// "1 fs:read 0 50" is a call with that trace_id and tool from kT0 + 0 for 50 ms; "… !" failed.
TraceFold fold_of(const Lines& calls) {
  TraceFold fold;
  for (const auto& text : calls) {
    char id[32];
    char tool[64];
    long from = 0;
    long ms = 0;
    REQUIRE(std::sscanf(text.c_str(), "%31s %63s %ld %ld", id, tool, &from, &ms) == 4);
    TraceEvent e;
    e.trace_id = id;
    e.tool = tool;
    e.ts = kT0 + from;
    fold.add(e);
    e.kind = TraceEvent::Kind::end;
    e.success = text.back() != '!';
    e.duration_ms = static_cast<double>(ms);
    fold.add(e);
  }
  return fold;
}

Lines edges(const State& state) {
  Lines lines;
  const auto& g = state.graph();
  for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    lines.push_back(std::string(g.id(g.source(e))) + " " + g.edge_types().name(g.type(e)) + " " +
                    std::string(g.id(g.target(e))));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

double weight(const State& state, const std::string& a, const std::string& type,
              const std::string& b) {
  const auto e = state.find_edge({a, b, type});
  REQUIRE(e);
  return state.graph().edges().weight[*e];
}

void make_node(Engine& engine, const std::string& id, const std::string& type) {
  NodeUpsert upsert;
  upsert.type = type;
  upsert.state = "OPEN";
  engine.append(Event{0, kT0 - kDay, id, "", upsert});
}

}  // namespace

TEST_CASE("tools that succeeded become TOOL nodes, and their order becomes edges") {
  Engine engine = memory();
  const auto fold = fold_of({"1 a 0 10", "2 b 20 10", "3 broken 40 10 !", "4 c 60 10"});
  const auto learned = learn(engine, fold, kAnyTime);
  CHECK(learned.nodes == 3);
  CHECK(learned.links == 2);
  const State& state = engine.state();
  CHECK(edges(state) == Lines{"a FOLLOWS b", "b FOLLOWS c"});
  CHECK_FALSE(engine.state().exists("broken"));
  CHECK(tool_known(state, "a") == ToolKnown::yes);
  CHECK(state.graph().edges().touched_at[*state.find_edge({"a", "b", "FOLLOWS"})] == kT0 + 30);
  CHECK(weight(state, "a", "FOLLOWS", "b") == 1.0);
}

TEST_CASE("the same trace learned twice counts once, a new one counts again") {
  Engine engine = memory();
  const Lines calls = {"1 a 0 10", "2 b 20 10"};
  learn(engine, fold_of(calls), kAnyTime);
  const auto again = learn(engine, fold_of(calls), kAnyTime);
  CHECK(again.links == 0);
  CHECK(again.nodes == 0);
  CHECK(again.duplicates == 1);
  CHECK(weight(engine.state(), "a", "FOLLOWS", "b") == 1.0);
  SECTION("another run with the same ids but other times") {
    CHECK(learn(engine, fold_of({"1 a 500 10", "2 b 520 10"}), kAnyTime).links == 1);
    CHECK(weight(engine.state(), "a", "FOLLOWS", "b") > 1.0);
  }
  SECTION("a longer recording of the same run adds only what is new") {
    const auto longer = learn(engine, fold_of({"1 a 0 10", "2 b 20 10", "3 b 40 10"}), kAnyTime);
    CHECK(longer.links == 1);
    CHECK(longer.duplicates == 1);
    CHECK(edges(engine.state()) == Lines{"a FOLLOWS b", "b FOLLOWS b"});
  }
}

TEST_CASE("a tool that gc forgot, and a trace of it") {
  Engine engine = memory();
  const Lines old = {"1 a 0 10", "2 b 20 10"};
  learn(engine, fold_of(old), kAnyTime);
  const TimeMs collected = kT0 + 400 * kDay;
  const GcReport gc = engine.gc(collected, 30 * kDay, false);
  REQUIRE(gc.nodes == Lines{"a", "b"});
  const std::int64_t after = (collected - kT0) + 1000;
  const auto at = [&](const std::string& id, const std::string& tool, std::int64_t ms) {
    return id + " " + tool + " " + std::to_string(after + ms) + " 10";
  };
  const std::int64_t events = stats_of(engine, 0).events;
  SECTION("the same trace again changes nothing") {
    const auto again = learn(engine, fold_of(old), kAnyTime);
    CHECK(again.nodes == 0);
    CHECK(again.links == 0);
    CHECK(again.skipped == 0);
    CHECK(again.duplicates == 3);  // two nodes and a link
    CHECK(stats_of(engine, 0).events == events);
    CHECK_FALSE(engine.state().exists("a"));
  }
  SECTION("the same trace again, dated now because hebb runs its program") {
    learn(engine, fold_of(old), {collected + 1, collected + 1});
    CHECK(stats_of(engine, 0).events == events);
  }
  SECTION("a longer recording of the same run brings back what is used in the new part") {
    const Lines longer = {old[0], old[1], at("3", "b", 0), at("4", "c", 20)};
    const auto learned = learn(engine, fold_of(longer), kAnyTime);
    CHECK(learned.nodes == 2);
    CHECK(edges(engine.state()) == Lines{"b FOLLOWS b", "b FOLLOWS c"});
    CHECK_FALSE(engine.state().exists("a"));
  }
  SECTION("a longer recording, dated now because hebb runs its program") {
    const Lines longer = {old[0], old[1], "3 b 40 10", "4 a 60 10"};
    const auto learned = learn(engine, fold_of(longer), {collected + 1, collected + 9});
    CHECK(learned.duplicates >= 1);
    CHECK(edges(engine.state()) == Lines{"b FOLLOWS a", "b FOLLOWS b"});
  }
  SECTION("new calls of the same tools") {
    const auto learned = learn(engine, fold_of({at("1", "a", 0), at("2", "b", 20)}), kAnyTime);
    CHECK(learned.nodes == 2);
    CHECK(learned.links == 1);
    CHECK(weight(engine.state(), "a", "FOLLOWS", "b") == 1.0);
    CHECK(learn(engine, fold_of(old), kAnyTime).links == 0);  // that what was is not added to it
    CHECK(weight(engine.state(), "a", "FOLLOWS", "b") == 1.0);
  }
  SECTION("an old trace that comes late teaches nothing, and takes nothing with it") {
    const Lines mixed = {"7 a 5000 10", "8 b 5020 10", at("1", "c", 0), at("2", "d", 20)};
    const auto learned = learn(engine, fold_of(mixed), kAnyTime);
    CHECK(learned.nodes == 2);
    CHECK(edges(engine.state()) == Lines{"c FOLLOWS d"});
    CHECK(learned.skipped == 4);  // two nodes, a -> b, b -> c
    SECTION("also when the tools have come back since") {
      learn(engine, fold_of({at("1", "a", 100), at("2", "b", 120)}), kAnyTime);
      CHECK(learn(engine, fold_of({"5 a 7000 1", "6 b 7010 1"}), kAnyTime).skipped == 1);
      CHECK(weight(engine.state(), "a", "FOLLOWS", "b") == 1.0);
    }
  }
  SECTION("a gc that was undone forgot nothing") {
    engine.undo(gc.first_event, collected + 1, gc.last_event);
    CHECK(learn(engine, fold_of({"5 a 7000 1", "6 b 7010 1"}), kAnyTime).links == 1);
  }
  CHECK(engine.verify().empty());
}

TEST_CASE("a tool that follows itself is reinforced") {
  Engine engine = memory();
  learn(engine, fold_of({"1 a 0 1", "2 a 10 1", "3 a 20 1", "4 a 30 1"}), kAnyTime);
  CHECK(weight(engine.state(), "a", "FOLLOWS", "a") == Approx(1.2));  // 1, and 0.1 twice
}

TEST_CASE("a trace cannot touch a node that is no tool, nor a tool that was deleted") {
  Engine engine = memory();
  make_node(engine, "task-1", "TASK");
  make_node(engine, "old", "TOOL");
  engine.append(Event{0, kT0 - 1, "old", "", NodeDelete{}});
  const auto learned = learn(
      engine, fold_of({"1 a 0 1", "2 task-1 10 1", "3 frontier 20 1", "4 old 30 1", "5 b 40 1"}),
      kAnyTime);
  CHECK(learned.links == 0);
  CHECK(learned.skipped == 4);
  CHECK(edges(engine.state()).empty());
  CHECK(tool_known(engine.state(), "task-1") == ToolKnown::not_a_tool);
  CHECK(tool_known(engine.state(), "old") == ToolKnown::no_such_node);
}

TEST_CASE("a wrong clock cannot date what is learned outside of its bounds") {
  Engine engine = memory();
  learn(engine, fold_of({"1 a 0 1", "2 b 10 1"}), {kT0 + 5 * kDay, kT0 + 6 * kDay});
  learn(engine, fold_of({"1 c 0 1", "2 d 10 1"}), {0, kT0 - kDay});
  const State& state = engine.state();
  const auto touched = [&](const char* a, const char* b) {
    return state.graph().edges().touched_at[*state.find_edge({a, b, "FOLLOWS"})];
  };
  CHECK(touched("a", "b") == kT0 + 5 * kDay);
  CHECK(touched("c", "d") == kT0 - kDay);
}

TEST_CASE("more than one transaction's worth is learned whole") {
  Engine engine = memory();
  Lines calls;
  for (int i = 0; i < 6000; ++i) {
    calls.push_back(std::to_string(i) + " t" + std::to_string(i % 5) + " " +
                    std::to_string(i * 10) + " 5");
  }
  const auto learned = learn(engine, fold_of(calls), kAnyTime);
  CHECK(learned.links == 5999);
  CHECK(learned.nodes == 5);
  CHECK(engine.verify().empty());
}

TEST_CASE("suggestions: the heaviest first, each relation for itself, nothing dormant") {
  Engine engine = memory();
  learn(engine,
        fold_of({"1 a 0 1", "2 b 10 1", "3 a 20 1", "4 b 30 1", "5 a 40 1", "6 c 50 1", "7 a 60 60",
                 "8 w 70 10"}),
        kAnyTime);
  const auto all = suggest_tools(engine, "a", kT0 + 100, 10).found;
  REQUIRE(all.size() == 3);
  CHECK(all[0].tool == "b");
  CHECK(all[0].rank == 1);
  CHECK(all[0].weight == Approx(1.1));
  CHECK(all[0].count == Approx(2).epsilon(1e-6));
  CHECK(all[0].share == Approx(2.0 / 3));
  CHECK(all[1].tool == "c");
  CHECK(all[1].rank == 2);
  CHECK(all[2].relation == Relation::co_occurs);
  CHECK(all[2].tool == "w");
  CHECK(all[2].share == 1.0);

  const auto first = suggest_tools(engine, "a", kT0 + 100, 1).found;
  REQUIRE(first.size() == 2);
  CHECK(first[0].tool == "b");
  CHECK(first[0].share == Approx(2.0 / 3));  // of all, not of those shown

  const auto faded = suggest_tools(engine, "a", kT0 + 400 * kDay, 10);
  CHECK(faded.found.empty());
  CHECK(faded.faded.count == all.size());
  CHECK(faded.faded.last_seen == std::ranges::max(all, {}, &ToolSuggestion::touched_at).touched_at);
  CHECK(suggest_tools(engine, "nobody", kT0, 10).found.empty());
}

namespace {

// What follows edit: 95 of 100 times test, 5 times lint, one a minute, from a day on.
Lines edits(int day, int first_id) {
  Lines calls;
  for (int i = 0; i < 100; ++i) {
    const std::string next = i % 20 == 7 ? "lint" : "test";
    const std::int64_t at = day * kDay + std::int64_t{60'000} * i;
    const std::string id = std::to_string(first_id + 2 * i), to = std::to_string(at);
    calls.push_back(id + " edit " + to + " 10");
    calls.push_back(id + "b " + next + " " + std::to_string(at + 20) + " 10");
  }
  return calls;
}

std::string shares(const std::vector<ToolSuggestion>& all) {
  std::string text;
  for (const auto& s : all) {
    text += s.tool + " " + std::to_string(std::lround(100 * s.share)) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("suggestions: what comes next 95 times of 100 stays apart from what comes 5 times") {
  Engine engine = memory();
  for (int day = 0; day < 6; ++day) learn(engine, fold_of(edits(day, 1000 * day)), kAnyTime);
  const TimeMs now = kT0 + 6 * kDay;
  REQUIRE(weight(engine.state(), "edit", "FOLLOWS", "test") == 5);  // both near their cap
  REQUIRE(weight(engine.state(), "edit", "FOLLOWS", "lint") > 3);
  const auto all = suggest_tools(engine, "edit", now, 5).found;
  CHECK(shares(all) == "test 95 lint 5 ");
  double expected = 0;
  for (int i = 0; i < 6; ++i) expected += 95 * std::pow(0.98, 6 - i);
  CHECK(all[0].count == Approx(expected).epsilon(0.005));  // the hours of each day
  SECTION("and fades as the edge decays") {
    const auto later = suggest_tools(engine, "edit", now + 30 * kDay, 5).found;
    REQUIRE(later.size() == 2);
    CHECK(later[0].count == Approx(all[0].count * std::pow(0.98, 30)));
    CHECK(later[0].share == Approx(all[0].share));
  }
  SECTION("the same of a rebuilt database") {
    engine.rebuild();
    const auto again = suggest_tools(engine, "edit", now, 5).found;
    REQUIRE(again.size() == 2);
    CHECK(again[0].count == all[0].count);
    CHECK(again[1].count == all[1].count);
  }
  SECTION("what is undone is not counted") {
    std::vector<std::int64_t> lints;
    engine.ledger().events_of_subject("edit", [&](Event&& e) {
      const auto* link = std::get_if<Link>(&e.payload);
      if (link != nullptr && link->target == "lint") lints.push_back(e.position);
    });
    REQUIRE(lints.size() == 30);
    for (std::size_t i = 0; i < 29; ++i) engine.undo(lints[i], now);
    const auto fewer = suggest_tools(engine, "edit", now, 5).found;
    CHECK(fewer[0].count == all[0].count);
    CHECK(fewer[1].count < 1);
    CHECK(fewer[1].count > 0.9);
  }
  SECTION("an edge that was removed begins anew, whatever comes late") {
    engine.append(Event{0, now, "edit", "", Unlink{"test", "FOLLOWS"}});
    learn(engine, fold_of(edits(0, 90'000)), {now - kDay, now - kDay});
    CHECK(shares(suggest_tools(engine, "edit", now, 5).found) == "lint 100 ");
    learn(engine, fold_of({"1 edit 0 1", "2 test 5 1"}), {now + 1, now + 1});
    const auto anew = suggest_tools(engine, "edit", now + 1, 5).found;
    REQUIRE(anew.size() == 2);
    CHECK(anew[1].tool == "test");
    CHECK(anew[1].count == 1);
  }
}

TEST_CASE("suggestions: the weight decides among those seen equally often") {
  Engine engine = memory();
  learn(engine, fold_of({"1 a 0 1", "2 b 10 1"}), kAnyTime);
  const auto link = [&](const std::string& to, double weight) {
    NodeUpsert tool;
    tool.type = kToolType;
    engine.append(Event{0, kT0 + 11, to, "", tool});
    engine.append(Event{0, kT0 + 11, "a", "", Link{to, "FOLLOWS", weight, {}}});
  };
  link("c", 2);
  link("d", 3);
  CHECK(shares(suggest_tools(engine, "a", kT0 + 11, 5).found) == "d 33 c 33 b 33 ");
}

TEST_CASE("suggestions: what gc forgot is not counted when the tool is used again") {
  Engine engine = memory();
  learn(engine, fold_of({"1 a 0 1", "2 b 10 1", "3 a 20 1", "4 b 30 1"}), kAnyTime);
  const TimeMs collected = kT0 + 400 * kDay;
  const std::string at = std::to_string(collected - kT0 + 1000);
  const GcReport gc = engine.gc(collected, 30 * kDay, false);
  REQUIRE(gc.nodes.size() == 2);
  learn(engine, fold_of({"5 a " + at + " 0", "6 b " + at + " 5"}), kAnyTime);
  const auto again = suggest_tools(engine, "a", collected + 1005, 5).found;
  REQUIRE(again.size() == 1);
  CHECK(again[0].count == 1);
  engine.undo(gc.first_event, collected + 2000, gc.last_event);
  CHECK(suggest_tools(engine, "a", collected + 1005, 5).found[0].count > 1);
}

TEST_CASE("calls without a time of their own count once, whenever they are read") {
  Engine engine = memory();
  const auto read_at = [&](TimeMs arrived) {
    TraceFold fold;
    for (const char* tool : {"a", "b"}) {
      TraceEvent e;
      e.trace_id = tool;
      e.tool = tool;
      fold.add(e, ++arrived);
      e.kind = TraceEvent::Kind::end;
      e.success = true;
      fold.add(e, ++arrived);
    }
    return learn(engine, fold, kAnyTime);
  };
  const ObservationReport first = read_at(kT0);
  CHECK(first.nodes == 2);
  CHECK(first.links == 1);
  CHECK(
      engine.state().graph().edges().touched_at[*engine.state().find_edge({"a", "b", "FOLLOWS"})] ==
      kT0 + 4);
  const ObservationReport second = read_at(kT0 + kDay);
  CHECK(second.nodes == 0);
  CHECK(second.links == 0);
  CHECK(second.duplicates == 1);
  CHECK(weight(engine.state(), "a", "FOLLOWS", "b") == 1.0);
}

TEST_CASE("a forged trace without the key teaches nothing") {
  Engine engine = memory();
  TraceFold fold;
  TraceFilter filter({"k"}, [&](const TraceEvent& e) { fold.add(e); });
  TraceFilter::Spans spans;
  const std::string forged =
      "__TRACE__{\"type\":\"tool_start\",\"tool\":\"evil\",\"trace_id\":\"1\",\"ts\":1}\n"
      "__TRACE__{\"type\":\"tool_end\",\"trace_id\":\"1\",\"success\":true,\"duration_ms\":1}\n";
  filter.feed(forged, spans);
  filter.finish(spans);
  CHECK(learn(engine, fold, kAnyTime).nodes == 0);
  CHECK_FALSE(engine.state().exists("evil"));
}

}  // namespace hebb::capture::test
