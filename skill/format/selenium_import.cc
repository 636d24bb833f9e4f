// The .side files of Selenium IDE.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "skill/format/format.h"

namespace hebb::skill {
namespace {

// css=#a, id=a, name=a, linkText=Go, xpath=//a, //a
std::optional<Selector> selector_of(const std::string& target) {
  const std::size_t sign = target.find('=');
  const std::string kind = target.substr(0, sign);
  const std::string value = sign == std::string::npos ? "" : target.substr(sign + 1);
  if (target.starts_with("//")) return by(SelectorType::xpath, target);
  if (value.empty()) return std::nullopt;
  const auto attribute = [&](std::string_view name) {
    std::string quoted;
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return by(SelectorType::css, fmt::format("[{}=\"{}\"]", name, quoted));
  };
  if (kind == "css") return by(SelectorType::css, value);
  if (kind == "xpath") return by(SelectorType::xpath, value);
  if (kind == "id") return attribute("id");
  if (kind == "name") return attribute("name");
  if (kind == "linkText") return by_role("link", value);
  return std::nullopt;
}

struct Row {
  std::string_view command;
  Kind kind;
};
constexpr auto kCommands = std::to_array<Row>({{"click", Kind::click},
                                               {"clickAt", Kind::click},
                                               {"doubleClick", Kind::click},
                                               {"type", Kind::fill},
                                               {"sendKeys", Kind::press},
                                               {"select", Kind::select},
                                               {"check", Kind::check},
                                               {"uncheck", Kind::uncheck},
                                               {"mouseOver", Kind::hover},
                                               {"submit", Kind::submit},
                                               {"dragAndDropToObject", Kind::drag},
                                               {"waitForElementVisible", Kind::wait},
                                               {"waitForElementPresent", Kind::wait},
                                               {"assertElementPresent", Kind::wait},
                                               {"verifyElementPresent", Kind::wait},
                                               {"waitForElementNotVisible", Kind::wait}});

class SeleniumReader {
 public:
  explicit SeleniumReader(std::string base) : base_(std::move(base)) {}

  void command(const Json& json, const std::string& path) {
    const auto text = [&](const char* key) { return text_member(json, key); };
    if (!json.is_object()) invalid(path, "must be an object");
    const std::string name = text("command"), target = text("target"), value = text("value");
    // Skip disabled commands, and those that the neighbouring steps imply.
    if (name.empty() || name.starts_with("//") || name == "mouseOut" || name == "mouseUp" ||
        name == "mouseDown" || (name == "runScript" && target.starts_with("window.scrollTo("))) {
      return;
    }
    Step step;
    step.frames = frames_;
    step.tab = tab_;
    if (json.value("opensWindow", Json()) == true) windows_[text("windowHandleName")] = ++tabs_;
    if (name == "open") {
      step.kind = Kind::navigate;
      step.frames.clear();
      frames_.clear();
      step.args["url"] = target.find("://") == std::string::npos ? base_ + target : target;
      if (out_.start_url.empty()) out_.start_url = step.args["url"];
    } else if (name == "setWindowSize") {
      const std::size_t x = target.find('x');
      step.kind = Kind::viewport;
      step.args = {{"width", std::atoi(target.c_str())},
                   {"height", x == std::string::npos ? 0 : std::atoi(target.c_str() + x + 1)}};
    } else if (name == "selectFrame") {
      return select_frame(target, path);
    } else if (name == "selectWindow") {
      return select_window(target, path);
    } else if (name == "storeWindowHandle") {
      windows_[target] = tab_;
      return;
    } else if (name == "close") {
      step.kind = Kind::close;
    } else if (name.find("ConfirmationOn") != std::string::npos || name.starts_with("chooseOk") ||
               name.starts_with("chooseCancel") || name == "answerOnNextPrompt") {
      dialog_ = Step{};
      dialog_->kind = Kind::dialog;
      dialog_->tab = tab_;
      dialog_->args["accept"] = !name.starts_with("chooseCancel");
      if (name == "answerOnNextPrompt") dialog_->args["value"] = target;
      return;
    } else if (name.starts_with("webdriver")) {
      return answered(name, target);
    } else if (name == "assertConfirmation" || name == "assertAlert" || name == "assertPrompt") {
      return;
    } else {
      element_step(step, json, name, target, value, path);
    }
    out_.artifact.steps.push_back(std::move(step));
    if (dialog_) out_.artifact.steps.push_back(*std::exchange(dialog_, std::nullopt));
  }

  Imported take() { return std::move(out_); }

 private:
  void element_step(Step& step, const Json& json, const std::string& name,
                    const std::string& target, const std::string& value, const std::string& path) {
    const auto row = std::find_if(kCommands.begin(), kCommands.end(),
                                  [&](const Row& r) { return r.command == name; });
    if (row == kCommands.end()) {
      if (name == "assertText" || name == "verifyText") {
        step.kind = Kind::wait;
        step.args["text"] = value;
        return;
      }
      invalid(path, fmt::format("the command {} is not known", name));
    }
    step.kind = row->kind;
    std::vector<std::string> targets{target};
    if (const auto list = json.find("targets"); list != json.end() && list->is_array()) {
      for (const Json& t : *list) {
        if (t.is_array() && !t.empty() && t[0].is_string())
          targets.push_back(t[0].get<std::string>());
      }
    }
    for (const std::string& t : targets) {
      const auto s = selector_of(t);
      const bool known =
          s && std::find(step.selectors.begin(), step.selectors.end(), *s) != step.selectors.end();
      if (s && !known && step.selectors.size() < ArtifactLimits::kSelectors)
        step.selectors.push_back(*s);
    }
    if (step.selectors.empty()) invalid(path, fmt::format("the target {} is not known", target));
    if (name == "doubleClick") step.args["count"] = 2;
    if (step.kind == Kind::fill) step.args["value"] = value;
    if (step.kind == Kind::press) {
      // ${KEY_ENTER}
      const bool key = value.starts_with("${KEY_") && value.ends_with('}');
      std::string k = key ? value.substr(6, value.size() - 7) : value;
      for (std::size_t i = 1; key && i < k.size(); ++i) k[i] = static_cast<char>(k[i] | 0x20);
      step.kind = key ? Kind::press : Kind::fill;
      step.args[key ? "key" : "value"] = k;
    }
    if (step.kind == Kind::select)
      step.args["value"] = value.substr(value.starts_with("label=") ? 6 : 0);
    if (name == "waitForElementNotVisible") step.args["visible"] = false;
    if (step.kind == Kind::drag) {
      const auto to = selector_of(value);
      if (!to) invalid(path, fmt::format("the target {} is not known", value));
      step.to = {*to};
    }
  }

  void select_frame(const std::string& target, const std::string& path) {
    constexpr std::string_view kIndex = "index=";
    if (target == "relative=parent") {
      if (!frames_.empty()) frames_.pop_back();
      return;
    }
    if (!target.starts_with(kIndex))
      invalid(path, fmt::format("the frame {} is not known", target));
    Selector s = by(SelectorType::css, "iframe,frame");
    s.nth = std::atoi(target.c_str() + kIndex.size());
    frames_.push_back({s});
  }

  // handle=${win1234}, which a command that opens a window has named, or storeWindowHandle.
  void select_window(const std::string& target, const std::string& path) {
    constexpr std::string_view kHandle = "handle=${";
    const bool named = target.starts_with(kHandle) && target.ends_with('}');
    const auto known =
        named ? windows_.find(target.substr(kHandle.size(), target.size() - kHandle.size() - 1))
              : windows_.end();
    if (known == windows_.end()) invalid(path, fmt::format("the window {} is not known", target));
    tab_ = known->second;
    frames_.clear();
  }

  // webdriverChooseOkOnVisibleConfirmation and the like: how the dialog of the last step is
  // answered, where no command before it has said so.
  void answered(const std::string& name, const std::string& text) {
    auto& steps = out_.artifact.steps;
    if (steps.empty() || steps.back().kind == Kind::dialog) return;
    Step dialog;
    dialog.kind = Kind::dialog;
    dialog.tab = tab_;
    dialog.args["accept"] = name.find("ChooseCancel") == std::string::npos;
    if (name.find("Answer") != std::string::npos) dialog.args["value"] = text;
    steps.push_back(std::move(dialog));
  }

  std::string base_;
  Imported out_;
  std::vector<Chain> frames_;
  std::int64_t tab_ = 0, tabs_ = 0;
  std::map<std::string, std::int64_t> windows_;  // tabs by the names of their handles
  std::optional<Step> dialog_;
};

}  // namespace

Imported read_selenium(std::string_view text) {
  const Json json = parse_json(text, "recording", kImportBytes);
  if (!json.is_object()) invalid("recording", "must be an object");
  const Json tests = json.value("tests", Json());
  if (!tests.is_array() || tests.empty() || !tests[0].is_object())
    invalid("tests", "must be a list of at least one test");
  const Json url = json.value("url", Json());
  SeleniumReader reader(url.is_string() ? url.get<std::string>() : "");
  const Json commands = tests[0].value("commands", Json());
  if (!commands.is_array()) invalid("tests[0].commands", "must be a list");
  for (std::size_t i = 0; i < commands.size(); ++i)
    reader.command(commands[i], fmt::format("tests[0].commands[{}]", i));
  Imported out = reader.take();
  const Json name = tests[0].value("name", Json());
  if (name.is_string()) out.title = name.get<std::string>();
  return out;
}

}  // namespace hebb::skill
