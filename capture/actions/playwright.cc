// Browser calls of recorded sessions as a test that runs with node and playwright-core alone.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/export.h"
#include "capture/actions/playwright_code.h"
#include "capture/actions/playwright_steps.h"
#include "capture/actions/score.h"

namespace hebb::capture {
namespace {

constexpr std::string_view kHeader =
    R"(// Made by `hebb actions export --format playwright` from recorded tool calls. Run it with `node --test`.
//   CHROMIUM      the browser's program (/usr/bin/chromium)
//   BASE_URL      takes the place of the recorded addresses' origin
//   HEBB_SECRET_… what was masked when it was recorded
import assert from 'node:assert/strict';
import test from 'node:test';
import { chromium } from 'playwright-core';

// A page in a browser of its own, which is closed however the test ends.
const open = async (t) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  return page;
};

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

// What a user could see: the address, the document, what its fields hold; and the field with the caret.
const observe = (page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea, select, [contenteditable]')];
    return {
      shown: JSON.stringify([
        location.href, document.documentElement.outerHTML, fields.map((f) => [f.value, f.checked]),
      ]),
      caret: fields.indexOf(document.activeElement),
    };
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
  await until('nothing that a user could see has changed', async () => {
    const { shown, caret } = await observe(page);
    return shown !== before.shown || (caret >= 0 && caret !== before.caret);
  });
};

const shows = (locator, text) =>
  until(`not shown: ${text}`, async () => (await locator.innerText()).trim() === text);

const cannotReplay = (call, why) => {
  throw new Error(`${call} cannot be replayed: ${why}`);
};
)";

constexpr std::string_view kNothing = R"(
test('a recorded session', () => {
  throw new Error('no browser session here has a change with a reward: `hebb actions score` gives rewards');
});
)";

bool scored(const ActionRow& row) { return row.reward && *row.reward > 0; }

// Whether a call is one to a browser, whatever its arguments.
bool drives_browser(const ActionRow& row) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"browser", "playwright", "puppeteer", "chrome", "chromium", "firefox", "webkit"});
  std::string names = row.tool + ' ' + row.app_name;
  std::transform(names.begin(), names.end(), names.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return names.find(word) != std::string::npos; });
}

// Calls that change no data but on which later steps depend: they go to another page.
bool moves_elsewhere(const ActionRow& row) {
  constexpr auto kParts =
      std::to_array<std::string_view>({"navigate", "goto", "tabs", "select_page", "close_page"});
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) {
    return row.tool.find(part) != std::string::npos;
  });
}

// Keys that may do no more than move the focus.
bool only_moves_focus(const std::string& step) {
  constexpr auto kKeys = std::to_array<std::string_view>(
      {"Tab\")", "Escape\")", "ArrowUp\")", "ArrowDown\")", "ArrowLeft\")", "ArrowRight\")",
       "Home\")", "End\")", "PageUp\")", "PageDown\")"});
  return step.find(".press(") != std::string::npos &&
         std::any_of(kKeys.begin(), kKeys.end(),
                     [&](std::string_view key) { return step.ends_with(key); });
}

std::string joined(const std::vector<std::string>& steps) {
  if (steps.size() == 1) return steps.front();
  std::string all;
  for (const std::string& step : steps)
    all += fmt::format("{}await {}", all.empty() ? "" : "; ", step);
  return fmt::format("(async () => {{ {}; }})()", all);
}

// The test for one session: its calls up to the last scored one, and the reading calls right after
// it. Empty if no browser was used.
std::string session_test(std::span<const ActionRow> rows) {
  const auto last_scored = std::find_if(rows.rbegin(), rows.rend(), scored);
  if (last_scored == rows.rend()) return {};
  std::size_t end = static_cast<std::size_t>(rows.rend() - last_scored);
  while (end < rows.size() && !changes_state(rows[end].tool, rows[end].read_only)) ++end;
  Replay replay;
  std::string body;
  bool browser = false, any_change = false;
  for (std::size_t i = 0; i < end; ++i) {
    const ActionRow& row = rows[i];
    if (!row.success) continue;
    browser = browser || drives_browser(row);
    const auto steps = replay.steps(row);
    const bool change = changes_state(row.tool, row.read_only);
    if (!steps && (change || moves_elsewhere(row))) {
      body += fmt::format("  cannotReplay({}, {});\n",
                          literal(fmt::format("{} (call {} of the session)", row.tool, i + 1)),
                          literal("no code in its result, and no element in its arguments, that a "
                                  "test could use"));
      any_change = true;
      break;
    }
    if (!steps) body += fmt::format("  // {} is not for a test\n", literal(row.tool));
    if (!steps || steps->empty()) continue;
    browser = true;
    const std::string step = joined(*steps);
    const bool visible = change && scored(row) && !only_moves_focus(step);
    body += visible ? fmt::format("  await changes(page, () => {});\n", step)
                    : fmt::format("  await {};\n", step);
    any_change = any_change || (change && scored(row));
  }
  if (!browser || !any_change) return {};
  const ActionRow& first = rows.front();
  return fmt::format(
      "\ntest({}, {{ timeout: 300_000 }}, async (t) => {{\n  const page = await open(t);\n{}}});\n",
      literal(fmt::format("{} of {} with {}", first.session_id, first.agent_id, first.app_name)),
      body);
}

}  // namespace

void export_playwright(ActionSource& source, const TextSink& out) {
  out(kHeader);
  bool any = false;
  source.each_session([&](std::span<const ActionRow> rows) {
    const std::string test = session_test(rows);
    any = any || !test.empty();
    out(test);
  });
  // node --test passes a file that has no test.
  if (!any) out(kNothing);
}

}  // namespace hebb::capture
