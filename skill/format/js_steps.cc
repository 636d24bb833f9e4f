// Converts chains of Playwright's calls to steps.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "skill/format/js_chain.h"

namespace hebb::skill {
namespace {

std::optional<std::string> text_argument(const JsCall& call, std::size_t i) {
  if (i >= call.args.size() || !call.args[i].is_string()) return std::nullopt;
  return call.args[i].get<std::string>();
}

Json options(const JsCall& call) {
  for (const Json& arg : call.args) {
    if (arg.is_object() && !arg.contains("$regex")) return arg;
  }
  return Json::object();
}

// locator('css'), locator('xpath=//a'), locator('//a'), locator('text=Hi')
std::optional<Selector> by_locator(const std::string& value) {
  if (value.starts_with("xpath=")) return by(SelectorType::xpath, value.substr(6));
  if (value.starts_with("//") || value.starts_with("..")) return by(SelectorType::xpath, value);
  if (value.starts_with("text=")) return by(SelectorType::text, value.substr(5));
  if (value.starts_with("css=")) return by(SelectorType::css, value.substr(4));
  if (value.starts_with("internal:") || value.starts_with("aria-ref=")) return std::nullopt;
  if (value.starts_with("data-testid=")) return by(SelectorType::test_id, value.substr(12));
  return by(SelectorType::css, value);
}

std::optional<Selector> base_selector(const JsCall& call) {
  const auto value = text_argument(call, 0);
  if (!value || value->empty()) return std::nullopt;
  const Json opts = options(call);
  // Playwright's default is to find a part of the text, ignoring case.
  const bool exact = opts.value("exact", Json(false)) == true;
  const auto of = [&](SelectorType type) {
    Selector s = by(type, *value);
    s.exact = exact;
    return s;
  };
  if (call.name == "getByRole") {
    const Json name = opts.value("name", Json());
    if (name.is_object()) return std::nullopt;  // a regular expression
    // Without a name any name fits: the empty text is a part of each.
    Selector s = by_role(*value, name.is_string() ? name.get<std::string>() : "");
    s.exact = exact && name.is_string();
    return s;
  }
  if (call.name == "getByText") return of(SelectorType::text);
  if (call.name == "getByLabel") return of(SelectorType::label);
  if (call.name == "getByPlaceholder") return of(SelectorType::placeholder);
  if (call.name == "getByTestId") return by(SelectorType::test_id, *value);
  if (call.name == "getByAltText")
    return by(SelectorType::css, fmt::format("[alt=\"{}\"]", *value));
  if (call.name == "getByTitle")
    return by(SelectorType::css, fmt::format("[title=\"{}\"]", *value));
  if (call.name == "locator") return by_locator(*value);
  return std::nullopt;
}

struct Action {
  std::string_view name;
  Kind kind;
};
constexpr auto kActions = std::to_array<Action>({{"click", Kind::click},
                                                 {"dblclick", Kind::click},
                                                 {"fill", Kind::fill},
                                                 {"type", Kind::fill},
                                                 {"pressSequentially", Kind::fill},
                                                 {"clear", Kind::fill},
                                                 {"press", Kind::press},
                                                 {"selectOption", Kind::select},
                                                 {"check", Kind::check},
                                                 {"uncheck", Kind::uncheck},
                                                 {"setChecked", Kind::check},
                                                 {"hover", Kind::hover},
                                                 {"setInputFiles", Kind::upload},
                                                 {"dragTo", Kind::drag},
                                                 {"scrollIntoViewIfNeeded", Kind::scroll},
                                                 {"waitFor", Kind::wait}});

Json as_list(const Json& value) { return value.is_array() ? value : Json::array({value}); }

bool fill_args(Step& step, const JsCall& call) {
  const Json first = call.args.empty() ? Json() : call.args.front();
  const Json opts = options(call);
  switch (step.kind) {
    case Kind::click:
      if (call.name == "dblclick") step.args["count"] = 2;
      for (const char* key : {"button", "modifiers"})
        if (opts.contains(key)) step.args[key] = opts[key];
      if (opts.contains("clickCount")) step.args["count"] = opts["clickCount"];
      return true;
    case Kind::fill:
      step.args["value"] = call.name == "clear" ? Json("") : first;
      return step.args["value"].is_string();
    case Kind::press:
      step.args["key"] = first;
      return first.is_string();
    case Kind::select:
      if (first.is_object()) {
        step.args["label"] = first.value("label", first.value("value", Json()));
        return step.args["label"].is_string();
      }
      step.args["values"] = as_list(first);
      return first.is_string() || first.is_array();
    case Kind::check:
      if (call.name == "setChecked" && first == false) step.kind = Kind::uncheck;
      return true;
    case Kind::upload:
      step.args["files"] = as_list(first);
      return first.is_string() || (first.is_array() && !first.empty());
    case Kind::drag: {
      if (call.chains.size() != 1) return false;
      const auto to = target_of(call.chains.front());
      if (!to || !to->selector) return false;
      step.to = {*to->selector};
      return true;
    }
    case Kind::wait:
      if (opts.value("state", Json("visible")) == "hidden") step.args["visible"] = false;
      return true;
    default:
      return true;
  }
}

std::optional<Step> page_step(std::span<const JsCall> calls) {
  const JsCall& last = calls.back();
  Step step;
  if (calls.size() == 2 && calls.front().name == "keyboard") {
    const bool down = last.name == "down", up = last.name == "up";
    if (!down && !up && last.name != "press") return std::nullopt;
    step.kind = down ? Kind::key_down : up ? Kind::key_up : Kind::press;
    step.args["key"] = last.args.empty() ? Json() : last.args.front();
    return step.args["key"].is_string() ? std::optional(step) : std::nullopt;
  }
  if (calls.size() == 2 && calls.front().name == "mouse" && last.name == "wheel" &&
      last.args.size() == 2) {
    step.kind = Kind::scroll;
    step.args = {{"dx", last.args[0]}, {"dy", last.args[1]}};
    return step;
  }
  if (calls.size() != 1) return std::nullopt;
  if (last.name == "goto" && text_argument(last, 0)) {
    step.kind = Kind::navigate;
    step.args["url"] = *text_argument(last, 0);
    return step;
  }
  if (last.name == "close") {
    step.kind = Kind::close;
    return step;
  }
  const Json size = options(last);
  if (last.name == "setViewportSize" && size.contains("width") && size.contains("height")) {
    step.kind = Kind::viewport;
    step.args = {{"width", size["width"]}, {"height", size["height"]}};
    return step;
  }
  return std::nullopt;
}

}  // namespace

std::optional<JsTarget> target_of(std::span<const JsCall> calls) {
  JsTarget target;
  std::vector<Selector> path;
  for (const JsCall& call : calls) {
    const bool to_frame = call.name == "contentFrame";
    if (call.name == "frameLocator" || to_frame) {
      if (!to_frame) {
        const auto css = text_argument(call, 0);
        const auto owner = css ? by_locator(*css) : std::nullopt;
        if (!owner) return std::nullopt;
        path.push_back(*owner);
      }
      if (path.empty()) return std::nullopt;
      Selector owner = path.back();
      path.pop_back();
      owner.within = std::move(path);
      path.clear();
      target.frames.push_back({std::move(owner)});
    } else if (call.name == "first" || call.name == "last" || call.name == "nth") {
      if (path.empty()) return std::nullopt;
      const Json n = call.args.empty() ? Json() : call.args.front();
      if (call.name == "nth" && !n.is_number_integer()) return std::nullopt;
      path.back().nth = call.name == "first" ? 0 : call.name == "last" ? -1 : n.get<std::int64_t>();
    } else if (call.name == "filter") {
      const Json has = options(call).value("hasText", Json());
      if (path.empty() || !has.is_string() || !path.back().has_text.empty()) return std::nullopt;
      path.back().has_text = has.get<std::string>();
    } else {
      auto selector = base_selector(call);
      if (!selector) return std::nullopt;
      path.push_back(*std::move(selector));
    }
  }
  if (path.empty()) return target;
  Selector last = std::move(path.back());
  path.pop_back();
  last.within = std::move(path);
  target.selector = std::move(last);
  return target;
}

std::optional<Step> step_of(const JsChain& chain, std::vector<std::string>& tabs) {
  const std::span<const JsCall> calls = chain.calls;
  std::optional<Step> step = page_step(calls);
  if (!step) {
    const auto action = std::find_if(kActions.begin(), kActions.end(),
                                     [&](const Action& a) { return a.name == calls.back().name; });
    if (action == kActions.end()) return std::nullopt;
    const auto target = target_of(calls.first(calls.size() - 1));
    if (!target || !target->selector) return std::nullopt;
    step.emplace();
    step->kind = action->kind;
    step->selectors = {*target->selector};
    step->frames = target->frames;
    if (!fill_args(*step, calls.back())) return std::nullopt;
  }
  auto tab = std::find(tabs.begin(), tabs.end(), chain.root);
  if (tab == tabs.end()) tab = tabs.insert(tabs.end(), chain.root);
  step->tab = tab - tabs.begin();
  return step;
}

}  // namespace hebb::skill
