// Replay in a real Chromium: what it does, and each way in which it fails. Skipped without one.
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/skill/replay_world.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
using hebb::test::page;
using hebb::test::Site;
using hebb::test::with;

namespace {

ReplayWorld form_world() {
  return ReplayWorld(Site::file("form.html"), {fill("Name", "Alice"), fill("Email", "a@b.co"),
                                               fill("Captcha", "1234"), click("Submit")});
}

std::string all_of(const std::string& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    all += std::string(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

}  // namespace

TEST_CASE("a recorded form is filled and sent again", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w = form_world();
  w.contract("sent", R"({"assertions":[{"text":"Sent: Alice, a@b.co"}]})");
  w.skill.contract_id = "sent";
  const ReplayResult r = w.run();
  CHECK(failure(r).empty());
  CHECK(r.ok);
  CHECK(r.executed == 4);
  for (const StepResult& s : r.steps) CHECK(s.resolved_via == SelectorType::role_name);
  CHECK_FALSE(r.signature.origin.empty());
}

TEST_CASE("a renamed label is refused at its step, and what was done until then is told",
          "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w = form_world();
  w.skill.artifact->steps[2].selectors.push_back(by(SelectorType::css, "#captcha"));
  w.skill.artifact->steps[2].selectors.push_back(by(SelectorType::xpath, "//*[@id='captcha']"));
  w.site.put("/", with(Site::file("form.html"), ">Captcha<", ">Verification code<"));
  w.options.step_timeout_ms = 800;
  w.keep_evidence();
  const ReplayResult r = w.run();
  REQUIRE(r.failure);
  CHECK(r.failure->code == code::kResolutionFailed);
  CHECK(r.failure->step_index == 2);
  CHECK(r.executed == 2);
  CHECK(r.steps.back().missed.size() == 3);
  REQUIRE(std::filesystem::exists(r.failure->evidence));
  for (const char* name : {"screenshot.png", "dom.html", "accessibility.txt", "console.txt",
                           "network.json", "failure.json"}) {
    INFO(name);
    CHECK(std::filesystem::exists(r.failure->evidence + "/" + name));
  }
  const std::string seen = all_of(r.failure->evidence);
  CHECK(seen.find("Verification code") != std::string::npos);
  CHECK(seen.find("textbox \"Name\" = Alice") != std::string::npos);
  CHECK(seen.find("textbox \"Email\" = a@b.co") != std::string::npos);
}

TEST_CASE("an element that comes late is waited for, whatever else a later selector finds",
          "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(
      page("<button onclick=\"document.title='wrong'\">Other</button><script>"
           "setTimeout(() => document.body.insertAdjacentHTML('beforeend',"
           "'<button onclick=\"document.title=`right`\">Save</button>'), 300)</script>"),
      {step(StepKind::click, {by_role("button", "Save"), by(SelectorType::css, "button")})});
  w.contract("right", R"({"assertions":[{"title":"right"}]})");
  w.skill.contract_id = "right";
  CHECK(failure(w.run()).empty());
}

TEST_CASE("a selector that finds several finds none", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<button>Save</button><button>Save</button>"), {click("Save")});
  w.options.step_timeout_ms = 500;
  CHECK(w.run().failure->code == code::kResolutionFailed);
}

TEST_CASE("elements in shadow roots and in frames of frames are found", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(
      page("<div id=host></div><script>document.getElementById('host').attachShadow({mode:"
           "'open'}).innerHTML = '<button class=x>Deep</button>';"
           "document.getElementById('host').shadowRoot.querySelector('button').onclick ="
           " () => document.title = 'deep'</script><iframe src=/outer></iframe>"));
  w.site.put("/outer", page("<p>outer</p><iframe id=in src=/inner></iframe>"));
  w.site.put("/inner", page("<input aria-label=Code oninput=\"top.document.title += value\">"));
  w.skill.artifact->steps = {step(StepKind::click, {by(SelectorType::css, "button.x")}),
                             fill("Code", "77")};
  w.skill.artifact->steps[1].frames = {{by(SelectorType::css, "iframe")},
                                       {by(SelectorType::css, "#in")}};
  w.contract("both", R"({"assertions":[{"title":"deep77"}]})");
  w.skill.contract_id = "both";
  CHECK(failure(w.run()).empty());
  w.skill.artifact->steps[1].frames.clear();
  w.skill.artifact->steps[1].frame_ordinal = 2;
  CHECK(failure(w.run()).empty());
}

TEST_CASE("the kinds of steps do what they say", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page(R"html(<label><input type=checkbox id=c> Done</label>
    <select aria-label=Size><option value=s>Small<option value=l>Large</select>
    <input type=file aria-label=File><input aria-label=Key onkeydown="log('key ' + event.key)">
    <button onclick="log(confirm('sure?') ? 'yes' : 'no')">Ask</button>
    <p onmouseover="log('over')">Hover me</p><input type=date aria-label=When>
    <button ondblclick="log('twice')">Twice</button>
    <script>const seen = []; function log(t) {
    seen.push(t);
    show(); }
    function show() {
    document.title = seen.join('|') + '|' + c.checked + '|' +
                     document.querySelector('select').value + '|' +
                     (document.querySelector('[type=file]').files[0] || {}).name + '|' +
                     document.querySelector('[type=date]').value; }
    document.addEventListener('change', show);</script>)html"));
  std::ofstream(w.folder.file("a.txt")) << "x";
  w.skill.artifact->steps = {
      step(StepKind::check, {by_role("checkbox", "Done")}),
      step(StepKind::select, {by_role("combobox", "Size")}, {{"value", "Large"}}),
      step(StepKind::upload, {by(SelectorType::css, "[type=file]")},
           {{"files", {w.folder.file("a.txt")}}}),
      step(StepKind::press, {by_role("textbox", "Key")}, {{"key", "Enter"}}),
      click("Ask"),
      step(StepKind::dialog, {}, {{"accept", true}}),
      step(StepKind::hover, {by(SelectorType::text, "Hover me")}),
      step(StepKind::fill, {by(SelectorType::label, "When")}, {{"value", "2026-01-05"}}),
      step(StepKind::click, {by_role("button", "Twice")}, {{"count", 2}}),
  };
  w.contract("all",
             R"({"assertions":[{"title":"key Enter|yes|over|twice|true|l|a.txt|2026-01-05"}]})");
  w.skill.contract_id = "all";
  CHECK(failure(w.run()).empty());
}

TEST_CASE("what DevTools records is done as DevTools does it", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(
      page("<my-host></my-host><button id=b>Menu</button><input id=i value=old>"
           "<button onclick=\"setTimeout(() => { i.value = 'new'; b.dataset.x = 'y'; },"
           " 200)\">Go</button><script>document.querySelector('my-host').attachShadow("
           "{mode: 'open'});let said = ''; b.onauxclick = (e) => said += e.button;"
           "onoffline = () => said += ' offline'; ononline = () => said += ' online'"
           "</script>"));
  const auto wait = [](const char* css, Json args) {
    return step(StepKind::wait, {by(SelectorType::css, css)}, std::move(args));
  };
  const auto network = [](int speed) {
    return step(StepKind::network, {}, {{"download", speed}, {"upload", speed}, {"latency", 0}});
  };
  w.skill.artifact->steps = {
      step(StepKind::click, {by(SelectorType::xpath, "//*[@id='b']")}, {{"button", "auxiliary"}}),
      step(StepKind::click, {by(SelectorType::css, "#b")}, {{"button", "secondary"}}),
      click("Go"),
      wait("#b", {{"attributes", {{"data-x", "y"}}}}),
      wait("#i", {{"properties", {{"value", "new"}, {"dataset", Json::object()}}}}),
      network(0),
      step(StepKind::wait, {}, {{"expression", "said === '12 offline'"}}),
      network(500'000),
      step(StepKind::wait, {}, {{"expression", "said === '12 offline online'"}})};
  w.options.allow_script = true;
  CHECK(failure(w.run()).empty());
  w.options.step_timeout_ms = 400;
  w.skill.artifact->steps = {wait("#b", {{"attributes", {{"data-x", "y"}}}})};
  CHECK(w.run().failure->code == code::kStepTimeout);
  w.skill.artifact->steps = {wait("#i", {{"properties", {{"value", "new"}}}})};
  CHECK(w.run().failure->code == code::kStepTimeout);
}

TEST_CASE("a run ends when what its last step has set off has ended", "[browser]") {
  NEEDS_BROWSER();
  std::atomic<int> saved = 0;
  // `how` the page saves: after a pause, in two requests, the second after the first.
  const auto saves = [&](const std::string& how) {
    ReplayWorld w(page("<button onclick=\"" + how + "\">Save</button>"), {click("Save")});
    w.site.on("/save", [&](const hebb::test::Wire& wire) {
      ++saved;
      wire.answer(200, "text/plain", "ok");
    });
    CHECK(failure(w.run()) == "");
    return saved.exchange(0);
  };
  CHECK(saves("setTimeout(() => fetch('/save'), 400)") == 1);
  CHECK(saves("fetch('/save').then(() => setTimeout(() => fetch('/save'), 2000))") == 2);
  CHECK(saves("(async () => { for (let i = 0; i < 3; ++i) { await fetch('/save'); await new "
              "Promise((r) => setTimeout(r, 400)) } await fetch('/save') })()") == 4);
  CHECK(saves("setInterval(() => fetch('/'), 200); setTimeout(() => fetch('/save'), 1500)") == 1);
  CHECK(saves("document.body.animate([{opacity: 0}, {opacity: 1}], 200).onfinish = () => "
              "fetch('/save')") == 1);
  CHECK(saves("window.open('/').setTimeout(() => fetch('/save'), 300)") == 1);
  CHECK(saves("setTimeout(() => navigator.sendBeacon('/save'), 300)") == 1);
  CHECK(saves("const go = () => fetch('/save').then(() => setTimeout(go, 1000)); go()") > 1);
  // What never ends is not waited for without end.
  CHECK(saves("setInterval(() => fetch('/save'), 1)") > 0);
}

TEST_CASE("a run leaves its last field, so that a page saves what was typed there", "[browser]") {
  NEEDS_BROWSER();
  const auto saves = [](const std::string& html, std::vector<Step> steps) {
    ReplayWorld w(page(html), std::move(steps));
    std::atomic<int> saved = 0;
    w.site.on("/name/Ann", [&](const hebb::test::Wire& wire) {
      ++saved;
      wire.answer(200, "text/plain", "ok");
    });
    CHECK(failure(w.run()) == "");
    return saved.load();
  };
  const std::string field = "<input aria-label=Name onchange=\"fetch(`/name/` + value)\">";
  CHECK(saves(field, {fill("Name", "Ann")}) == 1);
  CHECK(saves(field + "<p id=p>Here</p>",
              {fill("Name", "Ann"), step(StepKind::wait, {by(SelectorType::css, "#p")})}) == 1);
  CHECK(saves("<x-y><template shadowrootmode=open>" + field + "</template></x-y>",
              {fill("Name", "Ann")}) == 1);
  Step inside = fill("Name", "Ann");
  inside.frames = {{by(SelectorType::css, "iframe")}};
  CHECK(saves("<iframe srcdoc='" + field + "'></iframe>", {inside}) == 1);
  CHECK(saves("<input aria-label=Name onchange=\"alert('Saved'); fetch('/name/' + value)\">",
              {fill("Name", "Ann")}) == 1);
}

TEST_CASE("a new tab can be worked in", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<a href=/two target=_blank>Open</a><p id=p></p>"
                     "<script>window.onmessage = (e) => p.textContent = e.data</script>"),
                {step(StepKind::click, {by_role("link", "Open")}), fill("Note", "hi"),
                 step(StepKind::press, {}, {{"key", "Tab"}})});
  w.site.put("/two", page("<input aria-label=Note oninput=\"document.title=value\">"));
  w.skill.artifact->steps[1].tab = w.skill.artifact->steps[2].tab = 1;
  w.contract("typed", R"({"assertions":[{"title":"hi"}]})");
  w.skill.contract_id = "typed";
  CHECK(failure(w.run()).empty());
}

TEST_CASE("after a tab was closed the first goes on", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<a href=/two target=_blank>Open</a><input aria-label=Name>"),
                {step(StepKind::click, {by_role("link", "Open")}), fill("Note", "hi"),
                 step(StepKind::close, {}), fill("Name", "Ann")});
  w.site.put("/two", page("<input aria-label=Note>"));
  w.skill.artifact->steps[1].tab = w.skill.artifact->steps[2].tab = 1;
  CHECK(failure(w.run()).empty());
}

TEST_CASE("CONTRACT_FAILED: nothing is assumed to have worked", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w = form_world();
  w.site.put("/", with(Site::file("form.html"), "event.preventDefault();",
                       "event.preventDefault(); return;"));
  w.contract("sent", R"({"assertions":[{"text":"Sent: Alice"}]})");
  w.skill.contract_id = "sent";
  w.options.step_timeout_ms = 700;
  w.keep_evidence();
  const ReplayResult r = w.run();
  REQUIRE(r.failure);
  CHECK(r.failure->code == code::kContractFailed);
  CHECK(r.executed == 4);
  CHECK_FALSE(r.failure->evidence.empty());
  w.skill.contract_id = "unknown";
  CHECK(w.run().failure->code == code::kContractFailed);
}

TEST_CASE("a step's contract ends the run, or is noted while it goes on", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w = form_world();
  w.contract("never", R"({"assertions":[{"text":"not there"}]})");
  w.skill.artifact->steps[0].contract_id = "never";
  w.options.step_timeout_ms = 700;
  ReplayResult r = w.run();
  CHECK(r.failure->code == code::kContractFailed);
  CHECK(r.executed == 1);
  w.options.stop_on_contract_failure = false;
  r = w.run();
  CHECK(r.failure->code == code::kContractFailed);
  CHECK(r.failure->step_index == 0);
  CHECK(r.executed == 4);
}

TEST_CASE("STEP_TIMEOUT: what is covered, disabled or moving is not clicked", "[browser]") {
  NEEDS_BROWSER();
  for (const char* body :
       {"<button disabled>Save</button>",
        "<button>Save</button><div style='position:fixed;inset:0;background:red'></div>",
        "<style>@keyframes m{to{margin-left:900px}}button{animation:m 30s linear}</style>"
        "<button>Save</button>"}) {
    INFO(body);
    ReplayWorld w(page(body), {click("Save")});
    w.options.step_timeout_ms = 600;
    CHECK(w.run().failure->code == code::kStepTimeout);
  }
}

TEST_CASE("TARGET_NAVIGATED_AWAY: another origin, a page that is not there, a crash", "[browser]") {
  NEEDS_BROWSER();
  Site other;
  other.put("/", page("elsewhere"));
  ReplayWorld w(page("<button onclick=\"location.href='" + other.url("/") + "'\">Leave</button>"),
                {click("Leave"), click("Next")});
  CHECK(w.run().failure->code == code::kNavigatedAway);
  w.options.allow_origins = {"http://" + other.domain()};
  CHECK(w.run().failure->code == code::kResolutionFailed);
  ReplayWorld gone(page(""), {click("x")});
  gone.skill.start_url = "http://127.0.0.1:1/";
  CHECK(gone.run().failure->code == code::kNavigatedAway);
  // Nobody waits for the answers of a page that has crashed.
  ReplayWorld crash(page("<button onclick=\"fetch('/now')\">Go</button>"),
                    {click("Go"), click("Never there")});
  crash.site.on("/now", [](const hebb::test::Wire&) {
    for (const int pid : hebb::test::own_renderers()) kill(pid, SIGKILL);
  });
  crash.options.step_timeout_ms = 3'600'000;
  CHECK(failure(crash.run()) == "TARGET_NAVIGATED_AWAY: the page has crashed");
}

TEST_CASE("TARGET_NAVIGATED_AWAY: a page that leaves while the next step waits", "[browser]") {
  NEEDS_BROWSER();
  Site other;
  other.put("/", page("<button onclick=\"fetch('/pressed')\">Next</button>"));
  std::atomic<bool> pressed = false;
  other.on("/pressed", [&](const hebb::test::Wire&) { pressed = true; });
  const std::string later = "setTimeout(() => location.href = '" + other.url("/") + "', 300)";
  const std::string html = page("<button onclick=\"" + later + "\">Leave</button>");
  ReplayWorld w(html, {click("Leave"), click("Next")});
  CHECK(failure(w.run()) == "TARGET_NAVIGATED_AWAY: the page is now http://" + other.domain());
  CHECK_FALSE(pressed);
  ReplayWorld waits(html, {click("Leave"), step(StepKind::wait, {}, {{"text", "Next"}})});
  CHECK(failure(waits.run()) == "TARGET_NAVIGATED_AWAY: the page is now http://" + other.domain());
}

TEST_CASE("PAGE_MISMATCH: a skill is not replayed on another page", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w = form_world();
  w.skill.signature = w.run().signature;
  REQUIRE(w.skill.signature.fields.size() == 4);
  CHECK(w.run().ok);
  w.site.put("/", page("<input aria-label=Name><input aria-label=Other>"));
  w.options.step_timeout_ms = 500;
  const ReplayResult r = w.run();
  CHECK(r.failure->code == code::kPageMismatch);
  CHECK(r.executed == 0);
  CHECK_FALSE(r.attempted);
}

TEST_CASE("RISKY_ACTION: what cannot be taken back needs leave", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld words(page("<button onclick=\"document.title='gone'\">Delete account</button>"),
                    {click("Delete account")});
  ReplayResult r = words.run();
  CHECK(r.failure->code == code::kRiskyAction);
  CHECK(r.executed == 0);
  words.options.allow_risky = true;
  CHECK(words.run().ok);
  ReplayWorld post(page("<form method=post action=/><button>Send</button></form>"),
                   {click("Send")});
  CHECK(post.run().failure->code == code::kRiskyAction);
  post.contract("any", R"({"assertions":[{"url":"*"}]})");
  post.skill.contract_id = "any";
  CHECK(failure(post.run()).find("RISKY") == std::string::npos);
  ReplayWorld link(page("<a href=http://elsewhere.example/>Go</a>"),
                   {step(StepKind::click, {by_role("link", "Go")})});
  CHECK(link.run().failure->code == code::kRiskyAction);
  ReplayWorld away(page(""),
                   {step(StepKind::navigate, {}, {{"url", "http://elsewhere.example/"}})});
  CHECK(away.run().failure->code == code::kRiskyAction);
}

TEST_CASE("ARTIFACT_MISSING, INVALID_ARGS and DISABLED do nothing") {
  ReplayWorld w = form_world();
  w.options.range = {2, 9};
  CHECK(w.run().failure->code == code::kInvalidArgs);
  w.options.range.reset();
  w.skill.artifact->steps[0].args["value"] = "${SECRET:NOBODY_KNOWS}";
  CHECK(w.run().failure->code == code::kInvalidArgs);
  w.skill.artifact->steps[0].args["value"] = "x";
  w.skill.start_url.clear();
  CHECK(w.run().failure->code == code::kInvalidArgs);
  setenv("HEBB_SKILL_REPLAY", "0", 1);
  CHECK(w.run().failure->code == code::kDisabled);
  unsetenv("HEBB_SKILL_REPLAY");
  w.skill.artifact.reset();
  CHECK(w.run().failure->code == code::kArtifactMissing);
}

TEST_CASE("a secret is typed and is nowhere else", "[browser]") {
  NEEDS_BROWSER();
  ReplayWorld w(page("<input aria-label=Password type=password oninput=\"console.log(value);"
                     "out.textContent = value\"><p id=out></p>"),
                {fill("Password", "${SECRET:PW}"), click("Nothing")});
  SecretValues secrets;
  secrets.add("PW", "correct horse 1");
  w.options.secrets = &secrets;
  w.options.step_timeout_ms = 500;
  w.keep_evidence();
  const ReplayResult r = w.run();
  CHECK(r.failure->code == code::kResolutionFailed);
  CHECK(r.executed == 1);
  const std::string kept = all_of(r.failure->evidence) + r.failure->detail;
  CHECK(kept.find("${SECRET:PW}") != std::string::npos);
  CHECK(kept.find("correct horse") == std::string::npos);
}

TEST_CASE("nothing is left: no process, no folder, no descriptor", "[browser]") {
  NEEDS_BROWSER();
  const auto left = [] {
    std::size_t count = 0;
    for (const auto& e : std::filesystem::directory_iterator("/proc/self/fd")) count += e.exists();
    for (const auto& e :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      count += e.path().filename().string().starts_with("hebb-browser-") ? 1000 : 0;
      count += e.path().filename().string().starts_with(".org.chromium") ? 1000 : 0;
    }
    return count;
  };
  // Without a site: its server keeps connections open.
  ReplayWorld w(page(""), {step(StepKind::press, {}, {{"key", "Tab"}})});
  w.skill.start_url = "about:blank";
  w.options.kept = nullptr;  // a browser of its own
  const std::size_t before = left();
  CHECK(w.run().ok);
  CHECK(left() == before);
  w.options.browser.program = "/bin/false";
  CHECK(w.run().failure->code == code::kInvalidArgs);
  w.options.browser.program = "/nowhere/chromium";
  CHECK(w.run().failure->code == code::kInvalidArgs);
  CHECK(left() == before);
}

}  // namespace hebb::skill::test
