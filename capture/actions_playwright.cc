// Browser calls of recorded sessions as a test that runs with node and playwright-core alone.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions_export.h"
#include "capture/actions_payload.h"
#include "capture/actions_score.h"

namespace hebb::capture {
namespace {

using nlohmann::json;

constexpr std::string_view kHeader =
    R"(// Made by `hebb actions export --format playwright` from recorded tool calls. Run it with `node --test`.
//   CHROMIUM      the browser's program (/usr/bin/chromium)
//   BASE_URL      takes the place of the recorded addresses' origin
//   HEBB_SECRET_… what was masked when it was recorded
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { chromium } from 'playwright-core';

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
});
after(() => browser?.close());

const at = (url) => {
  if (!process.env.BASE_URL || !URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return new URL(pathname + search + hash, process.env.BASE_URL).href;
};

const secret = (name) => {
  const value = process.env[`HEBB_SECRET_${name}`];
  assert.ok(value !== undefined, `set HEBB_SECRET_${name}: the recording does not hold it`);
  return value;
};

// What a user could see: the address, the document, what its fields hold.
const observe = (page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea, select')];
    return JSON.stringify([
      location.href, document.documentElement.outerHTML, fields.map((f) => [f.value, f.checked]),
    ]);
  });

const until = async (what, holds) => {
  const deadline = Date.now() + 5000;
  for (;;) {
    // A page that is being left cannot be looked at.
    if (await holds().catch(() => false)) return;
    assert.ok(Date.now() < deadline, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const changes = async (page, act) => {
  const before = await observe(page);
  await act();
  await until('nothing that a user could see has changed', async () => (await observe(page)) !== before);
};

const shows = (locator, text) =>
  until(`not shown: ${text}`, async () => (await locator.innerText()).trim() === text);
)";

// A JavaScript literal, of printable ASCII.
std::string literal(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

// The first of these that is a non-empty string.
template <std::size_t N>
std::optional<std::string> text_of(const json& args, const std::array<std::string_view, N>& keys) {
  for (const std::string_view key : keys) {
    const auto found = args.find(key);
    if (found != args.end() && found->is_string() &&
        !found->get_ref<const std::string&>().empty()) {
      return found->get<std::string>();
    }
  }
  return std::nullopt;
}

std::optional<std::string> text_of(const json& args, std::string_view key) {
  return text_of(args, std::array{key});
}

// "Sign in button" -> the button named "Sign in".
std::optional<std::string> described(const std::string& element) {
  constexpr std::array<std::string_view, 10> kRoles{"button",   "link",   "textbox",  "checkbox",
                                                    "radio",    "tab",    "combobox", "option",
                                                    "menuitem", "heading"};
  const std::size_t space = element.rfind(' ');
  if (space == std::string::npos || space == 0) return std::nullopt;
  const std::string role = element.substr(space + 1);
  if (std::find(kRoles.begin(), kRoles.end(), role) == kRoles.end()) return std::nullopt;
  return fmt::format("page.getByRole({}, {{ name: {} }})", literal(role),
                     literal(element.substr(0, space)));
}

std::optional<std::string> locator(const json& args, bool text_is_target) {
  if (const auto css =
          text_of(args, std::array<std::string_view, 3>{"selector", "css", "cssSelector"})) {
    return fmt::format("page.locator({})", literal(*css));
  }
  if (const auto xpath = text_of(args, "xpath"))
    return fmt::format("page.locator({})", literal("xpath=" + *xpath));
  const auto name = text_of(args, std::array<std::string_view, 2>{"name", "accessible_name"});
  if (const auto role = text_of(args, "role")) {
    if (!name) return fmt::format("page.getByRole({})", literal(*role));
    return fmt::format("page.getByRole({}, {{ name: {} }})", literal(*role), literal(*name));
  }
  if (const auto id = text_of(args, std::array<std::string_view, 2>{"testId", "test_id"})) {
    return fmt::format("page.getByTestId({})", literal(*id));
  }
  if (const auto label = text_of(args, "label"))
    return fmt::format("page.getByLabel({})", literal(*label));
  if (const auto hint = text_of(args, "placeholder"))
    return fmt::format("page.getByPlaceholder({})", literal(*hint));
  if (text_is_target) {
    if (const auto text = text_of(args, "text"))
      return fmt::format("page.getByText({})", literal(*text));
  }
  if (const auto element = text_of(args, "element")) return described(*element);
  if (name) return fmt::format("page.getByLabel({})", literal(*name));
  return std::nullopt;
}

// What is put into a field: the value, or the place of a secret that was masked.
std::optional<std::string> input(const json& args) {
  for (const std::string_view key : {"value", "text", "input"}) {
    const auto found = args.find(key);
    if (found == args.end() || !found->is_string()) continue;
    if (*found != kMasked) return literal(*found);
    const auto field = text_of(
        args, std::array<std::string_view, 5>{"name", "label", "selector", "element", "css"});
    std::string name;
    for (const char c : field.value_or("VALUE")) {
      const bool lower = c >= 'a' && c <= 'z';
      if (lower || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
        name += lower ? static_cast<char>(c - 32) : c;
    }
    return fmt::format("secret({})", literal(name));
  }
  return std::nullopt;
}

using Step = std::optional<std::string>;  // an expression to await; nullopt: cannot be replayed

Step go(const json& args) {
  const auto url = text_of(args, "url");
  if (!url) return std::nullopt;
  return fmt::format("page.goto(at({}))", literal(*url));
}

Step click(const json& args) {
  const auto target = locator(args, true);
  if (!target) return std::nullopt;
  const bool twice = args.value("doubleClick", json(false)) == true;
  return *target + (twice ? ".dblclick()" : ".click()");
}

Step fill(const json& args) {
  if (const auto fields = args.find("fields"); fields != args.end() && fields->is_array()) {
    std::string all;
    for (const json& field : *fields) {
      const Step one = field.is_object() ? fill(field) : std::nullopt;
      if (!one) return std::nullopt;
      all += fmt::format("{}await {}", all.empty() ? "" : "; ", *one);
    }
    return fmt::format("(async () => {{ {}; }})()", all);
  }
  const auto target = locator(args, false);
  const auto value = input(args);
  if (!target || !value) return std::nullopt;
  if (args.value("submit", json(false)) != true) return fmt::format("{}.fill({})", *target, *value);
  return fmt::format("{0}.fill({1}).then(() => {0}.press('Enter'))", *target, *value);
}

Step press(const json& args) {
  const auto key = text_of(args, "key");
  if (!key) return std::nullopt;
  const auto target = locator(args, false);
  return fmt::format("{}.press({})", target.value_or("page.keyboard"), literal(*key));
}

Step select(const json& args) {
  const auto target = locator(args, false);
  const auto values = args.contains("values") ? args.find("values") : args.find("value");
  if (!target || values == args.end()) return std::nullopt;
  return fmt::format("{}.selectOption({})", *target, literal(*values));
}

Step submit(const json& args) {
  const auto target = locator(args, false);
  if (!target) return std::nullopt;
  return *target + ".evaluate((e) => (e.form ?? e).requestSubmit())";
}

Step scroll(const json& args) {
  const auto number = [&](std::string_view a, std::string_view b) {
    for (const auto key : {a, b}) {
      const auto found = args.find(key);
      if (found != args.end() && found->is_number()) return literal(*found);
    }
    return std::string("0");
  };
  return fmt::format("page.mouse.wheel({}, {})", number("deltaX", "x"), number("deltaY", "y"));
}

Step wait(const json& args) {
  if (const auto text = text_of(args, "text")) {
    return fmt::format("page.getByText({}).first().waitFor()", literal(*text));
  }
  const auto target = locator(args, false);
  if (!target) return std::nullopt;
  return *target + ".waitFor()";
}

Step evaluate(const json& args) {
  const auto code = text_of(args, std::array<std::string_view, 3>{"script", "expression", "code"});
  if (code) return fmt::format("page.evaluate({})", literal(*code));
  const auto function = text_of(args, "function");
  if (!function) return std::nullopt;
  return fmt::format("page.evaluate({})", literal("(" + *function + ")()"));
}

template <bool kOn>
Step check(const json& args) {
  const auto target = locator(args, true);
  if (!target) return std::nullopt;
  return *target + (kOn ? ".check()" : ".uncheck()");
}

Step hover(const json& args) {
  const auto target = locator(args, true);
  if (!target) return std::nullopt;
  return *target + ".hover()";
}

Step back(const json&) { return "page.goBack()"; }
Step reload(const json&) { return "page.reload()"; }

// By the part of the tool's name that says what it does; earlier rows first.
struct Verb {
  std::string_view part;
  Step (*step)(const json&);
};
constexpr std::array kVerbs{
    Verb{"navigate_back", back},
    Verb{"go_back", back},
    Verb{"reload", reload},
    Verb{"navigate", go},
    Verb{"goto", go},
    Verb{"open_url", go},
    Verb{"uncheck", check<false>},
    Verb{"check", check<true>},
    Verb{"click", click},
    Verb{"fill", fill},
    Verb{"type", fill},
    Verb{"press", press},
    Verb{"select", select},
    Verb{"submit", submit},
    Verb{"scroll", scroll},
    Verb{"hover", hover},
    Verb{"wait", wait},
    Verb{"evaluate", evaluate},
};

// A reading call that succeeded says what was shown: that is what the test expects.
Step expectation(const ActionRow& row, const json& args) {
  // type_text and set_text have the word too; they say what they did, not what is shown.
  if (changes_state(row.tool, row.read_only)) return std::nullopt;
  const auto target = locator(args, false);
  if (!target || !row.result || row.tool.find("text") == std::string::npos) return std::nullopt;
  const json result = json::parse(*row.result, nullptr, false);
  if (!result.is_object() || !result.contains("content") || !result["content"].is_array())
    return std::nullopt;
  for (const json& block : result["content"]) {
    const auto text = block.is_object() ? text_of(block, "text") : std::nullopt;
    if (text && *text != kMasked) return fmt::format("shows({}, {})", *target, literal(*text));
  }
  return std::nullopt;
}

Step step_of(const ActionRow& row) {
  const json args = json::parse(row.args, nullptr, false);
  if (!args.is_object()) return std::nullopt;
  std::string tool = row.tool;
  std::transform(tool.begin(), tool.end(), tool.begin(), [](char c) {
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (const Step expected = expectation(row, args)) return expected;
  for (const Verb& verb : kVerbs) {
    if (tool.find(verb.part) != std::string::npos) return verb.step(args);
  }
  return std::nullopt;
}

bool scored(const ActionRow& row) { return row.reward && *row.reward > 0; }

// One session up to its last scored call, and what is read right after it: empty where no step that
// changed something can be replayed.
std::string session_test(std::span<const ActionRow> rows) {
  const auto last_scored = std::find_if(rows.rbegin(), rows.rend(), scored);
  if (last_scored == rows.rend()) return {};
  std::size_t end = static_cast<std::size_t>(rows.rend() - last_scored);
  while (end < rows.size() && !changes_state(rows[end].tool, rows[end].read_only)) ++end;
  std::string body;
  bool any_change = false;
  for (std::size_t i = 0; i < end; ++i) {
    const ActionRow& row = rows[i];
    if (!row.success) continue;
    const Step step = step_of(row);
    if (!step) {
      body += fmt::format("  // {} cannot be replayed in a browser\n", literal(row.tool));
      continue;
    }
    const bool change = scored(row) && changes_state(row.tool, row.read_only);
    body += change ? fmt::format("  await changes(page, () => {});\n", *step)
                   : fmt::format("  await {};\n", *step);
    any_change = any_change || change;
  }
  if (!any_change) return {};
  const ActionRow& first = rows.front();
  return fmt::format(
      "\ntest({}, async (t) => {{\n  const page = await browser.newPage();\n  t.after(() => "
      "page.close());\n{}}});\n",
      literal(fmt::format("{} of {} with {}", first.session_id, first.agent_id, first.app_name)),
      body);
}

}  // namespace

void export_playwright(ActionSource& source, const TextSink& out) {
  out(kHeader);
  source.each_session([&](std::span<const ActionRow> rows) { out(session_test(rows)); });
}

}  // namespace hebb::capture
