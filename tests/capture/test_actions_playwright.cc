#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "capture/actions/playwright_code.h"
#include "capture/actions/playwright_steps.h"
#include "tests/capture/actions_support.h"

namespace hebb::capture::test {
namespace {

using nlohmann::json;
using Steps = std::vector<std::string>;

std::optional<Steps> ran(const std::string& code) {
  return replayed_code("### Ran Playwright code\n```js\n" + code +
                       "\n```\n### Page\n- Page URL: x");
}

ActionRow call_with_text(std::string tool, const json& args, std::string_view text) {
  ActionRow r = row(0, "a_1", std::move(tool), args.dump());
  r.result = json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump();
  return r;
}

constexpr const char* kDevtools =
    "## Latest page snapshot\n"
    "uid=1_0 RootWebArea \"Sign up\" url=\"http://127.0.0.1/\"\n"
    "  uid=1_4 textbox \"Name\"\n"
    "  uid=1_8 combobox \"Size\" expandable value=\"S\"\n"
    "  uid=1_11 checkbox \"Agree \\\"all\\\"\"\n"
    "  uid=1_12 button \"Delete\"\n"
    "  uid=1_13 button \"Delete\"\n";

}  // namespace

TEST_CASE("playwright: the code that a server ran, read and written anew") {
  CHECK(ran("await page.goto('http://127.0.0.1:1/a?b=1');") ==
        Steps{R"(page.goto(at("http://127.0.0.1:1/a?b=1")))"});
  CHECK(
      ran("await page.getByRole('textbox', { name: 'Name', exact: true }).fill('it\\'s \"é\"');") ==
      Steps{R"(page.getByRole("textbox", { name: "Name", exact: true }).fill("it's \"\u00e9\""))"});
  CHECK(ran("// Press Tab\nawait page.keyboard.press('Tab');\n") ==
        Steps{R"(page.keyboard.press("Tab"))"});
  CHECK(
      ran("await page.locator('li').filter({ hasText: /^a\\/b [/]$/i }).nth(-1).click();") ==
      Steps{
          R"(page.locator("li").filter({ hasText: new RegExp("^a\\/b [/]$", "i") }).nth(-1).click())"});
  CHECK(ran("await page.getByText('a').dragTo(page.getByText(`b`));") ==
        Steps{R"(page.getByText("a").dragTo(page.getByText("b")))"});
  CHECK(ran("await page.getByLabel('Size').selectOption(['S', 'L']);\nawait page.close();") ==
        Steps{R"(page.getByLabel("Size").selectOption(["S", "L"]))"});
}

TEST_CASE("playwright: what was masked in the code comes from the environment") {
  CHECK(ran("await page.getByRole('textbox', { name: 'Pass word' }).fill('[masked]');") ==
        Steps{R"(page.getByRole("textbox", { name: "Pass word" }).fill(secret("PASSWORD")))"});
  CHECK(ran("await page.goto('http://a/?token=[masked]&b=1');") ==
        Steps{R"(page.goto(at("http://a/?token=" + secret("VALUE") + "&b=1")))"});
}

TEST_CASE("playwright: code that is no chain of known calls with literals is not taken") {
  for (const char* code :
       {"await (async (page) => { await page.click('a'); })(page);", "process.exit();",
        "await page.click('a'); process.exit();", "await page.evaluate(() => steal());",
        "await page.getByText(`${process.env.HOME}`).click();", "await page.context().close();",
        "await page.getByText('a' + x).click();", "await page.getByText(secret('X')).click();",
        "await page.getByText('\\x41').click();", "await page.getByText('a).click();",
        "await page;", "await page.getByText(/a\n/).click();",
        "await page.fill('a', { b: [[[[[[[[[1]]]]]]]]] });"}) {
    CAPTURE(code);
    CHECK_FALSE(ran(code));
  }
  // A page's text that looks like the heading is in the middle of a line.
  CHECK_FALSE(replayed_code("- text: ### Ran Playwright code\n```js\nawait page.reload();\n```"));
  CHECK_FALSE(replayed_code("no code"));
}

TEST_CASE("playwright: the code of a result goes before the arguments") {
  Replay replay;
  CHECK(replay.steps(call_with_text(
            "browser_click", {{"element", "Go now button"}, {"target", "e12"}},
            "### Ran Playwright code\n```js\nawait page.getByTestId('go').click();\n```")) ==
        Steps{R"(page.getByTestId("go").click())"});
  // A target may be a selector.
  CHECK(replay.steps(call_with_text("browser_click", {{"target", "#go"}}, "clicked")) ==
        Steps{R"(page.locator("#go").click())"});
  CHECK_FALSE(replay.steps(call_with_text("browser_click", {{"target", "e12"}}, "clicked")));
}

TEST_CASE("playwright: elements are what the last snapshot says of their uid or ref") {
  Replay replay;
  CHECK(replay.steps(call_with_text("take_snapshot", {{"pageId", 1}}, kDevtools)) == std::nullopt);
  const auto step = [&](const char* tool, const json& args) {
    return replay.steps(call_with_text(tool, args, "ok")).value_or(Steps{}).at(0);
  };
  CHECK(step("fill", {{"uid", "1_4"}, {"value", "Ada"}}) ==
        R"(page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada"))");
  CHECK(
      step("fill", {{"uid", "1_8"}, {"value", "L"}}) ==
      R"(page.getByRole("combobox", { name: "Size", exact: true }).selectOption({ label: "L" }))");
  CHECK(
      step("fill_form", {{"elements", {{{"uid", "1_11"}, {"value", "true"}}}}}) ==
      R"((async () => { await page.getByRole("checkbox", { name: "Agree \"all\"", exact: true }).setChecked(true); })())");
  CHECK(step("click", {{"uid", "1_13"}, {"dblClick", true}}) ==
        R"(page.getByRole("button", { name: "Delete", exact: true }).nth(1).dblclick())");
  CHECK(step("type_text", {{"text", "x"}, {"submitKey", "Enter"}}) ==
        R"(page.keyboard.type("x").then(() => page.keyboard.press("Enter")))");
  CHECK(step("new_page", {{"url", "http://a/"}}) == R"(page.goto(at("http://a/")))");
  CHECK(step("navigate_page", {{"type", "back"}}) == "page.goBack()");
  CHECK_FALSE(replay.steps(call_with_text("click", {{"uid", "9_9"}}, "ok")));
  CHECK_FALSE(replay.steps(call_with_text("drag", {{"from_uid", "1_4"}, {"to_uid", "1_8"}}, "ok")));
  CHECK_FALSE(replay.steps(call_with_text("browser_tabs", {{"action", "close"}}, "ok")));
  CHECK(replay.steps(call_with_text("browser_tabs", {{"action", "list"}}, "ok")) == Steps{});
}

}  // namespace hebb::capture::test
