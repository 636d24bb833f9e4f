// Whoever cannot try a task says so: it is snoozed with a reason, and that is no failure.
#include <catch2/catch.hpp>

#include "api/problem.h"
#include "tests/api/session.h"

using namespace hebb;
using namespace hebb::api;

namespace {

constexpr TimeMs kHour = 3'600'000;

struct Tasks {
  MemorySession session{kNow};

  Tasks() {
    for (const char* id : {"a", "b"}) ask(session, "add", {{"name", id}, {"id", id}});
  }
  Json shown(const char* id) { return ask(session, "show", {{"id", id}}).at("task"); }
  Json listed(const char* id) {
    const Json list = ask(session, "list", Json::object());
    for (const Json& node : list.at("nodes"))
      if (node.at("id") == id) return node;
    return Json();
  }
  std::int64_t claim(const char* id) {
    const Json request{{"id", id}, {"agent", "ann"}};
    return ask(session, "claim", request).at("tasks")[0].at("token");
  }
  bool is_claimed() {
    return !ask(session, "claim_list", {{"status", "active"}})["claims"].empty();
  }
};

}  // namespace

TEST_CASE("why a task is snoozed is told wherever the snooze is, until another or its end") {
  Tasks tasks;
  const Json down{{"id", "a"}, {"snoozed_until", "2h"}, {"because", "CI is down"}};
  CHECK(ask(tasks.session, "edit", down).at("task").at("because") == "CI is down");
  const Json node = ask(tasks.session, "node_get", {{"id", "a"}}).at("node");
  const Json explained = ask(tasks.session, "explain", {{"id", "a"}});
  for (const Json& told : {tasks.shown("a"), tasks.listed("a"), node, explained})
    CHECK(told.at("because") == "CI is down");
  CHECK_FALSE(tasks.listed("b").contains("because"));
  CHECK_FALSE(tasks.shown("a").contains("outcomes"));
  // Something else that is said leaves it; another snooze has its own reason, or none.
  ask(tasks.session, "edit", {{"id", "a"}, {"priority", "high"}});
  CHECK(tasks.shown("a").at("because") == "CI is down");
  ask(tasks.session, "edit", {{"id", "a"}, {"snoozed_until", "1h"}});
  CHECK_FALSE(tasks.shown("a").contains("because"));
  CHECK_FALSE(ask(tasks.session, "explain", {{"id", "a"}}).contains("because"));
  ask(tasks.session, "node_set", down);
  CHECK(tasks.listed("a").at("because") == "CI is down");
  tasks.session.later(3 * kHour);
  CHECK_FALSE(tasks.shown("a").contains("because"));
  CHECK_FALSE(ask(tasks.session, "node_get", {{"id", "a"}}).at("node").contains("because"));
}

TEST_CASE("why a task was snoozed is told of the time that is asked for") {
  Tasks tasks;
  ask(tasks.session, "edit", {{"id", "a"}, {"snoozed_until", "9h"}, {"because", "CI is down"}});
  tasks.session.later(kHour);
  ask(tasks.session, "edit", {{"id", "a"}, {"snoozed_until", "9h"}, {"because", "no access"}});
  const auto explained = [&](TimeMs as_of) {
    return ask(tasks.session, "explain", {{"id", "a"}, {"as_of", as_of}}).value("because", "");
  };
  CHECK(explained(kNow) == "CI is down");
  CHECK(explained(kNow + kHour) == "no access");
}

TEST_CASE("an undone snooze takes its reason along") {
  Tasks tasks;
  ask(tasks.session, "edit", {{"id", "a"}, {"snoozed_until", "9h"}, {"because", "CI is down"}});
  ask(tasks.session, "edit", {{"id", "a"}, {"snoozed_until", "8h"}, {"because", "no access"}});
  const auto last = tasks.session.engine(Access::read).ledger().last_position();
  ask(tasks.session, "undo", {{"event", last}});
  CHECK(tasks.shown("a").at("because") == "CI is down");
}

TEST_CASE("a reason without a snooze is refused, and a secret in it is masked") {
  Tasks tasks;
  const std::string refusal =
      refused(tasks.session, "edit", {{"id", "a"}, {"because", "CI is down"}});
  CHECK(refusal.find("because: says why a task is snoozed") != std::string::npos);
  CHECK_FALSE(
      refused(tasks.session, "edit", {{"id", "a"}, {"because", "x"}, {"unset", {"snoozed_until"}}})
          .empty());
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  ask(tasks.session, "edit",
      {{"id", "a"}, {"snoozed_until", "2h"}, {"because", "refused with " + secret}});
  const auto because = tasks.shown("a").at("because").get<std::string>();
  CHECK(because.starts_with("refused with "));
  CHECK(because.find(secret) == std::string::npos);
}

TEST_CASE("a claim is given back together with a snooze and its reason, or not at all") {
  Tasks tasks;
  const Json why{{"snoozed_until", "2h"}, {"because", "no access"}};
  const auto with_why = [&](Json request) {
    request.update(why);
    return request;
  };
  Json back{{"id", "a"}, {"agent", "ann"}, {"give_back", true}};
  SECTION("by the agent's name") {
    tasks.claim("a");
    back["because"] = "no access";  // until when is not said
    CHECK_FALSE(refused(tasks.session, "claim", back).empty());
    CHECK(tasks.is_claimed());
    ask(tasks.session, "claim", with_why(back));
  }
  SECTION("by its token") {
    const std::int64_t token = tasks.claim("a");
    CHECK_FALSE(
        refused(tasks.session, "claim_release", {{"token", token}, {"because", "no access"}})
            .empty());
    CHECK(tasks.is_claimed());
    ask(tasks.session, "claim_release", with_why({{"token", token}}));
  }
  CHECK_FALSE(tasks.is_claimed());
  const Json shown = tasks.shown("a");
  CHECK(shown.at("because") == "no access");
  CHECK(shown.at("snoozed_until") == "2026-01-05T02:00:00.000Z");
  CHECK_FALSE(shown.contains("outcomes"));
  CHECK(ask(tasks.session, "next", Json::object()).at("tasks")[0].at("id") == "b");
}

TEST_CASE("a claim that is taken is not snoozed, and a deleted task does not come back") {
  Tasks tasks;
  for (const char* field : {"snoozed_until", "because"}) {
    const Json request{{"id", "a"}, {"agent", "ann"}, {field, "2h"}};
    CHECK(refused(tasks.session, "claim", request).find("give_back") != std::string::npos);
  }
  const std::int64_t token = tasks.claim("a");
  ask(tasks.session, "node_delete", {{"id", "a"}});
  const Json request{{"token", token}, {"snoozed_until", "2h"}};
  CHECK(refused(tasks.session, "claim_release", request).find("ended it") != std::string::npos);
  CHECK_FALSE(tasks.session.engine(Access::read).state().exists("a"));
}
