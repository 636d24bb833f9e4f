// One request says of several tasks how they came out: all of them are taken, or none.
#include <catch2/catch.hpp>

#include "api/problem.h"
#include "tests/api/session.h"

using namespace hebb;
using namespace hebb::api;

namespace {

struct Tasks {
  MemorySession session{kNow};

  Tasks() {
    for (const char* id : {"a", "b", "c"}) {
      ask(session, "add", {{"name", std::string("Task ") + id}, {"id", id}});
    }
  }
  std::string state(const char* id) {
    return ask(session, "show", {{"id", id}}).at("task").at("state");
  }
  std::int64_t events() { return session.engine(Access::read).ledger().last_position(); }
  Problem refused(const Json& request) {
    try {
      ask(session, "outcome", request);
    } catch (const Problem& problem) {
      return problem;
    }
    return {ProblemType::failed, "it was taken"};
  }
};

Json done(std::vector<std::string> also) {
  return {{"id", "a"}, {"outcome", "success"}, {"also", std::move(also)}};
}

}  // namespace

TEST_CASE("several tasks are done in one request, by ids and by names") {
  Tasks tasks;
  ask(tasks.session, "claim", {{"id", "c"}, {"agent", "ann"}});
  Json request = done({"Task b", "c"});
  request["because"] = "release 2.1";
  const Json result = ask(tasks.session, "outcome", request);
  CHECK(result.at("id") == "a");
  CHECK(result.at("also")[0] == Json{{"id", "b"}, {"repeated", false}});
  CHECK(result.at("also")[1] == Json{{"id", "c"}, {"repeated", false}, {"ended_claim_of", "ann"}});
  for (const char* id : {"a", "b", "c"}) {
    CHECK(tasks.state(id) == "CLOSED");
    const Json told = ask(tasks.session, "show", {{"id", id}}).at("task").at("outcomes");
    CHECK(told[0].at("because") == "release 2.1");
  }
}

TEST_CASE("of several tasks none is done if one is wrong, and the wrong one is named") {
  Tasks tasks;
  const std::int64_t before = tasks.events();
  const auto refused = [&](const Json& request, const char* field, const char* words) {
    const Problem problem = tasks.refused(request);
    INFO(problem.what());
    CHECK(problem.field == field);
    CHECK(std::string(problem.what()).find(words) != std::string::npos);
    CHECK(tasks.events() == before);
  };
  refused(done({"b", "nobody", "c"}), "also", "\"nobody\"");
  refused(done({"b", "c", "b"}), "also", "b is there twice");
  refused(done({"b", "a"}), "also", "a is there twice");
  refused(done({"b", "Task a"}), "also", "a is there twice");
  Json request = done({"b"});
  request["token"] = 7;
  refused(request, "token", "one task");
  request = done({"b"});
  request["id"] = "nobody";
  refused(request, "id", "\"nobody\"");
  refused(done(std::vector<std::string>(1000, "b")), "also", "more than 1000 tasks");
  for (const char* id : {"a", "b", "c"}) CHECK(tasks.state(id) == "OPEN");
}

TEST_CASE("an outcome of several tasks with an id of its own counts once for each") {
  Tasks tasks;
  Json request = done({"b"});
  request["outcome_id"] = "release-2.1";
  ask(tasks.session, "outcome", request);
  const std::int64_t before = tasks.events();
  Json again = ask(tasks.session, "outcome", request);
  CHECK(again.at("repeated") == true);
  CHECK(again.at("also")[0] == Json{{"id", "b"}, {"repeated", true}});
  CHECK(tasks.events() == before);
  request["also"] = {"b", "c"};
  again = ask(tasks.session, "outcome", request);
  CHECK(again.at("also")[1] == Json{{"id", "c"}, {"repeated", false}});
}
