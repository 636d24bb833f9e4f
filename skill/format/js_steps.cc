// Converts chains of Playwright's calls to steps. A call with an unknown option gives no step,
// since the step would be incomplete.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include <fmt/format.h>

#include "skill/format/js_chain.h"
#include "skill/format/playwright.h"
#include "skill/format/recorder.h"

namespace hebb::skill {
namespace {

// Options about waiting and checks, which a replay decides itself.
constexpr std::array<std::string_view, 6> kIgnoredOptions{"timeout", "noWaitAfter", "force",
                                                          "delay",   "strict",      "waitUntil"};

bool is_options(const Json& arg) { return arg.is_object() && !arg.contains("$regex"); }

// Whether the call has so many arguments and, beside kIgnoredOptions, no other options than these.
bool has_only(const JsCall& call, std::size_t arguments,
              std::initializer_list<std::string_view> known = {}) {
  const bool more = call.args.size() > arguments;
  const Json options = more ? js_options(call) : Json::object();
  for (const auto& [key, value] : options.items()) {
    const auto is_key = [&key = key](std::string_view name) { return name == key; };
    if (std::none_of(known.begin(), known.end(), is_key) &&
        std::none_of(kIgnoredOptions.begin(), kIgnoredOptions.end(), is_key))
      return false;
  }
  return call.args.size() == arguments + (more ? 1 : 0) &&
         (!more || is_options(call.args.back())) && call.chains.empty() && call.functions.empty();
}

std::optional<std::string> text_argument(const JsCall& call) {
  if (call.args.empty() || !call.args.front().is_string()) return std::nullopt;
  return call.args.front().get<std::string>();
}

// locator('css'), locator('xpath=//a'), locator('//a'), locator('text=Hi')
std::optional<Selector> by_locator(const std::string& value) {
  // Playwright's extensions of CSS, unknown to browsers.
  for (const char* own : {" >> ", ":has-text(", ":text(", ":text-is(", ":text-matches(", ":visible",
                          ":nth-match(", ":right-of(", ":left-of(", ":above(", ":below(", ":near("})
    if (value.find(own) != std::string::npos && !value.starts_with("xpath=")) return std::nullopt;
  if (value.starts_with("//") || value.starts_with("..")) return by(SelectorType::xpath, value);
  const std::size_t sign = value.find('=');
  const std::string engine = value.substr(0, std::min(sign, value.size()));
  const bool named = sign != std::string::npos && !engine.empty() &&
                     engine.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "-_:0123456789") == std::string::npos;
  if (!named) return by(SelectorType::css, value);
  const std::string rest = value.substr(sign + 1);
  if (rest.empty()) return std::nullopt;
  if (engine == "xpath") return by(SelectorType::xpath, rest);
  if (engine == "css") return by(SelectorType::css, rest);
  if (engine == "data-testid") return by(SelectorType::test_id, rest);
  if (engine != "text" || rest.starts_with('/')) return std::nullopt;
  const char quote = rest.front();
  const bool exact = rest.size() > 2 && (quote == '"' || quote == '\'') && rest.ends_with(quote);
  Selector s = by(SelectorType::text, exact ? rest.substr(1, rest.size() - 2) : rest);
  s.exact = exact;
  return s;
}

std::optional<Selector> base_selector(const JsCall& call) {
  const auto value = text_argument(call);
  if (!value || value->empty()) return std::nullopt;
  const Json opts = js_options(call);
  // Playwright's default is to find a part of the text, ignoring case.
  const bool exact = is_true(opts, "exact");
  const auto of = [&](SelectorType type) {
    Selector s = by(type, *value);
    s.exact = exact;
    return s;
  };
  if (call.name == "locator") {
    auto s = has_only(call, 1, {"hasText"}) ? by_locator(*value) : std::nullopt;
    if (!s || !opts.contains("hasText")) return s;
    s->has_text = text_member(opts, "hasText");
    return s->has_text.empty() ? std::nullopt : s;
  }
  if (call.name == "getByRole") {
    const Json name = opts.value("name", Json());
    if (!has_only(call, 1, {"name", "exact"}) || name.is_object()) return std::nullopt;
    // Without a name any name fits: the empty text is a part of each.
    Selector s = by_role(*value, name.is_string() ? name.get<std::string>() : "");
    s.exact = exact && name.is_string();
    return s;
  }
  if (!has_only(call, 1, {"exact"})) return std::nullopt;
  if (call.name == "getByText") return of(SelectorType::text);
  if (call.name == "getByLabel") return of(SelectorType::label);
  if (call.name == "getByPlaceholder") return of(SelectorType::placeholder);
  if (call.name == "getByTestId") return by(SelectorType::test_id, *value);
  if (call.name != "getByAltText" && call.name != "getByTitle") return std::nullopt;
  return by(SelectorType::css,
            fmt::format("[{}{}={}{}]", call.name == "getByTitle" ? "title" : "alt",
                        exact ? "" : "*", css_string(*value), exact ? "" : " i"));
}

struct Action {
  std::string_view name;
  StepKind kind;
};
constexpr auto kActions = std::to_array<Action>({{"click", StepKind::click},
                                                 {"dblclick", StepKind::click},
                                                 {"fill", StepKind::fill},
                                                 {"type", StepKind::fill},
                                                 {"pressSequentially", StepKind::fill},
                                                 {"clear", StepKind::fill},
                                                 {"press", StepKind::press},
                                                 {"selectOption", StepKind::select},
                                                 {"evaluate", StepKind::submit},
                                                 {"check", StepKind::check},
                                                 {"uncheck", StepKind::uncheck},
                                                 {"setChecked", StepKind::check},
                                                 {"hover", StepKind::hover},
                                                 {"setInputFiles", StepKind::upload},
                                                 {"dragTo", StepKind::drag},
                                                 {"scrollIntoViewIfNeeded", StepKind::scroll},
                                                 {"waitFor", StepKind::wait}});

bool all_texts(const Json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const Json& v) { return v.is_string(); });
}

bool click_args(Json& args, const JsCall& call) {
  const Json opts = js_options(call);
  if (!has_only(call, 0, {"button", "modifiers", "clickCount", "position"})) return false;
  for (const char* key : {"button", "modifiers"})
    if (opts.contains(key)) args[key] = opts[key];
  if (opts.contains("clickCount")) args["count"] = opts["clickCount"];
  if (call.name == "dblclick") args["count"] = 2;
  if (!opts.contains("position")) return true;
  const Json& at = opts["position"];
  if (!at.is_object() || !at.contains("x") || !at.contains("y")) return false;
  args["offsetX"] = at["x"];
  args["offsetY"] = at["y"];
  return true;
}

bool select_args(Json& args, const JsCall& call) {
  const Json first = call.args.empty() ? Json() : call.args.front();
  if (!has_only(call, 1)) return false;
  if (first.is_string()) {
    args["value"] = first;
  } else if (first.is_array()) {
    args["values"] = first;
    return all_texts(first);
  } else {
    const char* key = first.is_object() && first.contains("label") ? "label" : "value";
    if (!first.is_object() || first.size() != 1 || !first.contains(key)) return false;
    args[key] = first[key];
    return first[key].is_string();
  }
  return true;
}

bool wait_args(Json& args, const JsCall& call) {
  const Json state = js_options(call).value("state", Json());
  if (!has_only(call, 0, {"state"})) return false;
  if (state == "hidden" || state == "visible") args["visible"] = state == "visible";
  return state.is_null() || args.contains("visible");
}

bool drag_args(Step& step, const JsChain& chain) {
  const JsCall& call = chain.calls.back();
  if (call.chains.size() != 1 || call.chains.front().root != chain.root || !call.args.empty())
    return false;
  const auto to = target_of(call.chains.front().calls);
  if (!to || !to->selector || to->frames != step.frames) return false;
  step.to = {*to->selector};
  return true;
}

bool fill_args(Step& step, const JsChain& chain) {
  const JsCall& call = chain.calls.back();
  const Json first = call.args.empty() ? Json() : call.args.front();
  switch (step.kind) {
    case StepKind::click:
      return click_args(step.args, call);
    case StepKind::fill:
      step.args["value"] = call.name == "clear" ? Json("") : first;
      return step.args["value"].is_string() && has_only(call, call.name == "clear" ? 0 : 1);
    case StepKind::press:
      step.args["key"] = first;
      return first.is_string() && has_only(call, 1);
    case StepKind::select:
      return select_args(step.args, call);
    case StepKind::submit:
      return call.functions.size() == 1 && call.args.empty() &&
             js_source(call.functions.front().body) == kSubmitBody;
    case StepKind::check:
      if (call.name == "setChecked" && !first.is_boolean()) return false;
      if (first == false) step.kind = StepKind::uncheck;
      return has_only(call, call.name == "setChecked" ? 1 : 0);
    case StepKind::upload:
      step.args["files"] = first.is_array() ? first : Json::array({first});
      return all_texts(step.args["files"]) && !step.args["files"].empty() && has_only(call, 1);
    case StepKind::drag:
      return drag_args(step, chain);
    case StepKind::wait:
      return wait_args(step.args, call);
    default:
      return has_only(call, 0);
  }
}

Step step_with(StepKind kind, Json args) {
  Step step;
  step.kind = kind;
  step.args = std::move(args);
  return step;
}

// page.keyboard.press('Tab'), page.mouse.wheel(0, 100)
std::optional<Step> input_step(std::string_view device, const JsCall& call) {
  if (device == "mouse") {
    const bool wheel = call.name == "wheel" && has_only(call, 2) && call.args[0].is_number() &&
                       call.args[1].is_number();
    if (!wheel) return std::nullopt;
    return step_with(StepKind::scroll, {{"dx", call.args[0]}, {"dy", call.args[1]}});
  }
  const auto key = text_argument(call);
  if (device != "keyboard" || !key || !has_only(call, 1)) return std::nullopt;
  if (call.name == "press") return step_with(StepKind::press, {{"key", *key}});
  if (call.name == "down") return step_with(StepKind::key_down, {{"key", *key}});
  if (call.name == "up") return step_with(StepKind::key_up, {{"key", *key}});
  return std::nullopt;
}

// Calls of the page itself.
std::optional<Step> page_step(std::span<const JsCall> calls) {
  const JsCall& last = calls.back();
  if (calls.size() == 2) {
    if (const auto step = input_step(calls.front().name, last)) return step;
  }
  // page.getByText('Saved').first().waitFor(): the page has this text.
  if (calls.size() == 3 && calls[0].name == "getByText" && calls[1].name == "first" &&
      last.name == "waitFor" && last.args.empty() && text_argument(calls[0]) &&
      has_only(calls[0], 1) && js_options(calls[0]).empty())
    return step_with(StepKind::wait, {{"text", *text_argument(calls[0])}});
  if (calls.size() != 1) return std::nullopt;
  const auto text = text_argument(last);
  if (last.name == "goto" && text && has_only(last, 1))
    return step_with(StepKind::navigate, {{"url", *text}});
  if (last.name == "close" && last.args.empty()) return step_with(StepKind::close, Json::object());
  if (last.name == "waitForFunction" && text && has_only(last, 1))
    return step_with(StepKind::wait, {{"expression", *text}});
  if (last.name == "waitForTimeout" && has_only(last, 1) && last.args.front().is_number())
    return step_with(StepKind::wait, {{"time_ms", last.args.front()}});
  const Json size = js_options(last);
  if (last.name == "setViewportSize" && size.size() == 2 && size.contains("width") &&
      size.contains("height"))
    return step_with(StepKind::viewport, size);
  return std::nullopt;
}

// Calls that narrow a locator: first(), nth(2), filter({ hasText: 'x' }).
bool narrow(Selector& s, const JsCall& call) {
  if (s.nth) return false;  // Playwright would search within the counted element
  if (call.name == "filter") {
    s.has_text = s.has_text.empty() ? text_member(js_options(call), "hasText") : "";
    return !s.has_text.empty() && has_only(call, 0, {"hasText"});
  }
  const bool nth = call.name == "nth";
  if (!has_only(call, nth ? 1 : 0) || (nth && !call.args.front().is_number_integer())) return false;
  s.nth = nth ? call.args.front().get<std::int64_t>() : call.name == "first" ? 0 : -1;
  return true;
}

// The last locator, found within the others.
Selector joined(std::vector<Selector>& path) {
  Selector last = std::move(path.back());
  path.pop_back();
  last.within = std::move(path);
  path.clear();
  return last;
}

}  // namespace

Json js_options(const JsCall& call) {
  return !call.args.empty() && is_options(call.args.back()) ? call.args.back() : Json::object();
}

std::optional<JsTarget> target_of(std::span<const JsCall> calls) {
  JsTarget target;
  std::vector<Selector> path;
  for (const JsCall& call : calls) {
    const bool to_frame = call.name == "contentFrame";
    if (call.name == "frameLocator" || to_frame) {
      const auto css = text_argument(call);
      const auto owner = css && has_only(call, 1) ? by_locator(*css) : std::nullopt;
      if (!to_frame && !owner) return std::nullopt;
      if (!to_frame) path.push_back(*owner);
      if (path.empty()) return std::nullopt;
      target.frames.push_back({joined(path)});
    } else if (call.name == "first" || call.name == "last" || call.name == "nth" ||
               call.name == "filter") {
      if (path.empty() || !narrow(path.back(), call)) return std::nullopt;
    } else {
      auto selector = base_selector(call);
      if (!selector) return std::nullopt;
      path.push_back(*std::move(selector));
    }
  }
  if (!path.empty()) target.selector = joined(path);
  return target;
}

std::optional<Step> step_of(const JsStatement& statement, std::span<const std::string> tabs) {
  const JsChain& chain = statement.chain;
  const std::span<const JsCall> calls = chain.calls;
  const auto tab = std::find(tabs.begin(), tabs.end(), chain.root);
  const bool acts = statement.awaits && statement.declares.empty();
  if (!acts || chain.root.empty() || calls.empty() || tab == tabs.end()) return std::nullopt;
  std::optional<Step> step = page_step(calls);
  if (!step) {
    const auto action = std::find_if(kActions.begin(), kActions.end(),
                                     [&](const Action& a) { return a.name == calls.back().name; });
    if (action == kActions.end()) return std::nullopt;
    const auto target = target_of(calls.first(calls.size() - 1));
    if (!target || !target->selector) return std::nullopt;
    step = step_with(action->kind, Json::object());
    step->selectors = {*target->selector};
    step->frames = target->frames;
    if (!fill_args(*step, chain)) return std::nullopt;
  }
  step->tab = tab - tabs.begin();
  return step;
}

}  // namespace hebb::skill
