// Keys go where they went when they were recorded, or nowhere. Skipped without a Chromium.
#include <catch2/catch.hpp>

#include "skill/replay/record.h"
#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;

namespace {

const std::string kFields = "<input id=a aria-label=A><input id=b aria-label=B>";
// The title says which field has got which keys.
const std::string kSaid =
    "<script>addEventListener('keydown', (e) => document.title += (e.target.id || 'body') + e.key,"
    " true)</script>";

Step key(const std::string& name) { return step(StepKind::press, {}, {{"key", name}}); }

}  // namespace

TEST_CASE("keys without a target go to the field of the step before, or nowhere", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page(kFields + kSaid), {fill("A", "x"), key("y"), key("Enter"), key("Tab")});
  w.contract("there", R"({"assertions":[{"title":"TayaEnteraTab"}]})");
  w.skill.contract_id = "there";
  CHECK(failure(w.run()) == "");
  w.options.step_timeout_ms = 500;
  w.contract("there", R"({"assertions":[{"title":"T"}]})");
  w.options.stop_on_contract_failure = false;
  for (const char* moved : {"a.oninput = () => b.focus()", "a.oninput = () => a.blur()",
                            "a.oninput = () => setTimeout(() => b.focus(), 40)"}) {
    INFO(moved);
    w.site.put("/", page(kFields + kSaid + "<script>" + std::string(moved) + "</script>"));
    w.skill.artifact->steps = {fill("A", "x"), step(StepKind::wait, {}, {{"time_ms", 100}}),
                               key("Enter")};
    const ReplayResult r = w.run();
    REQUIRE(r.failure);
    CHECK(r.failure->code == code::kResolutionFailed);
    CHECK(r.failure->step_index == 2);
    CHECK(r.failure->detail.starts_with("the focus is on "));
  }
}

TEST_CASE("where the focus was is recorded, and compared", "[browser]") {
  NEEDS_BROWSER();
  const std::string opened = kFields + "<button onclick='a.focus()'>Open</button>" + kSaid;
  ReplayWorld w(page(opened), {click("Open"), key("x"), key("Escape")});
  w.record();
  w.options.step_timeout_ms = 500;
  const Artifact& artifact = *w.skill.artifact;
  CHECK(artifact.steps[1].selectors.empty());
  REQUIRE_FALSE(artifact.steps[1].focus.empty());
  CHECK(artifact.steps[1].focus.front() == by_role("textbox", "A"));
  CHECK(read_artifact(write_artifact(artifact)).steps == artifact.steps);
  CHECK(failure(w.run()) == "");
  w.site.put("/", page(hebb::test::with(opened, "a.focus", "b.focus")));
  CHECK(failure(w.run()).find("the focus is on input#b") != std::string::npos);
  // Where nothing had it, nothing may have it.
  w.skill.artifact->steps = {click("Open"), key("x")};
  w.skill.artifact->steps[1].focus = {by(SelectorType::css, "body")};
  CHECK(failure(w.run()).starts_with("ARTIFACT_RESOLUTION_FAILED"));
  w.site.put("/", page(hebb::test::with(opened, "a.focus()", "this.blur()")));
  CHECK(failure(w.run()) == "");
}

TEST_CASE("keys that have a target go to no other field", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page(kFields + kSaid + "<script>a.onfocus = () => b.focus()</script>"),
                {step(StepKind::press, {by_role("textbox", "A")}, {{"key", "x"}})});
  w.options.step_timeout_ms = 500;
  CHECK(failure(w.run()) != "");
  w.site.put("/", page("<my-box></my-box><iframe src=/in></iframe><script>document.querySelector("
                       "'my-box').attachShadow({mode: 'closed', delegatesFocus: true}).innerHTML ="
                       " '<input aria-label=A>'</script>"));
  w.site.put("/in", page("<input aria-label=In onkeydown='top.document.title += event.key'>"));
  w.skill.artifact->steps = {
      step(StepKind::press, {by_role("textbox", "A")}, {{"key", "x"}}),
      step(StepKind::press, {by(SelectorType::css, "my-box")}, {{"key", "y"}}), fill("In", "z"),
      key("Enter")};
  w.skill.artifact->steps[2].frames = {{by(SelectorType::css, "iframe")}};
  w.options.step_timeout_ms = 15'000;
  CHECK(failure(w.run()) == "");
  CHECK(failure(w.run()) == "");
}

TEST_CASE("where the focus was stands only at keys without a target") {
  const auto refused = [](const char* kind, bool target) {
    Step s = step(*kind_of(kind), {}, {{"key", "x"}, {"value", "x"}});
    if (target) s.selectors = {by(SelectorType::css, "#a")};
    Json json = write_step(s);
    json["focus"] = fields::Codec<Chain>::get({by(SelectorType::css, "#b")});
    try {
      read_step(json, "s");
    } catch (const Invalid&) {
      return true;
    }
    return false;
  };
  CHECK_FALSE(refused("press", false));
  CHECK_FALSE(refused("key_down", false));
  CHECK(refused("press", true));
  CHECK(refused("fill", true));
}

}  // namespace hebb::skill::test
