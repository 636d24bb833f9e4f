// Recordings of other programs: what comes in, what goes out, and that a round trip keeps it all.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "skill/capture/session.h"
#include "skill/format/format.h"
#include "skill/format/js_tokens.h"
#include "skill/store/secrets.h"
#include "tests/skill/session_calls.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
namespace {

// All fourteen types of step, with members that hebb has no use for.
const char* kRecording =
    R"json({"title":"shop","timeout":7000,"selectorAttribute":"data-x","steps":[
 {"type":"setViewport","width":900,"height":600,"deviceScaleFactor":1,"isMobile":false,
  "hasTouch":false,"isLandscape":false},
 {"type":"navigate","url":"http://localhost:8080/","assertedEvents":[{"type":"navigation",
  "url":"http://localhost:8080/","title":"Shop"}]},
 {"type":"click","target":"main","selectors":[["aria/Add to cart"],["#add"],["xpath///*[@id='add']"],
  ["pierce/#add"],["text/Add to"]],"offsetY":5.5,"offsetX":10,"duration":812,"deviceType":"touch"},
 {"type":"doubleClick","selectors":["#word"],"offsetX":1,"offsetY":2},
 {"type":"hover","selectors":[["aria/Menu[role=\"button\"]"]]},
 {"type":"change","value":"2","selectors":[["my-app","aria/Quantity"]],"target":"main","frame":[0,1]},
 {"type":"keyDown","key":"Enter","target":"main"},{"type":"keyUp","key":"Enter","target":"main"},
 {"type":"scroll","x":0,"y":300,"target":"main"},
 {"type":"waitForElement","selectors":["li"],"operator":">=","count":3,"visible":true,
  "attributes":{"a":"b"}},
 {"type":"waitForExpression","expression":"document.readyState === 'complete'"},
 {"type":"emulateNetworkConditions","download":1000,"upload":500,"latency":20},
 {"type":"customStep","name":"mine","parameters":{"a":[1]}},
 {"type":"close","target":"http://localhost:8080/popup"}]})json";

std::string import_refusal(const std::string& text, const std::string& format) {
  try {
    import_recording(text, format);
  } catch (const Invalid& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a recording of DevTools comes back as it was") {
  const Imported in = import_recording(kRecording, "");
  CHECK(in.title == "shop");
  CHECK(in.start_url == "http://localhost:8080/");
  REQUIRE(in.artifact.steps.size() == 14);
  // By way of the artifact as it is stored.
  Artifact artifact = in.artifact;
  artifact.hebb_version = "0";
  const Artifact stored = read_artifact(write_artifact(artifact));
  const std::string out = write_recorder({in.title, in.start_url, &stored, nullptr});
  // The order of members says nothing.
  CHECK(nlohmann::json::parse(out) == nlohmann::json::parse(kRecording));
}

TEST_CASE("a recording's selectors are what they say") {
  const auto steps = import_recording(kRecording, "recorder").artifact.steps;
  const Chain& chain = steps[2].selectors;
  REQUIRE(chain.size() == 5);
  CHECK(chain[0] == by(SelectorType::accessible_name, "Add to cart"));
  CHECK(chain[1] == by(SelectorType::css, "#add"));
  CHECK(chain[2] == by(SelectorType::xpath, "//*[@id='add']"));
  CHECK(chain[3] == by(SelectorType::css, "#add"));
  CHECK(chain[4] == by(SelectorType::text, "Add to"));
  CHECK(steps[4].selectors[0] == by_role("button", "Menu"));
  CHECK(steps[5].selectors[0].within == Chain{by(SelectorType::css, "my-app")});
  CHECK(steps[5].frames.size() == 2);
  CHECK(steps[3].args["count"] == 2);
  CHECK(steps[13].tab == 1);
}

TEST_CASE("a secret of a recording does not come back by the way of what is kept beside it") {
  Artifact a = import_recording(R"({"title":"t","steps":[{"type":"change","value":"hunter2-x",
    "selectors":[["aria/Password"]],"assertedEvents":[{"title":"hunter2-x"}]}]})",
                                "recorder")
                   .artifact;
  hide_secrets(a);
  CHECK(dump(write_artifact(a)).find("hunter2") == std::string::npos);
  CHECK(write_recorder({"t", "", &a, nullptr}).find("hunter2") == std::string::npos);
}

TEST_CASE("what is no recording is refused, with its place") {
  const std::string read = "no known format: recorder and playwright are read";
  CHECK(import_refusal("", "").find(read) != std::string::npos);
  CHECK(import_refusal(R"({"tests":[{"commands":[{"command":"open","target":"/"}]}]})", "")
            .find(read) != std::string::npos);
  CHECK(import_refusal("", "side").find(read) != std::string::npos);
  CHECK(import_refusal("{}", "recorder").starts_with("steps: is missing"));
  CHECK(import_refusal(R"({"steps":[]})", "recorder").starts_with("recording: has no steps"));
  CHECK(import_refusal(R"({"steps":[{"type":"fly"}]})", "recorder")
            .starts_with("steps[0].type: \"fly\""));
  CHECK(import_refusal(R"({"steps":[{"type":"click","selectors":[[]]}]})", "recorder")
            .starts_with("steps[0].selectors[0]: must be"));
  CHECK(import_refusal(R"({"steps":[{"type":"click"}]})", "recorder")
            .starts_with("steps[0].selectors: is empty"));
}

TEST_CASE("a member that the Recorder does not write is refused, with what was meant") {
  const auto refused = [](const std::string& step) {
    return import_refusal(R"({"steps":[{"type":"close"},)" + step + "]}", "recorder");
  };
  CHECK(refused(R"({"type":"clik","selectors":["#a"]})") ==
        "steps[1].type: \"clik\" is not known; did you mean click?");
  CHECK(refused(R"({"type":"click","selector":["#a"]})") ==
        "steps[1].selector: is not known here; did you mean selectors?");
  CHECK(refused(R"({"type":"change","selectors":["#a"],"value":"x","button":"secondary"})") ==
        "steps[1].button: is not known here");
  CHECK(import_refusal(R"({"steps":[],"titel":"x"})", "recorder") ==
        "titel: is not known here; did you mean title?");
}

TEST_CASE("the start of a skill is the first step of what is exported, once") {
  const Step wide = step(StepKind::viewport, {}, {{"width", 1}, {"height", 1}});
  const auto go = [](const char* url) { return step(StepKind::navigate, {}, {{"url", url}}); };
  struct Start {
    std::vector<Step> steps;
    std::ptrdiff_t opening;  // how many steps are added
  };
  const Start starts[] = {{{click("Save")}, 1},
                          {{go("http://a/b"), click("Save")}, 1},
                          {{wide, go("http://a/"), click("Save")}, 0},
                          {{go("http://a/"), click("Save")}, 0}};
  for (const auto& [steps, opening] : starts) {
    const Artifact artifact{0, "0", steps, Json::object()};
    for (const ExportFormat& format : export_formats()) {
      const std::string text = format.write({"t", "http://a/", &artifact, nullptr});
      INFO(format.name << ": " << text);
      std::vector<Step> again;
      if (format.name == "artifact") {
        again = read_artifact(Json::parse(text)).steps;
      } else {
        const Imported in = import_recording(text, std::string(format.name));
        CHECK(in.start_url == "http://a/");
        again = in.artifact.steps;
      }
      REQUIRE(std::ssize(again) == std::ssize(steps) + opening);
      CHECK(std::equal(steps.begin(), steps.end(), again.begin() + opening));
      if (opening == 1) CHECK(again.front() == go("http://a/"));
    }
  }
}

TEST_CASE("steps that the Recorder does not have come back from a recording of it") {
  Step given = step(StepKind::check, {by(SelectorType::label, "Gift")});
  given.contract_id = "sent";
  const Artifact artifact{0, "0", {given}, Json::object()};
  const std::string text = write_recorder({"t", "", &artifact, nullptr});
  CHECK(import_recording(text, "recorder").artifact.steps == artifact.steps);
}

TEST_CASE("a recorded session is exported as it was done, and fails at what cannot be done again") {
  const CapturedSession session = capture_session(std::vector<hebb::capture::ActionRow>{
      call("browser_navigate", {{"url", "http://a/"}}, ran("await page.goto('http://a/');")),
      call("browser_type", {{"target", "e1"}, {"text", "[masked]"}},
           ran("await page.getByRole('textbox', { name: 'Pass word' }).fill('[masked]');")),
      call("browser_navigate_back", Json::object(), ran("await page.goBack();")),
      call("browser_click", {{"target", "e2"}},
           ran("await page.getByRole('button', { name: 'Go\\'); //' }).click();")),
      call("browser_handle_dialog", {{"accept", true}}, "### Page\n"),
  });
  const Artifact a = session_artifact(session);
  CHECK(playwright_test({"s", "", &a, nullptr}) == R"js(test("s", async ({ page }) => {
  expect(process.env.HEBB_SECRET_PASS_WORD, "set HEBB_SECRET_PASS_WORD: it is not recorded").toBeTruthy();
  await page.goto("http://a/");
  await page.getByRole("textbox", { name: "Pass word" }).fill(process.env.HEBB_SECRET_PASS_WORD);
  throw new Error("cannot replay step 2: custom browser_navigate_back (call 3 of the session): no step goes through a browser's history");
  const dialog3 = page.waitForEvent("dialog").then((dialog) => dialog.accept());
  await page.getByRole("button", { name: "Go'); //" }).click();
  await dialog3;
});
)js");
  // Without the first call nobody knows where it begins.
  CapturedSession later = session;
  later.steps.erase(later.steps.begin());
  later.left_out.clear();
  CHECK(session_artifact(later).steps.front().kind == StepKind::custom);
}

namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("template literals within others are read up to a depth") {
  const auto refused = [](std::size_t depth) {
    return import_refusal("await page.goto('http://a/');\nexpect(" + repeated("`${", depth) + "1" +
                              repeated("}`", depth) + ").toBe('1');",
                          "playwright");
  };
  CHECK(refused(8).empty());
  CHECK(refused(9).starts_with("line 2: is not understood"));
  CHECK(refused(10000).starts_with("line 2: is not understood"));
}

TEST_CASE("a script that is more than a skill can be is refused where it is too much") {
  const std::string start = "await page.goto('http://a/');\n";
  const auto opening = [&](std::size_t pages) {
    std::string script = start;
    for (std::size_t i = 1; i <= pages; ++i) {
      script += fmt::format(
          "const page{0}Promise = page.waitForEvent('popup');\nawait page.getByText('a').click();\n"
          "const page{0} = await page{0}Promise;\n",
          i);
    }
    return script;
  };
  const std::string page_too_many =
      "opens one page too many: a skill has at most 100 beside the first";
  CHECK(import_recording(opening(100) + "await page100.getByText('b').click();", "playwright")
            .artifact.steps.back()
            .tab == 100);
  CHECK(import_refusal(opening(101), "playwright") == "line 304: " + page_too_many);
  CHECK(import_refusal(start + "const p = page.waitForEvent('popup');\nconst page101 = await p;",
                       "playwright") == "line 3: " + page_too_many);

  const std::string click = "await page.getByText('a').click();\n", look = "console.log(1);\n";
  CHECK(import_recording(start + repeated(click, 499), "playwright").artifact.steps.size() == 500);
  CHECK(import_refusal(start + repeated(click, 500), "playwright") ==
        "line 501: is one step too many: a skill has at most 500; keep each task in a file of its "
        "own");
  CHECK(import_recording(start + repeated(look, 1000), "playwright").notes.size() == 1000);
  CHECK(import_refusal(start + repeated(look, 1001), "playwright") ==
        "line 1002: is one statement too many that is no step: at most 1000 are ignored; remove "
        "them");

  const std::size_t most = std::size_t{1} << 20;
  const std::string longest = start + std::string(most - start.size(), ';');
  CHECK(import_recording(longest, "playwright").artifact.steps.size() == 1);
  CHECK(import_refusal(longest + ";", "playwright") ==
        "recording: is a script of 1048577 bytes; at most 1048576 are taken");
}

namespace {

// A test that has the text wherever a recording, its title or its contract may have one.
std::string test_with(const std::string& text) {
  Selector s = by_role(text, text);
  s.has_text = text;
  s.within = {by(SelectorType::css, text), by(SelectorType::xpath, text)};
  std::vector<Step> steps;
  for (const SelectorType type :
       {SelectorType::role_name, SelectorType::accessible_name, SelectorType::label,
        SelectorType::test_id, SelectorType::placeholder, SelectorType::text, SelectorType::css,
        SelectorType::node_ref, SelectorType::xpath}) {
    s.type = type;
    const Json args{{text, text},
                    {"button", text},
                    {"modifiers", {text}},
                    {"offsetX", text},
                    {"offsetY", text}};
    steps.push_back(step(StepKind::click, {s}, args));
  }
  for (const char* key : {"value", "label"})
    steps.push_back(step(StepKind::select, {s}, {{key, text}}));
  for (const char* key : {"text", "expression", "time_ms"})
    steps.push_back(step(StepKind::wait, {}, {{key, text}}));
  for (const StepKind kind : {StepKind::press, StepKind::key_down, StepKind::key_up})
    steps.push_back(step(kind, {}, {{"key", text}}));
  steps.push_back(step(StepKind::fill, {s}, {{"value", text}}));
  steps.push_back(step(StepKind::dialog, {}, {{"accept", true}, {"value", text}}));
  steps.push_back(step(StepKind::select, {s}, {{"values", {text}}}));
  steps.push_back(step(StepKind::upload, {s}, {{"files", {text}}}));
  steps.push_back(step(StepKind::scroll, {}, {{"dx", text}, {"dy", text}}));
  steps.push_back(step(StepKind::viewport, {}, {{"width", text}, {"height", text}, {text, text}}));
  steps.push_back(step(StepKind::navigate, {}, {{"url", text}}));
  steps.push_back(step(StepKind::custom, {}, {{"name", text}}));
  steps.back().extra["name"] = text;
  steps.push_back(step(StepKind::hover, {s}));
  steps.back().frames = {{s}};
  steps.back().contract_id = text;
  const Artifact artifact{0, text, steps, {{text, text}}};
  Contract contract;
  for (const auto condition : {&Assertion::url, &Assertion::title, &Assertion::text})
    contract.assertions.emplace_back().*condition = text;
  contract.assertions.emplace_back().selectors = {s};
  contract.assertions.back().value = text;
  return write_playwright({text, text, &artifact, &contract});
}

}  // namespace

TEST_CASE("no text of a recording ends a literal, a comment or a line of an exported test") {
  const std::string harmless = test_with("x");
  for (const std::string text : {"x\ny", "x\ry", "x\u2028y", "x\u2029y", "*/x",
                                 "\"); process.exit(0); //", "\\", "'`${x}"}) {
    const std::string code = test_with(text);
    INFO(code);
    CHECK(std::count(code.begin(), code.end(), '\n') ==
          std::count(harmless.begin(), harmless.end(), '\n'));
    CHECK(std::all_of(code.begin(), code.end(),
                      [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    // Read again, each statement is the one that it is with a text that could end nothing.
    const auto tokens = js_tokens(code), as_before = js_tokens(harmless);
    const auto same_sort = [](const JsToken& a, const JsToken& b) { return a.kind == b.kind; };
    CHECK(std::equal(tokens.begin(), tokens.end(), as_before.begin(), as_before.end(), same_sort));
  }
}

}  // namespace hebb::skill::test
