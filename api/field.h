// The fields of a request or a result, as data. The command line, JSON, HTTP, MCP and the
// documentation are all made from these descriptions, so that each field is described once, by
// RECORD() (api/record.h). In JSON a record is an object with the fields' names; an absent field
// (an empty optional, or a Time that is kNever) is a missing key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/values/times.h"

namespace hebb::api {

using Json = nlohmann::ordered_json;

enum class Kind : std::uint8_t {
  text,
  node,
  integer,
  bytes,
  priority,
  number,
  boolean,
  time,
  duration,
  seconds,
  object,
  any,     // any JSON value
  record,  // an object with fields of its own
};

struct Field;
using Fields = std::vector<Field>;

// The values that a field may have, and the ways it is offered. Its texts are literals.
struct Bounds {
  std::string_view unit = {};  // "ms", "tasks", …
  std::optional<double> min = {}, max = {};
  std::vector<std::string> choices = {};  // only these texts
  bool required = false;
  bool positional = false;  // on the command line: an argument, no option
  // Its name on the command line, if not `name` with dashes; further names follow after commas.
  std::string_view option = {};
  bool hidden = false;         // not an option on the command line
  bool past = false;           // of a time: a span is one before now, friday is the last one
  bool whole_day = false;      // of a time: a day means the end of that day
  bool may_be_absent = false;  // in a result: an empty text or list, or 0, is a missing key
  // How the command line takes the value: from the named file; all following words as one text; the
  // first choices as flags, which these texts describe.
  bool from_file = false, joined = false;
  std::vector<std::string> flag_words = {};
  // Offered on the command line alone: a file, an address, or work that takes long.
  bool local = false;
  // A model hardly ever needs it: the short list of tools omits it, and calls may have it.
  bool rare = false;
  // An empty text clears the value. Otherwise an empty text means the same as no field.
  bool empty_clears = false;
};

// The names of the values of an enumeration, for Bounds::choices.
std::vector<std::string> names_of(const auto& things) {
  std::vector<std::string> names;
  for (const auto& one : things) names.emplace_back(one.name);
  return names;
}

// What the type of a member says about its field.
struct FieldType {
  Kind kind;
  bool list;    // an array of such values
  bool always;  // never absent
  const Fields& (*record)();
  std::string_view record_name;
  Json (*get)(const void* member);  // null if absent
  void (*set)(void* member, const Json&);
};

struct Field {
  // `member`: the address of the member; move() turns it into an offset.
  Field(std::string_view name, std::string_view description, const FieldType& type,
        const void* member, Bounds bounds);
  Field(const Field&);
  Field(Field&&) noexcept;
  Field& operator=(const Field&);
  Field& operator=(Field&&) noexcept;
  ~Field();

  std::string name;         // snake_case
  std::string description;  // begins with a capital, ends without a full stop
  Kind kind;
  bool list;    // an array of such values
  bool always;  // in a result: never absent
  Bounds bounds;
  Json default_value;  // null: none
  // The record whose part() this field was taken from; empty: its own.
  std::string_view part_of = {};
  std::string_view record_name() const { return type_->record_name; }  // of Kind::record
  const Fields& (*record)();                                           // for Kind::record

  // Both take the struct with the field. Precondition of set: wrong_with() is empty.
  void set(void* record, const Json& json) const;
  Json get(const void* record) const;  // null if absent

  // Its name on the command line: "--min-recalls", or "ID" if it is positional.
  std::string option_name() const;

  // The command line takes it as words of the form KEY=VALUE.
  bool is_assigned() const { return kind == Kind::object && !list && bounds.positional; }

  void move(std::uintptr_t by) { place_ += by; }

 private:
  const FieldType* type_;
  std::uintptr_t place_;  // the member's address, or its offset in the struct
};

// "--min-recalls" of min_recalls.
std::string option_named(std::string_view name);

// Converts text from the command line or a URL to a value of the field's kind. A text that cannot
// be one stays a text, and wrong_with() reports it. For a list: one element.
Json from_text(const Field& field, const std::string& text);
// Why the field cannot have this value: "is 0 and has to be at least 1"; empty: it can.
std::string wrong_with(const Field& field, const Json& value);

// Strict JSON of at most 10,000 keys an object: see read_json(). Throws Refused, and Problem for
// text that is not JSON; `field` names the text in messages.
Json parse_json(std::string_view text, const std::string& field);
// A text or a whole number in an object whose end may be invalid JSON; null: there is none.
Json name_in_text(std::string_view object, std::string_view member);

// The field of that name; nullptr: there is none.
const Field* find_field(const Fields& fields, std::string_view name);
// Reads a whole record; `record` is the struct that `fields` describe. Throws Problem, naming the
// field, for a value of the wrong kind or beyond its bounds, an unknown field, and a required field
// that is missing.
void read_record(const Fields& fields, const Json& json, void* record);
Json write_record(const Fields& fields, const void* record);
// The JSON Schema (2020-12) of such a record. Its `required` lists the required fields of a
// request, or the fields of a result that are never absent. `arguments`: a tool's request, in which
// each field has one type, since clients refuse several; calls may have the other types.
enum class Role : std::uint8_t { request, arguments, result };
Json schema_of(const Fields& fields, Role role);
Json schema_version_schema();  // of the member kSchemaVersion

// --- how members become JSON ---------------------------------------------------------------------

// "14d", "3h30m", "1w", "45s", "500ms"; nullopt: no duration, or one too large.
std::optional<TimeMs> parse_duration(const std::string& text);
std::string duration_text(TimeMs ms);     // "3h30m"; not negative
std::string time_text(TimeMs ms);         // "2026-01-30T12:00:00.000Z"
TimeMs time_value(const Json& json);      // precondition: wrong_with() is empty
TimeMs duration_value(const Json& json);  // likewise
double seconds_value(const Json& json);   // likewise
int priority_value(const Json& json);     // likewise

}  // namespace hebb::api
