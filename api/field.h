// The fields of a request or a result. The command line, JSON, HTTP, MCP and the documentation are
// all made from these, so that each field is described once, by RECORD() (engine/fields/record.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/fields/record.h"

namespace hebb::api {

using fields::Bounds;
using fields::Bytes;
using fields::Codec;
using fields::Duration;
using fields::duration_text;
using fields::Field;
using fields::Fields;
using fields::fields_of;
using fields::find_field;
using fields::Json;
using fields::Kind;
using fields::names_of;
using fields::NodeId;
using fields::Object;
using fields::ObjectText;
using fields::parse_duration;
using fields::Plain;
using fields::Priority;
using fields::read_record;
using fields::Record;
using fields::Seconds;
using fields::Time;
using fields::time_text;
using fields::time_value;
using fields::write_record;
using fields::wrong_with;

// The field's name on the command line: "--min-recalls", or "ID" if it is positional.
std::string option_name(const Field& field);
// "--min-recalls" of min_recalls.
std::string option_named(std::string_view name);
// Whether the command line takes the field as words KEY=VALUE.
bool is_assigned(const Field& field);

// Converts text from the command line or a URL to a value of the field's kind. A text that cannot
// be one stays a text, and wrong_with() reports it. For a list: one element.
Json from_text(const Field& field, const std::string& text);
// Strict JSON of at most 10,000 keys an object: see read_json(). Throws Refused, and Problem for
// text that is not JSON; `field` names the text in messages.
Json parse_json(std::string_view text, const std::string& field);
// JSON in one line; bytes that are not UTF-8 are replaced.
std::string text_of(const Json& json);
// A text or a whole number in an object whose end may be invalid JSON; null: there is none.
Json name_in_text(std::string_view object, std::string_view member);

// The JSON Schema (2020-12) of a record with these fields. Its `required` lists the required fields
// of a request, or the fields of a result that are never absent. `arguments`: a tool's request, in
// which each field has one type, since clients refuse several; calls may have the other types.
enum class Role : std::uint8_t { request, arguments, result };
Json schema_of(const Fields& fields, Role role);
Json schema_version_schema();  // of the member kSchemaVersion

}  // namespace hebb::api
