#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/record/call_tracker.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

// A client and a server of which every message is a call or its answer.
class Browser {
 public:
  ActionRow call(std::string_view tool, const json& arguments, std::string_view said) {
    up(json{{"id", ++id_},
            {"method", "tools/call"},
            {"params", {{"name", tool}, {"arguments", arguments}}}});
    down(json{{"id", id_}, {"result", {{"content", {{{"type", "text"}, {"text", said}}}}}}});
    return rows.back();
  }
  void up(const json& message) { session.line(Direction::to_server, message.dump(), {}); }
  void down(const json& message) { session.line(Direction::to_client, message.dump(), {}); }
  std::size_t stored(std::string_view secret) const {
    std::size_t count = 0;
    for (const ActionRow& row : rows) {
      for (const std::string& text :
           {row.args, row.result.value_or(""), row.failure.value_or("")}) {
        count += text.find(secret) != std::string::npos;
      }
    }
    return count;
  }

  std::vector<ActionRow> rows;
  CallTracker session{{"a", "s"}, [this](ActionRow row) { rows.push_back(std::move(row)); }};

 private:
  int id_ = 0;
};

}  // namespace

TEST_CASE("record: a login with Playwright MCP leaves no password") {
  Browser browser;
  browser.call(
      "browser_snapshot", json::object(),
      "### Snapshot\n```yaml\n- textbox \"Name\" [ref=e5]\n- textbox \"Password\" [ref=e7]\n```");
  const ActionRow typed = browser.call(
      "browser_type", {{"element", "second box"}, {"target", "e7"}, {"text", "sesame"}},
      "### Ran Playwright code\n```js\nawait page.getByRole('textbox', { name: 'Password' "
      "}).fill('sesame');\n```");
  CHECK(json::parse(typed.args)["text"] == "[masked]");
  CHECK(typed.result->find(".fill('[masked]')") != std::string::npos);
  browser.call("browser_snapshot", json::object(), "- textbox \"Password\" [ref=e7]: sesame");
  browser.call("browser_evaluate", {{"function", "() => sesame"}}, "### Result\n\"sesame\"");
  CHECK(browser.stored("sesame") == 0);
  CHECK(browser.stored("Name") == 1);
}

TEST_CASE("record: an answer may tell that an argument was a secret") {
  Browser browser;
  // No snapshot was seen: only the code that ran says what e7 is.
  const ActionRow typed = browser.call(
      "browser_type", {{"target", "e7"}, {"text", "hunter2!"}},
      "```js\nawait page.getByLabel('Password').fill('hunter2!');\n```\nTyped hunter2! there");
  CHECK(json::parse(typed.args)["text"] == "[masked]");
  const ActionRow filled =
      browser.call("fill", {{"uid", "1_6"}, {"value", "orchid"}},
                   "uid=1_6 textbox \"Password\" value=\"••••••\"\nfilled orchid in");
  CHECK(json::parse(filled.args)["value"] == "[masked]");
  CHECK(browser.stored("hunter2!") == 0);
  CHECK(browser.stored("orchid") == 0);
}

TEST_CASE("record: errors and reasons are masked too") {
  Browser browser;
  browser.call("login", {{"password", "sesame-1"}}, "ok");
  browser.up({{"id", "x"}, {"method", "tools/call"}, {"params", {{"name", "t"}}}});
  browser.down({{"id", "x"}, {"error", {{"code", -1}, {"message", "sesame-1 was wrong"}}}});
  browser.up({{"id", "y"}, {"method", "tools/call"}, {"params", {{"name", "t"}}}});
  browser.up({{"method", "notifications/cancelled"},
              {"params", {{"requestId", "y"}, {"reason", "sesame-1 and token=aB12cD34eF56"}}}});
  REQUIRE(browser.rows.size() == 3);
  CHECK(browser.rows[1].failure == "error -1: [masked] was wrong");
  CHECK(browser.rows[1].result == R"({"code":-1,"message":"[masked] was wrong"})");
  CHECK(browser.rows[2].failure == "cancelled: [masked] and token=[masked]");
}

TEST_CASE("record: a call that goes on is known again, whatever was learned meanwhile") {
  Browser browser;
  const json arguments{{"note", "sesame-1"}};
  browser.up({{"id", "first"},
              {"method", "tools/call"},
              {"params", {{"name", "book"}, {"arguments", arguments}}}});
  browser.down(
      {{"id", "first"}, {"result", {{"resultType", "input_required"}, {"requestState", "st"}}}});
  browser.call("login", {{"password", "sesame-1"}}, "ok");
  browser.up({{"id", "again"},
              {"method", "tools/call"},
              {"params",
               {{"name", "book"},
                {"arguments", arguments},
                {"requestState", "st"},
                {"inputResponses", json::object()}}}});
  browser.down({{"id", "again"}, {"result", json::object()}});
  REQUIRE(browser.rows.size() == 2);
  CHECK(browser.rows[1].success);
  CHECK(browser.rows[1].args == R"({"note":"[masked]"})");
}

TEST_CASE("record: a long answer is cut after it was masked") {
  Browser browser;
  browser.call("login", {{"password", "hunter2hunter2"}}, "ok");
  for (std::size_t shift = 0; shift < 40; ++shift) {
    const std::string text(kPayloadBytes - 60 + shift, 'x');
    const ActionRow row =
        browser.call("read", json::object(), text + " hunter2hunter2 " + std::string(100, 'x'));
    CHECK(row.result_cut());
    CHECK(row.result->find("hunt") == std::string::npos);
  }
}

}  // namespace hebb::capture
