// The factors that read how tasks wait for one another, and for how long.
#include <cmath>

#include <catch2/catch.hpp>

#include "reward/ranking.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

TEST_CASE("ranking: a task is as urgent as what waits for it") {
  World w;
  for (const char* id : {"first", "second", "alone", "last", "plain"}) w.node(id, "OPEN", kT0);
  w.edge("first", "second", "BLOCKS");
  w.edge("second", "last", "BLOCKS");
  w.g.nodes().priority[w.at("last")] = 0;  // counts four times as much as an ordinary one
  CHECK(w.factors("alone", kT0).unblocks == 1);
  CHECK(w.factors("last", kT0).unblocks == 1);
  // Two wait for the first, the urgent one behind the other: .8 as much.
  CHECK(w.factors("second", kT0).unblocks == Approx(4 * std::pow(2, 0.2)));
  CHECK(w.factors("first", kT0).unblocks == Approx(4 * 0.8 * std::pow(1 + 1.8, 0.2)));

  SECTION("it is not more urgent than it is anyway") {
    w.g.nodes().priority[w.at("second")] = 0;
    CHECK(w.factors("second", kT0).unblocks == Approx(std::pow(2, 0.2)));
  }
  SECTION("a second way to the same one counts nothing; the shorter one counts") {
    w.edge("first", "last", "BLOCKS");
    CHECK(w.factors("first", kT0).unblocks == Approx(4 * std::pow(3, 0.2)));
  }
  SECTION("a ring ends where it began") {
    w.edge("last", "first", "BLOCKS");
    CHECK(w.factors("first", kT0).unblocks == Approx(4 * 0.8 * std::pow(1 + 1.8, 0.2)));
  }
  SECTION("what is finished or put off does not wait, nor does what is behind it") {
    const auto change = GENERATE(0, 1, 2);
    CAPTURE(change);
    if (change == 0) w.g.nodes().snoozed_until[w.at("second")] = kT0 + 1;
    if (change == 1) w.node("second", "DEFERRED");
    if (change == 2) w.node("second", "CLOSED");
    CHECK(w.factors("first", kT0).unblocks == 1);
  }
  SECTION("it is due a day before what waits for it is to begin") {
    w.g.nodes().priority[w.at("last")] = graph::kNoPriority;
    w.g.nodes().due_at[w.at("last")] = kT0 + 10 * kMsPerDay;
    Evidence due;
    due.now = kT0;
    due.due_at = kT0 + 8 * kMsPerDay;
    CHECK(w.factors("first", kT0).unblocks ==
          Approx(std::max(0.8 * urgency(w.policy, due), 1.0) * std::pow(1 + 1.8, 0.2)));
    w.g.nodes().estimate[w.at("last")] = 4 * kMsPerDay;  // and a day for the second
    due.due_at = kT0 + 5 * kMsPerDay;
    CHECK(w.factors("first", kT0).unblocks ==
          Approx(std::max(0.8 * urgency(w.policy, due), 1.0) * std::pow(1 + 1.8, 0.2)));
  }
  SECTION("of a part, what waits for the whole waits too") {
    w.node("whole", "OPEN", kT0);
    w.edge("whole", "alone", "PARENT_OF");
    w.edge("whole", "last", "WAITS_FOR");
    CHECK(w.factors("alone", kT0).unblocks == Approx(4 * std::pow(2, 0.2)));
    w.edge("whole", "plain", "PARENT_OF");
    w.node("plain", "CLOSED");
    CHECK(w.factors("alone", kT0).unblocks == Approx(4 * std::pow(2, 0.2)));
  }
}

TEST_CASE("ranking: what waits for long rises without end") {
  World w;
  w.node("task", "OPEN", kT0);
  CHECK(w.factors("task", kT0 + 7 * kMsPerDay).waiting == 1);
  CHECK(w.factors("task", kT0 + 70 * kMsPerDay).waiting == Approx(std::pow(10, 0.2)));
  w.g.nodes().outcome_at[w.at("task")] = kT0 + 65 * kMsPerDay;
  CHECK(w.factors("task", kT0 + 70 * kMsPerDay).waiting == 1);
}

}  // namespace
}  // namespace hebb::reward
