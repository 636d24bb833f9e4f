// Skills from given steps, done once in a browser, and what mends them.
#include <catch2/catch.hpp>

#include "skill/replay/capture_element.h"
#include "skill/replay/record.h"
#include "skill/replay/signature.h"
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
  }
}

TEST_CASE("what nothing tells apart is not recorded", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w(page("<i></i><i style='display:block;width:9px;height:9px'></i><i></i>"),
                R"json({"kind":"click","target":{"css":"i:nth-of-type(2)"}})json");
  w.options.capture = ReplayOptions::Capture::chains;
  w.options.allow_risky = true;
  const std::string none = page(
      "<i></i><i style='display:block;width:9px;height:9px' onclick='document.title = 1'></i>"
      "<i></i>");
  const auto is_refused = [&](const std::string& html, const std::string& step) {
    w.site.put("/", html);
    w.skill.artifact->steps = read_given_steps(step);
    CHECK(w.code().find("nothing tells this element apart") != std::string::npos);
    Browser& browser = *kept_browser();
    const Json title = browser.run(browser.page(0).main()->id, "() => document.title",
                                   Json::array(), in_ms(10'000));
    CHECK(title == "T");  // and nothing was pressed
  };
  is_refused(none, R"json({"kind":"click","target":{"css":"i:nth-of-type(2)"}})json");
  // Texts in one grid and buttons in another.
  const std::string grids =
      "<div><div>Ann</div><div>Bob</div></div><div><button onclick='document.title = 1'>Pay"
      "</button><button onclick='document.title = 1'>Pay</button></div>";
  is_refused(page(grids), R"json({"kind":"click","target":{"css":"button:nth-of-type(2)"}})json");
}

TEST_CASE("what has words in a shadow root or a name made anew is recorded", "[browser]") {
  NEEDS_BROWSER();
  const std::string slotted =
      "<x-button>Save</x-button><x-button>Print</x-button><script>customElements.define('x-button',"
      "class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'})"
      ".innerHTML = '<button><slot></slot></button>';"
      "this.onclick = () => document.title = this.textContent } })</script>";
  const std::string anew =
      "<input placeholder=Email><label>Phone <input></label><script>for (const e of "
      "document.querySelectorAll('input')) { e.name = Math.random().toString(36).slice(2) + "
      "Date.now(); e.oninput = () => document.title = e.placeholder + e.value }</script>";
  struct Case {
    std::string html, step, title;
  };
  const std::vector<Case> cases{
      {slotted, R"({"kind":"click","target":{"text":"Save"}})", "Save"},
      {slotted, R"json({"kind":"click","target":{"css":"x-button:nth-of-type(2)"}})json", "Print"},
      {slotted, R"({"kind":"click","target":{"role":"button","name":"Print"}})", "Print"},
      {anew, R"({"kind":"fill","target":{"text":"Email"},"value":"a"})", "Emaila"},
      {anew, R"({"kind":"fill","target":{"text":"Phone"},"value":"b"})", "b"}};
  for (const Case& c : cases) {
    INFO(c.step);
    RecordWorld w(page(c.html), c.step);
    w.contract = read_contract("c", Json{{"assertions", {{{"title", c.title}}}}});
    w.skill.contract_id = "c";
    w.record();
    CHECK(w.code().empty());
  }
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

TEST_CASE("a failure report has the steps, to be recorded anew", "[browser]") {
  NEEDS_BROWSER();
  hebb::test::Folder folder;
  RecordWorld w(Site::file("form.html"), kFormSteps);
  w.skill.domain = "x";
  w.skill.name = "it's a form";
  w.record();
  w.site.put("/", with(Site::file("form.html"), ">Captcha<", ">Verification code<"));
  w.options.step_timeout_ms = 1500;
  w.options.evidence_folder = folder.file("evidence");
  const ReplayResult r = w.run();
  REQUIRE(r.failure);
  CHECK(r.failure->code == code::kResolutionFailed);
  const std::string report = hebb::test::read_text(r.failure->evidence + "/steps.jsonl");
  INFO(report);
  for (const std::string& text :
       {std::string("hebb skill record x 'it'\\''s a form' --from steps.jsonl --start-url ") +
            w.skill.start_url + "\n",
        std::string("# Step 2 failed: ARTIFACT_RESOLUTION_FAILED\n# It was: "
                    "{\"role\":\"textbox\",\"name\":\"Captcha\"}\n"),
        std::string("#   {\"role\":\"textbox\",\"name\":\"Verification code\"}\n")})
    CHECK(report.find(text) != std::string::npos);
  // The steps are the same ones, and with another target they are done.
  const auto again = [&](const std::string& steps) {
    w.skill.artifact->steps = read_given_steps(steps);
    w.record();
    return w.chain(2).front();
  };
  CHECK(again(with(report, "\"Captcha\"},\"value\"", "\"Verification code\"},\"value\"")) ==
        by_role("textbox", "Verification code"));
  w.site.put("/", Site::file("form.html"));
  CHECK(again(report) == by_role("textbox", "Captcha"));
  // What a recording says ends no comment, and a frame that cannot be named is not left out.
  w.skill.artifact->steps[2].selectors = {by_role("textbox", "x\n{\"kind\":\"close\"}")};
  w.skill.artifact->steps[3].frames = {{by_role("Iframe", "Pay")}};
  w.skill.name = "a\n{}";
  const std::string hostile = hebb::test::read_text(w.run().failure->evidence + "/steps.jsonl");
  INFO(hostile);
  CHECK(read_given_steps(hostile).size() == 3);
  CHECK(hostile.find("# Give the css selector of its frame: {\"kind\":\"click\"") !=
        std::string::npos);
}

TEST_CASE("of an element that was never seen, an id says nothing without the name", "[browser]") {
  NEEDS_BROWSER();
  RecordWorld w("", R"({"kind":"click","target":{"css":"#save"}})");
  // As an import has it: no run has seen the element.
  w.skill.artifact->steps = {
      step(StepKind::click, {by_role("button", "Save now"), by(SelectorType::css, "#save")})};
  w.options.step_timeout_ms = 800;
  for (const char* name : {"Send", "Save", "Save now and close", "SAVE NOW!", ""}) {
    INFO(name);
    w.site.put("/", page("<button id=save style='width:9px'>" + std::string(name) + "</button>"));
    CHECK(w.code().starts_with("ARTIFACT_RESOLUTION_FAILED"));
  }
}

TEST_CASE("a path's numbers and ids do not tell pages apart") {
  CHECK(path_pattern("http://a/orders/123/edit?x=1") == "/orders/*/edit");
  CHECK(path_pattern("http://a") == "/");
  CHECK(path_pattern("http://a/x/0190b3a2-7c4d-7e1f-8a9b-0c1d2e3f4a5b#y") == "/x/*");
  CHECK(path_pattern("http://a/feedface") == "/feedface");
  CHECK(origin_of("http://a:80/x") == "http://a:80");
}

}  // namespace hebb::skill::test
