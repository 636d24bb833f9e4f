// The fields of a record as data: reading, checking and writing JSON, and what others make of it,
// are one table, which RECORD() makes (engine/fields/record.h).
//
// In JSON a record is an object with the fields' names; an absent field (an empty optional, or a
// Time that is kNever) is a missing key.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/values/times.h"

namespace hebb::fields {

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
  std::string_view unit = {};                // "ms", "tasks", …
  std::optional<double> min = {}, max = {};  // of a text: characters
  std::size_t least = 0, most = SIZE_MAX;    // of a list: values
  std::vector<std::string> choices = {};     // only these texts
  bool required = false;
  bool positional = false;  // on the command line: an argument, no option
  // Its name on the command line, if not `name` with dashes; further names follow after commas.
  std::string_view option = {};
  bool hidden = false;     // not an option on the command line
  bool past = false;       // of a time: a span is one before now, friday is the last one
  bool whole_day = false;  // of a time: a day is meant to its end
  // When written: an empty text or list, 0, or the default value is a missing key.
  bool may_be_absent = false;
  // The record has it where its first field has one of these values; empty: always. Of several
  // fields of one name it is the first that the record has.
  std::vector<std::string> only = {};
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
  int depth;    // 1: an array of such values; 2: an array of these
  bool always;  // never absent
  const Fields& (*record)();
  std::string_view record_name;
  Json (*get)(const void* member);  // null if absent
  // The element of that index in a list of records; null behind the last. nullptr: no such list.
  Json (*element)(const void* member, std::size_t index);
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
  const Fields& (*record)();  // for Kind::record
  const FieldType* type;

  // Both take the struct that has the field. Precondition of set: wrong_with() is empty. It throws
  // Invalid for a record that cannot be read.
  void set(void* record, const Json& json) const;
  // Null if absent. element: of a list of records this one; null behind the last.
  Json get(const void* record, std::optional<std::size_t> element = {}) const;

  void move(std::uintptr_t by) { place_ += by; }

 private:
  std::uintptr_t place_;  // the member's address, or its offset in the struct
};

// Why the field cannot have this value: "is 0 and has to be at least 1"; empty: it can, unless it
// is a record that cannot be read.
std::string wrong_with(const Field& field, const Json& value);

// That a record cannot be read: where ("steps[2].kind") and why ("is missing").
struct Invalid : std::runtime_error {
  Invalid(std::string where, const std::string& reason);
  std::string path, why;

  std::string path_within(const std::string& outer) const;  // outer.path
};

// The field of that name; nullptr: there is none.
const Field* find_field(const Fields& fields, std::string_view name);
// Those that a record has whose first field has that value: see Bounds::only.
Fields fields_where(const Fields& fields, const Json& first);
// Reads a whole record; `record` is the struct that `fields` describe. Throws Invalid for a value
// of the wrong kind or beyond its bounds, an unknown field, and a required field that is missing.
void read_record(const Fields& fields, const Json& json, void* record);
// left_out: a field that is no member of the JSON.
Json write_record(const Fields& fields, const void* record, const Field* left_out = nullptr);
// The first list of records that the record has; nullptr: none.
const Field* first_list(const Fields& fields, const void* record);

// --- how members become JSON ---------------------------------------------------------------------

// "14d", "3h30m", "1w", "45s", "500ms"; nullopt: no duration, or one too large.
std::optional<TimeMs> parse_duration(const std::string& text);
inline constexpr std::string_view kNoSpan =
    "no span of time; write numbers with w, d, h, m, s or ms, such as 14d or 3h30m, of no more "
    "than 46000000 days";
std::string duration_text(TimeMs ms);     // "3h30m"; not negative
std::string time_text(TimeMs ms);         // "2026-01-30T12:00:00.000Z"
TimeMs time_value(const Json& json);      // precondition: wrong_with() is empty
TimeMs duration_value(const Json& json);  // likewise
double seconds_value(const Json& json);   // likewise
int priority_value(const Json& json);     // likewise

}  // namespace hebb::fields
