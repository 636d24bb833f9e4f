#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <malloc.h>
#include <rapidcheck.h>

#include "capture/trace/fold.h"

namespace hebb::capture::test {
namespace {

using Lines = std::vector<std::string>;

void add_start(TraceFold& fold, const std::string& id, const std::string& tool, TimeMs ts,
               const std::string& parent = {}) {
  TraceEvent e;
  e.trace_id = id;
  e.tool = tool;
  e.ts = ts;
  e.parent_trace_id = parent;
  fold.add(e);
}

void add_end(TraceFold& fold, const std::string& id, double ms, bool success = true) {
  TraceEvent e;
  e.kind = TraceEvent::Kind::end;
  e.trace_id = id;
  e.success = success;
  e.duration_ms = ms;
  fold.add(e);
}

// A call whose id is its tool's name.
void add_call(TraceFold& fold, const std::string& tool, TimeMs from, TimeMs until,
              bool success = true) {
  add_start(fold, tool, tool, from);
  add_end(fold, tool, static_cast<double>(until - from), success);
}

Lines relations(const TraceFold& fold) {
  Lines lines;
  for (const auto& o : fold.observations()) {
    lines.push_back(*o.from->tool + " " + std::string(edge_type(o.relation)) + " " + *o.to->tool);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("tools one after another are linked FOLLOWS") {
  TraceFold fold;
  add_call(fold, "a", 0, 10);
  add_call(fold, "b", 10, 20);
  add_call(fold, "c", 30, 40);
  CHECK(relations(fold) == Lines{"a FOLLOWS b", "b FOLLOWS c"});
  CHECK(fold.counts().succeeded == 3);
}

TEST_CASE("time decides the order, not the order of lines") {
  TraceFold fold;
  add_call(fold, "late", 100, 110);
  add_call(fold, "early", 0, 10);
  CHECK(relations(fold) == Lines{"early FOLLOWS late"});
}

TEST_CASE("a tool that follows itself counts every time") {
  TraceFold fold;
  for (int i = 0; i < 4; ++i) {
    add_start(fold, std::to_string(i), "a", i * 10);
    add_end(fold, std::to_string(i), 5);
  }
  CHECK(relations(fold) == Lines{"a FOLLOWS a", "a FOLLOWS a", "a FOLLOWS a"});
}

TEST_CASE("calls within one millisecond are ordered by their lines") {
  SECTION("one after the other") {
    TraceFold fold;
    add_call(fold, "a", 7, 7);
    add_call(fold, "b", 7, 7);
    CHECK(relations(fold) == Lines{"a FOLLOWS b"});
  }
  SECTION("at the same time") {
    TraceFold fold;
    add_start(fold, "1", "a", 7);
    add_start(fold, "2", "b", 7);
    add_end(fold, "1", 0);
    add_end(fold, "2", 0);
    CHECK(relations(fold) == Lines{"a CO_OCCURS b", "b CO_OCCURS a"});
  }
}

TEST_CASE("windows that overlap are linked CO_OCCURS in both directions") {
  TraceFold fold;
  add_start(fold, "1", "a", 0);
  add_start(fold, "2", "b", 5);
  add_end(fold, "1", 10);
  add_end(fold, "2", 10);
  add_call(fold, "c", 20, 30);
  CHECK(relations(fold) == Lines{"a CO_OCCURS b", "a FOLLOWS c", "b CO_OCCURS a", "b FOLLOWS c"});
}

TEST_CASE("of a parallel group only the first to start follows what came before it") {
  TraceFold fold;
  add_call(fold, "a", 0, 10);
  add_start(fold, "1", "b", 20);
  add_start(fold, "2", "c", 21);
  add_end(fold, "1", 10);
  add_end(fold, "2", 10);
  CHECK(relations(fold) == Lines{"a FOLLOWS b", "b CO_OCCURS c", "c CO_OCCURS b"});
}

TEST_CASE("a long call beside a sequence co-occurs with each, and the sequence stays one") {
  TraceFold fold;
  add_start(fold, "long", "w", 0);
  add_call(fold, "a", 10, 20);
  add_call(fold, "b", 30, 40);
  add_end(fold, "long", 100);
  CHECK(relations(fold) ==
        Lines{"a CO_OCCURS w", "a FOLLOWS b", "b CO_OCCURS w", "w CO_OCCURS a", "w CO_OCCURS b"});
}

TEST_CASE("two calls of one tool at a time give one edge to itself") {
  TraceFold fold;
  add_start(fold, "1", "a", 0);
  add_start(fold, "2", "a", 1);
  add_end(fold, "1", 10);
  add_end(fold, "2", 10);
  CHECK(relations(fold) == Lines{"a CO_OCCURS a"});
}

TEST_CASE("a nested call is contained; parent and child neither follow nor overlap") {
  TraceFold fold;
  add_start(fold, "p", "plan", 0);
  add_start(fold, "1", "read", 10, "p");
  add_end(fold, "1", 5);
  add_start(fold, "2", "write", 20, "p");
  add_start(fold, "3", "fsync", 21, "2");
  add_end(fold, "3", 2);
  add_end(fold, "2", 5);
  add_end(fold, "p", 100);
  add_call(fold, "report", 110, 120);
  CHECK(relations(fold) == Lines{"plan CONTAINS read", "plan CONTAINS write", "plan FOLLOWS report",
                                 "read FOLLOWS write", "write CONTAINS fsync"});
}

TEST_CASE("children of different parents are linked by their parents alone") {
  TraceFold fold;
  add_start(fold, "p", "p", 0);
  add_start(fold, "q", "q", 1);
  add_start(fold, "1", "a", 2, "p");
  add_start(fold, "2", "b", 3, "q");
  for (const auto* id : {"1", "2", "p", "q"}) add_end(fold, id, 50);
  CHECK(relations(fold) == Lines{"p CONTAINS a", "p CO_OCCURS q", "q CONTAINS b", "q CO_OCCURS p"});
}

TEST_CASE("a failed parent contains nothing, its children are still siblings") {
  TraceFold fold;
  add_start(fold, "p", "plan", 0);
  add_start(fold, "1", "a", 1, "p");
  add_end(fold, "1", 1);
  add_start(fold, "2", "b", 5, "p");
  add_end(fold, "2", 1);
  SECTION("failed") { add_end(fold, "p", 10, false); }
  SECTION("unfinished") {}
  CHECK(relations(fold) == Lines{"a FOLLOWS b"});
}

TEST_CASE("nothing is learned from a failed call: it is as if it had not been there") {
  TraceFold fold;
  add_call(fold, "a", 0, 10);
  add_call(fold, "broken", 20, 30, false);
  add_call(fold, "b", 40, 50);
  CHECK(relations(fold) == Lines{"a FOLLOWS b"});
  CHECK(fold.counts().failed == 1);
  for (const auto* c : fold.succeeded()) CHECK(*c->tool != "broken");
}

TEST_CASE("what does not match is counted, not learned") {
  TraceFold fold;
  add_start(fold, "1", "a", 0);
  add_start(fold, "1", "other", 5);  // the id is taken
  add_end(fold, "1", 3);
  add_end(fold, "1", 4, false);  // it has ended
  add_end(fold, "never", 1);
  add_start(fold, "2", "hangs", 10);
  const auto counts = fold.counts();
  CHECK(counts.calls == 2);
  CHECK(counts.succeeded == 1);
  CHECK(counts.failed == 0);
  CHECK(counts.unfinished == 1);
  CHECK(counts.repeated == 1);
  CHECK(counts.unmatched == 2);
  CHECK(relations(fold).empty());
}

TEST_CASE("a thousand calls at once do not give a million pairs") {
  TraceFold fold;
  for (int i = 0; i < 1000; ++i) add_start(fold, std::to_string(i), "t" + std::to_string(i), i);
  for (int i = 0; i < 1000; ++i) add_end(fold, std::to_string(i), 1e6);
  const std::size_t m = TraceFold::kMaxOverlaps;
  CHECK(fold.observations().size() == 2 * (m * (m - 1) / 2 + (1000 - m) * m));
}

TEST_CASE("a moved fold still knows its calls") {
  TraceFold a;
  add_start(a, "1", "x", 0);
  TraceFold b = std::move(a);
  add_end(b, "1", 1);
  add_call(b, "y", 5, 6);
  CHECK(relations(b) == Lines{"x FOLLOWS y"});
}

TEST_CASE("starts that repeat a trace_id are counted and cost no memory") {
  TraceFold fold;
  const std::string id(512, 'x');
  add_start(fold, id, "tool", 0);
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 20'000; ++i) add_start(fold, id, "tool", i);
  CHECK(mallinfo2().uordblks < before + (std::size_t{1} << 20));
  CHECK(fold.counts().repeated == 20'000);
}

TEST_CASE("a run has bounds: what is past them is counted, what is within them stands") {
  SECTION("calls") {
    TraceFold fold(TraceFold::Bounds{.calls = 2});
    for (const char* id : {"1", "2", "3", "2"}) add_start(fold, id, "tool", 0);
    CHECK(fold.counts().calls == 2);
    CHECK(fold.counts().dropped == 1);
    CHECK(fold.counts().repeated == 1);
  }
  SECTION("bytes of ids, a tool's name once") {
    TraceFold fold(TraceFold::Bounds{.id_bytes = 10});
    for (const char* id : {"aaa", "bbb", "ccc"}) add_start(fold, id, "tool", 0);
    CHECK(fold.counts().calls == 2);
    CHECK(fold.counts().dropped == 1);
    add_end(fold, "ccc", 1);
    CHECK(fold.counts().unmatched == 1);
  }
  SECTION("overlaps, not what follows") {
    TraceFold fold(TraceFold::Bounds{.observations = 5});
    for (int i = 0; i < 4; ++i) add_call(fold, "t" + std::to_string(i), 0, 100);
    for (int i = 4; i < 8; ++i) add_call(fold, "t" + std::to_string(i), 100 * i, 100 * i + 1);
    std::uint64_t left_out = 0;
    const auto seen_now = fold.observations(&left_out);
    CHECK(seen_now.size() == 7);  // all seven FOLLOWS: the bound is one for overlaps
    CHECK(left_out == 12);
  }
}

TEST_CASE("the observations are those of the definition, pair by pair") {
  CHECK(rc::check([] {
    struct Call {
      TimeMs from, until;
      std::uint64_t first, last;
      bool ok;
      std::string parent;
    };
    const auto n = *rc::gen::inRange<std::size_t>(0, 20);
    std::vector<Call> calls;
    for (std::size_t i = 0; i < n; ++i) {
      const TimeMs from = *rc::gen::inRange<TimeMs>(0, 15);
      const auto parent = *rc::gen::inRange<std::size_t>(0, 2 * n);
      calls.push_back({from, from + *rc::gen::inRange<TimeMs>(0, 6), 0, 0,
                       *rc::gen::inRange(0, 5) != 0,
                       parent < n && parent != i ? std::to_string(parent) : ""});
    }
    // Starts and ends in any order of lines that has each start before its end.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i) order.insert(order.end(), {i, i});
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    std::shuffle(order.begin(), order.end(), random);
    TraceFold fold;
    std::uint64_t line = 0;
    for (const std::size_t i : order) {
      Call& c = calls[i];
      if (c.first == 0) {
        c.first = ++line;
        add_start(fold, std::to_string(i), "t" + std::to_string(i), c.from, c.parent);
      } else {
        c.last = ++line;
        add_end(fold, std::to_string(i), static_cast<double>(c.until - c.from), c.ok);
      }
    }
    Lines expected;
    const auto begins = [&](std::size_t i) { return std::pair(calls[i].from, calls[i].first); };
    const auto ends = [&](std::size_t i) { return std::pair(calls[i].until, calls[i].last); };
    const auto name = [](std::size_t i) { return "t" + std::to_string(i); };
    for (std::size_t a = 0; a < n; ++a) {
      if (!calls[a].ok) continue;
      std::size_t next = n;
      for (std::size_t b = 0; b < n; ++b) {
        if (a == b || !calls[b].ok) continue;
        if (calls[b].parent == std::to_string(a))
          expected.push_back(name(a) + " CONTAINS " + name(b));
        if (calls[a].parent != calls[b].parent) continue;
        if (begins(a) < ends(b) && begins(b) < ends(a)) {
          expected.push_back(name(a) + " CO_OCCURS " + name(b));
        }
        if (begins(b) > ends(a) && (next == n || begins(b) < begins(next))) next = b;
      }
      if (next != n) expected.push_back(name(a) + " FOLLOWS " + name(next));
    }
    std::sort(expected.begin(), expected.end());
    RC_ASSERT(relations(fold) == expected);
  }));
}

TEST_CASE("calls that do not say their time are of the time when their lines arrived") {
  TraceFold fold;
  const auto at = [&](const std::string& tool, TraceEvent::Kind kind, TimeMs arrived) {
    TraceEvent e;
    e.kind = kind;
    e.trace_id = tool;
    e.tool = tool;
    e.success = true;
    fold.add(e, arrived);
  };
  using enum TraceEvent::Kind;
  at("a", start, 1000);
  at("b", start, 1005);
  at("a", end, 1010);
  at("b", end, 1020);
  at("c", start, 1030);
  at("c", end, 1030);
  CHECK(relations(fold) == Lines{"a CO_OCCURS b", "a FOLLOWS c", "b CO_OCCURS a", "b FOLLOWS c"});
  const auto calls = fold.succeeded();
  REQUIRE(calls.size() == 3);
  CHECK(calls[0]->start == 1000);
  CHECK(calls[0]->end == 1010);
  CHECK_FALSE(calls[0]->has_ts);
  CHECK(calls[2]->end == 1030);
}

TEST_CASE("an end without a duration goes by the trace's own clock, whenever it is read") {
  TraceFold fold;
  const auto begin = [&](const std::string& tool, TimeMs ts) { add_start(fold, tool, tool, ts); };
  const auto finish = [&](const std::string& tool) {
    TraceEvent e;
    e.kind = TraceEvent::Kind::end;
    e.trace_id = tool;
    e.success = true;
    fold.add(e, 1'700'000'000'000);  // read years after it was written
  };
  begin("a", 100);
  finish("a");
  begin("b", 110);
  begin("c", 115);
  finish("b");
  finish("c");
  begin("d", 130);
  finish("d");
  CHECK(relations(fold) ==
        Lines{"a FOLLOWS b", "b CO_OCCURS c", "b FOLLOWS d", "c CO_OCCURS b", "c FOLLOWS d"});
  for (const ToolCall* c : fold.succeeded()) CHECK(c->end <= 130);
}

TEST_CASE("the tools that were called, once each, as their first successes ended") {
  TraceFold fold;
  add_start(fold, "1", "slow", 0);
  add_call(fold, "fast", 1, 2);
  add_call(fold, "broken", 2, 3, false);
  add_end(fold, "1", 10);
  add_start(fold, "2", "fast", 20);
  add_end(fold, "2", 1);
  CHECK(fold.tools_called() == std::vector<std::string_view>{"fast", "slow"});
}

}  // namespace hebb::capture::test
