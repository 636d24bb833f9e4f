// Scripts of Playwright: each statement is read or refused, and what hebb exports comes in again.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "skill/format/format.h"
#include "skill/store/secrets.h"
#include "tests/skill/steps.h"

namespace hebb::skill::test {
namespace {

const char* kCodegen = R"js(import { test, expect } from '@playwright/test';

test('buy', async ({ page }) => {
  await page.goto('http://localhost:8080/');
  await page.getByRole('textbox', { name: 'Name' }).fill('It\'s \u00e9');
  await page.getByRole('row', { name: 'Milk' }).getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('#list').getByText('Done').first().dblclick();
  await page.locator('iframe[name="pay"]').contentFrame().getByLabel('Card').press('Control+a');
  await page.getByTestId('size').selectOption(['l', 'm']);
  await page.getByRole('listitem').filter({ hasText: 'Tea' }).getByRole('checkbox').check();
  page.once('dialog', dialog => {
    console.log(`Dialog message: ${dialog.message()}`);
    dialog.accept().catch(() => {});
  });
  await page.getByRole('button', { name: 'Sure' }).click();
  const page1Promise = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'More' }).click();
  const page1 = await page1Promise;
  await page1.getByPlaceholder('Search').fill(process.env.HEBB_SECRET_TERM!);
  await expect(page1.getByText('x')).toBeVisible();
});
)js";

Imported read(const std::string& script) { return import_recording(script, "playwright"); }

std::string script_refusal(const std::string& script) {
  try {
    read(script);
  } catch (const Invalid& e) {
    return e.what();
  }
  return "";
}

// Each stands in the third line of a script.
const char* const kNotSteps[] = {
    "for (const n of ['a', 'b']) {\n  await page.getByText(n).click();\n}",
    "if (await page.getByText('a').isVisible()) await page.getByText('a').click();",
    "while (x) {}",
    "try { await page.getByText('a').click(); } catch {}",
    "{ await page.getByText('a').click(); }",
    "await helper(page);",
    "const row = page.getByRole('row');",
    "const link = 'http://a/';",
    "test;",
    "throw new Error('cannot replay step 1: custom');",
    "require('child_process');",
    "page.getByText('a').click();",
    "await page.getByRole(name).click();",
    "await page.evaluate(() => fetch('x'));",
    "await page.getByText('a').evaluate((e) => e.remove());",
    "await page.getByText(`a ${b}`).click();",
    "await page.getByText('a').click(), await page.getByText('b').click();",
    "await Promise.all([page.waitForEvent('popup'), page.getByText('a').click()]);",
    "await page.getByRole('button', { name: 'a', pressed: true }).click();",
    "await page.getByRole('button', { name: /a/ }).click();",
    "await page.locator('li', { has: page.locator('b') }).click();",
    "await page.locator('li').filter({ hasText: 'a', hasNotText: 'b' }).click();",
    "await page.locator('li').first().filter({ hasText: 'b' }).click();",
    "await page.locator('a >> b').click();",
    "await page.locator('a:has-text(\"b\")').click();",
    "await page.locator('role=button').click();",
    "await page.getByText('a').click({ trial: true });",
    "await page.getByText('a').click('b');",
    "await page.getByText('a').dragTo(page1.getByText('b'));",
    "await page.getByText('a').selectOption({ index: 2 });",
    "await page.getByText('a').waitFor({ state: 'detached' });",
    "await page1.getByText('a').click();",
    "const page1 = await context.newPage();",
    "const page1Promise = page.waitForEvent('popup');",
    "await expect(async () => { await page.getByText('a').click(); }).toPass();",
    "expect(await login(page)).toBe(true);",
    "expect(await page['click']('a')).toBe(true);",
    "expect(await page.getByText('a').click?.()).toBe(true);",
    "import { test } from './fixtures';",
    "expect(`${await page.getByText('a').click()}`).toBe('x');",
    "page.on('dialog', dialog => dialog.accept());",
    "page.once('dialog', dialog => { if (x) dialog.accept(); });",
    "page.once('dialog', dialog => dialog.accept());",
    "page.once('dialog', dialog => dialog.accept().catch(() => page.reload()));",
    "test.use({ storageState: 'a.json' });",
    "test.skip('a', async ({ page }) => { await page.getByText('a').click(); });",
    "test('a', async ({ page: other }) => { await page.getByText('a').click(); });",
    "test('a', async ({ page }) => { await helper(page); });",
    "test.afterEach(async ({ page }) => { await page.getByText('a').click(); });",
    "test.describe('a', () => { test.beforeEach(async ({ page }) => { await page.reload(); }) });",
    "/* await page.getByText('a').click();",
    "await page.getByText('a).click();",
    "await page.getByText('a').click(;",
};

}  // namespace

TEST_CASE("generated code becomes steps") {
  const Imported in = import_recording(kCodegen, "");
  CHECK(in.title == "buy");
  const auto& s = in.artifact.steps;
  REQUIRE(s.size() == 11);
  CHECK(s[0].kind == StepKind::navigate);
  CHECK(s[1].args["value"] == "It's \u00e9");
  CHECK_FALSE(s[1].selectors[0].exact);
  CHECK(s[2].selectors[0].exact);
  CHECK(s[2].selectors[0].within[0].role == "row");
  CHECK(s[3].args["count"] == 2);
  CHECK(s[3].selectors[0].nth == 0);
  CHECK(s[4].frames[0][0] == by(SelectorType::css, "iframe[name=\"pay\"]"));
  CHECK(s[4].args["key"] == "Control+a");
  CHECK(s[5].args["values"] == Json::array({"l", "m"}));
  CHECK(s[6].selectors[0].within[0].has_text == "Tea");
  CHECK(s[6].selectors[0].within[0].role == "listitem");
  CHECK(s[8].kind == StepKind::dialog);
  CHECK(s[8].args["accept"] == true);
  CHECK(s[10].tab == 1);
  CHECK(s[10].args["value"] == "${SECRET:TERM}");
  CHECK(in.notes == std::vector<std::string>{
                        "line 20 is ignored: await expect(page1.getByText('x')).toBeVisible()"});
}

TEST_CASE("a statement of a script that is no step is refused with its line") {
  for (const char* statement : kNotSteps) {
    INFO(statement);
    const std::string before = "await page.goto('http://a/');\n// {\n";
    CHECK(script_refusal(before + statement + "\n").starts_with("line 3: "));
  }
  CHECK(script_refusal("test('a', async ({ page }) => {\n  await page.goto('http://a/');\n"
                       "  await helper(page);\n});") ==
        "line 3: is not understood: await helper(page); write out the steps that it does, or "
        "remove it");
  CHECK(
      script_refusal("test('a', async ({ page }) => {\n});\ntest('b', async ({ page }) => {});") ==
      "line 3: is a second test; a skill is one: keep each in a file of its own");
}

TEST_CASE("a script is read by statements, whatever stands in their texts and comments") {
  const Imported in = import_recording(R"js(
import {
  test, expect
} from '@playwright/test'
test.describe('shop', () => {
  test.setTimeout(5000)
  test('say "a" // {', { tag: '@a' }, async ({ page }) => {
    /* await page.getByText('x').click();
       } */ await page.getByText('it // { \'`').click() // });
    await page
      // the field
      .getByLabel('b',
                  { exact: true, })
      .fill(`two
lines \u{1f600}\ud83d\ude00`);
    console.log(`at ${page.url()} ${`}`}`); await page.getByText('c').click();
    await page.waitForURL(/d\/[/;]/);
  });
  test.beforeEach(async ({ page }) => { await page.goto('http://a/'); });
});
)js",
                                       "");
  CHECK(in.title == "say \"a\" // {");
  CHECK(in.start_url == "http://a/");
  REQUIRE(in.artifact.steps.size() == 4);
  CHECK(in.artifact.steps[1].selectors[0].value == "it // { '`");
  CHECK(in.artifact.steps[2].selectors[0].exact);
  CHECK(in.artifact.steps[2].args["value"] == "two\nlines \U0001F600\U0001F600");
  CHECK(in.artifact.steps[3].selectors[0].value == "c");
  CHECK(in.notes ==
        std::vector<std::string>{"line 16 is ignored: console.log(`at ${page.url()} ${`}`}`)",
                                 "line 17 is ignored: await page.waitForURL(/d\\/[/;]/)"});
}

TEST_CASE("the end of a comment cannot begin within its beginning") {
  // All from /* to the one */ is a comment, within a template literal, too.
  for (const std::string statement :
       {"/*/ await page.getByText('a').click(); //*/",
        "console.log(`${/*/ }`); await page.getByText('a').click(); //*/ 1}`);"}) {
    INFO(statement);
    CHECK(read("await page.goto('http://a/');\n" + statement).artifact.steps.size() == 1);
  }
  CHECK(script_refusal("await page.goto('http://a/');\n/*/ await page.getByText('a').click();")
            .starts_with("line 2: is not understood"));
}

TEST_CASE("a program of the code generator is read as a test is") {
  const Imported in = import_recording(R"js(const { chromium } = require('playwright');

(async () => {
  const browser = await chromium.launch({
    headless: false
  });
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  await page.goto('http://a/');
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Get' }).click();
  const download = await downloadPromise;
  await page.close();

  // ---------------------
  await context.close();
  await browser.close();
})();)js",
                                       "");
  REQUIRE(in.artifact.steps.size() == 3);
  CHECK(in.artifact.steps[0].kind == StepKind::viewport);
  CHECK(in.artifact.steps[0].args == Json{{"width", 800}, {"height", 600}});
  CHECK(in.artifact.steps[2].kind == StepKind::click);
  CHECK(in.notes == std::vector<std::string>{
                        "line 10 is ignored: const downloadPromise = page.waitForEvent('download')",
                        "line 13 is ignored: await page.close()"});
}

namespace {

// Every way to find an element that Playwright has, too.
Chain selectors_of_playwright() {
  Chain all{by_role("button", "Save"),
            by_role("button", ""),
            by(SelectorType::label, "Name"),
            by(SelectorType::placeholder, "Search"),
            by(SelectorType::test_id, "a=b"),
            by(SelectorType::css, "#a > [href=\"x=y\"]"),
            by(SelectorType::xpath, "//a[text()=\"b\"]"),
            by(SelectorType::text, "\"'`\\\n\u2028 \U0001F600 ${x} // {"),
            by(SelectorType::text, "a ${SECRET:B} c ${SECRET:D}")};
  for (const SelectorType type : {SelectorType::role_name, SelectorType::label,
                                  SelectorType::placeholder, SelectorType::text}) {
    Selector part = by(type, "Part");
    part.role = type == SelectorType::role_name ? "link" : "";
    part.exact = false;
    all.push_back(part);
  }
  all.push_back(by_role("listitem", ""));
  all.back().exact = false;
  const Selector first = all.front();
  for (const std::int64_t nth : {0, 3, -1, -2}) {
    Selector s = by(SelectorType::css, "li");
    s.nth = nth;
    s.has_text = "Tea";
    s.within = {first, by(SelectorType::css, "ul")};
    s.within.back().nth = 1;
    all.push_back(s);
  }
  return all;
}

// Steps of one kind, each with some args.
struct Sample {
  StepKind kind;
  std::vector<Json> args;           // with an element
  std::vector<Json> alone = {};     // without one
  std::vector<Json> not_here = {};  // without one, and what Playwright cannot do
};
std::vector<Sample> samples() {
  const Json none = Json::object(), key = {{"key", "Enter"}};
  return {
      {StepKind::click,
       {none,
        {{"count", 1}},
        {{"count", 2}},
        {{"count", 3}},
        {{"button", "right"}},
        {{"modifiers", {"Shift"}}},
        {{"offsetX", 1}, {"offsetY", 2.5}}}},
      {StepKind::fill,
       {{{"value", ""}}, {{"value", "a ${SECRET:B}"}}, {{"value", "\\\"\n\u2028"}}}},
      {StepKind::navigate, {}, {{{"url", "http://a/b?c=${SECRET:D}"}}}},
      {StepKind::press, {key}, {key}},
      {StepKind::select, {{{"value", "a"}}, {{"values", {"a", "b"}}}, {{"label", "A"}}}},
      {StepKind::submit, {none}},
      {StepKind::scroll, {none}, {{{"dx", 0}, {"dy", 300}}}, {{{"x", 0}, {"y", 300}}}},
      {StepKind::check, {none}},
      {StepKind::uncheck, {none}},
      {StepKind::hover, {none}},
      {StepKind::drag, {none}},
      {StepKind::upload, {{{"files", {"a.txt", "b.txt"}}}}},
      {StepKind::dialog,
       {},
       {{{"accept", true}}, {{"accept", true}, {"value", "x"}}, {{"accept", false}}}},
      {StepKind::wait,
       {none, {{"visible", true}}, {{"visible", false}}},
       {{{"text", "a"}}, {{"expression", "a === 'b'"}}, {{"time_ms", 50}}},
       {{{"count", 2}}, {{"attributes", {{"a", "b"}}}}, {{"text_gone", "a"}}}},
      {StepKind::key_down, {}, {key}},
      {StepKind::key_up, {}, {key}},
      {StepKind::viewport, {}, {{{"width", 800}, {"height", 600}}}},
      {StepKind::close, {}, {none}},
      {StepKind::network, {}, {}, {{{"download", 0}, {"upload", 0}, {"latency", 0}}}},
      {StepKind::custom, {}, {}, {{{"name", "mine"}}}},
  };
}

// The first click may open a dialog; with the last one, nothing before it is the script's end.
Artifact between_clicks(Step given) {
  return {0, "0", {click("Before"), std::move(given), click("After")}, Json::object()};
}

std::string exported(const Artifact& artifact) {
  return write_playwright({"a \"test\" \U0001F600", "", &artifact, nullptr});
}

void check_comes_back(Step given) {
  const Artifact artifact = between_clicks(std::move(given));
  const std::string code = exported(artifact);
  INFO(code);
  const Imported again = read(code);
  CHECK(again.title == "a \"test\" \U0001F600");
  CHECK(again.artifact.steps == artifact.steps);
  CHECK(again.notes.empty());
  CHECK(code.find("// The recording says more") == std::string::npos);
}

}  // namespace

TEST_CASE("an exported test comes in again as the same steps, whatever is done to whatever") {
  const Imported in = import_recording(kCodegen, "");
  CHECK(read(exported(in.artifact)).artifact.steps == in.artifact.steps);
  std::set<StepKind> kinds;
  std::set<SelectorType> types;
  for (const Sample& sample : samples()) {
    kinds.insert(sample.kind);
    for (const Json& args : sample.args) {
      for (const Selector& selector : selectors_of_playwright()) {
        types.insert(selector.type);
        Step given = step(sample.kind, {selector}, args);
        if (sample.kind == StepKind::drag) given.to = {by(SelectorType::text, "there")};
        check_comes_back(given);
        given.frames = {{by(SelectorType::css, "iframe[name=\"a\"]")}, {selector}};
        check_comes_back(given);
      }
    }
    for (const Json& args : sample.alone) check_comes_back(step(sample.kind, {}, args));
    for (const Json& args : sample.not_here) {
      const std::string code = exported(between_clicks(step(sample.kind, {}, args)));
      INFO(code);
      CHECK(code.find("throw new Error(\"cannot replay step 1") != std::string::npos);
      CHECK(script_refusal(code).find("cannot replay step 1") != std::string::npos);
    }
  }
  // None is forgotten here; the types accessible_name and node_ref are below.
  CHECK(kinds.size() == static_cast<std::size_t>(StepKind::custom) + 1);
  CHECK(types.size() == static_cast<std::size_t>(SelectorType::text) + 1 - 2);
}

TEST_CASE("steps in pages that others open come in again in the same pages") {
  Artifact artifact = between_clicks(fill("Name", "x"));
  auto& steps = artifact.steps;
  steps[1].tab = 1;
  steps.push_back(step(StepKind::close, {}));
  steps.back().tab = 1;
  steps.push_back(step(StepKind::close, {}));
  steps.push_back(fill("Other", "y"));
  steps.back().tab = 3;  // another page was opened before, and not used
  const std::string code = exported(artifact);
  INFO(code);
  CHECK(read(code).artifact.steps == steps);
}

TEST_CASE("what a test does not say of a step is named in it") {
  const auto losses = [](Step given) {
    const std::string code = exported(between_clicks(std::move(given)));
    const std::string begin = "// The recording says more than this test: ";
    const std::size_t from = code.find(begin);
    if (from == std::string::npos) return std::string();
    const std::size_t end = code.find(".\n", from);
    return code.substr(from + begin.size(), end - from - begin.size());
  };
  const Chain two{by(SelectorType::css, "#a"), by(SelectorType::text, "a")};
  CHECK(losses(step(StepKind::click, {two[0]})).empty());
  CHECK(losses(step(StepKind::click, two)) == "selectors (step 1)");
  CHECK(losses(step(StepKind::click, {by(SelectorType::node_ref, "1"), two[0]})) ==
        "selectors (step 1)");
  CHECK(losses(step(StepKind::click, {by(SelectorType::accessible_name, "a")})) ==
        "selectors (step 1)");
  CHECK(losses(step(StepKind::viewport, {}, {{"width", 1}, {"height", 1}, {"isMobile", true}})) ==
        "args.isMobile (step 1)");
  Step press = step(StepKind::press, {}, {{"key", "Enter"}});
  press.focus = two;
  press.contract_id = "sent";
  press.extra = {{"timeout", 5}};
  CHECK(losses(press) == "extra (step 1); focus (step 1); post_assert (step 1)");
  Step dialog = step(StepKind::dialog, {}, {{"accept", false}, {"value", "x"}});
  dialog.extra = {{"timeout", 5}};
  CHECK(losses(dialog) == "args.value (step 1); extra (step 1)");
  // A name that was stored once may be any text: it must not end the comment.
  CHECK(losses(step(StepKind::click, {two[0]}, {{"x\nprocess.exit(0);\u2028", 1}})) ==
        R"(args["x\nprocess.exit(0);\u2028"] (step 1))");
  Step drag = step(StepKind::drag, two);
  drag.to = two;
  CHECK(losses(drag) == "selectors (step 1); to (step 1)");
  // Without its element it would be done to something else.
  for (const StepKind kind : {StepKind::press, StepKind::scroll, StepKind::wait, StepKind::click}) {
    Step framed = step(kind, {two[0]}, {{"key", "Enter"}});
    framed.frame_ordinal = 1;
    CHECK(exported(between_clicks(framed)).find("throw new Error") != std::string::npos);
  }
}

TEST_CASE("an export that cannot replay a step fails, and no text ends a literal") {
  Step custom;
  custom.kind = StepKind::custom;
  Step evil;
  evil.selectors = {by_role("button", "\"); process.exit(0); //\u2028")};
  const Artifact a{0, "0", {custom, evil}, Json::object()};
  const Contract contract = read_contract("c", Json::parse(
                                                   R"({"assertions":[{"text":"a\"b"},{"url":"*/x"},
              {"element":{"css":"#x"},"state":"hidden"}]})"));
  const std::string code = write_playwright({"t", "http://a/", &a, &contract});
  CHECK(code.find("throw new Error(\"cannot replay step 0: custom\")") != std::string::npos);
  CHECK(code.find("\\\"); process.exit(0); //\\u2028") != std::string::npos);
  CHECK(code.find("toContainText(\"a\\\"b\")") != std::string::npos);
  CHECK(code.find(".toBeHidden()") != std::string::npos);
  // Its checks are no steps, and are named when it comes in again.
  const Artifact b{0, "0", {evil}, Json::object()};
  const Imported again = read(write_playwright({"t", "http://a/", &b, &contract}));
  CHECK(again.artifact.steps.back() == evil);
  CHECK(again.notes.size() == 3);
}

}  // namespace hebb::skill::test
