// Reads scripts of Playwright's code generator, line by line.
#include <algorithm>

#include <fmt/format.h>

#include "skill/format/format.h"
#include "skill/format/js_chain.h"

namespace hebb::skill {
namespace {

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// Whether the line is one of those around the steps in a generated script.
bool is_frame_of_script(std::string_view line) {
  for (const std::string_view start : {"import ",
                                       "//",
                                       "test(",
                                       "test.",
                                       "});",
                                       "})();",
                                       "(async",
                                       "const {",
                                       "const browser",
                                       "const context",
                                       "const page = ",
                                       "const page",
                                       "await context.close",
                                       "await browser.close",
                                       "await page.close",
                                       "await dialog",
                                       "await expect(",
                                       "expect(",
                                       "'use strict'",
                                       "{",
                                       "}",
                                       "/*",
                                       "*",
                                       ");"}) {
    if (line.starts_with(start)) return true;
  }
  return line.empty();
}

// test('checkout', async …
std::string title_of(std::string_view line) {
  constexpr std::string_view kTest = "test('";
  if (!line.starts_with(kTest)) return "";
  const std::size_t end = line.find('\'', kTest.size());
  return end == std::string_view::npos ? ""
                                       : std::string(line.substr(kTest.size(), end - kTest.size()));
}

// page.once('dialog', dialog => { … dialog.dismiss() … }), or as hebb writes it:
// const dialog1 = page.waitForEvent("dialog").then((dialog) => dialog.dismiss());
std::optional<Step> dialog_of(std::string_view line) {
  const bool listens = line.find(".once('dialog'") != std::string_view::npos ||
                       line.find(".waitForEvent(\"dialog\")") != std::string_view::npos;
  if (!listens) return std::nullopt;
  Step step;
  step.kind = Kind::dialog;
  return step;
}

}  // namespace

Imported read_playwright(std::string_view text) {
  Imported out;
  std::vector<std::string> tabs{"page"};
  std::optional<Step> dialog;  // in the script it comes before the action that opens it
  bool accepts = false;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (out.title.empty()) out.title = title_of(line);
    if (auto found = dialog_of(line)) {
      dialog = std::move(found);
      accepts = line.find(".accept(") != std::string_view::npos;
      continue;
    }
    if (dialog && !line.starts_with("await ")) {
      accepts = accepts || line.find("dialog.accept(") != std::string_view::npos;
      continue;
    }
    if (!line.starts_with("await page")) {
      if (is_frame_of_script(line)) continue;
      invalid(fmt::format("line {}", number), fmt::format("is not understood: {}", line));
    }
    const auto chain = parse_js_chain(line);
    if (!chain && is_frame_of_script(line)) continue;
    const auto step = chain ? step_of(*chain, tabs) : std::nullopt;
    if (!step) invalid(fmt::format("line {}", number), fmt::format("is not understood: {}", line));
    if (step->kind == Kind::close) continue;  // the end of the script
    if (out.start_url.empty() && step->kind == Kind::navigate) out.start_url = step->args["url"];
    out.artifact.steps.push_back(*step);
    if (dialog) {
      dialog->args["accept"] = accepts;
      out.artifact.steps.push_back(*std::exchange(dialog, std::nullopt));
      accepts = false;
    }
  }
  return out;
}

}  // namespace hebb::skill
