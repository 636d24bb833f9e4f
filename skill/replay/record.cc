#include "skill/replay/record.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "skill/store/secrets.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kLineBytes = 64 << 10;
constexpr auto kTargets = std::to_array<SelectorType>(
    {SelectorType::label, SelectorType::placeholder, SelectorType::test_id, SelectorType::css,
     SelectorType::xpath, SelectorType::accessible_name});

// Selectors by words of people: the name, the label beside the element, its text.
Chain called(const std::string& text) {
  Chain chain;
  for (const bool exact : {true, false}) {
    for (const auto type : {SelectorType::accessible_name, SelectorType::label,
                            SelectorType::placeholder, SelectorType::text}) {
      Selector s = by(type, text);
      s.exact = exact;
      chain.push_back(std::move(s));
    }
  }
  return chain;
}

Chain read_given_target(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Chain chain;
  if (const auto role = fields.text("role", 64)) {
    const auto name = fields.text("name", ArtifactLimits::kTextBytes);
    chain = {by_role(*role, name.value_or(""))};
    chain.front().exact = name.has_value();
  } else if (const auto text = fields.text("text", ArtifactLimits::kTextBytes)) {
    chain = called(*text);
  } else {
    for (const SelectorType type : kTargets) {
      const auto value = fields.text(selector_type_name(type), ArtifactLimits::kTextBytes);
      if (value && chain.empty()) chain = {by(type, *value)};
    }
  }
  if (const Json* box = fields.find("within")) {
    Fields inner(*box, fields.at("within"));
    Selector outer = by(SelectorType::css, inner.need_text("css", ArtifactLimits::kTextBytes));
    outer.has_text = inner.need_text("text", ArtifactLimits::kTextBytes);
    inner.done();
    for (Selector& s : chain) s.within = {outer};
  }
  fields.done();
  if (chain.empty())
    invalid(path, "names no element; give role and name, text, label, test_id, css or xpath");
  return chain;
}

Step read_given(const Json& json, const std::string& path) {
  Fields fields(json, path);
  fields.allow({"kind", "target", "to", "frame", "tab", "contract"});
  if (const auto kind = kind_of(text_member(json, "kind"))) {
    fields.allow(args_of(*kind));
    fields.done();
  }
  Json step{{"selectors", Json::array()}, {"args", Json::object()}};
  for (const auto& [key, value] : json.items()) {
    const std::string at = fmt::format("{}.{}", path, key);
    if (key == "kind" || key == "tab") {
      step[key] = value;
    } else if (key == "target") {
      step["selectors"] = fields::Codec<Chain>::get(read_given_target(value, at));
    } else if (key == "to") {
      step["to"] = fields::Codec<Chain>::get(read_given_target(value, at));
    } else if (key == "contract") {
      step["post_assert"] = {{"contract_id", value}};
    } else if (key == "frame") {
      const Json frames = value.is_array() ? value : Json::array({value});
      for (const Json& css : frames) step["frames"].push_back({{{"type", "css"}, {"value", css}}});
    } else {
      step["args"][key] = value;
    }
  }
  return read_step(step, path);
}

const StepResult* result_of(const ReplayResult& result, std::size_t step) {
  for (const StepResult& r : result.steps) {
    if (r.index == step && r.ok) return &r;
  }
  return nullptr;
}

}  // namespace

std::vector<Step> read_given_steps(std::string_view text) {
  std::vector<Step> steps;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    const std::string path = fmt::format("line {}", number);
    steps.push_back(read_given(parse_json(line, path, kLineBytes), path));
    if (steps.size() > ArtifactLimits::kSteps)
      invalid(path, fmt::format("is more than {} steps", ArtifactLimits::kSteps));
  }
  if (steps.empty()) invalid("steps", "there are none");
  return steps;
}

std::vector<Step> read_given_steps(const std::vector<Json>& given) {
  if (given.size() > ArtifactLimits::kSteps)
    invalid("steps", fmt::format("are more than {}", ArtifactLimits::kSteps));
  std::vector<Step> steps;
  for (const Json& step : given)
    steps.push_back(read_given(step, fmt::format("steps[{}]", steps.size())));
  return steps;
}

Skill with_captured(Skill skill, const ReplayResult& result, std::vector<std::string>& slots) {
  auto& steps = skill.artifact->steps;
  skill.intents.clear();
  std::vector<std::size_t> secrets;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const StepResult* r = result_of(result, i);
    if (r != nullptr && r->captured && step.selectors.empty()) {
      step.focus = r->captured->chain;
      continue;
    }
    const bool acted = r != nullptr && r->captured && step.kind != StepKind::wait;
    if (!acted) continue;
    step.selectors = r->captured->chain;
    if (!r->captured->to.empty()) step.to = r->captured->to;
    if (r->frames && !r->frames->empty()) step.frames = *r->frames;
    if (r->captured->secret) secrets.push_back(i);
  }
  for (const std::size_t i : secrets) {
    const auto named = std::find_if(
        steps[i].selectors.begin(), steps[i].selectors.end(),
        [](const Selector& s) { return s.type == SelectorType::role_name && !s.value.empty(); });
    const std::string slot =
        slot_name(named == steps[i].selectors.end() ? "PASSWORD" : named->value);
    if (const auto name = hide_value(*skill.artifact, i, slot))
      slots.push_back(fmt::format("step {}: {}", i, *name));
  }
  return with_traits(std::move(skill), result);
}

Skill with_traits(Skill skill, const ReplayResult& result) {
  skill.elements.resize(skill.artifact->steps.size());
  for (std::size_t i = 0; i < skill.elements.size(); ++i) {
    const StepResult* r = result_of(result, i);
    const bool seen = r != nullptr && r->captured &&
                      !(r->captured->traits.tag.empty() && r->captured->traits.message.empty());
    if (seen) skill.elements[i] = r->captured->traits;
  }
  return skill;
}

}  // namespace hebb::skill
