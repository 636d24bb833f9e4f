// The artifact: what is read is what is written, and what cannot be is refused with its place.
#include <catch2/catch.hpp>

#include "skill/artifact/artifact.h"
#include "skill/replay/record.h"
#include "skill/store/contract.h"

namespace hebb::skill::test {
namespace {

Json good() {
  return Json::parse(R"({"schema_version":1,"recorded_at":1767571200000,
    "recorder":{"hebb_version":"0.2.0"},"steps":[
      {"kind":"fill","selectors":[{"type":"role_name","role":"textbox","name":"Name"},
        {"type":"css","value":"#name"}],"args":{"value":"Alice"}},
      {"kind":"click","selectors":[{"type":"text","value":"Submit"}],"frameOrdinal":1,
        "post_assert":{"contract_id":"sent"}}]})");
}

Json good_2() {
  Json json = good();
  json["schema_version"] = 2;
  json["steps"].push_back(Json::parse(R"({"kind":"check","selectors":[{"type":"role_name",
    "role":"checkbox","name":"Done","exact":false,"nth":-1,"has_text":"Milk",
    "within":[{"type":"test_id","value":"list"}]}],
    "frames":[[{"type":"css","value":"iframe"}]],"tab":1,"extra":{"deviceType":"touch"}})"));
  json["steps"].push_back(Json::parse(R"({"kind":"drag","selectors":[{"type":"text","value":"a"}],
    "to":[{"type":"text","value":"b"}]})"));
  return json;
}

std::string artifact_refusal(const Json& json) {
  try {
    read_artifact(json);
  } catch (const Invalid& e) {
    return e.what();
  }
  return "";
}

struct Breach {
  const char* name;
  void (*make)(Json&);
  const char* says;
};

// One way each in which an artifact can be wrong.
const Breach kBreaches[] = {
    {"no version", [](Json& j) { j.erase("schema_version"); }, "schema_version: is missing"},
    {"a version to come", [](Json& j) { j["schema_version"] = 3; }, "schema_version: is 3"},
    {"a version as text", [](Json& j) { j["schema_version"] = "1"; }, "schema_version: is \"1\""},
    {"no time", [](Json& j) { j.erase("recorded_at"); }, "recorded_at: is missing"},
    {"a time as text", [](Json& j) { j["recorded_at"] = "now"; },
     "recorded_at: has to be a whole number from 0 to"},
    {"a time before time", [](Json& j) { j["recorded_at"] = -1; }, "recorded_at: is -1"},
    {"no recorder", [](Json& j) { j.erase("recorder"); }, "recorder: is missing"},
    {"no version of it", [](Json& j) { j["recorder"].clear(); }, "recorder.hebb_version"},
    {"another recorder", [](Json& j) { j["recorder"]["openchrome_version"] = "1"; },
     "recorder.openchrome_version: is no field; there are hebb_version"},
    {"no steps", [](Json& j) { j.erase("steps"); }, "steps: is missing"},
    {"an empty list", [](Json& j) { j["steps"] = Json::array(); }, "steps: is empty"},
    {"steps as an object", [](Json& j) { j["steps"] = Json::object(); }, "steps: has to be a list"},
    {"an unknown member", [](Json& j) { j["name"] = "x"; },
     "name: is no field; there are recorded_at, recorder, steps, extra"},
    {"a step as text", [](Json& j) { j["steps"][0] = "x"; }, "steps[0]: has to be a JSON object"},
    {"a null", [](Json& j) { j["steps"][1]["tab"] = nullptr; }, "steps[1].tab: is null"},
    {"a null among the args", [](Json& j) { j["steps"][1]["args"]["count"] = nullptr; },
     "steps[1].args.count: is null"},
    {"no kind", [](Json& j) { j["steps"][0].erase("kind"); }, "steps[0].kind: is missing"},
    {"an unknown kind", [](Json& j) { j["steps"][0]["kind"] = "solve_captcha"; },
     "steps[0].kind: is \"solve_captcha\""},
    {"a kind of version 2",
     [](Json& j) {
       j["steps"][0]["kind"] = "hover";
       j["steps"][0].erase("args");
     },
     "steps[0]: needs schema_version 2"},
    {"no selectors", [](Json& j) { j["steps"][0].erase("selectors"); },
     "steps[0].selectors: is missing"},
    {"no target", [](Json& j) { j["steps"][1]["selectors"] = Json::array(); },
     "steps[1].selectors: is empty"},
    {"an unknown selector", [](Json& j) { j["steps"][0]["selectors"][0]["type"] = "id"; },
     "steps[0].selectors[0].type: is \"id\""},
    {"a selector of version 2", [](Json& j) { j["steps"][1]["selectors"][0]["type"] = "test_id"; },
     "steps[1]: needs schema_version 2"},
    {"a selector without a value", [](Json& j) { j["steps"][0]["selectors"][1].erase("value"); },
     "steps[0].selectors[1].value: is missing"},
    {"an empty value", [](Json& j) { j["steps"][0]["selectors"][1]["value"] = ""; },
     "steps[0].selectors[1].value: is empty"},
    {"a role without a name", [](Json& j) { j["steps"][0]["selectors"][0].erase("name"); },
     "steps[0].selectors[0].name: is missing"},
    {"nth in version 1", [](Json& j) { j["steps"][0]["selectors"][0]["nth"] = 0; },
     "steps[0]: needs schema_version 2"},
    {"a frame before the first", [](Json& j) { j["steps"][0]["frameOrdinal"] = -1; },
     "steps[0].frameOrdinal: is -1"},
    {"args as a list", [](Json& j) { j["steps"][0]["args"] = Json::array(); },
     "steps[0].args: has to be a JSON object"},
    {"fill without a value", [](Json& j) { j["steps"][0].erase("args"); },
     "steps[0].args.value: is missing"},
    {"a fill with other args",
     [](Json& j) {
       j["steps"][0]["args"] = {{"text", "x"}};
     },
     "steps[0].args.value: is missing"},
    {"a press without a key", [](Json& j) { j["steps"][0]["kind"] = "press"; },
     "steps[0].args.key: is missing"},
    {"a select without a choice",
     [](Json& j) {
       j["steps"][0]["kind"] = "select";
       j["steps"][0]["args"] = Json::object();
     },
     "steps[0].args: has none of value, values, label"},
    {"a navigation to nowhere",
     [](Json& j) {
       j["steps"][0]["kind"] = "navigate";
       j["steps"][0]["args"] = {{"url", ""}};
     },
     "steps[0].args.url: is empty"},
    {"four clicks",
     [](Json& j) {
       j["steps"][1]["args"] = {{"count", 4}};
     },
     "steps[1].args.count: is 4 and has to be from 1 to 3"},
    {"a value that is no text", [](Json& j) { j["steps"][0]["args"]["value"] = 7; },
     "steps[0].args.value: has to be a text"},
    {"a post_assert without a contract", [](Json& j) { j["steps"][1]["post_assert"].clear(); },
     "steps[1].post_assert.contract_id: is missing"},
};

}  // namespace

TEST_CASE("an artifact is written as it was read") {
  CHECK(artifact_refusal(good()).empty());
  CHECK(write_artifact(read_artifact(good())) == good());
  CHECK(write_artifact(read_artifact(good_2())) == good_2());
}

TEST_CASE("an artifact that can be of version 1 is written as 1") {
  Json json = good();
  json["schema_version"] = 2;
  CHECK(write_artifact(read_artifact(json)) == good());
}

TEST_CASE("a malformed artifact is refused, and the message says where") {
  for (const Breach& breach : kBreaches) {
    INFO(breach.name);
    Json json = good();
    breach.make(json);
    CHECK(artifact_refusal(json).starts_with(breach.says));
  }
}

TEST_CASE("an artifact of version 2 is as strict") {
  const auto with = [](const char* pointer, const Json& value) {
    Json json = good_2();
    json[Json::json_pointer(pointer)] = value;
    return artifact_refusal(json);
  };
  CHECK(with("/steps/2/frames", Json::array()).starts_with("steps[2].frames: is empty"));
  CHECK(with("/steps/2/frames/0", Json::array()).starts_with("steps[2].frames[0]: is empty"));
  CHECK(with("/steps/2/frameOrdinal", 1) == "steps[2].frameOrdinal: is 1; must be 0");
  CHECK(with("/steps/2/tab", -1).starts_with("steps[2].tab: is -1"));
  CHECK(with("/steps/2/selectors/0/nth", "1")
            .starts_with("steps[2].selectors[0].nth: has to be a whole number"));
  CHECK(with("/steps/3/to", Json::array()) == "steps[3].to: is empty");
  CHECK(with("/steps/2/selectors/0/within/0/within",
             Json::array({{{"type", "css"}, {"value", "#a"}}})) ==
        "steps[2].selectors[0].within[0].within: is not known here");
  CHECK(with("/steps/3/focus", Json::array()) ==
        "steps[3].focus: is no field; there are kind, selectors, frameOrdinal, args, post_assert, "
        "frames, tab, to, extra");
  const Json focus = Json::array({{{"type", "css"}, {"value", "#name"}}});
  CHECK(
      with("/steps/2",
           {{"kind", "press"}, {"selectors", focus}, {"args", {{"key", "a"}}}, {"focus", focus}}) ==
      "steps[2].selectors: has to be empty where there is a focus");
  CHECK(with("/steps/3/page", 1).starts_with("steps[3].page: is no field"));
}

TEST_CASE("a name that is not known is refused with the one that was probably meant") {
  const auto with = [](const char* pointer, const Json& value) {
    Json json = good_2();
    json[Json::json_pointer(pointer)] = value;
    return artifact_refusal(json);
  };
  CHECK(with("/steps/0/kind", "fil").ends_with("; did you mean fill?"));
  CHECK(with("/steps/0/selectors/1/type", "cs").ends_with("; did you mean css?"));
  CHECK(with("/steps/2/selectors/0/has_txt", "a") ==
        "steps[2].selectors[0].has_txt: is no field; there are type, role, name, exact, nth, "
        "has_text, within; did you mean has_text?");
  CHECK(with("/steps/2/selectors/0/within/0/nht", 1) ==
        "steps[2].selectors[0].within[0].nht: is no field; there are type, value, exact, nth, "
        "has_text, within; did you mean nth?");
  CHECK(with("/steps/3/to/0/valeu", "a") ==
        "steps[3].to[0].valeu: is no field; there are type, value, exact, nth, has_text, within; "
        "did you mean value?");
  // Stored artifacts may have such args; new ones may not.
  Json json = good();
  json["steps"][0]["args"]["vlaue"] = "a";
  json["steps"][1]["args"]["accept"] = "of another kind";
  const Artifact stored = read_artifact(json);
  CHECK_THROWS_WITH(require_known_args(stored),
                    "steps[0].args.vlaue: is not known here; did you mean value?");
  require_known_args(read_artifact(good_2()));
  CHECK_THROWS_WITH(
      read_contract("c", Json::parse(R"({"assertions":[{"text":"a","absnt":true}]})")),
      "assertions[0].absnt: is no field; there are url, title, text, element, absent, state, "
      "value, "
      "contains, count; did you mean absent?");
}

TEST_CASE("a wrong condition of a contract is refused with its place") {
  const auto refused = [](const char* assertion) {
    try {
      read_contract("c", {{"assertions", {Json::parse(assertion)}}});
    } catch (const Invalid& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused(R"({"text":"a","url":"b"})") ==
        "assertions[0]: must have one of url, title, text and element");
  CHECK(refused(R"({"text":"a","count":1})") == "assertions[0].count: is only for an element");
  CHECK(refused(R"({"element":{"role":"a","nmae":"b"}})")
            .starts_with("assertions[0].element.nmae: is no field"));
  CHECK(refused(R"({"element":{"selectors":[{"type":"cs","value":"b"}]}})")
            .starts_with("assertions[0].element.selectors[0].type: is \"cs\""));
  CHECK(refused(R"({"element":{"selectors":[{"type":"css","value":"b"}],"css":"a"}})")
            .starts_with("assertions[0].element.css: is no field"));
  CHECK(refused(R"({"element":{"css":"a"},"state":"opn"})")
            .starts_with("assertions[0].state: is \"opn\" and has to be one of visible, hidden"));
}

TEST_CASE("an unknown member of a given step is refused with its line") {
  const auto refused = [](const std::string& line) {
    try {
      read_given_steps("# the steps\n" + line);
    } catch (const Invalid& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused(R"({"kind":"click","traget":{"text":"a"}})") ==
        "line 2.traget: is not known here; did you mean target?");
  CHECK(refused(R"({"kind":"fill","target":{"text":"a"},"vlaue":"b"})") ==
        "line 2.vlaue: is not known here; did you mean value?");
  CHECK(refused(R"({"kind":"click","target":{"txet":"a"}})") ==
        "line 2.target.txet: is not known here; did you mean text?");
  CHECK(refused(R"({"kind":"drag","target":{"css":"a"},"to":{"role":"b","nmae":"c"}})") ==
        "line 2.to.nmae: is not known here; did you mean name?");
  CHECK(refused(R"({"kind":"hover","target":{"css":"a"},"value":"b"})") ==
        "line 2.value: is not known here");
}

TEST_CASE("limits of an artifact hold") {
  Json json = good();
  for (int i = 0; i < 500; ++i) json["steps"].push_back(json["steps"][1]);
  CHECK(artifact_refusal(json).starts_with("steps: has 502 values; at most 500"));
  json = good();
  for (int i = 0; i < 16; ++i)
    json["steps"][0]["selectors"].push_back(json["steps"][0]["selectors"][1]);
  CHECK(artifact_refusal(json).starts_with("steps[0].selectors: has 18 values; at most 16"));
  json = good();
  json["steps"][0]["selectors"][1]["value"] = std::string(4097, 'x');
  CHECK(artifact_refusal(json).starts_with("steps[0].selectors[1].value: has 4097 characters"));
  json = good_2();
  for (int i = 0; i < 16; ++i)
    json["steps"][2]["frames"][0].push_back(json["steps"][2]["frames"][0][0]);
  CHECK(artifact_refusal(json).starts_with("steps[2].frames[0]: has 17 values; at most 16"));
}

TEST_CASE("JSON that is too deep, too long or none is refused") {
  CHECK_THROWS_AS(parse_json("{", "x", 100), Invalid);
  CHECK_THROWS_AS(parse_json("[1]", "x", 2), Invalid);
  CHECK_THROWS_AS(parse_json(std::string(200, '[') + std::string(200, ']'), "x", 1000), Invalid);
  CHECK(parse_json("[1]", "x", 3) == Json::array({1}));
}

}  // namespace hebb::skill::test
