// The names and properties of kinds and selector types.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/fields/field.h"
#include "skill/artifact/artifact.h"

namespace hebb::skill {
namespace {

struct SelectorRow {
  SelectorType type;
  std::string_view name;
  bool structural;
};
constexpr std::array kSelectorTypes{
    SelectorRow{SelectorType::node_ref, "node_ref", true},
    SelectorRow{SelectorType::role_name, "role_name", false},
    SelectorRow{SelectorType::accessible_name, "accessible_name", false},
    SelectorRow{SelectorType::test_id, "test_id", false},
    SelectorRow{SelectorType::label, "label", false},
    SelectorRow{SelectorType::placeholder, "placeholder", false},
    SelectorRow{SelectorType::xpath, "xpath", true},
    SelectorRow{SelectorType::css, "css", true},
    SelectorRow{SelectorType::text, "text", false},
};

struct KindRow {
  StepKind kind;
  std::string_view name;
  bool element;
  std::array<std::string_view, 9> args = {};  // the args that a replay knows
};
constexpr std::array kKinds{
    KindRow{StepKind::click, "click", true, {"count", "button", "modifiers", "offsetX", "offsetY"}},
    KindRow{StepKind::fill, "fill", true, {"value"}},
    KindRow{StepKind::navigate, "navigate", false, {"url"}},
    KindRow{StepKind::press, "press", false, {"key"}},
    KindRow{StepKind::select, "select", true, {"value", "values", "label"}},
    KindRow{StepKind::submit, "submit", true},
    KindRow{StepKind::scroll, "scroll", false, {"x", "y", "dx", "dy"}},
    KindRow{StepKind::check, "check", true},
    KindRow{StepKind::uncheck, "uncheck", true},
    KindRow{StepKind::hover, "hover", true},
    KindRow{StepKind::drag, "drag", true},
    KindRow{StepKind::upload, "upload", true, {"files"}},
    KindRow{StepKind::dialog, "dialog", false, {"accept", "value"}},
    KindRow{StepKind::wait,
            "wait",
            false,
            {"text", "text_gone", "time_ms", "expression", "operator", "count", "visible",
             "attributes", "properties"}},
    KindRow{StepKind::key_down, "key_down", false, {"key"}},
    KindRow{StepKind::key_up, "key_up", false, {"key"}},
    KindRow{StepKind::viewport,
            "viewport",
            false,
            {"width", "height", "deviceScaleFactor", "isMobile"}},
    KindRow{StepKind::close, "close", false},
    KindRow{StepKind::network, "network", false, {"download", "upload", "latency"}},
    KindRow{StepKind::custom, "custom", false, {"name", "parameters"}},
};

const KindRow& row(StepKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [&](const KindRow& r) { return r.kind == kind; });
}
const SelectorRow& row(SelectorType type) {
  return *std::find_if(kSelectorTypes.begin(), kSelectorTypes.end(),
                       [&](const SelectorRow& r) { return r.type == type; });
}

}  // namespace

std::string_view selector_type_name(SelectorType type) { return row(type).name; }
bool is_structural(SelectorType type) { return row(type).structural; }
bool uses_name(SelectorType type) {
  return type == SelectorType::role_name || type == SelectorType::accessible_name;
}
std::string_view kind_name(StepKind kind) { return row(kind).name; }
bool needs_element(StepKind kind) { return row(kind).element; }

std::vector<std::string> args_of(StepKind kind) {
  std::vector<std::string> names;
  for (const std::string_view name : row(kind).args)
    if (!name.empty()) names.emplace_back(name);
  return names;
}

std::vector<std::string> selector_type_names() { return fields::names_of(kSelectorTypes); }
std::vector<std::string> types_with_value() {
  auto names = selector_type_names();
  std::erase(names, selector_type_name(SelectorType::role_name));
  return names;
}
std::vector<std::string> kind_names() { return fields::names_of(kKinds); }

std::optional<SelectorType> selector_type(std::string_view name) {
  for (const SelectorRow& r : kSelectorTypes) {
    if (r.name == name) return r.type;
  }
  return std::nullopt;
}

std::optional<StepKind> kind_of(std::string_view name) {
  for (const KindRow& r : kKinds) {
    if (r.name == name) return r.kind;
  }
  return std::nullopt;
}

Selector by_role(std::string role, std::string name) {
  Selector s = by(SelectorType::role_name, std::move(name));
  s.role = std::move(role);
  return s;
}

Selector by(SelectorType type, std::string value) {
  Selector s;
  s.type = type;
  s.value = std::move(value);
  return s;
}

std::string describe(const Selector& selector) {
  std::string out = selector.type == SelectorType::role_name
                        ? fmt::format("{} \"{}\"", selector.role, selector.value)
                        : fmt::format("{} {}", selector_type_name(selector.type), selector.value);
  if (selector.nth) out += fmt::format(", number {}", *selector.nth);
  if (!selector.has_text.empty()) out += fmt::format(" with \"{}\"", selector.has_text);
  for (const Selector& outer : selector.within) out += " in " + describe(outer);
  return out;
}

std::string describe(const Step& step) {
  std::string out(kind_name(step.kind));
  if (!step.selectors.empty()) {
    // Prefer a selector with a name that a person would use, wherever in the chain it is.
    const auto named = std::find_if(step.selectors.begin(), step.selectors.end(),
                                    [](const Selector& s) { return uses_name(s.type); });
    out += ' ' + describe(named == step.selectors.end() ? step.selectors.front() : *named);
  }
  for (const char* key : {"url", "key"}) {
    const auto found = step.args.find(key);
    if (found != step.args.end() && found->is_string()) out += ' ' + found->get<std::string>();
  }
  if (step.kind == StepKind::custom) {
    const std::string name = text_member(step.extra, "name");
    if (!name.empty()) out += ' ' + name;
  }
  return out;
}

std::vector<std::string> script_notes(const Artifact& artifact) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    const std::string script = text_member(artifact.steps[i].args, "expression");
    if (script.empty()) continue;
    notes.push_back(
        fmt::format("step {} runs script of the recording: {}; a run refuses it without "
                    "--allow-script",
                    i, first_line(script)));
  }
  return notes;
}

bool counts_places(const Selector& s) {
  if (s.type == SelectorType::css)
    return s.value.find(":nth-") != std::string::npos || s.value.find('>') != std::string::npos;
  if (s.type != SelectorType::xpath) return false;
  return !s.value.starts_with("//*[@id=") || s.value.find("]/") != std::string::npos;
}

std::string mouse_button(const Json& args) {
  const std::string button = text_member(args, "button");
  if (button.empty() || button == "primary") return "left";
  if (button == "secondary") return "right";
  if (button == "auxiliary") return "middle";
  return button;
}

}  // namespace hebb::skill
