// A press of the mouse meets the element that was looked at, or nothing: whatever the page moves or
// draws in between. Skipped without a Chromium.
#include <atomic>

#include <catch2/catch.hpp>

#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;

namespace {

// A page on which "Go" says so in the title, and anything else that is pressed tells the server.
struct PressWorld : ReplayWorld {
  std::atomic<int> wrong = 0;

  explicit PressWorld(const std::string& body, std::vector<Step> steps = {click("Go")})
      : ReplayWorld(page("<script>const wrong = () => { const r = new XMLHttpRequest();"
                         "r.open('GET', '/wrong', false); r.send() };"
                         "const evil = (e) => { for (const k of ['pointerdown', 'mousedown',"
                         "'mouseup', 'click']) e.addEventListener(k, wrong) }</script>"
                         "<style>.over { position: fixed; inset: 0 }</style>" +
                         body),
                    std::move(steps)) {
    site.on("/wrong", [this](const hebb::test::Wire& wire) {
      ++wrong;
      wire.answer(200, "text/plain", "");
    });
    contract("gone", R"({"assertions":[{"title":"gone"}]})");
    skill.contract_id = "gone";
  }
};

const char* kGo = "<button id=go onclick=\"document.title = 'gone'\">Go</button>";

// Draws something over the page when the mouse comes, and takes it away after so many milliseconds.
std::string overlay(const std::string& ms) {
  return "<script>let shown = false; addEventListener('mousemove', () => { if (shown) return;"
         " shown = true; const o = document.createElement('div'); o.className = 'over'; evil(o);"
         " document.body.append(o); setTimeout(() => o.remove(), " +
         ms + ") })</script>";
}

}  // namespace

TEST_CASE("what comes over an element when the mouse does gets no press", "[browser]") {
  NEEDS_BROWSER();
  PressWorld w(kGo + overlay("300"));
  CHECK(failure(w.run()) == "");
  CHECK(w.wrong == 0);
  PressWorld stays(kGo + overlay("60000"));
  stays.options.step_timeout_ms = 800;
  CHECK(failure(stays.run()).starts_with("STEP_TIMEOUT"));
  CHECK(stays.wrong == 0);
}

TEST_CASE("an element that moves away from the mouse is followed, and none in its place pressed",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string trap =
      "<div id=trap class=over></div><script>evil(trap); go.style.cssText = 'position: relative; "
      "z-index: 1';";
  PressWorld once(kGo + trap + "go.onmousemove = () => go.style.left = '300px'</script>");
  CHECK(failure(once.run()) == "");
  CHECK(once.wrong == 0);
  PressWorld always(kGo + trap +
                    "let x = 0; go.onmousemove = () => go.style.left = (x = 300 - x)"
                    " + 'px'</script>");
  always.options.step_timeout_ms = 800;
  CHECK(failure(always.run()).starts_with("STEP_TIMEOUT"));
  CHECK(always.wrong == 0);
}

TEST_CASE("what comes over a frame gets no press that is meant for the frame's element",
          "[browser]") {
  NEEDS_BROWSER();
  PressWorld w("<iframe src=/in></iframe>" + overlay("300"));
  w.site.put("/in", page("<button onclick=\"top.document.title = 'gone'\" onmousemove=\"parent"
                         ".dispatchEvent(new Event('mousemove'))\">Go</button>"));
  w.skill.artifact->steps[0].frames = {{by(SelectorType::css, "iframe")}};
  CHECK(failure(w.run()) == "");
  CHECK(w.wrong == 0);
}

TEST_CASE("a page that removes what is pressed, its frame or its listeners is not pressed twice",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string once = "if (document.title === 'gone') wrong(); document.title = 'gone';";
  for (const std::string then :
       {"this.remove()", "document.open(); document.write('<p>x'); document.close()",
        "document.body.innerHTML = ''", "location.hash = 'x'", "alert('pressed')"}) {
    for (const char* event : {"onmousedown", "onclick"}) {
      INFO(event << " " << then);
      PressWorld w("<button " + std::string(event) + "=\"" + once + then + "\">Go</button>");
      if (then.find("document.open") != std::string::npos)
        w.contract("gone", R"({"assertions":[
        {"text":"x"}]})");
      CHECK(failure(w.run()) == "");
      CHECK(w.wrong == 0);
    }
  }
  PressWorld frame("<iframe src=/in></iframe>");
  frame.site.put("/in", page("<button onmousedown=\"top.document.title = 'gone'; parent.document"
                             ".querySelector('iframe').remove()\">Go</button>"));
  frame.skill.artifact->steps[0].frames = {{by(SelectorType::css, "iframe")}};
  CHECK(failure(frame.run()).empty());
}

TEST_CASE("text goes into the element that it is for, wherever the page moves the focus",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string other = "<input id=other oninput=\"wrong()\">",
                    done =
                        "<script>go.oninput = () => document.title ="
                        " go.value === 'Ada' ? 'gone' : go.value</script>";
  // At once, and when the input event is already on its way.
  for (const char* how : {"other.focus()", "queueMicrotask(() => other.focus())",
                          "setTimeout(() => other.focus())"}) {
    INFO(how);
    PressWorld always("<input id=go aria-label=Go onfocus=\"" + std::string(how) + "\">" + other,
                      {fill("Go", "Ada")});
    always.options.step_timeout_ms = 500;
    CHECK(failure(always.run()) != "");
    CHECK(always.wrong == 0);
  }
  PressWorld once(
      "<input id=go aria-label=Go onfocus=\"this.onfocus = null; other.focus()\">" + other + done,
      {fill("Go", "Ada")});
  CHECK(failure(once.run()) == "");
  CHECK(once.wrong == 0);
  PressWorld part(
      "<div contenteditable id=all><p id=p>old</p><p>kept</p></div><script>all.oninput ="
      " () => document.title = p.textContent === 'Ada' ? 'gone' : ''</script>",
      {step(StepKind::fill, {by(SelectorType::css, "#p")}, {{"value", "Ada"}})});
  CHECK(failure(part.run()) == "");
  PressWorld shadow(
      "<div id=host></div><script>const root = host.attachShadow({mode: 'closed'});"
      "root.innerHTML = '<input aria-label=Go>'; root.firstChild.oninput = (e) =>"
      " document.title = e.target.value === 'Ada' ? 'gone' : ''</script>",
      {fill("Go", "Ada")});
  CHECK(failure(shadow.run()) == "");
}

TEST_CASE("an element in a closed shadow root is pressed, unless something lies over it",
          "[browser]") {
  NEEDS_BROWSER();
  const std::string host =
      "<div id=host></div><script>const root = host.attachShadow({mode: 'closed'});"
      "root.innerHTML = '<p><button><b>Go</b></button></p>';"
      "root.querySelector('button').onclick = () => document.title = 'gone'</script>";
  PressWorld w(host);
  CHECK(failure(w.run()) == "");
  PressWorld covered(host + "<div class=over id=trap></div><script>evil(trap)</script>");
  covered.options.step_timeout_ms = 600;
  CHECK(failure(covered.run()).starts_with("STEP_TIMEOUT"));
  CHECK(covered.wrong == 0);
}

TEST_CASE("hovering and dragging stop no press of the page's", "[browser]") {
  NEEDS_BROWSER();
  PressWorld w(
      "<p id=from>From</p><p id=to onmouseup=\"document.title = 'dropped'\">To</p>"
      "<button onmouseover=\"this.dataset.over = 1\" onclick=\"if (this.dataset.over &&"
      " document.title === 'dropped') document.title = 'gone'\">Go</button>");
  Step drag = step(StepKind::drag, {by(SelectorType::css, "#from")});
  drag.to = {by(SelectorType::css, "#to")};
  w.skill.artifact->steps = {step(StepKind::hover, {by_role("button", "Go")}), drag, click("Go")};
  CHECK(failure(w.run()) == "");
}

TEST_CASE("a drag goes a long way to a small end, which may lie below the window", "[browser]") {
  NEEDS_BROWSER();
  const char* style =
      "<style>body { margin: 0; height: 2000px } #from, #to { position: absolute } #from { left: "
      "10px; top: 10px; width: 60px; height: 30px } #to { left: 1100px; width: 12px; height: 12px }"
      "</style>";
  // Of the browser's own dragging, and of a page's that has to meet its end twice.
  const char* own =
      "<p id=from draggable=true>From</p><i id=to></i><script>"
      "to.ondragover = (e) => e.preventDefault(); to.ondrop = () => { document.title "
      "= 'gone' }</script>";
  const char* made =
      "<p id=from>From</p><i id=to></i><script>let on = false, over = 0;"
      "from.onpointerdown = () => { on = true; from.style.pointerEvents = 'none' };"
      "addEventListener('pointermove', (e) => { const at = document.elementFromPoint(e.clientX,"
      "e.clientY); over = on && at === to ? over + 1 : 0 });"
      "addEventListener('pointerup', () => { if (over > 1) document.title = 'gone' })</script>";
  Step drag = step(StepKind::drag, {by(SelectorType::css, "#from")});
  drag.to = {by(SelectorType::css, "#to")};
  for (const char* kind : {own, made}) {
    for (const char* top : {"10px", "400px", "1900px"}) {
      INFO(kind << top);
      PressWorld w(style + ("<style>#to { top: " + std::string(top) + " }</style>") + kind, {drag});
      CHECK(failure(w.run()) == "");
    }
  }
}

}  // namespace hebb::skill::test
