// The artifact's JSON Schema (2020-12), for programs that write artifacts. artifact.cc checks the
// same.
#include "skill/artifact/artifact.h"

namespace hebb::skill {
namespace {

Json text_schema(std::size_t longest) {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", longest}};
}

Json closed(Json properties, Json required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json chain() {
  return {{"type", "array"},
          {"items", {{"$ref", "#/$defs/selector"}}},
          {"maxItems", ArtifactLimits::kSelectors}};
}

Json selector_schema(int version) {
  Json of_2 = Json::object();
  if (version >= 2) {
    of_2["exact"] = {{"type", "boolean"}};
    of_2["nth"] = {{"type", "integer"}};
    of_2["has_text"] = text_schema(ArtifactLimits::kTextBytes);
    of_2["within"] = chain();
  }
  Json any_of = Json::array();
  for (int i = 0; i <= static_cast<int>(SelectorType::text); ++i) {
    const auto type = static_cast<SelectorType>(i);
    const bool only_2 = type == SelectorType::test_id || type == SelectorType::label ||
                        type == SelectorType::placeholder;
    if (version == 1 && only_2) continue;
    Json properties{{"type", {{"const", selector_type_name(type)}}}};
    Json required = Json::array({"type"});
    if (type == SelectorType::role_name) {
      properties["role"] = text_schema(64);
      properties["name"] = {{"type", "string"}, {"maxLength", ArtifactLimits::kTextBytes}};
      required.insert(required.end(), {"role", "name"});
    } else {
      properties["value"] = text_schema(ArtifactLimits::kTextBytes);
      required.push_back("value");
    }
    properties.update(of_2);
    any_of.push_back(closed(std::move(properties), std::move(required)));
  }
  return {{"anyOf", std::move(any_of)}};
}

}  // namespace

Json artifact_schema(int version) {
  Json kinds = Json::array();
  const Kind last = version == 1 ? Kind::scroll : Kind::custom;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    kinds.push_back(kind_name(static_cast<Kind>(i)));
  Json step{{"kind", {{"enum", std::move(kinds)}}},
            {"selectors", chain()},
            {"frameOrdinal", {{"type", "integer"}, {"minimum", 0}, {"maximum", 1000}}},
            {"args", {{"type", "object"}}},
            {"post_assert", closed({{"contract_id", text_schema(256)}}, {"contract_id"})}};
  if (version >= 2) {
    step["frames"] = {{"type", "array"}, {"items", chain()}, {"maxItems", ArtifactLimits::kFrames}};
    step["tab"] = {{"type", "integer"}, {"minimum", 0}, {"maximum", 100}};
    step["to"] = chain();
    step["focus"] = chain();
    step["extra"] = {{"type", "object"}};
  }
  Json artifact{{"schema_version", {{"const", version}}},
                {"recorded_at", {{"type", "integer"}, {"minimum", 0}}},
                {"recorder", closed({{"hebb_version", text_schema(64)}}, {"hebb_version"})},
                {"steps",
                 {{"type", "array"},
                  {"items", {{"$ref", "#/$defs/step"}}},
                  {"minItems", 1},
                  {"maxItems", ArtifactLimits::kSteps}}}};
  if (version >= 2) artifact["extra"] = {{"type", "object"}};
  Json out = closed(std::move(artifact), {"schema_version", "recorded_at", "recorder", "steps"});
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["$defs"] = {{"step", closed(std::move(step), {"kind", "selectors"})},
                  {"selector", selector_schema(version)}};
  return out;
}

}  // namespace hebb::skill
