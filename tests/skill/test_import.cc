// A recording of another program, imported and run as a user does it. Skipped without a
// Chromium.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "skill/browser/process.h"
#include "tests/skill/pages.h"
#include "tests/support/process.h"

namespace hebb::skill::test {

TEST_CASE("of an imported recording the first run keeps what its elements are like", "[browser]") {
  NEEDS_BROWSER();
  hebb::test::Site site;
  hebb::test::Folder folder;
  const std::string form = hebb::test::Site::file("form.html");
  site.put("/", form);
  const std::string recording =
      R"json({"title": "form", "steps": [
        {"type": "setViewport", "width": 1000, "height": 700},
        {"type": "navigate", "url": ")json" +
      site.url("/") + R"json("},
        {"type": "change", "target": "main", "value": "Ada", "selectors": [["aria/Name"], ["#name"]]},
        {"type": "change", "target": "main", "value": "1234",
         "selectors": [["#captcha"]]}]})json";
  hebb::test::write_text(folder.file("form.json"), recording);
  const auto hebb = [&](std::vector<std::string> words) {
    std::vector<std::string> args{HEBB_BINARY, "--db", folder.file("db"), "skill"};
    args.insert(args.end(), words.begin(), words.end());
    return hebb::test::run_process(args);
  };
  const auto renamed = hebb::test::with(form, ">Captcha<", ">Verification code<");
  const auto runs = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "form", "--step-timeout", "1500"};
    words.insert(words.end(), more.begin(), more.end());
    return hebb(words).exit_code == 0;
  };
  REQUIRE(hebb({"import", folder.file("form.json")}).exit_code == 0);
  // Before that nothing is known of them but the selectors; a run from elsewhere says nothing.
  site.put("/", renamed);
  CHECK(runs({"--url", site.url("/")}));
  site.put("/", form);
  CHECK(runs({}));
  site.put("/", renamed);
  CHECK_FALSE(runs({}));
}

}  // namespace hebb::skill::test
