#include "capture/actions/playwright_steps.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/actions/playwright_code.h"
#include "capture/actions/score.h"

namespace hebb::capture {
namespace {

using nlohmann::json;
using Names = std::initializer_list<std::string_view>;

// The first of these arguments that is a non-empty string.
std::optional<std::string> text_of(const json& args, Names keys) {
  for (const std::string_view key : keys) {
    const auto found = args.find(key);
    if (found != args.end() && found->is_string() &&
        !found->get_ref<const std::string&>().empty()) {
      return found->get<std::string>();
    }
  }
  return std::nullopt;
}

bool is_true(const json& args, std::string_view key) {
  return args.value(std::string(key), json(false)) == true;
}

// The code that finds an element, and the element's name and role.
struct Target {
  std::string code, name, role;
};

Target by_role(const std::string& role, const std::string& name, bool exact = false) {
  if (name.empty()) return {fmt::format("page.getByRole({})", literal(role)), role, role};
  return {fmt::format("page.getByRole({}, {{ name: {}{} }})", literal(role),
                      text_literal(name, role), exact ? ", exact: true" : ""),
          name, role};
}

// "Sign in button" -> the button named "Sign in".
std::optional<Target> described(const std::string& element) {
  constexpr std::array<std::string_view, 10> kRoles{"button",   "link",   "textbox",  "checkbox",
                                                    "radio",    "tab",    "combobox", "option",
                                                    "menuitem", "heading"};
  const std::size_t space = element.rfind(' ');
  if (space == std::string::npos || space == 0) return std::nullopt;
  const std::string role = element.substr(space + 1);
  if (std::find(kRoles.begin(), kRoles.end(), role) == kRoles.end()) return std::nullopt;
  return by_role(role, element.substr(0, space));
}

bool is_ref(std::string_view target) {  // e12, f1e12
  const std::size_t e = target.rfind('e');
  return e != std::string_view::npos && e + 1 < target.size() &&
         target.find_first_not_of("0123456789", e + 1) == std::string_view::npos &&
         (e == 0 || (target.front() == 'f' && target.find_first_not_of("0123456789", 1) == e));
}

// Makes a step from a call's arguments alone.
class Call {
 public:
  Call(const PageElements& elements, const json& args) : elements_(elements), args_(args) {}

  using Step = std::optional<std::string>;  // an expression to await; nullopt: cannot be replayed

  std::optional<Target> target(bool text_is_target) const {
    const auto simple = [&](Names keys, const char* format) -> std::optional<Target> {
      const auto value = text_of(args_, keys);
      if (!value) return std::nullopt;
      return Target{fmt::format(fmt::runtime(format), text_literal(*value, "")), *value, ""};
    };
    if (auto found = simple({"selector", "css", "cssSelector"}, "page.locator({})")) return found;
    if (const auto xpath = text_of(args_, {"xpath"})) {
      return Target{fmt::format("page.locator({})", text_literal("xpath=" + *xpath, "")), *xpath,
                    ""};
    }
    const auto ref = text_of(args_, {"ref", "uid", "target"});
    if (ref) {
      if (auto found = by_ref(*ref)) return found;
      const bool is_selector = !is_ref(*ref) && args_.contains("target");
      if (is_selector) return simple({"target"}, "page.locator({})");
    }
    const auto name = text_of(args_, {"name", "accessible_name"});
    if (const auto role = text_of(args_, {"role"})) return by_role(*role, name.value_or(""));
    if (auto found = simple({"testId", "test_id"}, "page.getByTestId({})")) return found;
    if (auto found = simple({"label"}, "page.getByLabel({})")) return found;
    if (auto found = simple({"placeholder"}, "page.getByPlaceholder({})")) return found;
    if (text_is_target) {
      if (auto found = simple({"text"}, "page.getByText({})")) return found;
    }
    if (const auto element = text_of(args_, {"element"})) return described(*element);
    if (name && !ref) return simple({"name", "accessible_name"}, "page.getByLabel({})");
    return std::nullopt;
  }

  Step go() const {
    const auto type = text_of(args_, {"type"});
    if (type == "back") return "page.goBack()";
    if (type == "forward") return "page.goForward()";
    if (type == "reload") return "page.reload()";
    const auto url = text_of(args_, {"url"});
    if (!url) return std::nullopt;
    return fmt::format("page.goto(at({}))", text_literal(*url, "URL"));
  }

  Step click() const {
    const auto on = target(true);
    if (!on) return std::nullopt;
    const bool twice = is_true(args_, "doubleClick") || is_true(args_, "dblClick");
    return on->code + (twice ? ".dblclick()" : ".click()");
  }

  Step fill() const {
    for (const char* key : {"fields", "elements"}) {
      if (const auto fields = args_.find(key); fields != args_.end() && fields->is_array())
        return fill_all(*fields);
    }
    const auto value = text_of(args_, {"value", "text", "input"});
    if (!value) return std::nullopt;
    const auto into = target(false);
    if (!into) return type_where_the_focus_is(*value);
    const std::string written = text_literal(*value, into->name);
    const std::string role = text_of(args_, {"type"}).value_or(into->role);
    if (role == "combobox") {
      return fmt::format("{}.selectOption({{ label: {} }})", into->code, written);
    }
    if (role == "checkbox" || role == "radio") {
      return fmt::format("{}.setChecked({})", into->code, *value == "true");
    }
    if (!is_true(args_, "submit")) return fmt::format("{}.fill({})", into->code, written);
    return fmt::format("{0}.fill({1}).then(() => {0}.press('Enter'))", into->code, written);
  }

  Step press() const {
    const auto key = text_of(args_, {"key"});
    if (!key) return std::nullopt;
    const auto on = target(false);
    return fmt::format("{}.press({})", on ? on->code : "page.keyboard", literal(*key));
  }

  Step select() const {
    const auto on = target(false);
    const auto values = args_.contains("values") ? args_.find("values") : args_.find("value");
    if (!on || values == args_.end()) return std::nullopt;
    return fmt::format("{}.selectOption({})", on->code, literal(*values));
  }

  Step on_target(const char* action, bool text_is_target) const {
    const auto on = target(text_is_target);
    if (!on) return std::nullopt;
    return on->code + action;
  }

  Step scroll() const {
    const auto number = [&](Names keys) {
      for (const auto key : keys) {
        const auto found = args_.find(key);
        if (found != args_.end() && found->is_number()) return literal(*found);
      }
      return std::string("0");
    };
    return fmt::format("page.mouse.wheel({}, {})", number({"deltaX", "x"}),
                       number({"deltaY", "y"}));
  }

  Step wait() const {
    auto text = text_of(args_, {"text"});
    if (const auto any = args_.find("text");
        any != args_.end() && any->is_array() && any->size() == 1) {
      text = text_of(json{{"text", any->front()}}, {"text"});
    }
    if (text) return fmt::format("page.getByText({}).first().waitFor()", text_literal(*text, ""));
    return on_target(".waitFor()", false);
  }

  Step evaluate() const {
    const auto code = text_of(args_, {"script", "expression", "code"});
    if (code) return fmt::format("page.evaluate({})", literal(*code));
    const auto function = text_of(args_, {"function"});
    if (!function || args_.contains("args")) return std::nullopt;
    return fmt::format("page.evaluate({})", literal("(" + *function + ")()"));
  }

  Step tabs() const {
    const auto action = text_of(args_, {"action"});
    if (action == "list") return "";
    return action == "new" ? go() : std::nullopt;
  }

 private:
  std::optional<Target> by_ref(const std::string& ref) const {
    const PageElements::Element* element = elements_.find(ref);
    if (element == nullptr || element->role.empty() || element->role == "generic") {
      return std::nullopt;
    }
    Target found = by_role(element->role, element->name, true);
    if (!element->alone) found.code += fmt::format(".nth({})", element->before);
    return found;
  }

  Step fill_all(const json& fields) const {
    std::string all;
    for (const json& field : fields) {
      const Step one = field.is_object() ? Call(elements_, field).fill() : std::nullopt;
      if (!one) return std::nullopt;
      all += fmt::format("{}await {}", all.empty() ? "" : "; ", *one);
    }
    if (all.empty()) return std::nullopt;
    return fmt::format("(async () => {{ {}; }})()", all);
  }

  Step type_where_the_focus_is(const std::string& value) const {
    const bool names_a_place = text_of(args_, {"ref", "uid", "target", "element"}).has_value();
    if (names_a_place || !text_of(args_, {"text"})) return std::nullopt;
    const std::string typed = fmt::format("page.keyboard.type({})", text_literal(value, "TYPED"));
    const auto key = text_of(args_, {"submitKey"});
    if (!key) return typed;
    return fmt::format("{}.then(() => page.keyboard.press({}))", typed, literal(*key));
  }

  const PageElements& elements_;
  const json& args_;
};

// The step for tools whose name contains `part`. The first row that fits is used.
struct Verb {
  std::string_view part;
  Call::Step (*step)(const Call&);
};
constexpr std::array kVerbs{
    Verb{"navigate_back", [](const Call&) -> Call::Step { return "page.goBack()"; }},
    Verb{"go_back", [](const Call&) -> Call::Step { return "page.goBack()"; }},
    Verb{"reload", [](const Call&) -> Call::Step { return "page.reload()"; }},
    Verb{"navigate", [](const Call& c) { return c.go(); }},
    Verb{"goto", [](const Call& c) { return c.go(); }},
    Verb{"open_url", [](const Call& c) { return c.go(); }},
    Verb{"new_page", [](const Call& c) { return c.go(); }},
    Verb{"tabs", [](const Call& c) { return c.tabs(); }},
    Verb{"uncheck", [](const Call& c) { return c.on_target(".uncheck()", true); }},
    Verb{"check", [](const Call& c) { return c.on_target(".check()", true); }},
    Verb{"click", [](const Call& c) { return c.click(); }},
    Verb{"fill", [](const Call& c) { return c.fill(); }},
    Verb{"type", [](const Call& c) { return c.fill(); }},
    Verb{"press", [](const Call& c) { return c.press(); }},
    Verb{"select", [](const Call& c) { return c.select(); }},
    Verb{"submit",
         [](const Call& c) {
           return c.on_target(".evaluate((e) => (e.form ?? e).requestSubmit())", false);
         }},
    Verb{"scroll", [](const Call& c) { return c.scroll(); }},
    Verb{"hover", [](const Call& c) { return c.on_target(".hover()", true); }},
    Verb{"wait", [](const Call& c) { return c.wait(); }},
    Verb{"evaluate", [](const Call& c) { return c.evaluate(); }},
};

// The texts that a result holds.
std::vector<std::string> texts_of(const ActionRow& row) {
  std::vector<std::string> texts;
  const json result = json::parse(row.result.value_or(""), nullptr, false);
  if (!result.is_object() || !result.contains("content") || !result["content"].is_array()) {
    return texts;
  }
  for (const json& block : result["content"]) {
    if (auto text = block.is_object() ? text_of(block, {"text"}) : std::nullopt) {
      texts.push_back(std::move(*text));
    }
  }
  return texts;
}

// For a successful reading call: the test expects the text that the call returned.
Call::Step expectation(const ActionRow& row, const Call& call,
                       const std::vector<std::string>& texts) {
  // Tools such as type_text and set_text also have "text" in their names, but return no page text.
  if (changes_state(row.tool, row.read_only)) return std::nullopt;
  const auto target = call.target(false);
  if (!target || texts.empty() || row.tool.find("text") == std::string::npos) return std::nullopt;
  if (texts.front().find(kMasked) != std::string::npos) return std::nullopt;
  return fmt::format("shows({}, {})", target->code, literal(texts.front()));
}

Call::Step from_arguments(const ActionRow& row, const Call& call) {
  std::string tool = row.tool;
  std::transform(tool.begin(), tool.end(), tool.begin(), [](char c) {
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  for (const Verb& verb : kVerbs) {
    if (tool.find(verb.part) != std::string::npos) return verb.step(call);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> Replay::steps(const ActionRow& row) {
  const std::vector<std::string> texts = texts_of(row);
  std::optional<std::vector<std::string>> steps;
  for (const std::string& text : texts) {
    if (!steps) steps = replayed_code(text);
  }
  if (!steps) {
    const json args = json::parse(row.args, nullptr, false);
    if (args.is_object()) {
      const Call call(elements_, args);
      Call::Step step = expectation(row, call, texts);
      if (!step) step = from_arguments(row, call);
      if (step) steps.emplace();
      if (step && !step->empty()) steps->push_back(std::move(*step));
    }
  }
  for (const std::string& text : texts) elements_.see(text);
  return steps;
}

}  // namespace hebb::capture
