// The fields of a record as JSON Schema (2020-12).
#include <utility>

#include <fmt/format.h>

#include "api/field.h"

namespace hebb::api {

namespace {

bool is_text(const Json& schema) { return schema.value("type", Json()) == "string"; }

Json value_schema(const Field& field, Role role) {
  Json schema = Json::object();
  const auto& b = field.bounds;
  switch (field.kind) {
    case Kind::text:
    case Kind::node:
      schema["type"] = "string";
      if (!b.choices.empty()) schema["enum"] = b.choices;
      break;
    case Kind::integer:
    case Kind::bytes:
      schema["type"] = "integer";
      break;
    case Kind::duration:
      schema["type"] = role == Role::result    ? Json("integer")
                       : role == Role::request ? Json({"integer", "string"})
                                               : Json("string");  // "3h30m"
      break;
    case Kind::seconds:
      schema["type"] = role == Role::result    ? Json("number")
                       : role == Role::request ? Json({"number", "string"})
                                               : Json("string");
      break;
    case Kind::priority:
      schema["type"] = role == Role::request ? Json({"integer", "string"}) : Json("integer");
      break;
    case Kind::number:
      schema["type"] = "number";
      break;
    case Kind::boolean:
      schema["type"] = "boolean";
      break;
    case Kind::time:
      schema["type"] = "string";
      if (role == Role::result) {
        schema["format"] = "date-time";
      } else {
        schema["examples"] = {"2026-11-27T12:00:00Z", "2026-11-27", b.past ? "7d" : "friday 17:00"};
      }
      break;
    case Kind::object:
      schema["type"] = "object";
      break;
    case Kind::any:
      break;
    case Kind::record:
      schema = schema_of(field.record(), role);
      break;
  }
  if (is_text(schema)) return schema;
  if (b.min) schema["minimum"] = *b.min;
  if (b.max) schema["maximum"] = *b.max;
  return schema;
}

}  // namespace

Json schema_of(const Fields& fields, Role role) {
  Json properties = Json::object(), required = Json::array();
  for (const Field& f : fields) {
    Json schema = value_schema(f, role);
    const bool has_unit = !f.bounds.unit.empty() && !is_text(schema);
    Json value = role == Role::result ? Json() : f.default_value;
    if (f.kind == Kind::duration && is_text(schema) && value.is_number())
      value = duration_text(value.get<TimeMs>());
    if (f.list) schema = {{"type", "array"}, {"items", std::move(schema)}};
    schema["description"] =
        has_unit ? fmt::format("{} ({})", f.description, f.bounds.unit) : f.description;
    if (!value.is_null()) schema["default"] = std::move(value);
    properties[f.name] = std::move(schema);
    if (role == Role::result ? f.always : f.bounds.required) required.push_back(f.name);
  }
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Json schema_version_schema() {
  return {{"type", "integer"}, {"description", "Which members there are, and what they mean: 1"}};
}

}  // namespace hebb::api
