// Steps of the Recorder of Chrome DevTools, both ways.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/values/did_you_mean.h"
#include "skill/format/format.h"
#include "skill/format/recorder.h"

namespace hebb::skill {
namespace {

struct TypeRow {
  std::string_view type;
  StepKind kind;
  // Members that are copied to args under the same name; nullptr: no more.
  std::array<const char*, 5> args;
};
constexpr std::string_view kOwnStep = "hebb-";  // a custom step's name begins with it
const std::array kTypes{
    TypeRow{
        "setViewport", StepKind::viewport, {"width", "height", "deviceScaleFactor", "isMobile"}},
    TypeRow{"navigate", StepKind::navigate, {"url"}},
    TypeRow{"click", StepKind::click, {"offsetX", "offsetY", "button"}},
    TypeRow{"doubleClick", StepKind::click, {"offsetX", "offsetY", "button"}},
    TypeRow{"hover", StepKind::hover, {}},
    TypeRow{"change", StepKind::fill, {"value"}},
    TypeRow{"keyDown", StepKind::key_down, {"key"}},
    TypeRow{"keyUp", StepKind::key_up, {"key"}},
    TypeRow{"scroll", StepKind::scroll, {"x", "y"}},
    TypeRow{"waitForElement",
            StepKind::wait,
            {"operator", "count", "visible", "attributes", "properties"}},
    TypeRow{"waitForExpression", StepKind::wait, {"expression"}},
    TypeRow{"close", StepKind::close, {}},
    TypeRow{"emulateNetworkConditions", StepKind::network, {"download", "upload", "latency"}},
    TypeRow{"customStep", StepKind::custom, {"name", "parameters"}},
};

// [0, 1]: the second frame of the first frame of the page.
std::vector<Chain> frames_of(const Json& frame, const std::string& path) {
  if (!frame.is_array() || frame.size() > ArtifactLimits::kFrames) invalid(path, "must be a list");
  std::vector<Chain> frames;
  for (const Json& number : frame) {
    if (!number.is_number_unsigned() || number > 1000) invalid(path, "must be a list of numbers");
    Selector s = by(SelectorType::css, "iframe,frame");
    s.nth = number.get<std::int64_t>();
    frames.push_back({s});
  }
  return frames;
}

// Members of steps that have no meaning for a replay, and are kept for the Recorder.
constexpr std::array kKept{"assertedEvents", "timeout",  "target",     "duration",
                           "deviceType",     "hasTouch", "isLandscape"};

// A step that the export wrapped in a custom step.
bool is_own_step(const Json& json) {
  return text_member(json, "type") == "customStep" && json.contains("parameters") &&
         text_member(json, "name").starts_with(kOwnStep);
}

Step read_one(const Json& json, const std::string& path) {
  Fields fields(json, path);
  if (is_own_step(json)) return read_step(json["parameters"], path + ".parameters");
  const std::string type = fields.text("type").value_or("");
  const auto row =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& r) { return r.type == type; });
  if (row == kTypes.end()) {
    std::vector<std::string> types;
    for (const TypeRow& r : kTypes) types.emplace_back(r.type);
    invalid(path + ".type",
            fmt::format("\"{}\" is not known{}", type, did_you_mean_text(type, types)));
  }
  Step step;
  step.kind = row->kind;
  for (const char* key : kKept) fields.find(key);
  for (const char* key : row->args) {
    const Json* arg = key == nullptr ? nullptr : fields.find(key);
    if (arg != nullptr) step.args[key] = *arg;
  }
  if (type == "doubleClick") step.args["count"] = 2;
  if (const Json* list = fields.find("selectors")) {
    if (!list->is_array()) invalid(path + ".selectors", "must be a list");
    for (std::size_t i = 0; i < list->size(); ++i) {
      step.selectors.push_back(
          selector_of_recorder((*list)[i], fmt::format("{}.selectors[{}]", path, i)));
    }
  }
  if (const Json* frame = fields.find("frame")) step.frames = frames_of(*frame, path + ".frame");
  fields.done();
  // Members that recorder_step() would write differently, or not at all, are kept in `extra`.
  const Json again = recorder_step(step);
  for (const auto& [key, value] : json.items()) {
    const auto written = again.find(key);
    if (written == again.end() || *written != value) step.extra[key] = value;
  }
  return step;
}

}  // namespace

Json recorder_step(const Step& step) {
  Json out = Json::object();
  for (const TypeRow& row : kTypes) {
    if (row.kind != step.kind) continue;
    if (row.type == "doubleClick" && step.args.value("count", Json()) != 2) continue;
    if (row.type == "click" && step.args.value("count", Json()) == 2) continue;
    if (row.type == "waitForExpression" && !step.args.contains("expression")) continue;
    if (row.type == "waitForElement" && step.args.contains("expression")) continue;
    out["type"] = row.type;
    for (const char* key : row.args) {
      if (key != nullptr && step.args.contains(key)) out[key] = step.args[key];
    }
    break;
  }
  if (!step.selectors.empty()) {
    out["selectors"] = Json::array();
    for (const Selector& s : step.selectors) out["selectors"].push_back(recorder_selector(s));
  }
  const bool numbered = !step.frames.empty() &&
                        std::all_of(step.frames.begin(), step.frames.end(), [](const Chain& c) {
                          return c.front().nth.has_value() && *c.front().nth >= 0;
                        });
  if (numbered) {
    out["frame"] = Json::array();
    for (const Chain& chain : step.frames) out["frame"].push_back(*chain.front().nth);
  }
  return out;
}

Imported read_recorder(std::string_view text) {
  const Json json = parse_json(text, "recording", kImportBytes);
  Fields fields(json, json.is_object() ? "" : "recording");
  const Json& steps = fields.need("steps");
  if (!steps.is_array()) invalid("steps", "must be a list");
  for (const char* key : {"timeout", "selectorAttribute"}) fields.find(key);
  Imported out;
  out.title = fields.text("title").value_or("");
  fields.done();
  std::vector<std::string> targets{"main"};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step step = read_one(steps[i], fmt::format("steps[{}]", i));
    const auto target = step.extra.find("target");
    if (target != step.extra.end() && target->is_string()) {
      const auto known = std::find(targets.begin(), targets.end(), target->get<std::string>());
      step.tab = known - targets.begin();
      if (known == targets.end()) targets.push_back(target->get<std::string>());
    }
    if (out.start_url.empty() && step.kind == StepKind::navigate)
      out.start_url =
          step.args.value("url", Json("")).is_string() ? step.args.value("url", "") : "";
    out.artifact.steps.push_back(std::move(step));
  }
  for (const auto& [key, value] : json.items()) {
    if (key != "steps" && key != "title") out.artifact.extra[key] = value;
  }
  return out;
}

std::string write_recorder(const Exported& skill) {
  Json steps = Json::array();
  if (const auto start = opening_step(skill)) steps.push_back(recorder_step(*start));
  for (const Step& step : skill.artifact->steps) {
    Json out = recorder_step(step);
    if (!out.contains("type")) {
      out = Json{{"type", "customStep"},
                 {"name", fmt::format("{}{}", kOwnStep, kind_name(step.kind))},
                 {"parameters", write_step(step)}};
    }
    if (out["type"] == "navigate" || out["type"] == "click") out["target"] = "main";
    if (step.extra.contains("type")) out = Json::object();
    if (!step.extra.contains("target")) out.erase("target");
    out.update(step.extra);
    steps.push_back(std::move(out));
  }
  Json json{{"title", skill.title}, {"steps", std::move(steps)}};
  json.update(skill.artifact->extra);
  return dump(json, 2) + "\n";
}

}  // namespace hebb::skill
