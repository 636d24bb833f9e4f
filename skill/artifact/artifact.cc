#include "skill/artifact/artifact.h"

#include <algorithm>

#include <fmt/format.h>

#include "skill/artifact/check_schema.h"

namespace hebb::skill {
namespace {

// The schema of version 1 or 2.
const Json& schema_of_version(int version) {
  static const Json schemas[] = {artifact_schema(1), artifact_schema(2)};
  return schemas[version - 1];
}

// Throws Invalid. `what`: one of the schema's $defs.
void check_part(const Json& json, const char* what, int version, const std::string& path) {
  const Json& schema = schema_of_version(version);
  check_schema(json, schema.at("$defs").at(what), schema, path);
}

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

// The selector in JSON that was checked.
Selector checked_selector(const Json& json) {
  Selector s;
  s.type = *selector_type(json.at("type").get_ref<const std::string&>());
  s.role = text_member(json, "role");
  s.value = text_member(json, s.type == SelectorType::role_name ? "name" : "value");
  s.exact = json.value("exact", true);
  if (json.contains("nth")) s.nth = json.at("nth").get<std::int64_t>();
  s.has_text = text_member(json, "has_text");
  for (const Json& outer : json.value("within", Json::array()))
    s.within.push_back(checked_selector(outer));
  return s;
}

Chain checked_chain(const Json& step, const char* name) {
  Chain chain;
  for (const Json& selector : step.value(name, Json::array()))
    chain.push_back(checked_selector(selector));
  return chain;
}

Step checked_step(const Json& json) {
  Step step;
  step.kind = *kind_of(json.at("kind").get_ref<const std::string&>());
  step.selectors = checked_chain(json, "selectors");
  step.frame_ordinal = json.value("frameOrdinal", std::int64_t{0});
  step.args = json.value("args", Json::object());
  if (json.contains("post_assert"))
    step.contract_id = json.at("post_assert").at("contract_id").get<std::string>();
  for (const Json& frame : json.value("frames", Json::array())) {
    step.frames.emplace_back();
    for (const Json& selector : frame) step.frames.back().push_back(checked_selector(selector));
  }
  step.tab = json.value("tab", std::int64_t{0});
  step.to = checked_chain(json, "to");
  step.focus = checked_chain(json, "focus");
  step.extra = json.value("extra", Json::object());
  return step;
}

Json write_chain(const Chain& chain) {
  Json out = Json::array();
  for (const Selector& s : chain) out.push_back(write_selector(s));
  return out;
}

}  // namespace

int Artifact::schema_version() const {
  const bool all = std::all_of(steps.begin(), steps.end(), [](const Step& s) { return plain(s); });
  return all && extra.empty() ? 1 : 2;
}

Selector read_selector(const Json& json, int version, const std::string& path) {
  check_part(json, "selector", version, path);
  return checked_selector(json);
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
  check_part(json, "step", version, path);
  return checked_step(json);
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
  const Json& version = Fields(json, "").need("schema_version");
  if (version != 1 && version != 2)
    invalid("schema_version", fmt::format("is {}; 1 and 2 are known", dump(version)));
  const Json& schema = schema_of_version(version.get<int>());
  check_schema(json, schema, schema, "");
  Artifact artifact;
  artifact.recorded_at = json.at("recorded_at").get<std::int64_t>();
  artifact.hebb_version = json.at("recorder").at("hebb_version").get<std::string>();
  for (const Json& step : json.at("steps")) artifact.steps.push_back(checked_step(step));
  artifact.extra = json.value("extra", Json::object());
  return artifact;
}

void require_known_args(const Artifact& artifact) {
  for (std::size_t i = 0; i < artifact.steps.size(); ++i) {
    Fields args(artifact.steps[i].args, fmt::format("steps[{}].args", i));
    args.allow(args_of(artifact.steps[i].kind));
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
