#include "skill/capture/arguments.h"

#include <algorithm>
#include <array>

#include "text/ascii.h"

namespace hebb::skill {
namespace {

using Steps = std::optional<std::vector<Step>>;

// The tools of @playwright/mcp (0.0.41, 0.0.83) and chrome-devtools-mcp (0.6.0, 1.11.0), by their
// actions. Other tools, such as browser_file_upload, become steps only by their code.
struct Tools {
  StepKind kind;
  std::array<std::string_view, 4> names;
};
constexpr auto kTools = std::to_array<Tools>(
    {{StepKind::navigate, {"browser_navigate", "navigate_page", "new_page", "navigate"}},
     {StepKind::click, {"browser_click", "click"}},
     {StepKind::fill, {"browser_type", "browser_fill_form", "fill", "fill_form"}},
     {StepKind::press, {"browser_press_key", "press_key"}},
     {StepKind::select, {"browser_select_option"}},
     {StepKind::hover, {"browser_hover", "hover"}},
     {StepKind::drag, {"browser_drag", "drag"}},
     {StepKind::upload, {"upload_file"}},
     {StepKind::dialog, {"browser_handle_dialog", "handle_dialog"}},
     {StepKind::viewport, {"browser_resize", "resize_page"}},
     {StepKind::wait, {"browser_wait_for", "wait_for"}}});

// Tools without a step, by the reason. Tools that only look need none; not every version declares
// them.
struct NoStep {
  std::string_view why;
  std::array<std::string_view, 9> names;
};
constexpr auto kNoStep = std::to_array<NoStep>(
    {{"it runs code of its own",
      {"browser_evaluate", "browser_run_code", "browser_run_code_unsafe", "evaluate_script",
       "evaluate"}},
     {"no step goes through a browser's history",
      {"browser_navigate_back", "browser_navigate_forward", "navigate_page",
       "navigate_page_history"}},
     {"no step opens a page of its own", {"browser_tabs", "new_page"}},
     {"",
      {"browser_snapshot", "browser_take_screenshot", "browser_console_messages",
       "browser_network_requests", "browser_network_request", "browser_wait_for", "browser_find",
       "browser_pdf_save", "browser_install"}},
     {"",
      {"take_snapshot", "take_screenshot", "screenshot", "take_heapsnapshot", "wait_for",
       "list_pages", "get_css_styles", "screencast_start", "screencast_stop"}},
     {"",
      {"list_console_messages", "get_console_message", "list_network_requests",
       "get_network_request", "lighthouse_audit", "performance_start_trace",
       "performance_stop_trace", "performance_analyze_insight"}}});

bool are_texts(const Json& list) {
  return list.is_array() && !list.empty() &&
         std::all_of(list.begin(), list.end(), [](const Json& v) { return v.is_string(); });
}

// A step on the element whose ref or uid of the last snapshot is in one of these members, of which
// each tool has one; `target` of @playwright/mcp may also be a selector.
Step step_on(StepKind kind, const Json& args, const PageElements& elements,
             std::initializer_list<const char*> keys) {
  Step step;
  step.kind = kind;
  for (const char* key : keys) {
    const std::string name = text_member(args, key);
    const bool is_ref = name.find_first_not_of("ef0123456789") == name.npos;  // e12, f1e12
    if (const auto* element = elements.find(name)) {
      step.selectors = chain_of(*element);
      step.frames = element->frames;
    } else if (key == std::string_view("target") && !is_ref) {
      step.selectors = {by(SelectorType::css, name)};
    }
  }
  return step;
}

Steps fill(const Json& args, const PageElements& elements) {
  for (const char* key : {"fields", "elements"}) {
    if (!args.contains(key)) continue;
    std::vector<Step> all;
    for (const Json& field : args[key]) {
      const Steps one = field.is_object() ? fill(field, elements) : std::nullopt;
      if (!one) return std::nullopt;
      all.insert(all.end(), one->begin(), one->end());
    }
    return all.empty() ? std::nullopt : Steps(std::move(all));
  }
  const Json value = args.value(args.contains("text") ? "text" : "value", Json());
  Step step = step_on(StepKind::fill, args, elements, {"uid", "target", "ref"});
  if (!value.is_string() || step.selectors.empty()) return std::nullopt;
  std::string role = text_member(args, "type");
  if (const auto* listed = elements.find(text_member(args, "uid"))) role = listed->role;
  if (role == "combobox" || role == "listbox") {
    step.kind = StepKind::select;
    step.args["values"] = Json::array({value});
  } else if (role == "checkbox" || role == "radio" || role == "switch") {
    if (role == "radio" && value != "true") return std::nullopt;
    step.kind = value == "true" ? StepKind::check : StepKind::uncheck;
  } else {
    step.args["value"] = value;
  }
  std::vector<Step> steps{step};
  if (is_true(args, "submit")) {
    step.kind = StepKind::press;
    step.args = {{"key", "Enter"}};
    steps.push_back(std::move(step));
  }
  return steps;
}

// Adds the other arguments to the step; false: one is missing.
bool add_args(Step& step, const Json& args, const PageElements& elements) {
  const auto member = [&](const char* key) { return args.value(key, Json()); };
  Json& out = step.args;
  switch (step.kind) {
    case StepKind::navigate:
      out["url"] = text_member(args, "url");
      return out["url"] != "" && args.value("type", Json("url")) == "url";
    case StepKind::press:
      out["key"] = text_member(args, "key");
      return out["key"] != "";
    case StepKind::click:
      if (member("dblClick") == true || member("doubleClick") == true) out["count"] = 2;
      if (member("button").is_string()) out["button"] = member("button");
      if (are_texts(member("modifiers"))) out["modifiers"] = member("modifiers");
      return true;
    case StepKind::dialog:
      out["accept"] = member("accept") == true || member("action") == "accept";
      if (member("promptText").is_string()) out["value"] = member("promptText");
      return true;
    case StepKind::viewport:
      for (const char* side : {"width", "height"}) out[side] = member(side);
      return out["width"].is_number_integer() && out["height"].is_number_integer();
    case StepKind::select:
      out["values"] = member("values");
      return are_texts(out["values"]);
    case StepKind::wait:
      out["text"] = member("text");
      if (are_texts(out["text"]) && out["text"].size() == 1) out["text"] = Json(out["text"][0]);
      return out["text"].is_string();
    case StepKind::upload: {
      // The name of a file field may end in the chosen file: its label does not.
      const Selector* named = step.selectors.empty() ? nullptr : &step.selectors.front();
      if (named && named->type == SelectorType::role_name && !named->value.empty())
        step.selectors.push_back(by(SelectorType::label, std::string(named->value)));
      out["files"] =
          args.contains("filePath") ? Json::array({args["filePath"]}) : member("filePaths");
      return are_texts(out["files"]);
    }
    case StepKind::drag: {
      const Step to = step_on(StepKind::drag, args, elements, {"to_uid", "endTarget", "endRef"});
      step.to = to.selectors;
      return !step.to.empty() && step.frames == to.frames;
    }
    default:
      return true;
  }
}

}  // namespace

Steps steps_of_arguments(std::string_view tool, const Json& args, const PageElements& elements) {
  const auto does = std::find_if(kTools.begin(), kTools.end(),
                                 [&](const Tools& tools) { return among(tools.names, tool); });
  if (does == kTools.end()) return std::nullopt;
  if (does->kind == StepKind::fill) return fill(args, elements);
  Step step = step_on(does->kind, args, elements,
                      {"uid", "target", "ref", "from_uid", "startTarget", "startRef"});
  if (!add_args(step, args, elements)) return std::nullopt;
  if (needs_element(step.kind) && step.selectors.empty()) return std::nullopt;
  return std::vector<Step>{std::move(step)};
}

std::string_view why_no_step(std::string_view tool, std::optional<bool> read_only) {
  for (const auto& [why, names] : kNoStep)
    if (among(names, tool)) return why;
  if (read_only == true) return "";
  return "it does what no step does, or names no element that could be found again";
}

}  // namespace hebb::skill
