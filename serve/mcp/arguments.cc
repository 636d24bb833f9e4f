#include "serve/mcp/arguments.h"

#include "serve/message.h"
#include "text/ascii.h"

namespace hebb::serve::mcp {

using api::Field, api::Json, api::Kind;

namespace {

Json read_value(const Field& field, const Json& given) {
  if (field.kind == Kind::any) return given;
  Json value = given;
  if (given.is_string()) {
    const std::string text = given.get<std::string>();
    value = value_of_text(field, field.kind == Kind::boolean ? to_lower(text) : text);
  }
  return field.kind == Kind::record ? read_arguments(field.record(), value) : value;
}

Json read_list(const Field& field, const Json& given) {
  const auto* text = given.get_ptr<const std::string*>();
  const bool is_json = text && text->starts_with('[');
  const Json list = is_json ? api::parse_json(*text, field.name) : given;
  if (!list.is_array()) return list;
  Json values = Json::array();
  for (const Json& one : list) values.push_back(read_value(field, one));
  return values;
}

bool is_left_out(const Field& field, const Json& given) {
  return given == "" && !field.bounds.required && !field.bounds.empty_clears;
}

}  // namespace

Json read_arguments(const api::Fields& fields, const Json& given) {
  if (!given.is_object()) return given;
  Json read = Json::object();
  for (const auto& [name, value] : given.items()) {
    const Field* field = api::find_field(fields, name);
    if (!field || value.is_null()) {
      read[name] = value;
    } else if (!is_left_out(*field, value)) {
      read[name] = field->list ? read_list(*field, value) : read_value(*field, value);
    }
  }
  return read;
}

}  // namespace hebb::serve::mcp
