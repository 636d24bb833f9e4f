// Skills from given steps, done once in a browser, and skills healed.
#include <catch2/catch.hpp>

#include "skill/replay/capture_element.h"
#include "skill/replay/record.h"
#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"
#include "tests/support/process.h"

namespace hebb::skill::test {
using hebb::test::Folder;
using hebb::test::page;
using hebb::test::Site;
using hebb::test::with;

namespace {

std::string steps_refusal(const std::string& lines) {
  try {
    read_given_steps(lines);
  } catch (const Invalid& e) {
    return e.what();
  }
  return "";
}

struct RecordWorld {
  Site site;
  Skill skill;
  ReplayOptions options;
  std::optional<Contract> contract;

  RecordWorld(const std::string& html, const std::string& steps) {
    site.put("/", html);
    skill.id = "skill:x/y";
    skill.start_url = site.url("/");
    skill.artifact = Artifact{0, "0.2.0", read_given_steps(steps), Json::object()};
    options.step_timeout_ms = 3000;
    options.kept = &kept_browser();
  }
  ReplayResult run() {
    return replay(skill, options, [&](const std::string&) { return contract; });
  }
  std::string code() {
    const auto r = run();
    return r.failure ? r.failure->code + ": " + r.failure->detail : "";
  }
  void record() {
    options.capture = ReplayOptions::Capture::chains;
    const ReplayResult r = run();
    INFO((r.failure ? r.failure->detail : ""));
    REQUIRE(r.ok);
    skill = with_captured(skill, r, slots);
    skill.signature = r.signature;
    options.capture = ReplayOptions::Capture::nothing;
  }
  ReplayResult heal() {
    options.heal = true;
    options.capture = ReplayOptions::Capture::chains;
    ReplayResult r = run();
    options.heal = false;
    options.capture = ReplayOptions::Capture::nothing;
    return r;
  }
  const Chain& chain(std::size_t step) const { return skill.artifact->steps[step].selectors; }
  std::vector<std::string> slots;
};

bool has(const Chain& chain, SelectorType type) {
  return std::any_of(chain.begin(), chain.end(), [&](const Selector& s) { return s.type == type; });
}

const char* kFormSteps = R"({"kind":"fill","target":{"text":"Name"},"value":"Alice"}
{"kind":"fill","target":{"text":"Email"},"value":"a@b.co"}
{"kind":"fill","target":{"text":"Captcha"},"value":"1234"}
{"kind":"click","target":{"text":"Submit"}})";

const char* kList = R"html(<ul><li><b>Milk</b> <button onclick="said('milk')">Delete item</button>
  <li><b>Bread</b> <button onclick="said('bread')">Delete item</button>
  <li><b>Tea</b> <button onclick="said('tea')">Delete item</button></ul>
  <script>function said(t) { document.title += t }</script>)html";

}  // namespace

TEST_CASE("given steps are read strictly, and what is wrong is named with its line") {
  const auto steps = read_given_steps(R"(# a comment
{"kind":"navigate","url":"http://a/"}

{"kind":"fill","target":{"role":"textbox","name":"Q"},"value":"x","frame":["#a","#b"],"tab":1}
{"kind":"drag","target":{"css":"#a"},"to":{"test_id":"b"},"contract":"moved"})");
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].args["url"] == "http://a/");
  CHECK(steps[1].selectors == Chain{by_role("textbox", "Q")});
  CHECK(steps[1].frames.size() == 2);
  CHECK(steps[1].tab == 1);
  CHECK(steps[2].to == Chain{by(SelectorType::test_id, "b")});
  CHECK(steps[2].contract_id == "moved");
  CHECK(steps_refusal("").starts_with("steps: there are none"));
  CHECK(steps_refusal("\n{").starts_with("line 2: is no JSON"));
  CHECK(steps_refusal(R"({"kind":"fly"})").starts_with("line 1.kind: is \"fly\""));
  CHECK(steps_refusal(R"({"kind":"click"})").starts_with("line 1.selectors: is empty"));
  CHECK(steps_refusal(R"({"kind":"click","target":{}})")
            .starts_with("line 1.target: names no element"));
  CHECK(steps_refusal(R"({"kind":"click","target":{"css":"a","id":"b"}})")
            .starts_with("line 1.target.id: is not known here"));
  CHECK(steps_refusal(R"({"kind":"fill","target":{"text":"a"}})").starts_with("line 1.args.value"));
}

TEST_CASE("given steps become chains that do not need what was said", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(Site::file("form.html"), kFormSteps);
  w.contract = read_contract("sent", Json::parse(R"({"assertions":[{"text":"Sent: Alice"}]})"));
  w.skill.contract_id = "sent";
  w.record();
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(i);
    CHECK(w.chain(i).front().type == SelectorType::role_name);
    CHECK(w.chain(i).size() >= 3);
    CHECK(w.skill.elements[i].has_value());
  }
  CHECK(has(w.chain(0), SelectorType::css));
  CHECK(has(w.chain(0), SelectorType::xpath));
  const ReplayResult again = w.run();
  CHECK(again.ok);
  for (const StepResult& s : again.steps) CHECK(s.resolved_via == SelectorType::role_name);
}

TEST_CASE("equal elements are told apart by what stands around them, wherever that moves",
          "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(page(kList), R"({"kind":"click","target":{"css":"li:nth-of-type(2) button"}})");
  w.options.allow_risky = true;
  w.contract = read_contract("bread", Json::parse(R"({"assertions":[{"title":"Tbread"}]})"));
  w.skill.contract_id = "bread";
  w.record();
  for (const Selector& s : w.chain(0)) CHECK_FALSE(s.within.empty());
  // Moved to the front: what counts places would find another one.
  std::string moved = with(kList, "<li><b>Bread</b>", "<li><b>Cake</b>");
  moved = with(moved, "<ul>",
               "<ul><li><b>Bread</b> <button onclick=\"said('bread')\">Delete item"
               "</button>");
  w.site.put("/", page(moved));
  CHECK(w.code().empty());
  // Without it, no other is taken.
  w.site.put("/", page(with(kList, "Bread", "Cake")));
  w.options.step_timeout_ms = 500;
  CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
}

TEST_CASE("a place alone never chooses among elements of one name", "[browser]") {
  NEEDS_BROWSER();
  const std::string menu = "<div><button>Menu</button></div>",
                    choose = "<div><button>Choose</button></div>";
  RecordWorld w(page(menu + choose), R"({"kind":"click","target":{"text":"Choose"}})");
  w.record();
  w.options.step_timeout_ms = 500;
  // Now another one stands where it stood.
  w.site.put("/", page(menu + choose + choose));
  CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
  // And one of two is recorded only by what it is, here by where it leads.
  const std::string links = "<p><a href=#a>More</a></p><p><a href=#b>More</a></p>";
  RecordWorld of_two(page(links), R"({"kind":"click","target":{"css":"p:nth-of-type(2) a"}})");
  of_two.record();
  of_two.contract = read_contract("b", Json::parse(R"({"assertions":[{"url":"*#b"}]})"));
  of_two.skill.contract_id = "b";
  for (const Selector& s : of_two.chain(0)) CHECK_FALSE(s.nth);
  CHECK(of_two.code().empty());
  of_two.site.put("/", page("<p><a href=#b>More</a></p><p><a href=#a>More</a></p>"));
  CHECK(of_two.code().empty());
  of_two.options.step_timeout_ms = 500;
  of_two.site.put("/", page("<p><a href=#a>More</a></p>"));
  CHECK(of_two.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
}

TEST_CASE("equal links are told apart by the heading or the paragraph that they stand in",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string link =
      "<a href=#x onclick='document.title = this.parentNode.tagName'>Parent</a>";
  const std::string heading = "<h4>" + link + "</h4>",
                    paragraph = "<p>To get the one above, use " + link + ".</p>",
                    more = "<p>See the other page.</p><h4>Children</h4>";
  for (const char* tag : {"h4", "p"}) {
    INFO(tag);
    RecordWorld w(page(heading + paragraph + more),
                  R"({"kind":"click","target":{"css":")" + std::string(tag) + R"( > a"}})");
    w.contract =
        read_contract("c", Json::parse(tag[0] == 'h' ? R"({"assertions":[{"title":"H4"}]})"
                                                     : R"({"assertions":[{"title":"P"}]})"));
    w.skill.contract_id = "c";
    w.record();
    for (const Selector& s : w.chain(0)) CHECK_FALSE(s.within.empty());
    w.site.put("/", page(more + "<div>" + paragraph + heading + "</div>" + paragraph.substr(0, 3)));
    CHECK(w.code().empty());
    // Where it has gone, the other one is no substitute.
    w.options.step_timeout_ms = 500;
    w.site.put("/", page((tag[0] == 'h' ? paragraph : heading) + more));
    CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
    CHECK_FALSE(w.heal().ok);
  }
}

TEST_CASE("what nothing tells apart is not recorded", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(page("<i></i><i style='display:block;width:9px;height:9px'></i><i></i>"),
                R"json({"kind":"click","target":{"css":"i:nth-of-type(2)"}})json");
  w.options.capture = ReplayOptions::Capture::chains;
  const ReplayResult r = w.run();
  REQUIRE(r.ok);
  std::vector<std::string> slots;
  CHECK_THROWS_AS(with_captured(w.skill, r, slots), Invalid);
}

TEST_CASE("what is typed into a password field is a secret, wherever it comes again", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(page("<input aria-label=Phrase type=password><input aria-label=Note>"),
                R"({"kind":"fill","target":{"text":"Phrase"},"value":"tulips 7"}
{"kind":"fill","target":{"text":"Note"},"value":"my tulips 7!"})");
  w.record();
  CHECK(w.slots == std::vector<std::string>{"step 0: PHRASE"});
  CHECK(dump(write_artifact(*w.skill.artifact)).find("tulips") == std::string::npos);
  CHECK(w.skill.artifact->steps[1].args["value"] == "my ${SECRET:PHRASE}!");
}

TEST_CASE("a renamed element is healed, and found exactly from then on", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(Site::file("form.html"), kFormSteps);
  w.contract = read_contract("sent", Json::parse(R"({"assertions":[{"text":"Sent: Alice"}]})"));
  w.skill.contract_id = "sent";
  w.record();
  w.site.put("/", with(Site::file("form.html"), ">Captcha<", ">Verification code<"));
  w.options.step_timeout_ms = 1500;
  CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
  const ReplayResult r = w.heal();
  REQUIRE(r.ok);
  REQUIRE(r.steps[2].healed);
  CHECK(r.steps[2].healed->was == "textbox \"Captcha\"");
  CHECK(r.steps[2].healed->now == "textbox \"Verification code\"");
  CHECK_FALSE(r.steps[1].healed);
  const Artifact before = *w.skill.artifact;
  w.skill = with_healed(w.skill, r);
  CHECK(w.skill.artifact->steps[0] == before.steps[0]);
  CHECK(w.chain(2).front() == by_role("textbox", "Verification code"));
  const ReplayResult exact = w.run();
  CHECK(exact.ok);
  CHECK(exact.steps[2].resolved_via == SelectorType::role_name);
}

TEST_CASE("healing does not take another element for one that is gone", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(page("<input id=mail aria-label=Email><input id=phone aria-label=Phone>"),
                R"({"kind":"fill","target":{"text":"Email"},"value":"a@b.co"})");
  w.record();
  w.options.step_timeout_ms = 800;
  for (const char* body :
       {"<input id=phone aria-label=Phone>", "<input id=phone aria-label=Phone><input id=fax>",
        // The id has gone to another field: the selectors and the words disagree, or too little
        // speaks for one.
        "<input id=mail aria-label=Search type=search><select id=email "
        "aria-label=Lang></select>"}) {
    INFO(body);
    w.site.put("/", page(body));
    const ReplayResult r = w.heal();
    CHECK_FALSE(r.ok);
    CHECK(r.failure->code == code::kResolutionFailed);
  }
}

TEST_CASE("what stood beside a lost element is no guess, however like it is", "[browser]") {
  NEEDS_BROWSER();
  const std::string parent = "<a class=doc href=#parent>.parent()</a>",
                    parents = "<p><a class=doc href=#parents>.parents()</a></p>";
  RecordWorld w(page(parent + parents),
                R"json({"kind":"click","target":{"text":".parent()"}})json");
  w.record();
  w.options.step_timeout_ms = 800;
  w.site.put("/", page(parents));
  CHECK_FALSE(w.heal().ok);
  w.site.put("/", page(with(parent, ".parent()", "the .parent()") +
                       "<p><a class=doc href=#closest>.closest()</a></p>"));
  const ReplayResult r = w.heal();
  REQUIRE(r.ok);
  REQUIRE(r.steps[0].healed);
  CHECK(r.steps[0].healed->now == "link \"the .parent()\"");
}

TEST_CASE("of an element that was never seen, an id says nothing without the name", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w("", R"({"kind":"click","target":{"css":"#save"}})");
  // As an import has it: no run has seen the element.
  w.skill.artifact->steps = {
      step(Kind::click, {by_role("button", "Save now"), by(SelectorType::css, "#save")})};
  w.options.step_timeout_ms = 800;
  for (const char* name : {"Send", "Save", "Save now and close", ""}) {
    INFO(name);
    w.site.put("/", page("<button id=save style='width:9px'>" + std::string(name) + "</button>"));
    CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
    CHECK_FALSE(w.heal().ok);
  }
  w.site.put("/", page("<button id=save>SAVE NOW!</button><button id=other>Save</button>"));
  CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
  const ReplayResult r = w.heal();
  REQUIRE(r.ok);
  REQUIRE(r.steps[0].healed);
  CHECK(r.steps[0].healed->how == "css #save");
}

TEST_CASE("an element that another step is known by is no guess", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(
      page("<input class=f aria-label='First name'><input class=f aria-label='Last name'>"),
      R"({"kind":"fill","target":{"text":"First name"},"value":"Ada"}
{"kind":"fill","target":{"text":"Last name"},"value":"L"})");
  w.record();
  w.options.step_timeout_ms = 800;
  w.site.put("/", page("<input class=f aria-label='First name'>"));
  const ReplayResult r = w.heal();
  CHECK_FALSE(r.ok);
  CHECK(r.failure->step_index == 1);
}

}  // namespace hebb::skill::test
