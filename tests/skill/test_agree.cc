// Where the selectors of a chain mean different elements, nothing is pressed. Skipped without a
// Chromium.
#include <atomic>

#include <catch2/catch.hpp>

#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;

namespace {

// A page that says in its title what was pressed.
std::string pressable(const std::string& body) {
  return page(body +
              "<script>addEventListener('click', (e) => { const b = e.composedPath()[0];"
              "document.title = b.dataset.is || b.textContent }, true)</script>");
}

// What a press of the chain's element does: what was pressed, else the failure.
std::string outcome(const std::string& body, Chain chain, std::vector<Chain> frames = {}) {
  ReplayWorld w(pressable(body), {step(StepKind::click, std::move(chain))});
  w.skill.artifact->steps[0].frames = std::move(frames);
  w.site.put("/in", pressable("<button id=save>Save changes</button><button>Save</button>"));
  w.options.step_timeout_ms = 600;
  w.contract("pressed", R"({"assertions":[{"title":"right"}]})");
  w.skill.contract_id = "pressed";
  return failure(w.run());
}

Selector css(const std::string& value) { return by(SelectorType::css, value); }
Selector xpath(const std::string& value) { return by(SelectorType::xpath, value); }
const Selector kSave = by_role("button", "Save");

const char* kRenamed = "<button id=save data-testid=save class=main>Save changes</button>";
const char* kOther = "<button data-is=right>Save</button>";

}  // namespace

TEST_CASE("selectors that find different elements are a failure that names both", "[browser]") {
  NEEDS_BROWSER();
  const std::string both = std::string(kRenamed) + kOther;
  // Each way in which people name an element against each by which code does, in either order.
  for (const Selector& named :
       {kSave, by(SelectorType::accessible_name, "Save"), by(SelectorType::text, "Save")}) {
    for (const Selector& coded :
         {css("#save"), xpath("//*[@id='save']"), by(SelectorType::test_id, "save"),
          css("button.main"), css("button:nth-of-type(1)"), xpath("/html/body/button[1]")}) {
      INFO(describe(named) << ", " << describe(coded));
      const std::string said = outcome(both, {named, coded});
      INFO(said);
      CHECK(said.starts_with("ARTIFACT_RESOLUTION_FAILED: the selectors contradict each other: "));
      CHECK(said.find(describe(named) + " finds button \"Save\"") != std::string::npos);
      CHECK(said.find(describe(coded) + " finds button \"Save changes\"") != std::string::npos);
      const bool place = counts_places(coded);
      if (!place) CHECK(outcome(both, {coded, named}).starts_with("ARTIFACT_RESOLUTION_FAILED"));
    }
  }
  // A label and a placeholder that now stand at different fields.
  const std::string fields = "<label>Mail <input data-is=label></label><input placeholder=Mail>";
  const std::string said =
      outcome(fields, {by(SelectorType::label, "Mail"), by(SelectorType::placeholder, "Mail")});
  CHECK(said.find("label Mail finds") != std::string::npos);
  CHECK(said.find("placeholder Mail finds") != std::string::npos);
  // What one of them finds alone and another only in others.
  CHECK(outcome(std::string(kOther) + "<i class=x>1</i><i class=x>2</i>", {kSave, css(".x")})
            .find("2 others") != std::string::npos);
  // Recorders take the part of a button that was under the mouse.
  CHECK(outcome("<button id=save><b>Save changes</b></button>" + std::string(kOther),
                {kSave, css("#save > b")})
            .starts_with("ARTIFACT_RESOLUTION_FAILED"));
}

TEST_CASE("selectors contradict each other in frames and in shadow roots as well", "[browser]") {
  NEEDS_BROWSER();
  CHECK(outcome("<iframe src=/in></iframe>", {kSave, css("#save")}, {{css("iframe")}})
            .find("contradict") != std::string::npos);
  CHECK(outcome("<iframe id=a src=/in></iframe><iframe name=b src=/in></iframe>", {kSave},
                {{css("#a"), css("[name=b]")}})
            .find("the frame is not there: the selectors contradict") != std::string::npos);
  CHECK(outcome("<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
                " '<button id=save>Save changes</button>'</script>" +
                    std::string(kOther),
                {kSave, css("#save")})
            .find("contradict") != std::string::npos);
  // The recorded one is still there, and hidden.
  CHECK(outcome("<button id=save hidden>Save</button>" + std::string(kOther), {kSave, css("#save")})
            .find("contradict") != std::string::npos);
}

TEST_CASE("a selector that finds nothing, or the element among others, contradicts nothing",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string other = kOther;
  const Selector ref = by(SelectorType::node_ref, "12");
  CHECK(outcome(other, {ref, kSave, css("#save"), xpath("//*[@id='save']")}) == "");
  CHECK(outcome("<button>Stop</button>" + other, {kSave, css("button"), xpath("//button")}) == "");
  // A part of it, its label, and the box that it stands in alone.
  CHECK(outcome("<p id=box><button id=save><b data-is=right>Save</b></button></p>",
                {kSave, css("#save > b"), css("#box")}) == "");
  CHECK(outcome("<label data-is=right>News <input data-is=right type=checkbox></label>",
                {by_role("checkbox", "News"), by(SelectorType::text, "News")}) == "");
  // A place where another kind of element stands now, or one that a name in the code contradicts.
  CHECK(outcome("<a href=#x>Help</a>" + other, {kSave, css("body > :nth-child(1)")}) == "");
  CHECK(outcome("<button>Menu</button><button id=save data-is=right>Save</button>",
                {kSave, css("button:nth-of-type(1)"), css("#save")}) == "");
}

TEST_CASE("a place where a known neighbour stands now says nothing", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(pressable("<button>Stop</button>" + std::string(kOther)),
                {step(StepKind::click, {kSave, css("button:nth-of-type(1)")})});
  w.options.step_timeout_ms = 600;
  CHECK(failure(w.run()).find("contradict") != std::string::npos);
  ElementTraits traits;
  traits.tag = "button";
  traits.others = {"Stop"};
  w.skill.elements = {traits};
  CHECK(failure(w.run()) == "");
}

TEST_CASE("a drag whose target is not there is not begun", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<p id=from onmousedown=\"fetch('/pressed')\">From</p>"));
  std::atomic<bool> pressed = false;
  w.site.on("/pressed", [&](const hebb::test::Wire&) { pressed = true; });
  Step drag = step(StepKind::drag, {css("#from")});
  drag.to = {css("#to")};
  w.skill.artifact->steps = {drag};
  w.options.step_timeout_ms = 500;
  CHECK(failure(w.run()) == "ARTIFACT_RESOLUTION_FAILED: where to drag it: css #to finds nothing");
  CHECK_FALSE(pressed);
}

TEST_CASE("what the page has drawn too late for one pass has not missed", "[browser]") {
  NEEDS_BROWSER();
  // The name comes with the attribute that the second selector goes by, a moment after the first
  // has looked: whichever pass it is, nothing is held against the first.
  ReplayWorld w(
      page("<button id=go>Wait</button><script>setTimeout(() => { go.textContent = 'Go';"
           "go.dataset.testid = 'go' }, 200)</script>"),
      {step(StepKind::click, {by_role("button", "Go"), by(SelectorType::test_id, "go")})});
  const ReplayResult r = w.run();
  REQUIRE(r.ok);
  CHECK(r.steps[0].missed.empty());
  // One pass finds it by the first selector, the last by another one.
  ReplayWorld between(
      page("<button id=late data-testid=go disabled>Go</button><script>setTimeout(() => {"
           "delete late.dataset.testid; setTimeout(() => late.disabled = false, 1000)"
           "}, 3000)</script>"),
      {step(StepKind::click,
            {by(SelectorType::test_id, "go"), by(SelectorType::test_id, "x"), css("#late")})});
  between.options.step_timeout_ms = 15'000;
  const ReplayResult s = between.run();
  REQUIRE(s.ok);
  // The first had found it while it was disabled; the second never has.
  CHECK(s.steps[0].missed == std::vector{SelectorType::test_id});
}

}  // namespace hebb::skill::test
