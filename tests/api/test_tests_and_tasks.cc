// Tests of a program and tasks in one database: neither changes what is said of the other.
#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/api/session.h"

namespace hebb::api {
namespace {

// As ctest writes it; the last of the names failed.
std::string ctest_report(const std::vector<std::string>& names, bool last_failed = false) {
  std::string xml = "<testsuite name='Linux'>";
  for (const auto& name : names) {
    const bool failed = last_failed && name == names.back();
    xml += fmt::format("<testcase name='{0}' classname='{0}' status='{1}'>{2}</testcase>", name,
                       failed ? "fail" : "run", failed ? "<failure message=''/>" : "");
  }
  return xml + "</testsuite>";
}

Json report(Session& session, const std::string& xml) {
  return ask(session, "ingest", {{"content", xml}, {"format", "junit"}, {"each", true}});
}

void open_task(Session& session, const std::string& id) {
  ask(session, "node_set", {{"id", id}, {"type", "TASK"}, {"state", "OPEN"}});
}

std::string state_of(Session& session, const std::string& id) {
  return ask(session, "explain", {{"id", id}})["state"];
}

std::vector<std::string> ids_in(const Json& tasks, const char* field = "id") {
  std::vector<std::string> ids;
  for (const auto& one : tasks) ids.push_back(one.value(field, ""));
  return ids;
}

using Ids = std::vector<std::string>;

bool has_note(const Json& result, const std::string& part) {
  for (const auto& note : result.value("notes", Json::array())) {
    if (note.get<std::string>().find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a test that passes does not close the task of its name") {
  MemorySession session(kNow);
  open_task(session, "docs");
  const Json result = report(session, ctest_report({"docs", "other"}, true));
  CHECK(has_note(result, "\"docs\": it is \"test:docs\""));
  CHECK(state_of(session, "docs") == "OPEN");
  CHECK(ids_in(ask(session, "rank", {{"type", "TEST"}})["tasks"]) == Ids{"other", "test:docs"});
  CHECK(ids_in(ask(session, "rank", {{"runner", "ctest"}})["tasks"], "selector") ==
        Ids{"other", "docs"});
  const Json among = ask(session, "rank", {{"runner", "ctest"}, {"among", {"docs"}}})["tasks"];
  CHECK(ids_in(among, "selector") == Ids{"docs"});
  // It has the same name in the next report.
  CHECK_FALSE(has_note(report(session, ctest_report({"docs", "other"})), "several"));
  CHECK(ids_in(ask(session, "rank", {{"type", "TEST"}})["tasks"]).size() == 2);
}

TEST_CASE("who asks for runners, schedulers, a budget or a list gets all tests") {
  MemorySession session(kNow);
  std::vector<std::string> names;
  for (int i = 10; i < 22; ++i) names.push_back(fmt::format("t{}", i));
  report(session, ctest_report(names));
  const auto count = [&](const Json& request) {
    return ask(session, "rank", request)["tasks"].size();
  };
  CHECK(count(Json::object()) == 10);
  for (const char* runner : {"pytest", "ctest", "gtest"}) {
    CHECK(count({{"runner", runner}}) == 12);
  }
  CHECK(count({{"shard", "1/1"}}) == 12);
  CHECK(count({{"runner", "ctest"}, {"limit", 3}}) == 3);
  CHECK(count({{"runner", "pytest"}, {"limit", 3}}) == 0);  // which can name none of them
  CHECK(count({{"scheduler", "slurm"}}) == 12);
  CHECK(count({{"among", names}}) == 12);
  CHECK(count({{"budget", "1h"}}) == 12);
  CHECK(count({{"budget", "1h"}, {"runner", "ctest"}, {"limit", 2}}) == 2);
}

TEST_CASE("a budget is a span or a number of seconds; a task takes its estimate") {
  MemorySession session(kNow);
  for (const auto& [id, estimate] : {std::pair{"a", "40s"}, {"b", "30s"}, {"c", ""}}) {
    Json task{{"id", id}, {"type", "TASK"}, {"name", id}};
    if (*estimate) task["estimate"] = estimate;
    ask(session, "node_set", task);
  }
  const auto seconds = [&](const Json& budget) {
    std::vector<std::string> all;
    const Json tasks = ask(session, "rank", {{"budget", budget}})["tasks"];
    for (const auto& task : tasks)
      all.push_back(
          fmt::format("{} {}", task["id"].get<std::string>(), task["seconds"].get<double>()));
    std::ranges::sort(all);
    return all;
  };
  // The third takes the median of the others.
  const Ids all{"a 40", "b 30", "c 35"};
  for (const Json& budget : {Json(105), Json("105s"), Json("1m45s"), Json("105000ms")})
    CHECK(seconds(budget) == all);
  CHECK(seconds("104s").size() == 2);
  CHECK(seconds(35).size() == 1);
  CHECK(seconds("0s").empty());
  CHECK(refused(session, "rank", {{"budget", "soon"}}).find("no span of time") !=
        std::string::npos);
  CHECK(refused(session, "rank", {{"budget", -1}}).find("budget") != std::string::npos);
  CHECK(ask(session, "show", {{"id", "a"}})["task"]["estimate"] == 40'000);
}

TEST_CASE("each test is in one shard, and what a runner runs together is in the same") {
  MemorySession session(kNow);
  std::string tests;
  for (int i = 0; i < 12; ++i)
    tests +=
        fmt::format(R"(<testcase classname="f{}.test.ts" name="t{}" time="{}"/>)", i % 4, i, i);
  report(session, "<testsuites><testsuite name=\"s\">" + tests + "</testsuite></testsuites>");
  for (const char* runner : {"", "vitest"}) {
    INFO(runner);
    std::map<std::string, std::set<std::string>> shards_of_file;
    std::set<std::string> seen;
    double longest = 0;
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
      Json request{{"shard", shard}, {"type", "TEST"}};
      if (*runner) request["runner"] = runner;
      double seconds = 0;
      const Json result = ask(session, "rank", request);
      CHECK(result["total"] == result["tasks"].size());
      for (const auto& task : result["tasks"]) {
        const auto id = task["id"].get<std::string>();
        CHECK(seen.insert(id).second);
        shards_of_file[id.substr(0, 2)].insert(shard);
        seconds += task["seconds"].get<double>();
      }
      longest = std::max(longest, seconds);
    }
    CHECK(seen.size() == 12);
    CHECK(longest == (*runner ? 27 : 22));  // of 66; files take 12, 15, 18 and 21
    for (const auto& [file, shards] : shards_of_file) CHECK((shards.size() == 1) == !!*runner);
  }
  // A budget takes files as a whole too: 12 s of f0, and not 3 s of another.
  CHECK(ids_in(ask(session, "rank", {{"budget", 14}, {"runner", "vitest"}})["tasks"]).size() == 3);
}

TEST_CASE("what a runner lists stands for the tests that it selects") {
  MemorySession session(kNow);
  report(session, R"(<testsuites><testsuite name="s"><testcase classname="a.test.ts" name="x"/>)"
                  R"(<testcase classname="a.test.ts" name="y"/></testsuite></testsuites>)");
  const auto among = [&](const std::vector<std::string>& names) {
    return ids_in(ask(session, "rank", {{"among", names}, {"runner", "vitest"}})["tasks"]);
  };
  CHECK(among({"a.test.ts"}) == Ids{"a.test.ts.x", "a.test.ts.y"});
  CHECK(among({"a.test.ts > x"}) == Ids{"a.test.ts.x", "a.test.ts.y"});
  CHECK(among({"b.test.ts"}) == Ids{"b.test.ts"});
  ask(session, "node_set", {{"id", "a.test.ts"}, {"type", "FILE"}});
  CHECK(among({"a.test.ts"}) == Ids{"a.test.ts.x", "a.test.ts.y"});
}

TEST_CASE("a shard is refused that cannot be") {
  MemorySession session(kNow);
  for (const char* shard :
       {"0/2", "3/2", "2", "/2", "1/", "1/2/3", "a/b", "1/10001", " 1/2", "-1/2"}) {
    INFO(shard);
    CHECK(refused(session, "rank", {{"shard", shard}}).find("has to be NUMBER/OF") !=
          std::string::npos);
  }
}

TEST_CASE("in a database that began with tests a task that succeeds is closed") {
  MemorySession session(kNow);
  const Json result = report(session, ctest_report({"a", "b"}, true));
  CHECK_FALSE(has_note(result, "policy"));
  open_task(session, "pay");
  open_task(session, "ship");
  CHECK(ids_in(ask(session, "rank", Json::object())["tasks"]) == Ids{"pay", "ship", "b", "a"});
  CHECK(ids_in(ask(session, "next", {{"limit", 9}})["tasks"]) == Ids{"pay", "ship"});
  CHECK(ids_in(ask(session, "next", {{"limit", 9}, {"type", "TEST"}})["tasks"]) == Ids{"b", "a"});
  ask(session, "ingest", {{"outcomes", {{{"taskId", "pay"}, {"outcome", "success"}}}}});
  CHECK(state_of(session, "pay") == "CLOSED");
  CHECK(state_of(session, "a") == "OPEN");
  CHECK(ids_in(ask(session, "next", {{"limit", 9}, {"claim", true}, {"agent", "x"}})["tasks"]) ==
        Ids{"ship"});
}

TEST_CASE("outcomes of tests change no task's priority, and tasks none of a test") {
  const auto ranked = [](bool with_tests, bool with_tasks) {
    MemorySession session(kNow);
    if (with_tasks) {
      ask(session, "node_set", {{"id", "words.cc"}, {"type", "FILE"}});
      for (const char* id : {"x", "y", "z"}) open_task(session, id);
      ask(session, "link", {{"source", "x"}, {"target", "words.cc"}, {"type", "LABELED_AS"}});
    }
    if (with_tests) {
      for (int run = 0; run < 4; ++run) {
        report(session, fmt::format("<testsuite name='S'><!--{}--><testcase classname='S' name='a' "
                                    "file='words.cc'/><testcase classname='S' name='b' "
                                    "file='words.cc'><failure/></testcase></testsuite>",
                                    run));
      }
    }
    if (with_tasks) {
      ask(session, "ingest", {{"outcomes", {{{"taskId", "z"}, {"outcome", "success"}}}}});
      ask(session, "ingest", {{"outcomes", {{{"taskId", "y"}, {"outcome", "failure"}}}}});
    }
    std::map<std::string, double> priorities;
    const Json ranking = ask(session, "rank", {{"limit", 99}});
    for (const auto& one : ranking["tasks"]) priorities[one["id"]] = one["priority"];
    return priorities;
  };
  const auto both = ranked(true, true), tasks = ranked(false, true), tests = ranked(true, false);
  REQUIRE(both.size() == 4);
  for (const auto& [id, priority] : tasks) CHECK(both.at(id) == priority);
  for (const auto& [id, priority] : tests) CHECK(both.at(id) == priority);
  CHECK(tests.at("S.b") == Approx(tests.at("S.a") * 1.5 * 1.5 * 1.5 * 1.5));
}

TEST_CASE("what a user says of the policy holds, before and after a report") {
  for (const bool before : {true, false}) {
    INFO(before);
    MemorySession session(kNow);
    if (!before) report(session, ctest_report({"a"}));
    session.later(1000);
    ask(session, "policy_set", {{"preset", "tasks"}});
    session.later(1000);
    const Json policy = ask(session, "policy_get", Json::object());
    const Json result = report(session, ctest_report({"a", "b"}));
    CHECK(has_note(result, "`hebb policy set --preset tests`"));
    CHECK(ask(session, "policy_get", Json::object()) == policy);
    CHECK(state_of(session, "a") == "CLOSED");
    report(session, ctest_report({"a", "b", "c"}));
    CHECK(ask(session, "policy_get", Json::object()) == policy);
  }
}

TEST_CASE("of a database with the preset of hebb 0.2.0, a report says what it does to tasks") {
  MemorySession session(kNow);
  ask(session, "policy_set",
      {{"settings", {{"close_on_success", false}, {"failure_penalty", 1.5}}}});
  CHECK(has_note(report(session, ctest_report({"a"})), "hebb 0.2.0"));
  ask(session, "policy_set", {{"preset", "tests"}});
  CHECK_FALSE(has_note(report(session, ctest_report({"b"})), "hebb 0.2.0"));
}

TEST_CASE("a name that stood for a test of another file is told") {
  MemorySession session(kNow);
  const auto of_file = [](const std::string& file) {
    return "<testsuite name='S'><testcase classname='S' name='a' file='" + file + "'/></testsuite>";
  };
  CHECK_FALSE(has_note(report(session, of_file("a.cc")), "another file"));
  CHECK_FALSE(has_note(report(session, of_file("a.cc")), "another file"));
  CHECK(has_note(report(session, of_file("b.cc")), "another file"));
  CHECK_FALSE(has_note(report(session, of_file("b.cc")), "another file"));  // said once
}

TEST_CASE("a test that hebb 0.2.0 called otherwise begins anew, and that is told") {
  MemorySession session(kNow);
  ask(session, "node_set", {{"id", "cart.adds"}, {"type", "TEST"}, {"state", "OPEN"}});
  const std::string xml =
      "<testsuites><testsuite name='src/a.test.js'><testcase classname='cart' name='adds'/>"
      "</testsuite></testsuites>";
  CHECK(has_note(report(session, xml), "which was \"cart.adds\""));
  CHECK_FALSE(has_note(report(session, xml + " "), "which was"));
}

}  // namespace hebb::api
