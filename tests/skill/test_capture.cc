// Steps out of recorded sessions, as the servers answer today.
#include <catch2/catch.hpp>

#include "skill/capture/session.h"

namespace hebb::skill::test {
using hebb::capture::ActionRow;

namespace {

ActionRow call(const std::string& tool, const Json& args, const std::string& text) {
  ActionRow row;
  row.tool = tool;
  row.args = args.dump();
  row.result = Json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump();
  row.success = true;
  row.app_name = "browser";
  return row;
}

std::string ran(const std::string& code) {
  return "### Ran Playwright code\n```js\n" + code + "\n```\n### Page\n- Page URL: http://a/\n";
}

}  // namespace

TEST_CASE("the code that Playwright's server says it ran becomes steps") {
  const std::vector<ActionRow> rows{
      call("browser_navigate", {{"url", "http://a/"}}, ran("await page.goto('http://a/');")),
      call("browser_snapshot", Json::object(), "- button \"Save\" [ref=e2]"),
      call("browser_fill_form", {{"fields", Json::array()}},
           ran("await page.getByRole('textbox', { name: 'Name' }).fill('Ann');\n"
               "await page.getByRole('textbox', { name: 'Password' }).fill('[masked]');")),
      call("browser_click", {{"target", "e2"}, {"element", "Save"}},
           ran("await page.getByTestId('save').click();")),
  };
  const CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() == 4);
  CHECK(s.start_url == "http://a/");
  CHECK(s.steps[1].step.args["value"] == "Ann");
  CHECK(s.steps[2].step.args["value"] == "${SECRET:PASSWORD}");
  CHECK(s.steps[3].step.selectors == Chain{by(SelectorType::test_id, "save")});
  CHECK(s.left_out.empty());
}

TEST_CASE("a uid is joined to the last snapshot, and its place among equals is kept") {
  const std::string snapshot =
      "## Latest page snapshot\nuid=1_0 RootWebArea \"T\"\n  uid=1_1 textbox \"Name\"\n"
      "  uid=1_2 button \"Add\"\n  uid=1_3 button \"Add\"\n";
  const std::vector<ActionRow> rows{
      call("navigate_page", {{"url", "http://a/"}}, "Navigated"),
      call("take_snapshot", Json::object(), snapshot),
      call("fill", {{"uid", "1_1"}, {"value", "Ann"}}, snapshot),
      call("click", {{"uid", "1_3"}}, "Clicked"),
      call("click", {{"uid", "9_9"}}, "Clicked"),
  };
  const CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() == 3);
  CHECK(s.steps[1].step.selectors == Chain{by_role("textbox", "Name")});
  CHECK(s.steps[2].step.selectors[0].nth == 1);
  REQUIRE(s.left_out.size() == 1);
  CHECK(s.left_out[0].starts_with("click: "));
}

TEST_CASE("free text is no locator, failed calls are no steps, and code is read, not run") {
  ActionRow failed = call("browser_click", {{"target", "e2"}}, ran("await page.close();"));
  failed.success = false;
  const std::vector<ActionRow> rows{
      failed,
      call("browser_click", {{"element", "Save button"}}, "ok"),
      call("browser_click", {{"target", "e5"}},
           ran("await page.getByRole('button').click(); process.exit()")),
  };
  const CapturedSession s = capture_session(rows);
  CHECK(s.steps.empty());
  CHECK(s.left_out.size() == 2);
}

}  // namespace hebb::skill::test
