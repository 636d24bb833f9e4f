// Reads scripts of Playwright's code generator. Each statement is a step, or has no effect in a
// replay, or is refused with its line.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "skill/format/format.h"
#include "skill/format/js_chain.h"
#include "skill/format/playwright.h"

namespace hebb::skill {
namespace {

constexpr int kDescribeDepth = 8;
constexpr int kTemplateDepth = 8;
constexpr std::size_t kScriptBytes = std::size_t{1} << 20;
constexpr std::size_t kTabs = 100;  // besides the first, as in an artifact
constexpr std::size_t kNotes = 1000;

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// test, test.describe.configure, browser.close: the names of a chain of calls.
std::string called(const JsChain& chain) {
  std::string out = chain.root;
  for (const JsCall& call : chain.calls) out += (out.empty() ? "" : ".") + call.name;
  return out;
}

std::string shown(JsTokens statement) { return first_line(js_source(statement)); }

[[noreturn]] void refuse(JsTokens statement, std::string_view why) {
  invalid(fmt::format("line {}", statement.front().line), why);
}

[[noreturn]] void not_understood(JsTokens statement) {
  refuse(statement, fmt::format("is not understood: {}; write out the steps that it does, or "
                                "remove it",
                                shown(statement)));
}

// Whether all calls in the tokens only look at the page, as in expect(…) and console.log(…).
// `depth`: the number of template literals around the tokens.
bool only_looks(JsTokens statement, int depth = 0) {
  constexpr std::array<std::string_view, 6> kFunctions{"expect", "matches", "RegExp",
                                                       "String", "Number",  "async"};
  constexpr std::array<std::string_view, 10> kBeginnings{
      "toBe",          "toHave", "toContain", "toMatch", "toEqual",
      "toStrictEqual", "toPass", "getBy",     "is",      "string"};
  // A blank around each.
  constexpr std::string_view kMethods =
      " soft poll locator frameLocator contentFrame first last nth filter and or url title count "
      "textContent trim innerText inputValue getAttribute allInnerTexts includes allTextContents "
      "objectContaining arrayContaining message ";
  for (std::size_t i = 0; i < statement.size(); ++i) {
    const JsToken& token = statement[i];
    if (token.kind == JsToken::Kind::broken) return false;
    if (token.kind == JsToken::Kind::computed &&
        (depth == kTemplateDepth ||
         !only_looks(js_tokens(token.text.substr(1, token.text.size() - 2)), depth + 1)))
      return false;
    // A call without a plain name: page['click'](), page.click?.()
    constexpr std::array<std::string_view, 4> kUnnamed{"]", ")", "}", "."};
    if (token.is("(") && i > 0 && any_of(kUnnamed, statement[i - 1].text)) return false;
    const bool call = i + 1 < statement.size() && statement[i + 1].is("(");
    if (!call || token.kind != JsToken::Kind::name) continue;
    const bool logs = token.text == "log" && i > 1 && statement[i - 2].is("console");
    const bool method = i > 0 && statement[i - 1].is(".");
    const bool reads = kMethods.find(fmt::format(" {} ", token.text)) != std::string_view::npos ||
                       std::any_of(kBeginnings.begin(), kBeginnings.end(),
                                   [&](auto begin) { return token.text.starts_with(begin); });
    if (!(method ? reads || logs : any_of(kFunctions, token.text))) return false;
  }
  return true;
}

bool is_check(JsTokens statement) {
  const std::size_t at = statement.front().is("await") ? 1 : 0;
  return statement.size() > at && (statement[at].is("expect") || statement[at].is("console"));
}

// import …, 'use strict', const { chromium } = require('playwright'), and what hebb's own export
// begins with.
bool is_head(JsTokens statement) {
  // Another module may have a `test` whose page is already open.
  const auto playwright = [](const JsToken& module) {
    return js_text(module).value_or("").find("playwright") != std::string::npos;
  };
  if (statement.front().is("import")) return playwright(statement.back());
  if (statement.size() == 1 && js_text(statement.front()) == "use strict") return true;
  if (js_source(statement) == kMatches) return true;
  if (statement.size() < 4 || !statement[0].is("const") || !statement[1].is("{")) return false;
  const JsTokens value = statement.subspan(std::min(statement[1].to_closed + 2, statement.size()));
  return value.size() == 5 && value[0].is("=") && value[1].is("require") && playwright(value[3]);
}

// (async () => { … })()
std::optional<JsTokens> body_of_program(JsTokens statement) {
  const std::size_t close = statement.front().to_closed;
  if (!statement.front().is("(") || close < 7 || statement.size() != close + 3 ||
      !statement[1].is("async") || !statement[2].is("(") || !statement[4].is("=>") ||
      statement[5].to_closed != close - 6)
    return std::nullopt;
  return statement.subspan(6, close - 7);
}

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view script) : tokens_(js_tokens(script)) {}

  Imported read() {
    collect(tokens_, 0);
    for (const JsTokens statement : hooks_) take(statement);
    for (const JsTokens statement : steps_) take(statement);
    if (dialog_) refuse(dialog_->second, "answers a dialog, and no step after it opens one");
    for (const auto& [name, promise] : promises_)
      if (promise.event == "popup") refuse(promise.statement, "is never awaited: " + name);
    if (closing_) ignore(closing_->second);
    return std::move(out_);
  }

 private:
  struct Promise {
    std::string event;  // popup, download or dialog
    JsTokens statement;
  };

  // Reads a file, or the body of a test.describe.
  void collect(JsTokens code, int depth) {
    for (const JsTokens statement : js_statements(code)) {
      if (is_head(statement)) continue;
      if (const auto body = body_of_program(statement)) {
        collect_test(*body);
        continue;
      }
      const auto read = parse_js_statement(statement);
      const bool calls = read && !read->awaits && !read->chain.calls.empty();
      const std::string name = calls ? called(read->chain) : "";
      if (name == "test.setTimeout" || name == "test.slow" || name == "test.describe.configure")
        continue;
      if (name == "test.describe") {
        const bool had_test = has_test_;
        has_test_ = false;
        if (depth == kDescribeDepth) not_understood(statement);
        collect(body_of(*read, statement, false), depth + 1);
        if (!has_test_) refuse(statement, "has no test; remove it");
        if (had_test) refuse(statement, kSecondTest);
      } else if (name == "test" || name == "test.only") {
        const auto& args = read->chain.calls.back().args;
        if (has_test_) refuse(statement, kSecondTest);
        if (args.empty() || !args.front().is_string()) not_understood(statement);
        out_.title = args.front();
        collect_test(body_of(*read, statement, true));
      } else if (name == "test.beforeEach") {
        for (const JsTokens s : js_statements(body_of(*read, statement, true))) hooks_.push_back(s);
      } else {
        (name == "test.use" ? hooks_ : steps_).push_back(statement);
      }
    }
  }

  void collect_test(JsTokens body) {
    has_test_ = true;
    for (const JsTokens statement : js_statements(body)) steps_.push_back(statement);
  }

  // What the last argument does: () => { … }, async ({ page }) => { … }.
  static JsTokens body_of(const JsStatement& read, JsTokens statement, bool takes_page) {
    const auto& functions = read.chain.calls.back().functions;
    if (functions.size() != 1) not_understood(statement);
    const JsTokens parameters = functions.front().parameters;
    // A page of another fixture is another page.
    const bool renamed = std::any_of(parameters.begin(), parameters.end(),
                                     [](const JsToken& t) { return t.is(":") || t.is("="); });
    const bool page = std::any_of(parameters.begin(), parameters.end(),
                                  [](const JsToken& t) { return t.is("page"); });
    if (renamed || (takes_page && !page)) not_understood(statement);
    return functions.front().body;
  }

  void take(JsTokens statement) {
    if (is_check(statement)) {
      if (!only_looks(statement)) not_understood(statement);
      if (!js_source(statement).starts_with("expect(process.env.HEBB_SECRET_")) ignore(statement);
      return;
    }
    const auto read = parse_js_statement(statement);
    if (!read) not_understood(statement);
    if (is_of_browser(*read, statement) || is_promise(*read, statement) ||
        is_dialog(*read, statement) || only_waits(*read, statement))
      return;
    auto step = step_of(*read, tabs_);
    if (!step) not_understood(statement);
    if (const auto closing = std::exchange(closing_, std::nullopt))
      add(closing->first, closing->second);
    // At the script's end the first page stays open, for a check.
    if (step->kind == StepKind::close && step->tab == 0) {
      closing_ = {*std::move(step), statement};
      return;
    }
    add(*std::move(step), statement);
    if (const auto dialog = std::exchange(dialog_, std::nullopt))
      add(dialog->first, dialog->second);
  }

  void add(Step step, JsTokens statement) {
    if (out_.artifact.steps.size() == ArtifactLimits::kSteps)
      refuse(statement, fmt::format("is one step too many: a skill has at most {}; keep each task "
                                    "in a file of its own",
                                    ArtifactLimits::kSteps));
    if (out_.start_url.empty() && step.kind == StepKind::navigate)
      out_.start_url = step.args["url"];
    out_.artifact.steps.push_back(std::move(step));
  }

  void ignore(JsTokens statement) {
    if (out_.notes.size() == kNotes)
      refuse(statement, fmt::format("is one statement too many that is no step: at most {} are "
                                    "ignored; remove them",
                                    kNotes));
    out_.notes.push_back(
        fmt::format("line {} is ignored: {}", statement.front().line, shown(statement)));
  }

  // const browser = await chromium.launch(); const page = await context.newPage(); …
  bool is_of_browser(const JsStatement& read, JsTokens statement) {
    const std::string name = called(read.chain);
    if (name == "context.close" || name == "browser.close") return true;
    if (name == "chromium.launch" || name == "firefox.launch" || name == "webkit.launch")
      return read.declares == "browser";
    if (name == "context.newPage" || name == "browser.newPage") return read.declares == "page";
    if (name != "test.use" && name != "browser.newContext") return false;
    // Other options need a browser that a replay does not use.
    const Json options = js_options(read.chain.calls.back());
    if (options.empty()) return true;
    const Json size = options.value("viewport", Json());
    if (options.size() != 1 || !size.is_object()) not_understood(statement);
    Step step;
    step.kind = StepKind::viewport;
    step.args = size;
    add(std::move(step), statement);
    return true;
  }

  // const page1Promise = page.waitForEvent('popup'); const page1 = await page1Promise; as well for
  // downloads, with which a replay does nothing. await dialog1;
  bool is_promise(const JsStatement& read, JsTokens statement) {
    const auto known = promises_.find(read.chain.root);
    if (known != promises_.end() && read.awaits && read.chain.calls.empty()) {
      if (known->second.event == "popup") open_tab(read.declares, statement);
      promises_.erase(known);
      return true;
    }
    if (read.awaits || read.declares.empty() ||
        called(read.chain) != read.chain.root + ".waitForEvent")
      return false;
    const JsCall& call = read.chain.calls.front();
    const bool known_page = std::find(tabs_.begin(), tabs_.end(), read.chain.root) != tabs_.end();
    const bool one = known_page && call.args.size() == 1;
    if (!one || (call.args[0] != "popup" && call.args[0] != "download")) return false;
    if (call.args[0] == "download") ignore(statement);
    promises_[read.declares] = {call.args[0], statement};
    return true;
  }

  // The code generator calls the pages that are opened page1, page2, … in their order.
  void open_tab(const std::string& name, JsTokens statement) {
    if (name.empty() || std::find(tabs_.begin(), tabs_.end(), name) != tabs_.end())
      not_understood(statement);
    std::size_t number = 0;
    if (name.starts_with("page"))
      std::from_chars(name.data() + 4, name.data() + name.size(), number);
    if (number > kTabs || tabs_.size() > kTabs)
      refuse(statement, fmt::format("opens one page too many: a skill has at most {} beside the "
                                    "first",
                                    kTabs));
    while (tabs_.size() < number) tabs_.emplace_back();
    tabs_.push_back(name);
  }

  // page.once('dialog', dialog => { … dialog.dismiss() … }), or as hebb writes it:
  // const dialog1 = page.waitForEvent("dialog").then((dialog) => dialog.dismiss());
  bool is_dialog(const JsStatement& read, JsTokens statement) {
    const auto& calls = read.chain.calls;
    const bool once = calls.size() == 1 && calls[0].name == "once" && read.declares.empty();
    const bool then = calls.size() == 2 && calls[0].name == "waitForEvent" &&
                      calls[1].name == "then" && !read.declares.empty();
    const auto tab = std::find(tabs_.begin(), tabs_.end(), read.chain.root);
    if ((!once && !then) || tab == tabs_.end() || calls[0].args != std::vector<Json>{"dialog"})
      return false;
    const auto& functions = calls.back().functions;
    if (dialog_ || functions.size() != 1 || functions[0].parameters.size() != 1)
      not_understood(statement);
    Step step;
    step.kind = StepKind::dialog;
    step.tab = tab - tabs_.begin();
    for (const JsTokens s : js_statements(functions[0].body)) {
      if (!is_check(s) || !only_looks(s)) answer(step.args, s, functions[0].parameters[0].text);
    }
    if (step.args.empty()) not_understood(statement);
    if (then) promises_[read.declares] = {"dialog", statement};
    dialog_ = {std::move(step), statement};
    return true;
  }

  // dialog.accept('x').catch(() => {})
  static void answer(Json& args, JsTokens statement, std::string_view dialog) {
    const auto read = parse_js_statement(statement);
    const std::string name = read ? called(read->chain) : "";
    const std::string accept = fmt::format("{}.accept", dialog),
                      dismiss = fmt::format("{}.dismiss", dialog);
    const bool catches = name.ends_with(".catch");
    const std::string answers = name.substr(0, name.size() - (catches ? 6 : 0));
    const bool known = (answers == accept || answers == dismiss) && args.empty() &&
                       (!catches || (read->chain.calls[1].functions.size() == 1 &&
                                     read->chain.calls[1].functions[0].body.empty()));
    if (!known) not_understood(statement);
    const JsCall& call = read->chain.calls.front();
    args["accept"] = answers == accept;
    if (call.args.empty()) return;
    if (call.args.size() != 1 || !call.args[0].is_string()) not_understood(statement);
    args["value"] = call.args[0];
  }

  // A replay waits by itself.
  bool only_waits(const JsStatement& read, JsTokens statement) {
    constexpr std::array<std::string_view, 5> kWaits{"pause", "waitForLoadState", "waitForURL",
                                                     "bringToFront", "screenshot"};
    const auto& calls = read.chain.calls;
    const bool waits = read.awaits && read.declares.empty() && calls.size() == 1 &&
                       any_of(kWaits, calls[0].name) && calls[0].functions.empty() &&
                       std::find(tabs_.begin(), tabs_.end(), read.chain.root) != tabs_.end();
    if (waits) ignore(statement);
    return waits;
  }

  static constexpr std::string_view kSecondTest =
      "is a second test; a skill is one: keep each in a file of its own";

  const std::vector<JsToken> tokens_;
  std::vector<JsTokens> hooks_, steps_;  // statements of test.beforeEach, and of the test
  bool has_test_ = false;
  std::vector<std::string> tabs_{"page"};
  std::map<std::string, Promise> promises_;
  std::optional<std::pair<Step, JsTokens>> dialog_;  // waits for the step that opens it
  std::optional<std::pair<Step, JsTokens>> closing_;
  Imported out_;
};

}  // namespace

Imported read_playwright(std::string_view script) {
  if (script.size() > kScriptBytes)
    invalid("recording", fmt::format("is a script of {} bytes; at most {} are taken", script.size(),
                                     kScriptBytes));
  return ScriptReader(script).read();
}

}  // namespace hebb::skill
