// Skills as programs ask for them: recorded without a file, found by page and purpose, and what a
// session without a browser of its own refuses. tests/skill/node/mcp.mjs has the rest in a browser.
#include <catch2/catch.hpp>

#include "skill/learn/learn.h"
#include "skill/store/skill.h"
#include "tests/api/session.h"

namespace hebb::api {
namespace {

using Names = std::vector<std::string>;

void record(Session& session, const std::string& domain, const std::string& name,
            const std::string& description, const std::vector<std::string>& steps) {
  ask(session, "skill_record",
      {{"domain", domain}, {"name", name}, {"description", description}, {"step", steps}});
}

Names recalled(Session& session, const Json& request) {
  const Json found = ask(session, "skill_recall", request);
  Names names;
  for (const auto& s : found["skills"]) names.push_back(s["name"]);
  return names;
}

Json artifact() {
  return Json::parse(R"({"schema_version": 1, "recorded_at": 0, "recorder": {"hebb_version": "x"},
    "steps": [{"kind": "click", "selectors": [{"type": "css", "value": "#go"}]}]})");
}

void prove(Session& session, const std::string& id) {
  Engine& engine = session.engine(Access::write);
  skill::ReplayResult clean;
  clean.ok = clean.attempted = true;
  for (int i = 0; i < 3; ++i)
    skill::learn_replay(engine, *skill::load_skill(engine, id), clean, session.now() + i);
}

}  // namespace

TEST_CASE("a skill is no work for `next` unless it is asked for") {
  MemorySession session(kNow);
  record(session, "shop.example", "buy", "Put tea into the basket", {"press Add"});
  const auto next = [&](Json request) {
    Names ids;
    const Json best = ask(session, "next", request);
    for (const auto& task : best["tasks"]) ids.push_back(task["id"]);
    return ids;
  };
  const Json claim{{"claim", true}, {"agent", "ann"}};
  CHECK(next(Json::object()).empty());
  CHECK(next(claim).empty());
  const Names skills = next({{"type", "skill"}});
  REQUIRE(skills.size() == 1);
  CHECK(next({{"among", skills}}) == skills);
  ask(session, "node_set", {{"id", "task"}, {"type", "TASK"}});
  CHECK(next({{"limit", 5}}) == Names{"task"});
  CHECK(next({{"limit", 5}, {"near", "tea"}}) == Names{"task"});
  CHECK(ask(session, "rank", Json::object())["tasks"].size() == 2);
  CHECK(next(claim) == Names{"task"});
  CHECK(next(claim).empty());
  CHECK(next({{"claim", true}, {"agent", "ann"}, {"type", "SKILL"}}) == skills);
}

TEST_CASE("skills are recalled by page and by purpose, the proven ones first") {
  MemorySession session(kNow);
  record(session, "shop.example", "buy", "Put tea into the basket", {"press Add", "pay"});
  record(session, "shop.example:8080", "buy", "", {"press Add"});
  record(session, "shop.example", "return", "Send tea back", {"open the order", "press Return"});
  ask(session, "skill_record",
      {{"domain", "shop.example"}, {"name", "ask"}, {"artifact", artifact()}});

  CHECK(recalled(session, {{"url", "https://Shop.example/basket?x#y"}}) ==
        Names{"ask", "buy", "return"});
  CHECK(recalled(session, {{"url", "http://shop.example:8080"}}) == Names{"buy"});
  CHECK(recalled(session, {{"url", "http://other.example/"}}).empty());
  CHECK_THROWS_AS(recalled(session, {{"url", "shop.example"}}), Problem);

  CHECK(recalled(session, {{"intent", "TEA back"}, {"domain", "shop.example"}}) ==
        Names{"return", "buy"});
  CHECK(recalled(session, {{"intent", "open an order"}}) == Names{"return"});
  CHECK(recalled(session, {{"intent", "?!"}}).empty());

  prove(session, "skill:shop.example/return");
  CHECK(recalled(session, {{"domain", "shop.example"}}) == Names{"return", "ask", "buy"});
  CHECK(recalled(session, {{"domain", "shop.example"}, {"limit", 1}}) == Names{"return"});
  CHECK(recalled(session, {{"intent", "pay the basket tea"}}).front() == "buy");  // most words
}

TEST_CASE("a skill is asked for by its name whatever else is of its type") {
  MemorySession session(kNow);
  record(session, "shop.example", "buy", "", {"press Add"});
  ask(session, "node_set", {{"id", "skill:other/sell"}, {"type", "SKILL"}});  // no skill of hebb's
  for (const char* name : {"buy", "shop.example/buy", "skill:shop.example/buy"}) {
    CHECK(ask(session, "skill_get", {{"skill", name}})["skill"]["skill_id"] ==
          "skill:shop.example/buy");
  }
  CHECK(recalled(session, Json::object()) == Names{"buy"});
  record(session, "other.example", "buy", "", {"press Add"});
  CHECK_THROWS_AS(ask(session, "skill_get", {{"skill", "buy"}}), Problem);  // of two
  CHECK_THROWS_AS(ask(session, "skill_get", {{"skill", "none"}}), Problem);
}

TEST_CASE("a session without a browser records and recalls, and replays nothing") {
  MemorySession session(kNow);
  const Json kept = ask(session, "skill_record",
                        {{"domain", "shop.example"},
                         {"name", "go"},
                         {"start_url", "http://shop.example/"},
                         {"artifact", artifact()}});
  CHECK(kept["created"] == true);
  CHECK(kept["skill"]["replayable"] == true);

  const Json run = ask(session, "skill_replay", {{"skill", "go"}});
  CHECK(run["ok"] == false);
  CHECK(run["failure"]["code"] == "DISABLED");
  CHECK(run["steps_executed"] == 0);

  const Json steps = Json::array({{{"kind", "click"}, {"target", {{"text", "Go"}}}}});
  try {
    ask(session, "skill_record",
        {{"domain", "x"}, {"name", "y"}, {"start_url", "http://x/"}, {"steps", steps}});
    FAIL("steps were done");
  } catch (const Problem& e) {
    CHECK(e.type == ProblemType::conflict);
    CHECK(e.field == "steps");
    CHECK(std::string(e.what()).find("DISABLED") != std::string::npos);
  }
  CHECK(recalled(session, {{"domain", "x"}}).empty());
}

TEST_CASE("a skill comes from one source, and a wrong one is named") {
  MemorySession session(kNow);
  const auto refused = [&](Json request, const std::string& why) {
    request["domain"] = "x";
    request["name"] = "y";
    try {
      ask(session, "skill_record", request);
      FAIL("recorded: " << request);
    } catch (const Problem& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(why) != std::string::npos);
    }
  };
  refused(Json::object(), "one of");
  refused({{"step", {"a"}}, {"artifact", artifact()}}, "one of");
  refused({{"artifact", {{"steps", Json::array()}}}}, "schema_version");
  refused({{"artifact", 7}}, "artifact");
  refused({{"steps", Json::array({7})}}, "steps");
  refused({{"steps", Json::array({{{"kind", "click"}, {"target", Json::object()}}})}},
          "steps[0].target");
  refused({{"steps", Json::array({{{"kind", "fly"}}})}}, "steps[0]");
}

}  // namespace hebb::api
