// Steps out of recorded sessions, as the servers answer today.
#include <catch2/catch.hpp>

#include "skill/capture/session.h"
#include "tests/skill/session_calls.h"

namespace hebb::skill::test {
namespace {

using hebb::capture::ActionRow;

// The steps of a call that comes after a page was opened.
CapturedSession after_opening(const std::vector<ActionRow>& calls) {
  std::vector<ActionRow> rows{
      call("browser_navigate", {{"url", "http://a/"}}, ran("await page.goto('http://a/');"))};
  rows.insert(rows.end(), calls.begin(), calls.end());
  CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() >= 1);
  s.steps.erase(s.steps.begin());
  return s;
}

std::string left_out(const ActionRow& row) {
  const CapturedSession s = after_opening({row});
  CHECK(s.steps.empty());
  return s.left_out.size() == 1 ? s.left_out[0].what : "";
}

}  // namespace

TEST_CASE("the code that Playwright's server says it ran becomes steps") {
  const std::vector<ActionRow> rows{
      call("browser_navigate", {{"url", "http://a/"}}, ran("await page.goto('http://a/');")),
      call("browser_snapshot", Json::object(), "- button \"Save\" [ref=e2]"),
      call("browser_fill_form", {{"fields", Json::array()}},
           ran("await page.getByRole('textbox', { name: 'Name' }).fill('Ann');\n"
               "await page.getByRole('textbox', { name: 'Password' }).fill('[masked]');\n"
               "await page.getByRole('checkbox', { name: 'Gift' }).check();\n"
               "await page.locator('iframe[title=\"Card\"]').contentFrame()"
               ".getByRole('textbox', { name: 'Number' }).fill('4111');")),
      call("browser_click", {{"target", "e2"}, {"element", "Save"}},
           ran("await page.getByTestId('save').click();")),
  };
  const CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() == 6);
  CHECK(s.steps[0].args["url"] == "http://a/");
  CHECK(s.steps[1].args["value"] == "Ann");
  CHECK(s.steps[2].args["value"] == "${SECRET:PASSWORD}");
  CHECK(s.steps[3].kind == StepKind::check);
  CHECK(s.steps[4].frames == std::vector<Chain>{{by(SelectorType::css, "iframe[title=\"Card\"]")}});
  CHECK(s.steps[5].selectors == Chain{by(SelectorType::test_id, "save")});
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
  CHECK(s.steps[1].selectors == Chain{by_role("textbox", "Name")});
  CHECK(s.steps[2].selectors[0].nth == 1);
  REQUIRE(s.left_out.size() == 1);
  CHECK(s.left_out[0].what ==
        "click (call 5 of the session): it does what no step does, or names no element that "
        "could be found again");
  CHECK(s.left_out[0].before == 3);
}

TEST_CASE("what chrome-devtools-mcp does to elements of its snapshot") {
  const std::string snapshot =
      "## Latest page snapshot\n"
      "uid=1_0 RootWebArea \"Shop\" url=\"http://a/\"\n"
      "  uid=1_8 combobox \"Size\" expandable haspopup=\"menu\" value=\"Small\"\n"
      "    uid=1_9 option \"Small\" selected\n"
      "  uid=1_11 checkbox \"Agree \\\"all\\\"\"\n"
      "  uid=1_13 radio \"Courier\"\n"
      "  uid=1_16 button \"Picture\" value=\"No file chosen\"\n"
      "  uid=1_21 \"Parcel\"\n"
      "  uid=1_22 \"Truck\"\n"
      "  uid=1_25 Iframe \"Card\"\n"
      "    uid=1_26 RootWebArea url=\"about:srcdoc\"\n"
      "      uid=1_28 textbox \"Number\"\n"
      "  uid=1_29 textbox \"Number\"\n";
  const auto step = [&](const char* tool, const Json& args) {
    const auto s =
        after_opening({call("take_snapshot", Json::object(), snapshot), call(tool, args, "ok")});
    INFO(tool << (s.left_out.empty() ? "" : s.left_out[0].what));
    REQUIRE(s.steps.size() == 1);
    return s.steps[0];
  };
  const Step select = step("fill", {{"uid", "1_8"}, {"value", "Large"}});
  CHECK(select.kind == StepKind::select);
  CHECK(select.args["values"] == Json::array({"Large"}));
  const Step check =
      step("fill_form", {{"elements", Json::array({{{"uid", "1_11"}, {"value", "true"}}})}});
  CHECK(check.kind == StepKind::check);
  CHECK(check.selectors == Chain{by_role("checkbox", "Agree \"all\"")});
  CHECK(step("fill", {{"uid", "1_13"}, {"value", "true"}}).kind == StepKind::check);
  const Step upload = step("upload_file", {{"uid", "1_16"}, {"filePaths", {"/tmp/a.txt"}}});
  CHECK(upload.kind == StepKind::upload);
  CHECK(upload.args["files"] == Json::array({"/tmp/a.txt"}));
  CHECK(upload.selectors ==
        Chain{by_role("button", "Picture"), by(SelectorType::label, "Picture")});
  const Step drag = step("drag", {{"from_uid", "1_21"}, {"to_uid", "1_22"}});
  CHECK(drag.selectors == Chain{by(SelectorType::text, "Parcel")});
  CHECK(drag.to == Chain{by(SelectorType::text, "Truck")});
  // Of two fields of one name, one in a frame, each is alone where it is.
  const Step card = step("fill", {{"uid", "1_28"}, {"value", "4111"}});
  CHECK(card.selectors == Chain{by_role("textbox", "Number")});
  REQUIRE(card.frames.size() == 1);
  CHECK(card.frames[0] ==
        Chain{by(SelectorType::css, "iframe[title=\"Card\"], iframe[aria-label=\"Card\"]")});
  CHECK(step("fill", {{"uid", "1_29"}, {"value", "1"}}).frames.empty());
  CHECK(step("click", {{"uid", "1_16"}, {"dblClick", true}}).args["count"] == 2);
  CHECK(step("handle_dialog", {{"action", "accept"}, {"promptText", "x"}}).args ==
        Json{{"accept", true}, {"value", "x"}});
  CHECK(step("wait_for", {{"text", {"Ordered"}}}).args["text"] == "Ordered");
  CHECK(step("resize_page", {{"width", 900}, {"height", 700}}).kind == StepKind::viewport);
}

TEST_CASE("where @playwright/mcp tells no code, its arguments and snapshots say the same") {
  const std::string snapshot =
      "### Snapshot\n```yaml\n- textbox \"Name\" [ref=e1]\n- combobox \"Size\" [ref=e2]\n"
      "- checkbox \"Gift\" [ref=e3]\n- text: Parcel\n- generic [ref=e4]: Truck\n"
      "- button \"Go\" [ref=e5]\n- button \"Stop\" [ref=f1e6]\n```";
  const auto steps = [&](const char* tool, const Json& args) {
    const auto s =
        after_opening({call("browser_snapshot", Json::object(), snapshot), call(tool, args, "ok")});
    INFO(tool << (s.left_out.empty() ? "" : s.left_out[0].what));
    REQUIRE(!s.steps.empty());
    return s.steps;
  };
  const auto typed = steps("browser_type", {{"target", "e1"}, {"text", "Ada"}, {"submit", true}});
  REQUIRE(typed.size() == 2);
  CHECK(typed[0].selectors == Chain{by_role("textbox", "Name")});
  CHECK(typed[0].args == Json{{"value", "Ada"}});
  CHECK(typed[1].kind == StepKind::press);
  CHECK(typed[1].selectors == typed[0].selectors);
  CHECK(typed[1].args == Json{{"key", "Enter"}});
  // What is typed into a list is typed, not chosen.
  CHECK(steps("browser_type", {{"target", "e2"}, {"text", "L"}})[0].kind == StepKind::fill);
  const auto form =
      steps("browser_fill_form",
            {{"fields",
              {{{"name", "Size"}, {"type", "combobox"}, {"target", "e2"}, {"value", "L"}},
               {{"name", "Gift"}, {"type", "checkbox"}, {"target", "e3"}, {"value", "false"}}}}});
  REQUIRE(form.size() == 2);
  CHECK(form[0].args["values"] == Json::array({"L"}));
  CHECK(form[1].kind == StepKind::uncheck);
  CHECK(steps("browser_select_option", {{"target", "e2"}, {"values", {"l", "m"}}})[0].args ==
        Json{{"values", {"l", "m"}}});
  CHECK(steps("browser_click", {{"target", "e5"},
                                {"button", "right"},
                                {"modifiers", {"Shift"}},
                                {"doubleClick", true}})[0]
            .args == Json{{"count", 2}, {"button", "right"}, {"modifiers", {"Shift"}}});
  const auto drag = steps("browser_drag", {{"startTarget", "e5"}, {"endTarget", "f1e6"}});
  CHECK(drag[0].to == Chain{by_role("button", "Stop")});
  CHECK(steps("browser_press_key", {{"key", "Enter"}})[0].args["key"] == "Enter");
  CHECK(steps("browser_handle_dialog", {{"accept", false}})[0].args == Json{{"accept", false}});
  CHECK(steps("browser_wait_for", {{"text", "Ordered"}})[0].kind == StepKind::wait);
  CHECK(steps("browser_click", {{"target", "#go"}})[0].selectors ==
        Chain{by(SelectorType::css, "#go")});
  // As older versions call it.
  CHECK(steps("browser_hover", {{"ref", "f1e6"}})[0].kind == StepKind::hover);
}

TEST_CASE("the calls of other servers give no step") {
  const Json args = {{"url", "http://a/"}, {"selector", "#a"}, {"target", "#a"}, {"key", "a"}};
  for (const char* tool : {"puppeteer_click", "browser-click", "browser_submit", "goto", "check"}) {
    CAPTURE(tool);
    CHECK_FALSE(left_out(call(tool, args, "ok")).empty());
    const CapturedSession alone = capture_session(std::vector<ActionRow>{call(tool, args, "ok")});
    CHECK_FALSE(alone.browser);
    CHECK(alone.left_out.empty());
  }
}

TEST_CASE("files that are chosen after a click belong to the click") {
  const auto s =
      after_opening({call("browser_click", {{"target", "e1"}},
                          ran("await page.getByRole('button', { name: 'Picture' }).click();")),
                     call("browser_file_upload", {{"paths", {"/tmp/a.txt"}}},
                          ran("await fileChooser.setFiles([\"/tmp/a.txt\"])"))});
  REQUIRE(s.steps.size() == 1);
  CHECK(s.steps[0].kind == StepKind::upload);
  CHECK(s.steps[0].args == Json{{"files", {"/tmp/a.txt"}}});
  CHECK(s.left_out.empty());
}

TEST_CASE("a step is in the tab that was current, as @playwright/mcp lists them") {
  const std::string two = "- 0: (current) [A](http://a/)\n- 1: [B](http://a/b)\n";
  const std::string second = "- 0: [A](http://a/)\n- 1: (current) [B](http://a/b)\n";
  const auto click = [](const std::string& open) {
    return call(
        "browser_click", {{"target", "e1"}},
        ran("await page.getByText('x').click();", open.empty() ? "" : "### Open tabs\n" + open));
  };
  const auto tabs = [](const char* action, int index, const std::string& list) {
    return call("browser_tabs", {{"action", action}, {"index", index}}, "### Result\n" + list);
  };
  const auto s = after_opening({click(two), tabs("select", 1, second), click(second),
                                tabs("close", 1, "- 0: (current) [A](http://a/)"), click("")});
  CHECK(s.left_out.empty());
  REQUIRE(s.steps.size() == 4);
  CHECK(s.steps[0].tab == 0);
  CHECK(s.steps[1].tab == 1);
  CHECK(s.steps[2].kind == StepKind::close);
  CHECK(s.steps[2].tab == 1);
  CHECK(s.steps[3].tab == 0);
  // A page that closed by itself: nothing says which of the two is left.
  const auto lost = after_opening({click(two), click(""), click("")});
  CHECK(lost.steps.size() == 2);
  REQUIRE(lost.left_out.size() == 1);
  CHECK(lost.left_out[0].what.find("which page") != std::string::npos);
}

TEST_CASE("a step is on the page that a call of chrome-devtools-mcp names") {
  const auto page = [](const char* tool, int id, Json args, const std::string& text) {
    if (id != 0) args["pageId"] = id;
    return call(tool, args, text);
  };
  const Json save = {{"uid", "1_1"}};
  const std::string snapshot = "## Latest page snapshot\nuid=1_1 button \"Save\"\n";
  const std::vector<ActionRow> rows{
      page("new_page", 0, {{"url", "http://a/"}},
           "## Pages\n1: about:blank\n2: A (http://a/) [selected]"),
      page("take_snapshot", 2, Json::object(), snapshot),
      page("click", 2, save, "Clicked\n## Opened pages\n3: B (http://a/b)"),
      page("click", 3, save, "Clicked"),
      page("close_page", 3, Json::object(), "## Pages\n1: about:blank\n2: A (http://a/)"),
      page("click", 1, save, "Clicked"),
      page("new_page", 0, {{"url", "http://a/c"}}, "## Pages\n2: A (http://a/)\n4: C [selected]"),
  };
  const CapturedSession s = capture_session(rows);
  REQUIRE(s.steps.size() == 4);
  CHECK(s.steps[0].kind == StepKind::navigate);
  CHECK(s.steps[1].tab == 0);
  CHECK(s.steps[2].tab == 1);
  CHECK(s.steps[3].kind == StepKind::close);
  CHECK(s.steps[3].tab == 1);
  REQUIRE(s.left_out.size() == 2);
  CHECK(s.left_out[0].what.starts_with("click (call 6"));
  CHECK(s.left_out[1].what == "new_page (call 7 of the session): no step opens a page of its own");
}

TEST_CASE("an acting call that gives no step is named with its reason") {
  CHECK(left_out(call("browser_navigate_back", Json::object(), ran("await page.goBack();"))) ==
        "browser_navigate_back (call 2 of the session): no step goes through a browser's history");
  CHECK(left_out(call("navigate_page", {{"type", "reload"}}, "ok")).find("history") !=
        std::string::npos);
  CHECK(left_out(call("navigate_page", {{"type", "back"}, {"url", "http://b/"}}, "ok"))
            .find("history") != std::string::npos);
  // Servers that say that it only looks know less of it.
  ActionRow back = call("browser_navigate_back", Json::object(), "ok");
  back.read_only = true;
  CHECK(left_out(back).find("history") != std::string::npos);
  CHECK(left_out(call("browser_evaluate", {{"function", "() => 1"}},
                      ran("await page.evaluate('() => 1');")))
            .find("code of its own") != std::string::npos);
  CHECK(left_out(call("browser_run_code_unsafe", {{"code", "x"}}, ran("await (x)(page);")))
            .find("code of its own") != std::string::npos);
  CHECK(left_out(call("browser_tabs", {{"action", "new"}}, "")).find("opens a page") !=
        std::string::npos);
  for (const char* tool : {"type_text", "browser_mouse_click_xy", "emulate", "browser_drop",
                           "browser_route", "browser_network_state_set", "browser_file_upload"}) {
    CAPTURE(tool);
    CHECK_FALSE(left_out(call(tool, {{"x", 1}}, "ok")).empty());
  }
}

TEST_CASE("calls that look give no step and are not missed; the last call may end the browser") {
  ActionRow told = call("browser_peer", Json::object(), "ok");
  told.read_only = true;
  std::vector<ActionRow> rows{told};
  for (const char* tool : {"browser_snapshot", "browser_take_screenshot", "take_heapsnapshot",
                           "browser_console_messages", "list_network_requests", "list_pages",
                           "browser_wait_for", "performance_start_trace"})
    rows.push_back(call(tool, Json::object(), "ok"));
  rows.push_back(call("browser_tabs", {{"action", "list"}}, "### Result\n- 0: (current) [A](x)"));
  rows.push_back(call("browser_close", Json::object(), ran("await page.close()")));
  const auto s = after_opening(rows);
  CHECK(s.steps.empty());
  CHECK(s.left_out.empty());
  const auto goes_on = after_opening(
      {call("browser_close", Json::object(), ""),
       call("browser_navigate", {{"url", "http://b/"}}, ran("await page.goto('http://b/');"))});
  REQUIRE(goes_on.left_out.size() == 1);
  CHECK(goes_on.left_out[0].what.starts_with("browser_close (call 2"));
}

TEST_CASE("free text is no locator, failed calls are no steps, and code is read, not run") {
  ActionRow failed = call("browser_click", {{"target", "e2"}}, ran("await page.close();"));
  failed.success = false;
  CHECK(after_opening({failed}).steps.empty());
  CHECK(after_opening({failed}).left_out.empty());
  CHECK_FALSE(left_out(call("browser_click", {{"element", "Save button"}}, "ok")).empty());
  for (const char* code :
       {"await page.getByRole('button').click(); process.exit()", "process.exit();",
        "await page.getByText(`${process.env.HOME}`).click();", "await page.context().close();",
        "await page.getByText('a' + x).click();", "await page.getByText(secret('X')).click();",
        "await page.getByText('a).click();", "await page;",
        "await page.getByText(/a\n/).click();"}) {
    CAPTURE(code);
    CHECK_FALSE(left_out(call("browser_click", {{"target", "e5"}}, ran(code))).empty());
  }
  // A page's text that looks like the heading is in the middle of a line.
  CHECK_FALSE(left_out(call("browser_click", {{"target", "e5"}},
                            "- text: ### Ran Playwright code\n```js\nawait page.close();\n```"))
                  .empty());
}

TEST_CASE("a session of another server drives no browser") {
  ActionRow click = call("browser_click", {{"element", "Save"}}, "ok");
  click.app_name = "Playwright";
  CHECK(capture_session(std::vector<ActionRow>{click}).browser);
  ActionRow other = call("write_file", {{"path", "a"}, {"content", "b"}}, "ok");
  other.app_name = "filesystem";
  const CapturedSession s = capture_session(std::vector<ActionRow>{other});
  CHECK_FALSE(s.browser);
  CHECK(s.steps.empty());
  CHECK(s.left_out.empty());
}

}  // namespace hebb::skill::test
