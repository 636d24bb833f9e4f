#include "skill/artifact/artifact.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/did_you_mean.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kLatest = 253'402'300'799'999;  // the end of the year 9999

bool plain(const Selector& s) {
  const bool type_of_1 = s.type != SelectorType::test_id && s.type != SelectorType::label &&
                         s.type != SelectorType::placeholder;
  return type_of_1 && s.exact && !s.nth && s.has_text.empty() && s.within.empty();
}

bool plain(const Step& s) {
  return s.kind <= Kind::scroll &&
         std::all_of(s.selectors.begin(), s.selectors.end(),
                     [](const Selector& x) { return plain(x); }) &&
         s.frames.empty() && s.tab == 0 && s.to.empty() && s.focus.empty() && s.extra.empty();
}

Chain read_chain(const Json& json, int version, const std::string& path) {
  if (!json.is_array()) invalid(path, fmt::format("is {}; must be a list", dump(json)));
  if (json.size() > ArtifactLimits::kSelectors) {
    invalid(path, fmt::format("has {} selectors; at most {} are taken", json.size(),
                              ArtifactLimits::kSelectors));
  }
  Chain chain;
  for (std::size_t i = 0; i < json.size(); ++i)
    chain.push_back(read_selector(json[i], version, fmt::format("{}[{}]", path, i)));
  return chain;
}

Json write_chain(const Chain& chain) {
  Json out = Json::array();
  for (const Selector& s : chain) out.push_back(write_selector(s));
  return out;
}

void read_selector_2(Fields& fields, Selector& s) {
  s.exact = fields.flag("exact").value_or(true);
  s.nth = fields.integer("nth", -10'000, 10'000);
  if (fields.find("has_text")) {
    s.has_text = fields.need_text("has_text", ArtifactLimits::kTextBytes);
  }
  const Json* within = fields.find("within");
  if (within == nullptr) return;
  if (!within->is_array() || within->empty() || within->size() > ArtifactLimits::kWithin) {
    invalid(fields.at("within"),
            fmt::format("must be a list of 1 to {} selectors", ArtifactLimits::kWithin));
  }
  for (std::size_t i = 0; i < within->size(); ++i) {
    Selector outer = read_selector((*within)[i], 2, fmt::format("{}[{}]", fields.at("within"), i));
    if (!outer.within.empty()) invalid(fields.at("within"), "has a selector that has one as well");
    s.within.push_back(std::move(outer));
  }
}

// Checks that the args which the kind needs are there and have the right types.
void check_args(const Step& step, const std::string& path) {
  Fields args(step.args, path + ".args");
  const auto one_of = [&](std::initializer_list<std::string_view> keys, std::string_view what) {
    for (const auto key : keys) {
      if (args.find(key) != nullptr) return;
    }
    invalid(path + ".args", fmt::format("{} needs {}", kind_name(step.kind), what));
  };
  args.text("value");
  args.text("url", ArtifactLimits::kTextBytes);
  args.text("key", 64);
  args.integer("count", 0, 10'000);
  if (step.kind == Kind::click) args.integer("count", 1, 3);
  if (const Json* files = args.find("files")) {
    const bool names =
        files->is_array() && !files->empty() && files->size() <= 100 &&
        std::all_of(files->begin(), files->end(), [](const Json& f) { return f.is_string(); });
    if (!names) invalid(args.at("files"), "must be a list of 1 to 100 paths");
  }
  if (const Json* values = args.find("values")) {
    const bool texts =
        values->is_array() && values->size() <= 1000 &&
        std::all_of(values->begin(), values->end(), [](const Json& v) { return v.is_string(); });
    if (!texts) invalid(args.at("values"), "must be a list of texts");
  }
  if (step.kind == Kind::fill) args.need("value");
  if (step.kind == Kind::navigate) args.need_text("url");
  if (step.kind == Kind::press || step.kind == Kind::key_down || step.kind == Kind::key_up)
    args.need_text("key");
  if (step.kind == Kind::select) one_of({"value", "values", "label"}, "value, values or label");
  if (step.kind == Kind::upload) args.need("files");
  if (step.kind == Kind::dialog) args.flag("accept");
  for (const char* key : {"attributes", "properties"}) {
    const Json* wanted = step.kind == Kind::wait ? args.find(key) : nullptr;
    if (wanted != nullptr && !wanted->is_object()) invalid(args.at(key), "must be an object");
  }
  if (step.kind == Kind::viewport) {
    for (const char* side : {"width", "height"}) {
      args.need(side);
      args.integer(side, 1, 16'384);
    }
  }
}

void read_step_2(Fields& fields, Step& step) {
  step.tab = fields.integer("tab", 0, 100).value_or(0);
  if (const Json* to = fields.find("to")) step.to = read_chain(*to, 2, fields.at("to"));
  if (const Json* focus = fields.find("focus")) {
    step.focus = read_chain(*focus, 2, fields.at("focus"));
    const bool keys = step.kind == Kind::press || step.kind == Kind::key_down;
    if (!keys || !step.selectors.empty())
      invalid(fields.at("focus"), "is for press and key_down without selectors");
  }
  if (const Json* extra = fields.find("extra")) {
    if (!extra->is_object()) invalid(fields.at("extra"), "must be an object");
    step.extra = *extra;
  }
  const Json* frames = fields.find("frames");
  if (frames == nullptr) return;
  if (!frames->is_array() || frames->empty() || frames->size() > ArtifactLimits::kFrames) {
    invalid(fields.at("frames"),
            fmt::format("must be a list of 1 to {} lists of selectors", ArtifactLimits::kFrames));
  }
  for (std::size_t i = 0; i < frames->size(); ++i) {
    const std::string path = fmt::format("{}[{}]", fields.at("frames"), i);
    step.frames.push_back(read_chain((*frames)[i], 2, path));
    if (step.frames.back().empty()) invalid(path, "is empty");
  }
  if (step.frame_ordinal != 0) invalid(fields.at("frames"), "and frameOrdinal exclude each other");
}

}  // namespace

int Artifact::schema_version() const {
  const bool all = std::all_of(steps.begin(), steps.end(), [](const Step& s) { return plain(s); });
  return all && extra.empty() ? 1 : 2;
}

Selector read_selector(const Json& json, int version, const std::string& path) {
  Fields fields(json, path);
  const std::string type = fields.need_text("type", 64);
  const auto known = selector_type(type);
  Selector s;
  if (known) s.type = *known;
  if (!known || (version == 1 && !plain(s))) {
    invalid(fields.at("type"),
            fmt::format("\"{}\" is no type of schema_version {}{}", type, version,
                        known ? "" : did_you_mean_text(type, selector_type_names())));
  }
  if (s.type == SelectorType::role_name) {
    s.role = fields.need_text("role", 64);
    const auto name = fields.text("name", ArtifactLimits::kTextBytes);
    if (!name) invalid(fields.at("name"), "is missing");
    s.value = *name;
  } else {
    s.value = fields.need_text("value", ArtifactLimits::kTextBytes);
  }
  if (version >= 2) read_selector_2(fields, s);
  fields.done();
  return s;
}

Json write_selector(const Selector& s) {
  Json out{{"type", selector_type_name(s.type)}};
  if (s.type == SelectorType::role_name) {
    out["role"] = s.role;
    out["name"] = s.value;
  } else {
    out["value"] = s.value;
  }
  if (!s.exact) out["exact"] = false;
  if (s.nth) out["nth"] = *s.nth;
  if (!s.has_text.empty()) out["has_text"] = s.has_text;
  if (!s.within.empty()) out["within"] = write_chain(s.within);
  return out;
}

Step read_step(const Json& json, int version, const std::string& path) {
  Fields fields(json, path);
  const std::string name = fields.need_text("kind", 64);
  const auto kind = kind_of(name);
  if (!kind || (version == 1 && *kind > Kind::scroll)) {
    invalid(fields.at("kind"),
            fmt::format("\"{}\" is no kind of schema_version {}{}", name, version,
                        kind ? "" : did_you_mean_text(name, kind_names())));
  }
  Step step;
  step.kind = *kind;
  step.selectors = read_chain(fields.need("selectors"), version, fields.at("selectors"));
  step.frame_ordinal = fields.integer("frameOrdinal", 0, 1000).value_or(0);
  if (const Json* args = fields.find("args")) step.args = *args;
  check_args(step, path);
  if (const Json* post = fields.find("post_assert")) {
    Fields inner(*post, fields.at("post_assert"));
    step.contract_id = inner.need_text("contract_id", 256);
    inner.done();
  }
  if (version >= 2) read_step_2(fields, step);
  fields.done();
  if (needs_element(step.kind) && step.selectors.empty()) {
    invalid(fields.at("selectors"), fmt::format("is empty; {} needs a target", name));
  }
  if (step.kind == Kind::drag && step.to.empty()) invalid(path, "drag needs \"to\"");
  return step;
}

Json write_step(const Step& step) {
  Json out{{"kind", kind_name(step.kind)}, {"selectors", write_chain(step.selectors)}};
  if (step.frame_ordinal != 0) out["frameOrdinal"] = step.frame_ordinal;
  if (!step.args.empty()) out["args"] = step.args;
  if (step.contract_id) out["post_assert"] = Json{{"contract_id", *step.contract_id}};
  if (!step.frames.empty()) {
    Json frames = Json::array();
    for (const Chain& chain : step.frames) frames.push_back(write_chain(chain));
    out["frames"] = std::move(frames);
  }
  if (step.tab != 0) out["tab"] = step.tab;
  if (!step.to.empty()) out["to"] = write_chain(step.to);
  if (!step.focus.empty()) out["focus"] = write_chain(step.focus);
  if (!step.extra.empty()) out["extra"] = step.extra;
  return out;
}

Artifact read_artifact(const Json& json) {
  Fields fields(json, "");
  const Json& version = fields.need("schema_version");
  if (version != 1 && version != 2)
    invalid("schema_version", fmt::format("is {}; 1 and 2 are known", dump(version)));
  Artifact artifact;
  fields.need("recorded_at");
  artifact.recorded_at = fields.integer("recorded_at", 0, kLatest).value_or(0);
  Fields recorder(fields.need("recorder"), "recorder");
  artifact.hebb_version = recorder.need_text("hebb_version", 64);
  recorder.done();
  const Json& steps = fields.need("steps");
  if (!steps.is_array()) invalid("steps", fmt::format("is {}; must be a list", dump(steps)));
  if (steps.empty()) invalid("steps", "is empty; a skill without steps does nothing");
  if (steps.size() > ArtifactLimits::kSteps) {
    invalid("steps", fmt::format("has {} of them; at most {} are taken", steps.size(),
                                 ArtifactLimits::kSteps));
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    artifact.steps.push_back(read_step(steps[i], version.get<int>(), fmt::format("steps[{}]", i)));
  }
  if (version == 2) {
    if (const Json* extra = fields.find("extra")) {
      if (!extra->is_object()) invalid("extra", "must be an object");
      artifact.extra = *extra;
    }
  }
  fields.done();
  return artifact;
}

void require_known_args(const Artifact& artifact) {
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    Fields args(artifact.steps[i].args, fmt::format("steps[{}].args", i));
    for (const std::string& name : args_of(artifact.steps[i].kind)) args.find(name);
    args.done();
  }
}

Json write_artifact(const Artifact& artifact) {
  Json steps = Json::array();
  for (const Step& step : artifact.steps) steps.push_back(write_step(step));
  Json out{{"schema_version", artifact.schema_version()},
           {"recorded_at", artifact.recorded_at},
           {"recorder", {{"hebb_version", artifact.hebb_version}}},
           {"steps", std::move(steps)}};
  if (!artifact.extra.empty()) out["extra"] = artifact.extra;
  return out;
}

}  // namespace hebb::skill
