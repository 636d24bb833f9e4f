// What a tracker says of a task under the time that it gave before: it has said that last, and it
// holds, in whatever field.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/engine/input_support.h"
#include "tests/support/history.h"

namespace hebb::same_time {
namespace {

constexpr TimeMs kCreated = kCreated2020, kNow = kCreated + 30 * test::kDay;

// The ways in which a tracker may give the time of its last change.
enum class Updated { later, as_created, never };
constexpr Updated kEach[] = {Updated::later, Updated::as_created, Updated::never};

std::string time_field(Updated updated, const char* name, const char* later, const char* first) {
  if (updated == Updated::never) return "";
  return fmt::format(R"("{}":"{}",)", name, updated == Updated::later ? later : first);
}

struct Tracker {
  std::string format, id;
  std::string (*text)(Updated updated, const std::string& fields);  // of the one task
};

const Tracker kBeads{"beads", "bd-1", [](Updated updated, const std::string& fields) {
                       return R"({"id":"bd-1","title":"T","created_at":"2020-01-01T00:00:00Z",)" +
                              time_field(updated, "updated_at", "2020-01-02T00:00:00Z",
                                         "2020-01-01T00:00:00Z") +
                              fields + "}\n";
                     }};
const Tracker kGithub{"github", "issue-1", [](Updated updated, const std::string& fields) {
                        return R"([{"number":1,"title":"T","createdAt":"2020-01-01T00:00:00Z",)" +
                               time_field(updated, "updatedAt", "2020-01-02T00:00:00Z",
                                          "2020-01-01T00:00:00Z") +
                               fields + "}]";
                      }};
const Tracker kTaskwarrior{
    "taskwarrior", "u-1", [](Updated updated, const std::string& fields) {
      return R"([{"uuid":"u-1","description":"T","entry":"20200101T000000Z",)" +
             time_field(updated, "modified", "20200102T000000Z", "20200101T000000Z") + fields +
             "}]";
    }};

class World {
 public:
  World(const Tracker& tracker, Updated updated) : tracker_(tracker), updated_(updated) {}
  // Takes the task with these fields, and once more, which changes nothing.
  void take(const std::string& fields) {
    now_ += test::kHour;
    const std::string text = tracker_.text(updated_, fields);
    CHECK(test::ingest(engine, text, tracker_.format, now_, "a").refused == 0);
    now_ += test::kHour;
    CHECK(test::ingest(engine, text, tracker_.format, now_, "a").applied == 0);
  }
  std::string state() { return test::state_of(engine.state(), tracker_.id); }
  const graph::NodeColumns& nodes() { return engine.state().graph().nodes(); }
  graph::NodeId task() { return *engine.state().find(tracker_.id); }

  Engine engine = test::open(":memory:");

 private:
  const Tracker& tracker_;
  Updated updated_;
  TimeMs now_ = kNow;
};

}  // namespace

TEST_CASE("a priority that is said under the same time as another one holds") {
  const auto bead = [](int p) { return fmt::format(R"("status":"open","priority":{})", p); };
  const auto task = [](int p) {
    return fmt::format(R"("status":"pending","priority":"{}")", " HML"[p]);
  };
  for (const Updated updated : kEach) {
    World beads(kBeads, updated), taskwarrior(kTaskwarrior, updated);
    for (const int p : {2, 1, 3, 1, 2, 2}) {
      INFO(static_cast<int>(updated) << " " << p);
      beads.take(bead(p));
      CHECK(beads.nodes().priority[beads.task()] == p);
      taskwarrior.take(task(p));
      CHECK(taskwarrior.nodes().priority[taskwarrior.task()] == p);
    }
    beads.take(R"("status":"open")");
    CHECK(beads.nodes().priority[beads.task()] == graph::kNoPriority);
  }
}

TEST_CASE("a date that is said under the same time as another one holds") {
  for (const Updated updated : kEach) {
    World beads(kBeads, updated), github(kGithub, updated), taskwarrior(kTaskwarrior, updated);
    for (const int day : {9, 8, 9}) {
      const TimeMs due = kCreated + (day - 1) * test::kDay;
      beads.take(fmt::format(
          R"("due_at":"2020-01-{0:02}T00:00:00Z","defer_until":"2020-01-{0:02}T00:00:00Z")", day));
      CHECK(beads.nodes().due_at[beads.task()] == due);
      CHECK(beads.nodes().snoozed_until[beads.task()] == due);
      github.take(fmt::format(
          R"("state":"OPEN","milestone":{{"title":"M","dueOn":"2020-01-{:02}T00:00:00Z"}})", day));
      CHECK(github.nodes().due_at[github.task()] == due);
      taskwarrior.take(fmt::format(R"("status":"pending","due":"202001{0:02}T000000Z",)"
                                   R"("wait":"202001{0:02}T000000Z")",
                                   day));
      CHECK(taskwarrior.nodes().due_at[taskwarrior.task()] == due);
      CHECK(taskwarrior.nodes().snoozed_until[taskwarrior.task()] == due);
    }
    github.take(R"("state":"OPEN","milestone":null)");
    CHECK(github.nodes().due_at[github.task()] == graph::kNever);
  }
}

TEST_CASE("a text, a type and a project that are said under the same time hold") {
  for (const Updated updated : kEach) {
    World beads(kBeads, updated), github(kGithub, updated), taskwarrior(kTaskwarrior, updated);
    for (const char* word : {"bug", "task", "bug"}) {
      beads.take(fmt::format(R"("issue_type":"{0}","description":"{0}")", word));
      CHECK(beads.engine.content("bd-1").description == word);
      const auto& g = beads.engine.state().graph();
      CHECK(g.node_types().name(g.nodes().type[beads.task()]) ==
            (word == std::string("bug") ? "BUG" : "TASK"));
      github.take(fmt::format(R"("state":"OPEN","body":"{}")", word));
      CHECK(github.engine.content("issue-1").description == word);
      taskwarrior.take(fmt::format(R"("status":"pending","project":"{}")", word));
      CHECK(taskwarrior.engine.content("u-1").project == word);
    }
    taskwarrior.take(R"("status":"pending")");
    CHECK(taskwarrior.engine.content("u-1").project.value_or("") == "");
  }
}

TEST_CASE("a state that is said under the same time as another one holds") {
  const std::vector<std::string> states{"in_progress", "blocked", "open",  "deferred",
                                        "blocked",     "closed",  "open",  "in_progress",
                                        "closed",      "open",    "closed"};
  for (const Updated updated : kEach) {
    World beads(kBeads, updated);
    for (const std::string& state : states) {
      INFO(static_cast<int>(updated) << " " << state);
      beads.take(fmt::format(R"("status":"{}")", state));
      std::string upper = state;
      for (char& c : upper) c = c == '_' ? c : static_cast<char>(c - 'a' + 'A');
      CHECK(beads.state() == upper);
    }
    World github(kGithub, updated), taskwarrior(kTaskwarrior, updated);
    for (const char* state : {"OPEN", "CLOSED", "OPEN", "CLOSED", "OPEN"}) {
      const bool closed = state == std::string("CLOSED");
      INFO(static_cast<int>(updated) << " " << state);
      github.take(fmt::format(R"("state":"{}")", state));
      CHECK(github.state() == state);
      taskwarrior.take(fmt::format(R"("status":"{}")", closed ? "completed" : "pending"));
      CHECK(taskwarrior.state() == state);
    }
  }
}

TEST_CASE("a closing of the same date that is said again after an opening holds, and counts once") {
  for (const Updated updated : kEach) {
    World beads(kBeads, updated), github(kGithub, updated), taskwarrior(kTaskwarrior, updated);
    for (const bool closed : {false, true, false, true, false, true}) {
      const std::string state = closed ? "CLOSED" : "OPEN";
      INFO(static_cast<int>(updated) << " " << state);
      beads.take(closed ? R"("status":"closed","closed_at":"2020-01-02T00:00:00Z")"
                        : R"("status":"open")");
      CHECK(beads.state() == state);
      github.take(closed ? R"("state":"CLOSED","closedAt":"2020-01-02T00:00:00Z")"
                         : R"("state":"OPEN")");
      CHECK(github.state() == state);
      taskwarrior.take(closed ? R"("status":"completed","end":"20200102T000000Z")"
                              : R"("status":"pending")");
      CHECK(taskwarrior.state() == state);
    }
    CHECK(beads.engine.stats(kNow).outcomes == 1);
    CHECK(github.engine.stats(kNow).outcomes == 1);
    CHECK(taskwarrior.engine.stats(kNow).outcomes == 1);
  }
}

TEST_CASE("of two lines of one task the one that was updated last holds, else the last one") {
  struct Case {
    Updated first, second;
    int holds;  // the first's priority is 1, the second's 2
  };
  for (const Case& c : {Case{Updated::later, Updated::as_created, 1},
                        {Updated::as_created, Updated::later, 2},
                        {Updated::later, Updated::later, 2},
                        {Updated::as_created, Updated::as_created, 2},
                        {Updated::never, Updated::later, 2},
                        {Updated::later, Updated::never, 2},
                        {Updated::never, Updated::never, 2}}) {
    INFO(static_cast<int>(c.first) << " " << static_cast<int>(c.second));
    const std::string both =
        kBeads.text(c.first, R"("priority":1)") + kBeads.text(c.second, R"("priority":2)");
    Engine engine = test::open(":memory:");
    for (int i = 0; i < 2; ++i) {
      const auto summary = test::ingest(engine, both, "beads", kNow + i, "a");
      CHECK(summary.refused == 0);
      CHECK((summary.applied > 0) == (i == 0));
      const auto& g = engine.state().graph();
      CHECK(g.nodes().priority[*engine.state().find("bd-1")] == c.holds);
    }
  }
}

}  // namespace hebb::same_time
