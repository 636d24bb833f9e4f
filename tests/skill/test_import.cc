// A recording of another program, from its import to its healing, as a user does it. Skipped
// without a Chromium.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "skill/browser/process.h"
#include "tests/skill/pages.h"
#include "tests/support/process.h"

namespace hebb::skill::test {

TEST_CASE("of an imported recording the first run keeps what its elements are like, for healing",
          "[browser]") {
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
         "selectors": [["aria/Captcha"], ["#captcha"]]}]})json";
  hebb::test::write_text(folder.file("form.json"), recording);
  const auto hebb = [&](std::vector<std::string> words) {
    std::vector<std::string> args{HEBB_BINARY, "--db", folder.file("db"), "skill"};
    args.insert(args.end(), words.begin(), words.end());
    return hebb::test::run_process(args);
  };
  const auto healed = [&] {
    const auto run = hebb({"heal", "form", "--json", "--step-timeout", "1500"});
    INFO(run.err);
    return nlohmann::json::parse(run.out);
  };
  const auto renamed = hebb::test::with(form, ">Captcha<", ">Verification code<");
  REQUIRE(hebb({"import", folder.file("form.json")}).exit_code == 0);
  // Before that nothing is known of them.
  site.put("/", renamed);
  CHECK(healed()["healed"].empty());
  site.put("/", form);
  REQUIRE(hebb({"run", "form"}).exit_code == 0);
  site.put("/", renamed);
  const auto now = healed();
  INFO(now.dump());
  REQUIRE(now["healed"].size() == 1);
  CHECK(now["run"]["ok"] == true);
  CHECK(now["healed"][0]["was"] == "\"Captcha\"");
  CHECK(now["healed"][0]["now"] == "textbox \"Verification code\"");
}

}  // namespace hebb::skill::test
