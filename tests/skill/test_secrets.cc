// Secrets by their format: from every importer, in every part of a skill, in what is exported and
// in what is kept of a failed run.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "skill/capture/session.h"
#include "skill/format/format.h"
#include "skill/store/contract.h"
#include "skill/store/secrets.h"
#include "skill/store/skill.h"
#include "tests/skill/session_calls.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
namespace {

// In two parts, so that this file has no token.
const std::string kToken = std::string("ghp_") + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
const std::string kSecondToken = std::string("ghp_") + "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2";
constexpr const char* kSkillId = "skill:localhost/form";

Skill skill_of(Imported imported) {
  Skill s;
  s.domain = "localhost";
  s.name = "form";
  s.start_url = imported.start_url;
  s.artifact = std::move(imported.artifact);
  return s;
}

Skill skill_of(std::vector<Step> steps) {
  return skill_of(Imported{"", "", Artifact{kNow, "0.2.1", std::move(steps), Json::object()}});
}

// All that is stored of it.
std::string kept(Engine& engine) {
  const NodeContent content = engine.content(kSkillId);
  return content.properties.value_or("") + content.description.value_or("");
}

std::string exported(const Skill& s) {
  return write_playwright({s.name, s.start_url, &*s.artifact, nullptr});
}

const std::string kTokenRecording = R"({"title":"Note","steps":[
  {"type":"navigate","url":"https://localhost/?token=TOKEN#a",
   "assertedEvents":[{"type":"navigation","url":"https://localhost/?token=TOKEN#a","title":"T"}]},
  {"type":"change","value":"see TOKEN","selectors":[["aria/Note"],["#note"]]},
  {"type":"click","selectors":[["text/key TOKEN"],["#copy"]],"offsetX":1,"offsetY":1},
  {"type":"waitForElement","selectors":[["text/key TOKEN"]]}]})";
const std::string kTokenScript = R"(test('t', async ({ page }) => {
  await page.goto('https://localhost/?token=TOKEN#a');
  await page.getByLabel('Note').fill('see TOKEN');
  await page.getByText('key TOKEN').click();
});)";

std::string with_token(std::string text) {
  for (std::size_t at = text.find("TOKEN"); at != std::string::npos; at = text.find("TOKEN", at))
    text.replace(at, 5, kToken), at += kToken.size();
  return text;
}

}  // namespace

TEST_CASE("a token in a recording becomes one slot, whichever program recorded it") {
  for (const auto& text : {kTokenRecording, kTokenScript}) {
    CAPTURE(text);
    Engine engine({":memory:"});
    save_skill(engine, skill_of(import_recording(with_token(text), "")), kNow);
    CHECK(kept(engine).find(kToken.substr(0, 12)) == std::string::npos);
    const auto stored = load_skill(engine, kSkillId);
    REQUIRE(stored);
    const std::string shown = dump(skill_json(*stored, {}));
    CHECK(shown.find("?token=${SECRET:TOKEN}#a") != std::string::npos);
    CHECK(shown.find("see ${SECRET:TOKEN}") != std::string::npos);
    CHECK(shown.find("key ${SECRET:TOKEN}") != std::string::npos);
    CHECK(skill_json(*stored, {})["secrets"] == Json::array({"TOKEN"}));
    const std::string test = exported(*stored);
    CHECK(test.find("?token=\" + process.env.HEBB_SECRET_TOKEN + \"#a\"") != std::string::npos);
    CHECK(test.find("\"key \" + process.env.HEBB_SECRET_TOKEN") != std::string::npos);
    CHECK(test.find("${SECRET:") == std::string::npos);
    // Saved again it stays as it is.
    CHECK(save_skill(engine, *stored, kNow + 1).slots.empty());
    CHECK(load_skill(engine, kSkillId)->artifact->steps == stored->artifact->steps);
  }
}

TEST_CASE("two secrets have two slots, and a slot that is there keeps its meaning") {
  Artifact artifact;
  artifact.steps = {fill("Note", kToken), fill("Note", kSecondToken),
                    fill("Note", "${SECRET:NOTE}"), fill("Name", "Alice"), fill("Again", kToken)};
  CHECK(hide_secrets(artifact) == std::vector<std::string>{"step 0: NOTE_2", "step 1: NOTE_3"});
  CHECK(artifact.steps[0].args["value"] == "${SECRET:NOTE_2}");
  CHECK(artifact.steps[1].args["value"] == "${SECRET:NOTE_3}");
  CHECK(artifact.steps[2].args["value"] == "${SECRET:NOTE}");
  CHECK(artifact.steps[3].args["value"] == "Alice");
  CHECK(artifact.steps[4].args["value"] == "${SECRET:NOTE_2}");
  artifact.steps = {fill("key " + kToken, kSecondToken)};
  hide_secrets(artifact);
  CHECK(dump(write_artifact(artifact)).find("GHP") == std::string::npos);
}

TEST_CASE("two values that are typed into fields of one name have two slots") {
  Artifact artifact;
  artifact.steps = {fill("Password", "alice-pw-1"),
                    fill("Password", "bob-pw-22"),
                    fill("Password", "abc"),
                    fill("Password", "[masked]"),
                    fill("Confirm password", "bob-pw-22"),
                    fill("Password", "[masked]")};
  hide_secrets(artifact);
  std::vector<std::string> values;
  for (const Step& s : artifact.steps) values.push_back(s.args["value"].get<std::string>());
  CHECK(values == std::vector<std::string>{"${SECRET:PASSWORD}", "${SECRET:PASSWORD_2}",
                                           "${SECRET:PASSWORD_3}", "${SECRET:PASSWORD_4}",
                                           "${SECRET:PASSWORD_2}", "${SECRET:PASSWORD_4}"});
  artifact.steps = {fill("Phrase", "alice-pw-1"), fill("Phrase", "bob-pw-22")};
  CHECK(hide_value(artifact, 0, "PHRASE") == "PHRASE");
  CHECK(hide_value(artifact, 1, "PHRASE") == "PHRASE_2");
  CHECK_FALSE(hide_value(artifact, 1, "PHRASE"));
}

// In the type of a selector, in the kind of a step, in a role, in a contract's id.
TEST_CASE("a password that is a word of the format leaves the format as it is") {
  for (const char* word : {"test", "fill", "name", "label", "click", "text", "textbox", "PASSWORD",
                           "SECRET", "right", "done"}) {
    CAPTURE(word);
    Artifact artifact{kNow, "0.2.1", {}, Json::object()};
    Step asserted =
        step(StepKind::click, {by(SelectorType::test_id, "a"), by(SelectorType::text, "b")},
             {{"button", "right"}});
    asserted.contract_id = "done";
    artifact.steps = {
        fill("Password", word), asserted,
        step(StepKind::click, {by(SelectorType::label, "c"), by_role("textbox", "d")}),
        fill("Note", fmt::format("my {}!", word))};
    const auto before = artifact.steps;
    hide_secrets(artifact);
    CHECK(artifact.steps[0].args["value"] == "${SECRET:PASSWORD}");
    CHECK(artifact.steps[1] == before[1]);
    CHECK(artifact.steps[2] == before[2]);
    CHECK(artifact.steps[3].args["value"] == "my ${SECRET:PASSWORD}!");
    CHECK_NOTHROW(read_artifact(write_artifact(artifact)));
  }
}

TEST_CASE("the words of a selector stay where only their look is that of a secret") {
  Artifact artifact;
  artifact.steps = {click("Password: forgotten?"),
                    step(StepKind::click, {by(SelectorType::css, "input[name=\"token\"]"),
                                           by(SelectorType::text, "API key: copy")})};
  const auto before = artifact.steps;
  CHECK(hide_secrets(artifact).empty());
  CHECK(artifact.steps == before);
}

TEST_CASE("secrets beside the steps are not kept either") {
  Engine engine({":memory:"});
  Skill s = skill_of({click("Save")});
  s.start_url = "https://localhost/?api_key=" + kToken;
  s.description = "with " + kToken;
  s.intents = {"save with " + kToken};
  ElementTraits traits;
  traits.tag = "button";
  traits.text = "Save " + kToken;
  s.elements = {traits};
  s.artifact->extra["title"] = kToken;
  save_skill(engine, s, kNow);
  CHECK(kept(engine).find(kToken.substr(0, 12)) == std::string::npos);
  const auto stored = load_skill(engine, kSkillId);
  REQUIRE(stored);
  CHECK(stored->start_url ==
        "https://localhost/?api_key=" + slot(slot_names(stored->start_url).at(0)));
  CHECK(exported(*stored).find("process.env.HEBB_SECRET_") != std::string::npos);
}

TEST_CASE("what was masked when a session was recorded becomes slots, in addresses too") {
  const std::vector<capture::ActionRow> rows{
      call("browser_navigate", {{"url", "http://a/?token=[masked]"}},
           ran("await page.goto('http://a/?token=[masked]');")),
      call("browser_type", Json::object(),
           ran("await page.getByRole('textbox', { name: 'Comment' }).fill('x [masked]');")),
      call("browser_select_option", Json::object(),
           ran("await page.getByLabel('Account').selectOption(['[masked]', 'b']);"))};
  const CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() == 3);
  CHECK(s.steps[0].args["url"] == "http://a/?token=${SECRET:TOKEN}");
  CHECK(s.steps[1].args["value"] == "x ${SECRET:COMMENT}");
  CHECK(s.steps[2].args["values"] == Json::array({"${SECRET:ACCOUNT}", "b"}));
}

TEST_CASE("a contract's secrets become slots, and are given again to check it") {
  Engine engine({":memory:"});
  const Contract contract =
      read_contract("done", {{"assertions",
                              {{{"url", "*/?token=" + kToken}},
                               {{"text", "key " + kToken}},
                               {{"element", {{"label", "Password"}}}, {"value", "hunter2-x"}}}}});
  save_contract(engine, contract, kNow);
  CHECK(engine.content("contract:done").properties->find(kToken) == std::string::npos);
  CHECK(engine.content("contract:done").properties->find("hunter2") == std::string::npos);
  auto stored = load_contract(engine, "done");
  REQUIRE(stored);
  SecretValues secrets;
  CHECK_THROWS_AS(fill_slots(*stored, secrets), Invalid);
  stored = load_contract(engine, "done");
  secrets.add("TOKEN", kToken);
  secrets.add("PASSWORD", "hunter2-x");
  fill_slots(*stored, secrets);
  CHECK(stored->assertions == contract.assertions);
}

TEST_CASE("a contract's secrets have other slots than those of the skill that it checks") {
  Engine engine({":memory:"});
  Skill s = skill_of({click("Save")});
  s.start_url = "https://localhost/?token=" + kToken;
  s.contract_id = "done";
  save_skill(engine, s, kNow);
  CHECK(load_skill(engine, kSkillId)->start_url == "https://localhost/?token=${SECRET:TOKEN}");
  const auto url_of = [&](const char* id) {
    const auto contract = read_contract(
        id, {{"assertions", {{{"url", "*/?token=" + kSecondToken}}, {{"text", "${SECRET:X}"}}}}});
    save_contract(engine, contract, kNow);
    return load_contract(engine, id)->assertions[0].url;
  };
  CHECK(url_of("done") == "*/?token=${SECRET:TOKEN_2}");
  CHECK(url_of("done") == "*/?token=${SECRET:TOKEN_2}");
  CHECK(url_of("other") == "*/?token=${SECRET:TOKEN}");
}

TEST_CASE("a slot beside the steps of a skill keeps its meaning") {
  Engine engine({":memory:"});
  Skill s = skill_of({fill("Token", kToken)});
  s.start_url = "https://localhost/?a=${SECRET:TOKEN}";
  save_skill(engine, s, kNow);
  CHECK(load_skill(engine, kSkillId)->artifact->steps[0].args["value"] == "${SECRET:TOKEN_2}");
}

TEST_CASE("what is kept of a failed run has no token that the page shows") {
  SecretValues secrets;
  const std::string page = "<p>your key: <code>" + kToken + "</code></p><p>Total: 12 items</p>";
  const std::string kept = secrets.scrub(page);
  CHECK(kept.find(kToken.substr(0, 12)) == std::string::npos);
  CHECK(kept.find("<p>Total: 12 items</p>") != std::string::npos);
  secrets.add("TOKEN", kToken);
  CHECK(secrets.fill("${SECRET:TOKEN}") == kToken);
  CHECK(secrets.scrub("a " + kToken) == "a ${SECRET:TOKEN}");
}

}  // namespace hebb::skill::test
