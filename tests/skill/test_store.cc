// Skills and contracts in the ledger.
#include <catch2/catch.hpp>

#include "skill/store/contract.h"
#include "skill/store/secrets.h"
#include "skill/store/skill.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
namespace {

Skill form_skill(std::vector<Step> steps) {
  Skill s;
  s.domain = "localhost:4173";
  s.name = "form";
  s.artifact = Artifact{kNow, "0.2.0", std::move(steps), Json::object()};
  return s;
}

Event outcome(const std::string& id, OutcomeKind kind, TimeMs at, const std::string& input) {
  OutcomeSignal signal;
  signal.outcome = kind;
  signal.related.emplace();
  signal.input = input;
  return Event{.at = at, .subject = id, .key = {}, .payload = signal};
}

}  // namespace

TEST_CASE("a skill comes back as it was saved, and recording again replaces it under its id") {
  Engine engine({":memory:"});
  Skill s = form_skill({fill("Name", "Alice"), fill("Email", "a@b.co")});
  CHECK(save_skill(engine, s, kNow).created);
  const auto first = load_skill(engine, "skill:localhost:4173/form");
  REQUIRE(first);
  CHECK(first->artifact->steps == s.artifact->steps);
  CHECK(first->intents ==
        std::vector<std::string>{"fill textbox \"Name\"", "fill textbox \"Email\""});
  s.artifact->steps.pop_back();
  CHECK_FALSE(save_skill(engine, s, kNow + 1).created);
  const auto second = load_skill(engine, "skill:localhost:4173/form");
  CHECK(second->id == first->id);
  CHECK(second->artifact->steps.size() == 1);
  CHECK(second->recorded_at == kNow + 1);
}

TEST_CASE("a stored skill whose parts do not fit together is refused when it is read") {
  constexpr const char* kStep = R"({"kind":"navigate","args":{"url":"http://h/"},"selectors":[]})";
  const auto artifact = fmt::format(
      R"({{"schema_version":2,"recorded_at":1,"recorder":{{"hebb_version":"0"}},"steps":[{}]}})",
      kStep);
  for (const auto& [members, is_read] : std::vector<std::pair<std::string, bool>>{
           {R"("intents":["one"],"recorded_at":1,"artifact":)" + artifact, true},
           {R"("intents":["one","two"],"recorded_at":1,"artifact":)" + artifact, false},
           {R"("intents":[],"recorded_at":1,"artifact":)" + artifact, false},
           {R"("intents":["one"],"recorded_at":253402300800000)", false}}) {
    CAPTURE(members);
    Engine engine({":memory:"});
    NodeUpsert upsert;
    upsert.type = "SKILL";
    upsert.properties = std::get<std::string>(canonical_properties(
        R"({"skill":{"domain":"h","name":"x",)" + members + "}}", "properties"));
    engine.append(Event{.at = kNow, .subject = "skill:h/x", .key = {}, .payload = upsert});
    if (is_read) {
      CHECK(load_skill(engine, "skill:h/x")->intents.size() == 1);
    } else {
      CHECK_THROWS_AS(load_skill(engine, "skill:h/x"), Invalid);
    }
  }
}

TEST_CASE("what is recorded without artifacts says so and is not made up") {
  Engine engine({":memory:"});
  Skill s;
  s.domain = "localhost";
  s.name = "by-hand";
  s.intents = {"open the page", "press Save"};
  save_skill(engine, s, kNow);
  const auto stored = load_skill(engine, "skill:localhost/by-hand");
  REQUIRE(stored);
  CHECK_FALSE(stored->artifact);
  const Json json = skill_json(*stored, skill_history(engine, stored->id));
  CHECK(json["steps"].size() == 2);
  CHECK(json["steps"][0]["replay_artifact"].is_null());
  CHECK(json["steps"][1]["description"] == "press Save");
  CHECK(json["replayable"] == false);
}

TEST_CASE("the undo of a recording brings the earlier artifact back") {
  Engine engine({":memory:"});
  save_skill(engine, form_skill({fill("Name", "Alice")}), kNow);
  save_skill(engine, form_skill({fill("Name", "Bob")}), kNow + 1);
  std::int64_t last = 0;
  for (const Event& e : events_of_node(engine, "skill:localhost:4173/form", kNow + 10))
    last = e.position;
  engine.undo(last, kNow + 2);
  engine.rebuild();
  CHECK(load_skill(engine, "skill:localhost:4173/form")->artifact->steps[0].args["value"] ==
        "Alice");
}

TEST_CASE("three runs in a row prove a skill; a failure or another artifact ends that") {
  Engine engine({":memory:"});
  const std::string id = "skill:localhost:4173/form";
  save_skill(engine, form_skill({fill("Name", "Alice")}), kNow);
  for (int i = 1; i <= 3; ++i) {
    CHECK_FALSE(skill_history(engine, id).proven());
    engine.append(outcome(id, OutcomeKind::success, kNow + i, "{}"));
  }
  CHECK(skill_history(engine, id).proven());
  // Recorded again with the same steps it is still the same skill.
  save_skill(engine, form_skill({fill("Name", "Alice")}), kNow + 4);
  CHECK(skill_history(engine, id).proven());
  engine.append(
      outcome(id, OutcomeKind::failure, kNow + 5, R"({"code":"ARTIFACT_RESOLUTION_FAILED"})"));
  const SkillHistory failed = skill_history(engine, id);
  CHECK_FALSE(failed.proven());
  CHECK(failed.stale());
  CHECK(failed.last_code == "ARTIFACT_RESOLUTION_FAILED");
  CHECK(failed.runs == 4);
  CHECK(failed.successes == 3);
  save_skill(engine, form_skill({fill("Full name", "Alice")}), kNow + 6);
  CHECK_FALSE(skill_history(engine, id).stale());
  CHECK(skill_history(engine, id).clean_in_a_row == 0);
}

TEST_CASE("a history counts what nobody has undone, in the order of the times") {
  Engine engine({":memory:"});
  const std::string id = "skill:localhost:4173/form";
  save_skill(engine, form_skill({fill("Name", "Alice")}), kNow);
  engine.append(outcome(id, OutcomeKind::success, kNow + 3, "{}"));
  engine.append(outcome(id, OutcomeKind::partial, kNow + 2, R"({"code":"CONTRACT_FAILED"})"));
  engine.append(outcome(id, OutcomeKind::failure, kNow + 1, R"({"code":"STEP_TIMEOUT"})"));
  SkillHistory history = skill_history(engine, id);
  CHECK(history.runs == 3);
  CHECK(history.successes == 1);
  CHECK(history.clean_in_a_row == 1);
  CHECK(history.last_run_at == kNow + 3);
  CHECK_FALSE(history.stale());
  engine.undo(2, kNow + 10);  // the success
  history = skill_history(engine, id);
  CHECK(history.runs == 2);
  CHECK(history.clean_in_a_row == 0);
  CHECK(history.last_code == "CONTRACT_FAILED");
}

TEST_CASE("a skill is found by its name without reading another one") {
  Engine engine({":memory:"});
  save_skill(engine, form_skill({fill("Name", "Alice")}), kNow);
  // Whoever reads these throws: hebb has not written them.
  for (const char* id : {"skill:other/form", "skill:other/a/form", "form"}) {
    NodeUpsert upsert;
    upsert.type = kSkillType;
    engine.append(Event{.at = kNow, .subject = id, .key = {}, .payload = upsert});
  }
  CHECK_THROWS_AS(load_skill(engine, "skill:other/form"), Invalid);
  using Ids = std::vector<std::string>;
  CHECK(skills_named(engine, "localhost:4173/form") == Ids{"skill:localhost:4173/form"});
  CHECK(skills_named(engine, "form") == Ids{"skill:localhost:4173/form", "skill:other/form"});
  CHECK(skills_named(engine, "a/form") == Ids{"skill:other/a/form"});
  CHECK(skills_named(engine, "").empty());
  const auto listed = list_skills(engine, [](const Skill&) { return true; });
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].skill.name == "form");
  CHECK(list_skills(engine, [](const Skill&) { return false; }).empty());
}

TEST_CASE("secrets never reach the ledger") {
  Engine engine({":memory:"});
  Skill s = form_skill({fill("Password", "hunter2-x"), fill("Comment", "mine is hunter2-x")});
  const Saved saved = save_skill(engine, s, kNow);
  CHECK(saved.slots == std::vector<std::string>{"step 0: PASSWORD"});
  const std::string id = "skill:localhost:4173/form";
  CHECK(engine.content(id).properties->find("hunter2") == std::string::npos);
  const auto stored = load_skill(engine, id);
  CHECK(stored->artifact->steps[0].args["value"] == "${SECRET:PASSWORD}");
  CHECK(stored->artifact->steps[1].args["value"] == "mine is ${SECRET:PASSWORD}");
  CHECK(skill_json(*stored, {})["secrets"] == Json::array({"PASSWORD"}));
}

TEST_CASE("a slot is filled from what was given, and scrubbed from what is shown") {
  SecretValues values;
  values.add_lines("# comment\nexport PASSWORD='hunter2-x'\nPIN=12\n");
  CHECK(values.fill("a ${SECRET:PASSWORD}!") == "a hunter2-x!");
  CHECK(values.scrub("typed hunter2-x twice: hunter2-x").find("hunter2") == std::string::npos);
  CHECK_THROWS_AS(values.fill("${SECRET:PIN}"), Invalid);
  CHECK_THROWS_AS(values.fill("${SECRET:NOT_GIVEN_ANYWHERE}"), Invalid);
  CHECK_THROWS_AS(values.add_lines("no sign"), Invalid);
  CHECK(values.fill("${SECRET:} $") == "${SECRET:} $");
}

TEST_CASE("names that cannot be are refused") {
  CHECK_THROWS_AS(skill_id("Host", "x"), Invalid);
  CHECK_THROWS_AS(skill_id("a/b", "x"), Invalid);
  CHECK_THROWS_AS(skill_id("", "x"), Invalid);
  CHECK_THROWS_AS(skill_id("host", ""), Invalid);
  CHECK_THROWS_AS(skill_id("host", "a\nb"), Invalid);
  CHECK_THROWS_AS(skill_id("host", std::string(201, 'x')), Invalid);
  CHECK(skill_id("host:80", "a b") == "skill:host:80/a b");
}

TEST_CASE("a contract comes back as it was set, and a wrong one is refused") {
  Engine engine({":memory:"});
  const Json json = Json::parse(R"({"assertions":[{"url":"*/done"},{"text":"Thanks","absent":true},
    {"element":{"role":"button","name":"Save"},"state":"disabled","count":1}]})");
  const Contract contract = read_contract("saved", json);
  CHECK(save_contract(engine, contract, kNow));
  CHECK_FALSE(save_contract(engine, contract, kNow + 1));
  CHECK(load_contract(engine, "saved")->assertions == contract.assertions);
  CHECK(list_contracts(engine).size() == 1);
  CHECK_FALSE(load_contract(engine, "other"));
  for (const char* wrong :
       {R"({})", R"({"assertions":[]})", R"({"assertions":[{}]})",
        R"({"assertions":[{"url":"x","text":"y"}]})",
        R"({"assertions":[{"text":"x","state":"a"}]})",
        R"({"assertions":[{"element":{"role":"button","name":"x"},"state":"open"}]})",
        R"({"assertions":[{"element":{}}]})", R"({"assertions":[{"element":{"selectors":[]}}]})",
        R"({"assertions":[{"element":{"css":"a"},"count":-1}]})",
        R"({"assertions":[{"element":{"css":"a"},"text":"x"}]})",
        R"({"assertions":[{"text":null}]})", R"({"assertions":[{"text":"x"}],"more":1})"}) {
    INFO(wrong);
    CHECK_THROWS_AS(read_contract("x", Json::parse(wrong)), Invalid);
  }
}

TEST_CASE("a pattern's stars stand for any text") {
  CHECK(matches_pattern("http://a/done?x=1", "*/done*"));
  CHECK(matches_pattern("abc", "abc"));
  CHECK(matches_pattern("", "*"));
  CHECK_FALSE(matches_pattern("http://a/done", "*/don"));
  CHECK_FALSE(matches_pattern("abc", "ab"));
  CHECK(matches_pattern("aXbXc", "a*X*c"));
}

}  // namespace hebb::skill::test
