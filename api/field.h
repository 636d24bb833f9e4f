// The fields of a request or a result, as data. The command line, JSON, HTTP, MCP and the
// documentation are all made from these, so that each field is described once.
//
// A record is a plain struct with `static const Fields& fields()`. In JSON a record is an object
// with the fields' names; an absent field (an empty optional) is a missing key.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/ledger/event.h"

namespace hebb::api {

using Json = nlohmann::ordered_json;

// An instant. JSON: RFC 3339, UTC, with milliseconds; milliseconds since 1970 are read as well.
struct Time {
  TimeMs ms = 0;
  auto operator<=>(const Time&) const = default;
};

// A span of time. JSON: a number of milliseconds; "14d", "12h", "90m", "45s" are read as well.
struct Duration {
  TimeMs ms = 0;
  auto operator<=>(const Duration&) const = default;
};

enum class Kind : std::uint8_t {
  text,
  integer,
  number,
  boolean,
  time,
  duration,
  object,  // any JSON object
  any,     // any JSON value
  record,  // an object with fields of its own
};

struct Field;
using Fields = std::vector<Field>;

// Which values a field may have, and how it is offered.
struct Bounds {
  std::string unit = {};  // "ms", "tasks", …
  std::optional<double> min = {}, max = {};
  std::vector<std::string> choices = {};  // only these texts
  bool required = false;
  bool positional = false;  // on the command line: an argument rather than an option
  std::string option = {};  // its name there, if it is not `name` with dashes
  bool hidden = false;      // not an option on the command line
  // It names a file or an address, so it is offered on the command line but not over HTTP or MCP.
  bool local = false;
  // Its name in the version before: taken still, not shown; see docs/api.md.
  std::string was = {};
};

struct Field {
  std::string name;   // snake_case
  std::string words;  // what it is: begins with a capital, ends without a full stop
  Kind kind = Kind::text;
  bool list = false;   // an array of such values
  bool always = true;  // in a result: never absent
  Bounds bounds;
  Json preset;                          // null: none
  const Fields& (*record)() = nullptr;  // for Kind::record
  // Both take the struct that has the field. Precondition of `set`: wrong_with() is empty.
  std::function<void(void*, const Json&)> set;
  std::function<Json(const void*)> get;  // gives null if absent

  // Its name on the command line: "--min-recalls", or "ID" if it is positional.
  std::string option_name() const;
  // The same as it was in the version before; empty: no other.
  std::string old_option_name() const;
};

// Converts text from the command line or a URL to a value of the field's kind. A text that cannot
// be one stays a text, and wrong_with() reports it. For a list: one of its values.
Json from_text(const Field& field, const std::string& text);
// Why the field cannot have this value: "is 0 and has to be at least 1"; empty: it can.
std::string wrong_with(const Field& field, const Json& value);

// Strict JSON: no key twice in an object, no number that would be rounded. Throws Refused for
// these, and Problem for text that is not JSON; `field` names the text in messages.
Json parse_json(std::string_view text, const std::string& field);

// The field with that name, or that had it in the version before; nullptr: there is none.
const Field* find_field(const Fields& fields, std::string_view name);
// Reads a whole record; `record` is the struct that `fields` describe. Throws Problem, naming the
// field, for a value of the wrong kind or beyond its bounds, an unknown field, one given under both
// its names with different values, and a required field that is missing.
void read_record(const Fields& fields, const Json& json, void* record);
Json write_record(const Fields& fields, const void* record);
// The schema (JSON Schema 2020-12) of such a record. Its `required` lists the required fields of a
// request, and those of a result that are never absent.
enum class Role : std::uint8_t { request, result };
Json schema_of(const Fields& fields, Role role);

// --- how members become JSON ---------------------------------------------------------------------

// "14d", "12h", "90m", "45s", "500ms"; nullopt where it is none, or longer than all time.
std::optional<TimeMs> parse_duration(const std::string& text);
std::string time_text(TimeMs ms);         // "2026-01-30T12:00:00.000Z"
TimeMs time_value(const Json& json);      // precondition: wrong_with() is empty
TimeMs duration_value(const Json& json);  // likewise

template <class T>
concept Record = requires {
  T::fields();
};

template <class T>
struct Codec;  // kind; list; get(T) -> Json; set(T&, Json)

template <class T, Kind K>
struct Plain {
  static constexpr Kind kKind = K;
  static constexpr bool kList = false;
  static Json get(const T& value) { return value; }
  static void set(T& value, const Json& json) { value = json.get<T>(); }
};
template <>
struct Codec<std::string> : Plain<std::string, Kind::text> {};
template <>
struct Codec<bool> : Plain<bool, Kind::boolean> {};
template <>
struct Codec<double> : Plain<double, Kind::number> {};
template <>
struct Codec<float> : Plain<float, Kind::number> {};
template <>
struct Codec<int> : Plain<int, Kind::integer> {};
template <>
struct Codec<std::int64_t> : Plain<std::int64_t, Kind::integer> {};
template <>
struct Codec<std::uint64_t> : Plain<std::uint64_t, Kind::integer> {};
template <>
struct Codec<Json> : Plain<Json, Kind::any> {};
template <>
struct Codec<Time> {
  static constexpr Kind kKind = Kind::time;
  static constexpr bool kList = false;
  static Json get(const Time& value) { return time_text(value.ms); }
  static void set(Time& value, const Json& json) { value.ms = time_value(json); }
};
template <>
struct Codec<Duration> {
  static constexpr Kind kKind = Kind::duration;
  static constexpr bool kList = false;
  static Json get(const Duration& value) { return value.ms; }
  static void set(Duration& value, const Json& json) { value.ms = duration_value(json); }
};
template <Record T>
struct Codec<T> {
  static constexpr Kind kKind = Kind::record;
  static constexpr bool kList = false;
  static Json get(const T& value) { return write_record(T::fields(), &value); }
  static void set(T& value, const Json& json) { read_record(T::fields(), json, &value); }
};
template <class T>
struct Codec<std::optional<T>> {
  static constexpr Kind kKind = Codec<T>::kKind;
  static constexpr bool kList = Codec<T>::kList;
  static Json get(const std::optional<T>& value) { return value ? Codec<T>::get(*value) : Json(); }
  static void set(std::optional<T>& value, const Json& json) {
    Codec<T>::set(value.emplace(), json);
  }
};
template <class T>
struct Codec<std::vector<T>> {
  static constexpr Kind kKind = Codec<T>::kKind;
  static constexpr bool kList = true;
  static Json get(const std::vector<T>& value) {
    Json out = Json::array();
    for (const T& item : value) out.push_back(Codec<T>::get(item));
    return out;
  }
  static void set(std::vector<T>& value, const Json& json) {
    value.clear();
    for (const Json& item : json) Codec<T>::set(value.emplace_back(), item);
  }
};

template <class T>
struct RecordOf {
  using type = T;
  static constexpr bool kOptional = false;
};
template <class T>
struct RecordOf<std::optional<T>> : RecordOf<T> {
  static constexpr bool kOptional = true;
};
template <class T>
struct RecordOf<std::vector<T>> : RecordOf<T> {};

// A field of the struct S, kept in `member`.
template <class S, class T>
Field field(std::string name, T S::*member, std::string words, Bounds bounds = {}) {
  Field f;
  f.name = std::move(name);
  f.words = std::move(words);
  f.kind = Codec<T>::kKind;
  f.list = Codec<T>::kList;
  f.always = !RecordOf<T>::kOptional;
  f.bounds = std::move(bounds);
  using Inner = typename RecordOf<T>::type;
  if constexpr (Record<Inner>) f.record = &Inner::fields;
  f.set = [member](void* record, const Json& json) {
    Codec<T>::set(static_cast<S*>(record)->*member, json);
  };
  f.get = [member](const void* record) {
    return Codec<T>::get(static_cast<const S*>(record)->*member);
  };
  return f;
}

// The same for an object with any content.
template <class S, class T>
Field object_field(std::string name, T S::*member, std::string words, Bounds bounds = {}) {
  Field f = field(std::move(name), member, std::move(words), std::move(bounds));
  f.kind = Kind::object;
  return f;
}

// A member of a base of S as one of S, for structs that share fields.
template <class S, class B, class T>
T S::*member_of(T B::*member) {
  return member;
}

// The fields of S, with the values of a default-constructed S as presets.
template <class S>
Fields with_presets(Fields fields) {
  const S fresh{};
  for (Field& f : fields) {
    if (!f.bounds.required) f.preset = f.get(&fresh);
    if (f.preset.is_array() && f.preset.empty()) f.preset = nullptr;
    if (f.preset.is_string() && f.preset.get_ref<const std::string&>().empty()) f.preset = nullptr;
  }
  return fields;
}

}  // namespace hebb::api
