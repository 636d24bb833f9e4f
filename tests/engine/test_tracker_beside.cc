// A tracker beside hebb: both know of the same work, and tell it once.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/engine.h"
#include "tests/engine/input_support.h"
#include "tests/support/history.h"

namespace hebb {
namespace {

using test::kDay;

constexpr TimeMs kBeginning = kCreated2020;

TimeMs day(int n) { return kBeginning + (n - 1) * kDay; }
std::string date(int n) { return format_rfc3339(day(n)); }

// One tracker's way to say what becomes of its task 1.
struct Tracker {
  std::string format, id;
  // A snapshot of that day.
  std::string (*open)(int updated);
  std::string (*closed)(int closed);
};

std::string bead(const std::string& more) {
  return R"({"id":"bd-1","title":"T","created_at":"2020-01-01T00:00:00Z",)" + more + "}\n";
}
std::string issue(const std::string& more) {
  return R"([{"number":1,"title":"T","body":"","createdAt":"2020-01-01T00:00:00Z",)" + more + "}]";
}
std::string task(const std::string& more) {
  return R"([{"uuid":"u-1","description":"T","entry":"20200101T000000Z",)" + more + "}]";
}
std::string stamp(int n) { return fmt::format("202001{:02}T000000Z", n); }

const Tracker kTrackers[] = {
    {"beads", "bd-1",
     [](int n) { return bead(R"("status":"open","updated_at":")" + date(n) + '"'); },
     [](int n) {
       return bead(R"("status":"closed","updated_at":")" + date(n) + R"(","closed_at":")" +
                   date(n) + '"');
     }},
    {"github", "issue-1",
     [](int n) { return issue(R"("state":"OPEN","updatedAt":")" + date(n) + '"'); },
     [](int n) {
       return issue(R"("state":"CLOSED","updatedAt":")" + date(n) + R"(","closedAt":")" + date(n) +
                    '"');
     }},
    {"taskwarrior", "u-1",
     [](int n) { return task(R"("status":"pending","modified":")" + stamp(n) + '"'); },
     [](int n) {
       return task(R"("status":"completed","modified":")" + stamp(n) + R"(","end":")" + stamp(n) +
                   '"');
     }},
};

class World {
 public:
  explicit World(const Tracker& tracker) : tracker_(tracker) {}
  IngestSummary take(const std::string& snapshot) {
    auto summary = test::ingest(engine, snapshot, tracker_.format, day(30), "snapshot");
    CHECK(summary.refused == 0);
    CHECK(test::ingest(engine, snapshot, tracker_.format, day(30), "snapshot").applied == 0);
    return summary;
  }
  void succeed(int n) { engine.append(test::success(day(n), tracker_.id)); }
  std::string state() { return test::state_of(engine.state(), tracker_.id); }
  std::int64_t successes() { return engine.stats(day(30)).outcomes; }

  Engine engine = test::open(":memory:");

 private:
  const Tracker& tracker_;
};

}  // namespace

TEST_CASE("a completion that hebb and a tracker both know is one success") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  INFO(tracker.format);
  World world(tracker);
  world.take(tracker.open(1));
  world.succeed(5);
  CHECK(world.state() == "CLOSED");
  world.take(tracker.closed(6));
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 1);

  // Opened again and done again is another.
  world.take(tracker.open(8));
  CHECK(world.state() == "OPEN");
  world.take(tracker.closed(10));
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 2);
}

TEST_CASE("a completion that the tracker tells of first is one success") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  INFO(tracker.format);
  World world(tracker);
  world.take(tracker.open(1));
  world.take(tracker.closed(3));
  const TimeMs done = day(3) + GENERATE(-5000, 0, 5000, 2 * kDay);
  world.engine.append(test::success(done, tracker.id, {}, 0.5));
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 1);
  world.take(tracker.closed(3));
  CHECK(world.successes() == 1);
  const State& s = world.engine.state();
  CHECK(s.graph().nodes().successes[*s.find(tracker.id)] == 0.5);

  Engine elsewhere = test::open(":memory:");
  test::import_log(elsewhere, test::exported(world.engine));
  CHECK(elsewhere.stats(day(30)).outcomes == 1);
  test::ingest(elsewhere, tracker.closed(3), tracker.format, day(30), "snapshot");
  CHECK(elsewhere.stats(day(30)).outcomes == 1);

  world.take(tracker.open(8));
  CHECK(world.state() == "OPEN");
  world.take(tracker.closed(10));
  CHECK(world.successes() == 2);
}

TEST_CASE("what was made and completed here is neither opened nor completed again by a tracker") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  INFO(tracker.format);
  World world(tracker);
  // The tracker has it from 2020-01-01.
  const TimeMs made = day(1) + GENERATE(-3 * kDay, kDay);
  world.engine.append(test::node(made, tracker.id));
  world.engine.append(test::success(made + kDay, tracker.id));
  world.take(tracker.open(GENERATE(1, 7)));
  CHECK(world.state() == "CLOSED");
  world.take(tracker.open(8));
  CHECK(world.state() == "CLOSED");
  world.take(tracker.closed(9));
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 1);
  world.take(tracker.open(11));
  CHECK(world.state() == "OPEN");
  world.succeed(12);
  CHECK(world.successes() == 2);
}

TEST_CASE("an outcome that arrives late is the completion that the tracker told of") {
  const Tracker& beads = kTrackers[0];
  World world(beads);
  world.take(beads.open(1));
  world.take(bead(R"("status":"in_progress","updated_at":")" + date(7) + '"'));
  world.take(beads.closed(9));
  world.succeed(5);
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 1);
}

TEST_CASE("an issue that says that it is closed and not since when is closed, once") {
  World world(kTrackers[1]);
  const auto closed = [](const std::string& more) {
    return issue(R"("state":"CLOSED","updatedAt":"2020-01-05T00:00:00Z")" + more);
  };
  world.take(closed(GENERATE("", R"(,"closedAt":null)")));
  CHECK(world.state() == "CLOSED");
  world.take(closed(R"(,"closedAt":"2020-01-04T00:00:00Z")"));
  CHECK(world.successes() == 1);
  world.take(issue(R"("state":"CLOSED","updatedAt":"2020-01-06T00:00:00Z")"));
  CHECK(world.successes() == 1);
}

TEST_CASE("a tracker's task without any date is a task") {
  struct Case {
    std::string format, text, id;
  };
  const std::vector<Case> cases{
      {"github", R"([{"number":1,"title":"T","state":"CLOSED"}])", "issue-1"},
      {"beads", R"({"id":"bd-1","title":"T","status":"closed"})", "bd-1"},
      {"taskwarrior", R"([{"uuid":"u-1","description":"T","status":"completed"}])", "u-1"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    Engine engine = test::open(":memory:");
    CHECK(test::ingest(engine, c.text, c.format, day(30), "snapshot").refused == 0);
    CHECK(test::state_of(engine.state(), c.id) == "CLOSED");
    CHECK(test::ingest(engine, c.text, c.format, day(31), "snapshot").applied == 0);
  }
}

TEST_CASE("a tracker that has not heard of a completion does not open the task again") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  INFO(tracker.format);
  World world(tracker);
  world.take(tracker.open(1));
  world.succeed(5);
  world.take(tracker.open(7));  // somebody edited it
  CHECK(world.state() == "CLOSED");
  world.take(tracker.closed(8));
  CHECK(world.successes() == 1);
  world.take(tracker.open(9));  // now it was closed there, and is open
  CHECK(world.state() == "OPEN");
}

TEST_CASE("a list from before the closing does not open the task, and the completion counts once") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  const bool told_here = GENERATE(false, true);
  INFO(tracker.format << told_here);
  World world(tracker);
  world.take(tracker.open(1));
  if (told_here) world.succeed(5);
  world.take(tracker.closed(5));
  for (int i = 0; i < 2; ++i) {
    world.take(tracker.open(1));  // of another branch
    CHECK(world.state() == "CLOSED");
    world.take(tracker.closed(5));
    CHECK(world.successes() == 1);
  }
  world.take(tracker.open(9));
  CHECK(world.state() == "OPEN");
}

TEST_CASE("work that goes on in the tracker does not open what was completed here") {
  const Tracker& beads = kTrackers[0];
  World world(beads);
  world.take(beads.open(1));
  world.succeed(5);
  world.take(bead(R"("status":"in_progress","updated_at":")" + date(7) + '"'));
  CHECK(world.state() == "CLOSED");
}

TEST_CASE("an issue that was reopened once is not reopened by each later edit") {
  const Tracker& github = kTrackers[1];
  const auto reopened = [](int n) {
    return issue(R"("state":"OPEN","stateReason":"REOPENED","updatedAt":")" + date(n) + '"');
  };
  World world(github);
  world.take(github.open(1));
  world.take(github.closed(2));
  world.take(reopened(3));
  CHECK(world.state() == "OPEN");
  world.succeed(5);
  world.take(reopened(7));
  CHECK(world.state() == "CLOSED");
  world.take(github.closed(8));
  CHECK(world.successes() == 2);
  world.take(reopened(9));
  CHECK(world.state() == "OPEN");
}

TEST_CASE("what the tracker closed and hebb opened stays open until it is closed anew") {
  const Tracker& tracker = kTrackers[GENERATE(0, 1, 2)];
  World world(tracker);
  world.take(tracker.open(1));
  world.take(tracker.closed(3));
  world.engine.append(test::state(day(5), tracker.id, "OPEN"));
  world.take(tracker.closed(3));
  CHECK(world.state() == "OPEN");
  world.take(tracker.closed(7));
  CHECK(world.state() == "CLOSED");
  CHECK(world.successes() == 2);
}

TEST_CASE("a closing without a date is one, however often the task is changed afterwards") {
  const Tracker& beads = kTrackers[0];
  World world(beads);
  world.take(beads.open(1));
  const auto closed = [](int n) {
    return bead(R"("status":"closed","updated_at":")" + date(n) + '"');
  };
  for (int n : {3, 4, 5}) world.take(closed(n));
  CHECK(world.successes() == 1);
  world.take(beads.open(6));
  world.take(closed(7));
  CHECK(world.successes() == 2);
}

TEST_CASE("a title that changed under the same time is taken") {
  const Tracker& beads = kTrackers[0];
  World world(beads);
  const auto titled = [](const std::string& title, const std::string& words) {
    return R"({"id":"bd-1","title":")" + title + R"(","description":")" + words +
           R"(","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"})";
  };
  for (const char* title : {"One", "Two", "Three", "One", "Two"}) {
    world.take(titled(title, "words"));
    CHECK(world.engine.content("bd-1").name == title);
  }
  world.take(titled("Two", "other words"));
  CHECK(world.engine.content("bd-1").description == "other words");
}

TEST_CASE("an odd field costs the field and not its task") {
  struct Case {
    std::string format, text, said;
  };
  const std::string bead_1 = R"({"id":"bd-0","title":"Other","created_at":"2020-01-01T00:00:00Z"})"
                             "\n";
  const auto beads = [&](const std::string& more) { return bead_1 + bead(more); };
  const std::vector<Case> cases{
      {"beads", beads(R"("dependencies":["bd-0"])"), "dependencies[0]"},
      {"beads", beads(R"("dependencies":[{"depends_on_id":"a\nb"}])"), "depends_on_id"},
      {"beads", beads(R"("dependencies":[null,7])"), "dependencies[0]"},
      {"beads", beads(R"("dependencies":"bd-0")"), "dependencies"},
      {"beads", beads(R"("labels":[5],"priority":"high","assignee":{"login":"ann"})"), "priority"},
      {"beads", beads(R"("due_at":"soon","updated_at":"","closed_at":7)"), "due_at"},
      {"beads", beads(R"("description":["x"])"), "description"},
      {"github", issue(R"("state":"OPEN","labels":["ui",{"id":1}],"assignees":"ann")"),
       "labels[1]"},
      {"github", issue(R"("state":"OPEN","milestone":"M","blockedBy":[{"number":"x"}])"),
       "milestone"},
      {"github", issue(R"("state":"OPEN","updatedAt":"yesterday")"), "updatedAt"},
      {"taskwarrior", task(R"("status":"pending","tags":"a","depends":[1],"due":"x")"), "tags"},
      {"taskwarrior", task(R"("status":"pending","priority":5,"project":["p"])"), "priority"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    Engine engine = test::open(":memory:");
    const auto summary = test::ingest(engine, c.text, c.format, day(30), "snapshot");
    CHECK(summary.refused == 0);
    CHECK(summary.applied > 0);
    REQUIRE(summary.notes.size() == 1);
    INFO(summary.notes[0]);
    CHECK(summary.notes[0].find("left out") != std::string::npos);
    CHECK(summary.notes[0].find(c.said) != std::string::npos);
    CHECK(test::ingest(engine, c.text, c.format, day(30), "snapshot").applied == 0);
  }
}

TEST_CASE("a field that cannot be read takes nothing back") {
  const Tracker& beads = kTrackers[0];
  World world(beads);
  world.take(bead(R"("labels":["ui"],"updated_at":"2020-01-02T00:00:00Z")"));
  world.take(bead(R"("labels":"ui","updated_at":"2020-01-03T00:00:00Z")"));
  CHECK(world.engine.state().find_edge({"bd-1", "label-ui", "LABELED_AS"}));
}

TEST_CASE("beads of newer versions have a type and further states") {
  World world(kTrackers[0]);
  world.take(bead(R"("type":"bug","status":"draft")"));
  CHECK(world.state() == "DRAFT");
  CHECK(world.engine.state().find_edge({"bd-1", "type-bug", "LABELED_AS"}));
}

}  // namespace hebb
