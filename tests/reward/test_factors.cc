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
  w.g.nodes().priority[w.at("last")] = 0;  // counts 1.7 * 1.7 as much as an ordinary one
  const double most = 1.7 * 1.7;
  CHECK(w.factors("alone", kT0).unblocks == 1);
  CHECK(w.factors("last", kT0).unblocks == 1);
  // Two wait for the first, the urgent one behind the other: .8 as much.
  CHECK(w.factors("second", kT0).unblocks == Approx(most * std::pow(2, 0.2)));
  CHECK(w.factors("first", kT0).unblocks == Approx(most * 0.8 * std::pow(1 + 1.8, 0.2)));

  SECTION("it is not more urgent than it is anyway") {
    w.g.nodes().priority[w.at("second")] = 0;
    CHECK(w.factors("second", kT0).unblocks == Approx(std::pow(2, 0.2)));
  }
  SECTION("a second way to the same one counts nothing; the shorter one counts") {
    w.edge("first", "last", "BLOCKS");
    CHECK(w.factors("first", kT0).unblocks == Approx(most * std::pow(3, 0.2)));
  }
  SECTION("a ring ends where it began") {
    w.edge("last", "first", "BLOCKS");
    CHECK(w.factors("first", kT0).unblocks == Approx(most * 0.8 * std::pow(1 + 1.8, 0.2)));
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
    // Three take a day each.
    const auto urgent = [](double slack_days) { return 1 + 8 * std::exp2(-slack_days); };
    CHECK(w.factors("first", kT0 + 7 * kMsPerDay).unblocks ==
          Approx(std::max(0.8 * urgent(0), 1.0) * std::pow(1 + 1.8, 0.2)));
    w.g.nodes().estimate[w.at("last")] = 4 * kMsPerDay;  // and a day for the second
    CHECK(w.factors("first", kT0 + 3 * kMsPerDay).unblocks ==
          Approx(std::max(0.8 * urgent(1), 1.0) * std::pow(1 + 1.8, 0.2)));
  }
  SECTION("of a part, what waits for the whole waits too") {
    w.node("whole", "OPEN", kT0);
    w.edge("whole", "alone", "PARENT_OF");
    w.edge("whole", "last", "WAITS_FOR");
    CHECK(w.factors("alone", kT0).unblocks == Approx(most * std::pow(2, 0.2)));
    w.edge("whole", "plain", "PARENT_OF");
    w.node("plain", "CLOSED");
    CHECK(w.factors("alone", kT0).unblocks == Approx(most * std::pow(2, 0.2)));
  }
}

TEST_CASE("ranking: a due date counts by the slack that is left") {
  World w;
  for (const char* id : {"dated", "sized", "plain", "other"}) w.node(id, "OPEN", kT0);
  w.node("label", "");
  auto& c = w.g.nodes();
  c.due_at[w.at("dated")] = kT0 + 3 * kMsPerDay;
  // Nobody said how long it takes: a day.
  CHECK(w.factors("dated", kT0).urgency == Approx(1 + 8 * std::exp2(-2)));
  CHECK(w.factors("dated", kT0 + 2 * kMsPerDay).urgency == 9);
  CHECK(w.factors("dated", kT0 + 9 * kMsPerDay).urgency == 9);
  // Of its labels' other tasks the geometric mean.
  for (const char* id : {"dated", "sized", "other"}) w.edge(id, "label", "LABELED_AS");
  c.estimate[w.at("sized")] = kMsPerDay / 8;
  c.estimate[w.at("other")] = kMsPerDay / 2;
  CHECK(w.factors("dated", kT0 + 2 * kMsPerDay).urgency == Approx(1 + 8 * std::exp2(-0.75)));
  c.estimate[w.at("dated")] = kMsPerDay / 2;
  CHECK(w.factors("dated", kT0 + 2 * kMsPerDay).urgency == Approx(1 + 8 * std::exp2(-0.5)));
}

TEST_CASE("ranking: of what is worth as much the shorter goes first") {
  World w;
  for (const char* id : {"hour", "plain", "minute"}) w.node(id, "OPEN", kT0);
  CHECK(w.factors("plain", kT0).duration == 1);
  w.g.nodes().estimate[w.at("hour")] = kMsPerHour;
  w.g.nodes().estimate[w.at("minute")] = kMsPerMinute;
  CHECK(w.factors("hour", kT0).duration == Approx(std::pow(24, 1.4)));
  CHECK(w.factors("minute", kT0).duration == Approx(std::pow(96, 1.4)));
}

TEST_CASE("ranking: a task of which nothing is known takes what others take") {
  World w;
  for (const char* id : {"plain", "short", "long", "done", "test"}) w.node(id, "OPEN", kT0);
  auto& c = w.g.nodes();
  c.type[w.at("test")] = w.g.node_types().intern("TEST");
  const auto takes = [&](TimeMs ms) {
    const double days = static_cast<double>(ms) / static_cast<double>(kMsPerDay);
    return Approx(std::pow(days, -1.4));
  };
  c.estimate[w.at("test")] = kMsPerDay / 3;
  CHECK(w.factors("plain", kT0).duration == 1);
  c.estimate[w.at("short")] = kMsPerHour;
  CHECK(w.factors("plain", kT0).duration == takes(kMsPerHour));
  c.priority[w.at("plain")] = 1;  // it has no estimate, which does not lower it
  CHECK(w.ranking().front() == "plain");
  c.estimate[w.at("long")] = 16 * kMsPerHour;
  CHECK(w.factors("plain", kT0).duration == takes(4 * kMsPerHour));
  c.duration_ms[w.at("done")] = kMsPerHour;
  CHECK(w.factors("plain", kT0).duration == takes(4 * kMsPerHour));
  w.complete("done", kT0);
  CHECK(w.factors("plain", kT0).duration == Approx(std::pow(std::cbrt(16) / 24, -1.4)));
  c.duration_ms[w.at("done")] = 1;  // what takes less counts as a quarter of an hour
  c.estimate[w.at("short")] = kMsPerHour / 4;
  c.estimate[w.at("long")] = 128 * kMsPerHour;
  CHECK(w.factors("plain", kT0).duration == takes(2 * kMsPerHour));
  c.due_at[w.at("plain")] = kT0 + 2 * kMsPerHour;
  CHECK(w.factors("plain", kT0 - kMsPerMinute).tier == 0);
  CHECK(w.factors("plain", kT0 + kMsPerMinute).tier == kPressing);
  // Labels say more of it.
  w.node("label", "");
  for (const char* id : {"plain", "long"}) w.edge(id, "label", "LABELED_AS");
  CHECK(w.factors("plain", kT0).duration == takes(128 * kMsPerHour));
}

TEST_CASE("ranking: what is most urgent, or has no slack, goes before what is neither") {
  World w;
  for (const char* id : {"p0", "late", "rich"}) w.node(id, "OPEN", kT0);
  auto& c = w.g.nodes();
  const auto tier = [&](const char* id, TimeMs now) { return w.factors(id, now).tier; };
  c.priority[w.at("p0")] = 0;
  c.due_at[w.at("late")] = kT0 + 2 * kMsPerDay;
  CHECK(tier("rich", kT0) == 0);
  CHECK(tier("p0", kT0) == kMostPressing);
  CHECK(tier("late", kT0) == 0);
  CHECK(tier("late", kT0 + kMsPerDay) == kPressing);  // it takes a day
  SECTION("for two weeks since anything happened to it, or since its time was over") {
    CHECK(tier("p0", kT0 + 14 * kMsPerDay) == kMostPressing);
    CHECK(tier("p0", kT0 + 15 * kMsPerDay) == 0);
    CHECK(tier("late", kT0 + 15 * kMsPerDay) == kPressing);
    CHECK(tier("late", kT0 + 16 * kMsPerDay) == 0);
    w.policy.pressing_days = 0;
    CHECK(tier("p0", kT0) == 0);
  }
  SECTION("not within a day of its failure") {
    w.edge("frontier", "p0", "REWARD_NEGATIVE", 1, kT0);
    CHECK(tier("p0", kT0 + kMsPerHour) == 0);
    CHECK(tier("p0", kT0 + kMsPerDay) == kMostPressing);
  }
  SECTION("nor does what it waits for wait") {
    w.edge("rich", "p0", "BLOCKS");
    CHECK(tier("rich", kT0) == kMostPressing);
    // What is more urgent by its date, and does not press, changes nothing of that.
    w.node("soon", "OPEN", kT0);
    c.priority[w.at("soon")] = 1;
    c.due_at[w.at("soon")] = kT0 + 3 * kMsPerDay;
    w.edge("rich", "soon", "BLOCKS");
    CHECK(tier("rich", kT0) == kMostPressing);
    CHECK(tier("rich", kT0 + 15 * kMsPerDay) == kPressing);
    CHECK(tier("rich", kT0 + 16 * kMsPerDay) == 0);
  }
  SECTION("strict: by priority, and that of what waits") {
    w.policy.strict = true;
    const auto name = [&](const char* id, TimeMs now) { return tier_name(tier(id, now)); };
    CHECK(name("rich", kT0) == "P2");
    c.priority[w.at("rich")] = 4;
    CHECK(name("rich", kT0) == "P4");
    CHECK(name("late", kT0 + kMsPerDay) == "P2 pressing");
    CHECK(tier("late", kT0 + kMsPerDay) > tier("late", kT0));
    CHECK(tier("late", kT0 + kMsPerDay) < tier("p0", kT0));
    c.priority[w.at("late")] = 1;
    w.edge("rich", "late", "BLOCKS");
    CHECK(name("rich", kT0) == "P1 pressing");
    c.due_at[w.at("late")] = graph::kNever;
    CHECK(name("rich", kT0) == "P1");
  }
  SECTION("pinned goes before all") {
    c.pinned[w.at("rich")] = 1;
    CHECK(tier("rich", kT0) == kPinned);
  }
}

TEST_CASE("ranking: what waits for long rises without end, where that is wanted") {
  World w;
  CHECK(w.policy.waiting_exponent == 0);
  w.policy.waiting_exponent = 0.2;
  w.node("task", "OPEN", kT0);
  CHECK(w.factors("task", kT0 + 7 * kMsPerDay).waiting == 1);
  CHECK(w.factors("task", kT0 + 70 * kMsPerDay).waiting == Approx(std::pow(10, 0.2)));
  w.g.nodes().outcome_at[w.at("task")] = kT0 + 65 * kMsPerDay;
  CHECK(w.factors("task", kT0 + 70 * kMsPerDay).waiting == 1);
}

}  // namespace
}  // namespace hebb::reward
