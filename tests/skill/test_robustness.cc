// Whatever a browser or a page does: a run ends in time, with a code, and leaves nothing behind.
// Skipped without a Chromium.
#include <csignal>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "skill/replay/replay.h"
#include "tests/skill/pages.h"
#include "tests/skill/steps.h"
#include "tests/support/process.h"

namespace hebb::skill::test {
using hebb::test::Folder;
using hebb::test::left_behind;
using hebb::test::page;
using hebb::test::Site;
using hebb::test::Wire;

namespace {

// The code of a run of these steps from "/" on; checks that nothing is left of it.
std::string code_of(const Site& site, std::vector<Step> steps, std::int64_t step_ms = 700) {
  Folder folder;
  Skill skill;
  skill.id = "skill:x/y";
  skill.start_url = site.url("/");
  skill.artifact = Artifact{0, "0.2.0", std::move(steps), Json::object()};
  ReplayOptions options;
  options.step_timeout_ms = step_ms;
  options.run_timeout_ms = 20'000;
  options.evidence_folder = folder.file("evidence");
  const auto before = left_behind();
  const ReplayResult r =
      replay(skill, options, [](const std::string&) { return std::optional<Contract>(); });
  const auto after = left_behind();
  CHECK(after.processes == before.processes);
  CHECK(after.folders == before.folders);
  CHECK(after.descriptors == before.descriptors);
  if (r.failure) UNSCOPED_INFO(r.failure->detail);
  return r.failure ? r.failure->code : "";
}

// A page whose button asks the server for /now, and waits.
std::string asking() { return page("<button onclick=\"fetch('/now')\">Go</button>"); }

void signal_browser(int number) {
  for (const int pid : hebb::test::own_browsers()) kill(pid, number);
}

}  // namespace

TEST_CASE("a browser that is killed ends the run", "[browser]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/", asking());
  site.on("/now", [](const Wire&) { signal_browser(SIGKILL); });
  CHECK(code_of(site, {click("Go"), click("Never there")}, 8000) == code::kNavigatedAway);
}

TEST_CASE("a browser that stops answering ends the run", "[browser]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/", asking());
  site.on("/now", [](const Wire&) { signal_browser(SIGSTOP); });
  CHECK(code_of(site, {click("Go"), click("Never there")}) == code::kStepTimeout);
}

TEST_CASE("alerts without end, navigation without end and a busy page end the run", "[browser]") {
  NEEDS_BROWSER();
  for (const char* script : {"for (;;) alert('again')", "for (;;) {}",
                             "setInterval(() => location.href = '/?' + Math.random(), 1)",
                             "for (;;) window.open('/')"}) {
    INFO(script);
    Site site;
    site.put("/", page("<button onclick=\"" + std::string(script) + "\">Go</button>"));
    const std::string told = code_of(site, {click("Go"), click("Never there")});
    INFO(told);
    CHECK((told == code::kStepTimeout || told == code::kResolutionFailed));
  }
}

TEST_CASE("a page that asks before it is left is left, and ten windows are no matter",
          "[browser]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/", page("<script>onbeforeunload = (e) => { e.preventDefault(); return 'stay' }"
                     "</script><input aria-label=Name><button onclick=\"for (let i = 0; i < 10;"
                     " ++i) window.open('about:blank')\">Go</button>"));
  site.put("/two", page("<button>There</button>"));
  const Step leave = step(StepKind::navigate, {}, {{"url", site.url("/two")}});
  CHECK(code_of(site, {fill("Name", "x"), leave, click("There")}, 8000).empty());
  CHECK(code_of(site, {click("Go"), fill("Name", "x")}, 8000).empty());
}

TEST_CASE("a page of a gigabyte ends the run", "[browser]") {
  NEEDS_BROWSER();
  Site site;
  static constexpr std::size_t kGigabyte = std::size_t{1} << 30;
  site.on("/", [](const Wire& wire) {
    wire.send(fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        kGigabyte));
    const std::string piece(64 << 10, 'x');
    for (std::size_t sent = 0; sent < kGigabyte && wire.send(piece); sent += piece.size()) {
    }
  });
  CHECK_FALSE(code_of(site, {click("Go")}).empty());
}

TEST_CASE("a document that grows without end ends the run, and its evidence is bounded",
          "[browser]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/",
           page("<p id=p></p><button onclick=\"setInterval(() => { for (let i = 0; i < 500; ++i)"
                " p.append(document.createElement('button'), 'x'.repeat(9999)) }, 1)\">Go"
                "</button>"));
  CHECK_FALSE(code_of(site, {click("Go"), click("Never there")}).empty());
}

// Hidden, because it takes minutes.
TEST_CASE("a hundred replays in one process leave nothing behind", "[.hundred]") {
  NEEDS_BROWSER();
  Site site;
  site.put("/", Site::file("form.html"));
  const std::vector<Step> steps{fill("Name", "Alice"), fill("Email", "a@b.co"),
                                fill("Captcha", "1234"), click("Submit")};
  for (int i = 0; i < 100; ++i) {
    INFO(i);
    CHECK(code_of(site, steps, 8000).empty());
  }
}

}  // namespace hebb::skill::test
