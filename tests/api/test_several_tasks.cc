// Requests about several tasks: all of them are taken, or none. And which tasks are listed, in
// which order.
#include <catch2/catch.hpp>

#include "api/problem.h"
#include "tests/api/session.h"

using namespace hebb;
using namespace hebb::api;

namespace {

using Ids = std::vector<std::string>;

struct ThreeTasks {
  MemorySession session{kNow};

  ThreeTasks() {
    for (const char* id : {"a", "b", "c"})
      ask(session, "add", {{"name", std::string("Task ") + id}, {"id", id}});
  }
  Json task(const char* id) { return ask(session, "show", {{"id", id}}).at("task"); }
  Ids listed(const Json& request) {
    Ids ids;
    for (const Json& node : ask(session, "list", request).at("nodes")) ids.push_back(node.at("id"));
    return ids;
  }
  // The field that is named where the request is refused and nothing was written.
  std::string wrong_field(std::string_view operation, const Json& request) {
    const auto position = [&] { return session.engine(Access::read).ledger().last_position(); };
    const auto before = position();
    try {
      ask(session, operation, request);
    } catch (const Problem& problem) {
      CHECK(position() == before);
      return problem.field;
    }
    return "(it was taken)";
  }
};

}  // namespace

TEST_CASE("several tasks are changed in one request, by ids and by names") {
  ThreeTasks tasks;
  const Json result =
      ask(tasks.session, "edit",
          {{"id", "a"}, {"also", {"Task b", "c"}}, {"labels", {"x"}}, {"priority", 1}});
  CHECK(result.at("task").at("id") == "a");
  REQUIRE(result.at("also").size() == 2);
  CHECK(result.at("also")[0].at("id") == "b");
  for (const char* id : {"a", "b", "c"}) {
    CHECK(tasks.task(id).at("labels") == Json{"x"});
    CHECK(tasks.task(id).at("priority") == 1);
  }
  const Json shown = ask(tasks.session, "show", {{"id", "c"}, {"also", {"a"}}});
  CHECK(shown.at("task").at("id") == "c");
  CHECK(shown.at("also")[0] == tasks.task("a"));
  CHECK_FALSE(ask(tasks.session, "show", {{"id", "c"}}).contains("also"));
}

TEST_CASE("of several tasks none is changed if one is wrong, and the wrong one is named") {
  ThreeTasks tasks;
  ask(tasks.session, "edit", {{"id", "a"}, {"labels", {"x"}}});
  CHECK(tasks.wrong_field("edit", {{"id", "a"}, {"also", {"b", "nobody"}}, {"pinned", true}}) ==
        "also");
  CHECK(tasks.wrong_field("edit", {{"id", "nobody"}, {"also", {"b"}}, {"pinned", true}}) == "id");
  CHECK(tasks.wrong_field("edit", {{"id", "a"}, {"also", {"b", "b"}}, {"pinned", true}}) == "also");
  CHECK(tasks.wrong_field("edit", {{"id", "a"}, {"also", {"b"}}, {"name", "One"}}) == "name");
  CHECK(tasks.wrong_field("edit", {{"id", "a"}, {"also", {"b"}}, {"remove_labels", {"x"}}}) ==
        "remove_labels");  // b has none
  CHECK(tasks.wrong_field("delete", {{"id", "a"}, {"also", {"label-x"}}}) == "also");
  CHECK(tasks.wrong_field("delete", {{"id", "a"}, {"also", {"nobody"}}}) == "also");
  CHECK(tasks.listed({}) == Ids{"a", "b", "c"});
  ask(tasks.session, "claim", {{"id", "b"}, {"agent", "bob"}});
  CHECK(tasks.wrong_field("claim", {{"id", "a"}, {"also", {"b"}}, {"agent", "ann"}}) == "also");
  CHECK(tasks.wrong_field("claim", {{"id", "a"}}) == "agent");
  CHECK_FALSE(tasks.task("a").contains("claimed_by"));
}

TEST_CASE("several tasks are claimed and given back at once") {
  ThreeTasks tasks;
  const Json taken =
      ask(tasks.session, "claim", {{"id", "c"}, {"also", {"a"}}, {"agent", "ann"}}).at("tasks");
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].at("id") == "c");
  CHECK(taken[0].at("token") < taken[1].at("token"));
  CHECK(tasks.listed({{"claimed_by", "ann"}}) == Ids{"a", "c"});
  ask(tasks.session, "claim",
      {{"id", "a"}, {"also", {"c"}}, {"agent", "ann"}, {"give_back", true}, {"because", "CI"}});
  CHECK(tasks.listed({{"claimed", true}}).empty());
}

TEST_CASE("what was deleted comes back with an undo") {
  ThreeTasks tasks;
  ask(tasks.session, "edit", {{"id", "b"}, {"labels", {"x"}}});
  const Json deleted = ask(tasks.session, "delete", {{"id", "Task a"}, {"also", {"b"}}});
  CHECK(deleted.at("id") == "a");
  CHECK(tasks.listed({}) == Ids{"c"});
  ask(tasks.session, "undo", {{"event", deleted.at("also")[0].at("event")}});
  CHECK(tasks.listed({}) == Ids{"b", "c"});
  CHECK(tasks.task("b").at("labels") == Json{"x"});
}

TEST_CASE("a comment is a further line of the description") {
  ThreeTasks tasks;
  ask(tasks.session, "edit", {{"id", "a"}, {"comment", "one"}});
  ask(tasks.session, "edit", {{"id", "a"}, {"also", {"b"}}, {"comment", "two"}});
  CHECK(tasks.task("a").at("description") == "one\ntwo");
  CHECK(tasks.task("b").at("description") == "two");
  ask(tasks.session, "edit", {{"id", "a"}, {"description", "new\n"}, {"comment", "three"}});
  CHECK(tasks.task("a").at("description") == "new\nthree");
}

TEST_CASE("a project has those within it, for every question") {
  ThreeTasks tasks;
  auto& session = tasks.session;
  ask(session, "edit", {{"id", "a"}, {"project", "Home.Garden"}});
  ask(session, "edit", {{"id", "b"}, {"project", "home"}});
  ask(session, "edit", {{"id", "c"}, {"project", "Homework"}});
  for (const bool stored : {false, true}) {
    CAPTURE(stored);
    if (stored) session.engine(Access::write).sync();
    CHECK(tasks.listed({{"project", "Home"}}) == Ids{"a", "b"});
    CHECK(tasks.listed({{"project", "home.garden"}}) == Ids{"a"});
    CHECK(tasks.listed({{"project", "Home.G"}}).empty());
    CHECK(ask(session, "rank", {{"project", "Home"}}).at("total") == 2);
    CHECK(ask(session, "next", {{"project", "Home.Garden"}}).at("tasks")[0].at("id") == "a");
    CHECK(ask(session, "search", {{"query", "task"}, {"project", "Home"}}).at("nodes").size() == 2);
  }
}

TEST_CASE("a list begins with what is due, urgent or changed") {
  ThreeTasks tasks;
  auto& session = tasks.session;
  ask(session, "edit", {{"id", "c"}, {"due_at", "2026-02-01"}, {"priority", 3}});
  ask(session, "edit", {{"id", "b"}, {"due_at", "2026-03-01"}, {"priority", 0}});
  session.later(60'000);
  ask(session, "add", {{"name", "New"}, {"id", "d"}});
  session.later(60'000);
  ask(session, "edit", {{"id", "a"}, {"project", "x"}});
  CHECK(tasks.listed({}) == Ids{"d", "a", "b", "c"});
  CHECK(tasks.listed({{"sort", "created"}}) == Ids{"d", "a", "b", "c"});
  CHECK(tasks.listed({{"sort", "due"}}) == Ids{"c", "b", "d", "a"});
  CHECK(tasks.listed({{"sort", "priority"}}) == Ids{"b", "c", "d", "a"});
  CHECK(tasks.listed({{"sort", "updated"}}) == Ids{"a", "d", "b", "c"});
  CHECK(tasks.listed({{"sort", "due"}, {"limit", 1}, {"offset", 1}}) == Ids{"b"});
}

TEST_CASE("types can be left out of every question") {
  ThreeTasks tasks;
  auto& session = tasks.session;
  ask(session, "node_set", {{"id", "bug"}, {"type", "BUG"}, {"state", "OPEN"}});
  ask(session, "node_set", {{"id", "t"}, {"type", "TEST"}, {"state", "OPEN"}});
  CHECK(tasks.listed({{"not_type", {"task", "TEST"}}}) == Ids{"bug"});
  CHECK(ask(session, "rank", {{"not_type", {"TASK"}}}).at("total") == 2);
  CHECK(ask(session, "next", {{"not_type", {"TASK"}}}).at("tasks")[0].at("id") == "bug");
  const Json none = ask(session, "next", {{"not_type", {"TASK", "BUG"}}});
  CHECK(none.at("tasks").empty());  // a test is given out only where its type is asked for
  CHECK(none.at("why_none") == "1 test or skill is given out only where its type is asked for");
}
