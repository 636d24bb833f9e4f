// The artifact's JSON Schema (2020-12): read_artifact() checks by it.
#include "skill/artifact/artifact.h"

namespace hebb::skill {
namespace {

constexpr std::int64_t kLatestRecording = 253'402'300'799'999;  // the end of the year 9999
constexpr std::size_t kTypedLength = 16 << 10;                  // characters of typed text

Json text_schema(std::size_t longest, std::size_t shortest = 1) {
  return {{"type", "string"}, {"minLength", shortest}, {"maxLength", longest}};
}

Json whole_schema(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json list_schema(Json items, std::size_t least, std::size_t most) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", least}, {"maxItems", most}};
}

Json closed_schema(Json properties, Json required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json chain_schema(std::size_t least = 0) {
  return list_schema({{"$ref", "#/$defs/selector"}}, least, ArtifactLimits::kSelectors);
}

// One alternative for each type. `outer`: the selector may have `within`.
Json selector_schema(int version, bool outer) {
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
      properties["name"] = text_schema(ArtifactLimits::kTextBytes, 0);
      required.insert(required.end(), {"role", "name"});
    } else {
      properties["value"] = text_schema(ArtifactLimits::kTextBytes);
      required.push_back("value");
    }
    if (version >= 2) {
      properties["exact"] = {{"type", "boolean"}};
      properties["nth"] = whole_schema(-10'000, 10'000);
      properties["has_text"] = text_schema(ArtifactLimits::kTextBytes);
    }
    if (version >= 2 && outer)
      properties["within"] = list_schema({{"$ref", "#/$defs/outer"}}, 1, ArtifactLimits::kWithin);
    any_of.push_back(closed_schema(std::move(properties), std::move(required)));
  }
  return {{"anyOf", std::move(any_of)}};
}

// Further members stay, for the program that recorded them.
Json args_schema(Kind kind) {
  Json properties{{"value", text_schema(kTypedLength, 0)},
                  {"url", text_schema(ArtifactLimits::kTextBytes, kind == Kind::navigate ? 1 : 0)},
                  {"key", text_schema(64, 0)},
                  {"count", kind == Kind::click ? whole_schema(1, 3) : whole_schema(0, 10'000)},
                  {"files", list_schema({{"type", "string"}}, 1, 100)},
                  {"values", list_schema({{"type", "string"}}, 0, 1000)}};
  Json required = Json::array();
  const auto needs = [&](const char* key) { required.push_back(key); };
  if (kind == Kind::fill) needs("value");
  if (kind == Kind::navigate) needs("url");
  if (kind == Kind::upload) needs("files");
  if (kind == Kind::press || kind == Kind::key_down || kind == Kind::key_up) {
    properties["key"] = text_schema(64);
    needs("key");
  }
  if (kind == Kind::dialog) properties["accept"] = {{"type", "boolean"}};
  if (kind == Kind::wait) {
    for (const char* key : {"attributes", "properties"}) properties[key] = {{"type", "object"}};
  }
  if (kind == Kind::viewport) {
    for (const char* side : {"width", "height"}) {
      properties[side] = whole_schema(1, 16'384);
      needs(side);
    }
  }
  Json args{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) args["required"] = std::move(required);
  if (kind == Kind::select) {
    args["anyOf"] = Json::array();
    for (const char* key : {"value", "values", "label"})
      args["anyOf"].push_back({{"required", Json::array({key})}});
  }
  return args;
}

// One alternative for each kind.
Json step_schema(int version) {
  Json any_of = Json::array();
  const Kind last = version == 1 ? Kind::scroll : Kind::custom;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto kind = static_cast<Kind>(i);
    Json args = args_schema(kind);
    Json required = Json::array({"kind", "selectors"});
    if (args.contains("required") || args.contains("anyOf")) required.push_back("args");
    Json step{{"kind", {{"const", kind_name(kind)}}},
              {"selectors", chain_schema(needs_element(kind) ? 1 : 0)},
              {"frameOrdinal", whole_schema(0, 1000)},
              {"args", std::move(args)},
              {"post_assert", closed_schema({{"contract_id", text_schema(256)}}, {"contract_id"})}};
    Json excluded = Json::object();
    if (version >= 2) {
      step["frames"] = list_schema(chain_schema(1), 1, ArtifactLimits::kFrames);
      step["tab"] = whole_schema(0, 100);
      step["to"] = chain_schema(kind == Kind::drag ? 1 : 0);
      step["extra"] = {{"type", "object"}};
      excluded["frames"] = {{"properties", {{"frameOrdinal", {{"const", 0}}}}}};
    }
    if (kind == Kind::drag) required.push_back("to");
    if (version >= 2 && (kind == Kind::press || kind == Kind::key_down)) {
      step["focus"] = chain_schema();  // for keys without a target
      excluded["focus"] = {{"properties", {{"selectors", {{"type", "array"}, {"maxItems", 0}}}}}};
    }
    any_of.push_back(closed_schema(std::move(step), std::move(required)));
    if (!excluded.empty()) any_of.back()["dependentSchemas"] = std::move(excluded);
  }
  return {{"anyOf", std::move(any_of)}};
}

}  // namespace

Json artifact_schema(int version) {
  Json artifact{{"schema_version", {{"const", version}}},
                {"recorded_at", whole_schema(0, kLatestRecording)},
                {"recorder", closed_schema({{"hebb_version", text_schema(64)}}, {"hebb_version"})},
                {"steps", list_schema({{"$ref", "#/$defs/step"}}, 1, ArtifactLimits::kSteps)}};
  if (version >= 2) artifact["extra"] = {{"type", "object"}};
  Json out =
      closed_schema(std::move(artifact), {"schema_version", "recorded_at", "recorder", "steps"});
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["$defs"] = {{"step", step_schema(version)},
                  {"selector", selector_schema(version, true)},
                  {"outer", selector_schema(version, false)}};
  return out;
}

}  // namespace hebb::skill
