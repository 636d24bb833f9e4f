#include "skill/capture/session.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "capture/actions/payload.h"
#include "skill/capture/arguments.h"
#include "skill/capture/elements.h"
#include "skill/capture/tabs.h"
#include "skill/format/js_chain.h"
#include "skill/store/secrets.h"

namespace hebb::skill {
namespace {

std::vector<std::string> texts_of(const capture::ActionRow& row) {
  std::vector<std::string> texts;
  const Json result = json_or_discarded(row.result.value_or(""));
  if (!result.is_object()) return texts;
  const Json content = result.value("content", Json());
  if (!content.is_array()) return texts;
  for (const Json& block : content) {
    const Json text = block.is_object() ? block.value("text", Json()) : Json();
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

// The code under "### Ran Playwright code".
std::string_view code_of(std::string_view text) {
  constexpr std::string_view kHeading = "### Ran Playwright code\n```js\n";
  std::size_t begin = text.find(kHeading);
  while (begin != std::string_view::npos && begin > 0 && text[begin - 1] != '\n')
    begin = text.find(kHeading, begin + 1);
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin + kHeading.size());
  return text.substr(0, text.find("\n```"));
}

// The paths of `await fileChooser.setFiles(["a.txt"])`; empty: it is another statement.
Json chosen_files(const JsStatement& statement) {
  const auto& [root, calls] = statement.chain;
  const bool chooses = root == "fileChooser" && calls.size() == 1 && calls[0].name == "setFiles" &&
                       calls[0].args.size() == 1 && calls[0].args[0].is_array();
  return chooses ? calls[0].args[0] : Json::array();
}

// Whether the server is one of the two, by its own name.
bool drives_browser(const capture::ActionRow& row) {
  return row.app_name == "Playwright" || row.app_name == "chrome_devtools";
}

class SessionReader {
 public:
  CapturedSession read(std::span<const capture::ActionRow> rows) {
    for (const capture::ActionRow& row : rows) {
      ++number_;
      if (!row.success) continue;
      out_.browser = out_.browser || drives_browser(row);
      const auto texts = texts_of(row);
      const bool lists_its_own = row.tool == "new_page";
      if (lists_its_own) see(texts);
      take(row, texts);
      if (!lists_its_own) see(texts);
    }
    out_.browser = out_.browser || !out_.steps.empty();
    // A value that was masked when recorded becomes a slot.
    Artifact artifact;
    artifact.steps = std::move(out_.steps);
    hide_secrets(artifact);
    out_.steps = std::move(artifact.steps);
    if (!out_.browser) out_.left_out.clear();
    return std::move(out_);
  }

 private:
  void see(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      tabs_.see(text);
      elements_.see(text);
    }
  }

  void take(const capture::ActionRow& row, const std::vector<std::string>& texts) {
    const Json read = json_or_discarded(row.args);
    const Json args = read.is_object() ? read : Json::object();
    if (row.tool == "browser_close") {  // usually the last call
      closed_ = number_;
      return;
    }
    if (row.tool == "browser_tabs" || row.tool == "select_page" || row.tool == "close_page")
      return turn(row, args);
    // A page other than the first one of a replay.
    const bool another = row.tool == "new_page" && !out_.steps.empty();
    auto steps = another ? std::nullopt : steps_of_code(texts);
    if (!steps && !another && read.is_object())
      steps = steps_of_arguments(row.tool, args, elements_);
    if (steps) return add(row, args, std::move(*steps));
    const std::string_view why = why_no_step(row.tool, row.read_only);
    if (!why.empty()) leave_out(row.tool, why);
  }

  // Calls about the browser's pages.
  void turn(const capture::ActionRow& row, const Json& args) {
    const Json action = args.value("action", Json());
    if (row.tool == "select_page" || action == "select" || action == "list") return;
    if (row.tool != "close_page" && action != "close")
      return leave_out(row.tool, why_no_step(row.tool, row.read_only));
    const auto tab = tabs_.close(args);
    if (!tab) return leave_out(row.tool, kWhichPage);
    Step step;
    step.kind = StepKind::close;
    step.tab = *tab;
    out_.steps.push_back(std::move(step));
  }

  // nullopt: the server reported no code, or code that is not understood.
  std::optional<std::vector<Step>> steps_of_code(const std::vector<std::string>& texts) {
    std::vector<Step> steps;
    bool any = false;
    for (const std::string& text : texts) {
      const auto code = js_tokens(code_of(text));
      for (const JsTokens tokens : js_statements(code)) {
        any = true;
        const auto statement = parse_js_statement(tokens);
        if (!statement) return std::nullopt;
        if (const Json files = chosen_files(*statement); !files.empty()) {
          // The click that opened the file chooser is a part of the upload.
          const bool clicked = !out_.steps.empty() && out_.steps.back().kind == StepKind::click;
          if (!clicked) return std::nullopt;
          out_.steps.back().kind = StepKind::upload;
          out_.steps.back().args = {{"files", files}};
          continue;
        }
        auto step = step_of(*statement, std::array<std::string, 1>{"page"});
        if (!step) return std::nullopt;
        steps.push_back(*std::move(step));
      }
    }
    return any ? std::optional(std::move(steps)) : std::nullopt;
  }

  void add(const capture::ActionRow& row, const Json& args, std::vector<Step> steps) {
    const auto tab = tabs_.of(args);
    if (!tab) return leave_out(row.tool, kWhichPage);
    if (closed_ != 0 && !steps.empty()) {
      const std::size_t now = std::exchange(number_, std::exchange(closed_, 0));
      leave_out("browser_close", "what comes after it is done in another browser");
      number_ = now;
    }
    tabs_.begin(args);
    for (Step& step : steps) {
      step.tab = *tab;
      out_.steps.push_back(std::move(step));
    }
  }

  void leave_out(std::string_view tool, std::string_view why) {
    out_.left_out.push_back(
        {out_.steps.size(), fmt::format("{} (call {} of the session): {}", tool, number_, why)});
  }

  static constexpr std::string_view kWhichPage = "it cannot be told which page it is about";

  std::size_t number_ = 0;  // of the call, from 1
  std::size_t closed_ = 0;  // the call that closed the browser; 0: none
  PageElements elements_;
  Tabs tabs_;
  CapturedSession out_;
};

Step custom_step(const std::string& what) {
  Step step;
  step.kind = StepKind::custom;
  step.extra["name"] = what;
  return step;
}

}  // namespace

CapturedSession capture_session(std::span<const capture::ActionRow> rows) {
  return SessionReader().read(rows);
}

Artifact session_artifact(const CapturedSession& session) {
  Artifact artifact;
  const bool starts = !session.steps.empty() && session.steps.front().kind == StepKind::navigate;
  if (!starts) artifact.steps.push_back(custom_step("the recording does not say where it begins"));
  auto left_out = session.left_out.begin();
  for (std::size_t i = 0; i <= session.steps.size(); ++i) {
    for (; left_out != session.left_out.end() && left_out->before == i; ++left_out)
      artifact.steps.push_back(custom_step(left_out->what));
    if (i < session.steps.size()) artifact.steps.push_back(session.steps[i]);
  }
  hide_secrets(artifact);
  return artifact;
}

}  // namespace hebb::skill
