// The fields of a request or a result, as data. The command line, JSON, HTTP, MCP and the
// documentation are all made from these, so that each field is described once.
//
// A record is a plain struct whose members say by MEMBER() what they are. A struct of another room,
// or one that adds to such a struct, is described by RECORD() where it is used. In JSON a record is
// an object with the fields' names; an absent field (an empty optional, or a TIME_FIELD that is
// kNever) is a missing key.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/ledger/event.h"
#include "engine/values/read_json.h"

namespace hebb::api {

using Json = nlohmann::ordered_json;

// A span of time. JSON: a number of milliseconds; "14d", "3h30m", "45s" are read as well.
struct Duration {
  TimeMs ms = 0;
  auto operator<=>(const Duration&) const = default;
};

// How urgent people say a task is. JSON: 0 (most urgent) to 4; what parse_priority() reads, such as
// "P1" and "high", is read as well.
struct Priority {
  int value = 0;
};

enum class Kind : std::uint8_t {
  text,
  node,  // the id of a node that exists; a request may have a task's name instead: api/request.h
  integer,
  bytes,     // a whole number; texts such as "500MB" and "4GiB" are read as well
  priority,  // a whole number; texts such as "P1" and "high" are read as well
  number,
  boolean,
  time,
  duration,
  seconds,  // a number; a text that says a span is read as well
  object,   // any JSON object
  any,      // any JSON value
  record,   // an object with fields of its own
};

struct Field;
using Fields = std::vector<Field>;

// Which values a field may have, and how it is offered. Its texts are literals.
struct Bounds {
  std::string_view unit = {};  // "ms", "tasks", …
  std::optional<double> min = {}, max = {};
  std::vector<std::string> choices = {};  // only these texts
  bool required = false;
  bool positional = false;  // on the command line: an argument rather than an option
  // Its name there, if it is not `name` with dashes; others that do as well behind commas.
  std::string_view option = {};
  bool hidden = false;         // not an option on the command line
  bool back = false;           // of a time: a span is one before now, friday is the last one
  bool whole_day = false;      // of a time: a day is meant to its end
  bool may_be_absent = false;  // in a result: an empty text or list, or 0, is a missing key
  // How the command line takes it: from a file, whose name is given; all words behind as one text;
  // the first choices as flags, which these words describe.
  bool from_file = false, joined = false;
  std::vector<std::string> flag_words = {};
  // Offered on the command line alone: a file, an address, or work that takes long.
  bool local = false;
  // A model hardly ever needs it: left out of the short list of tools, and taken all the same.
  bool seldom = false;
  // An empty text takes the value back. Else it says no more than leaving the field out.
  bool empty_clears = false;
};

// The names of what has one, for Bounds::choices.
std::vector<std::string> names_of(const auto& things) {
  std::vector<std::string> names;
  for (const auto& one : things) names.emplace_back(one.name);
  return names;
}

// What is known of a field by the type of the member that has its value.
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
  Field(std::string_view name, std::string_view words, const FieldType& type, std::size_t offset,
        Bounds bounds);
  Field(const Field&);
  Field(Field&&) noexcept;
  Field& operator=(const Field&);
  Field& operator=(Field&&) noexcept;
  ~Field();

  std::string name;   // snake_case
  std::string words;  // what it is: begins with a capital, ends without a full stop
  Kind kind;
  bool list;    // an array of such values
  bool always;  // in a result: never absent
  Bounds bounds;
  Json preset;  // null: none
  // The record that this one has as a part, or for its base, and it is of; empty: none.
  std::string_view part_of = {};
  std::string_view record_name() const { return type_->record_name; }  // of Kind::record
  const Fields& (*record)();                                           // for Kind::record

  // Both take the struct that has the field. Precondition of set: wrong_with() is empty.
  void set(void* record, const Json& json) const;
  Json get(const void* record) const;  // null if absent

  // Its name on the command line: "--min-recalls", or "ID" if it is positional.
  std::string option_name() const;

  // The command line takes it as KEY=VALUE, each a word.
  bool is_assigned() const { return kind == Kind::object && !list && bounds.positional; }

  Field moved(std::size_t by) const;  // the member lies so much further behind

 private:
  const FieldType* type_;
  std::size_t offset_;  // of the member in its struct
};

// "--min-recalls" of min_recalls.
std::string option_named(std::string_view name);

// Converts text from the command line or a URL to a value of the field's kind. A text that cannot
// be one stays a text, and wrong_with() reports it. For a list: one of its values.
Json from_text(const Field& field, const std::string& text);
// Why the field cannot have this value: "is 0 and has to be at least 1"; empty: it can.
std::string wrong_with(const Field& field, const Json& value);

// Strict JSON of at most 10,000 keys an object: see read_json(). Throws Refused, and Problem for
// text that is not JSON; `field` names the text in messages.
Json parse_json(std::string_view text, const std::string& field);
// A text or a whole number in an object that may be no JSON further on; null: there is none.
Json name_in_text(std::string_view object, std::string_view member);

// nullptr: there is none.
const Field* find_field(const Fields& fields, std::string_view name);
// Reads a whole record; `record` is the struct that `fields` describe. Throws Problem, naming the
// field, for a value of the wrong kind or beyond its bounds, an unknown field, and a required field
// that is missing.
void read_record(const Fields& fields, const Json& json, void* record);
Json write_record(const Fields& fields, const void* record);
// The schema (JSON Schema 2020-12) of such a record. Its `required` lists the required fields of a
// request, and those of a result that are never absent. `arguments` is a request as tools have it:
// each field has one type, since clients refuse tools with more, although more is taken.
enum class Role : std::uint8_t { request, arguments, result };
Json schema_of(const Fields& fields, Role role);
Json schema_version_schema();  // of the member kSchemaVersion

// --- how members become JSON ---------------------------------------------------------------------

// "14d", "3h30m", "1w", "45s", "500ms"; nullopt where it is none, or longer than all time.
std::optional<TimeMs> parse_duration(const std::string& text);
std::string duration_text(TimeMs ms);     // "3h30m"; not negative
std::string time_text(TimeMs ms);         // "2026-01-30T12:00:00.000Z"
TimeMs time_value(const Json& json);      // precondition: wrong_with() is empty
TimeMs duration_value(const Json& json);  // likewise
double seconds_value(const Json& json);   // likewise
int priority_value(const Json& json);     // likewise

// The fields, with the values in `fresh`, a default-constructed record, as presets.
Fields with_presets(Fields fields, const void* fresh);

template <class T>
struct RecordFields;  // RECORD() makes it: static Fields make()

// Tells the members of a struct from one another, and which are before it: by their line in a file.
template <int N>
struct Line : Line<N - 1> {};
template <>
struct Line<0> {};
constexpr int kLastLine = 500;

template <class T, int N = kLastLine>
concept HasMembers = requires(Fields& all) {
  T::template described<T>(Line<N>(), all);
};
// Those that are described up to that line, in their order.
template <class T, int N = kLastLine>
void add_members(Fields& all) {
  if constexpr (HasMembers<T, N>) T::template described<T>(Line<N>(), all);
}

template <class T>
concept Described = requires {
  RecordFields<T>::make();
};

template <class T>
concept Record = Described<T> || HasMembers<T>;

// The fields of a record, with those values as presets that a fresh one has.
template <Record T>
const Fields& fields_of() {
  static const Fields kFields = [] {
    Fields all;
    if constexpr (Described<T>) {
      all = RecordFields<T>::make();
    } else {
      add_members<T>(all);
    }
    const T fresh{};
    return with_presets(std::move(all), &fresh);
  }();
  return kFields;
}

// "hebb::api::Edge"
template <class T>
constexpr std::string_view type_name() {
  const std::string_view text = __PRETTY_FUNCTION__;  // "… [with T = hebb::api::Edge; …]"
  const auto begin = text.find("T = ") + 4;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

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
struct Codec<Duration> {
  static constexpr Kind kKind = Kind::duration;
  static constexpr bool kList = false;
  static Json get(const Duration& value) { return value.ms; }
  static void set(Duration& value, const Json& json) { value.ms = duration_value(json); }
};
template <>
struct Codec<Priority> {
  static constexpr Kind kKind = Kind::priority;
  static constexpr bool kList = false;
  static Json get(const Priority& value) { return value.value; }
  static void set(Priority& value, const Json& json) { value.value = priority_value(json); }
};
template <Record T>
struct Codec<T> {
  static constexpr Kind kKind = Kind::record;
  static constexpr bool kList = false;
  static Json get(const T& value) { return write_record(fields_of<T>(), &value); }
  static void set(T& value, const Json& json) { read_record(fields_of<T>(), json, &value); }
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

// Milliseconds as a time; kNever: absent. The text of a JSON object; empty: absent.
template <class T>
struct TimeCodec : Plain<T, Kind::time> {
  static Json get(const std::optional<TimeMs>& t) {
    return t.value_or(graph::kNever) == graph::kNever ? Json() : Json(time_text(*t));
  }
  static void set(T& t, const Json& json) { t = time_value(json); }
};
template <class T>
struct JsonCodec : Plain<T, Kind::object> {
  static Json get(const T& text) { return text.empty() ? Json() : json_or_discarded(text); }
  static void set(T& text, const Json& json) { text = json.dump(); }
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

template <class T, class C>
const FieldType& field_type() {
  using Inner = typename RecordOf<T>::type;
  constexpr auto kRecord = [] {
    if constexpr (Record<Inner>) {
      return &fields_of<Inner>;
    } else {
      return static_cast<const Fields& (*)()>(nullptr);
    }
  }();
  static constexpr FieldType kType{
      C::kKind,
      C::kList,
      !RecordOf<T>::kOptional,
      kRecord,
      type_name<Inner>(),
      [](const void* member) -> Json { return C::get(*static_cast<const T*>(member)); },
      [](void* member, const Json& json) { C::set(*static_cast<T*>(member), json); }};
  return kType;
}

// A field of the struct S, kept in `member`. A pointer to a data member is its offset (Itanium C++
// ABI, 2.3.1), so that one pair of functions serves all members of a type.
template <template <class> class C = Codec, class S, class T>
Field field(std::string_view name, T S::*member, std::string_view words, Bounds bounds = {}) {
  static_assert(sizeof(member) == sizeof(std::size_t));
  return Field(name, words, field_type<T, C<T>>(), std::bit_cast<std::size_t>(member),
               std::move(bounds));
}

// The same of another kind than its member's type says: an object with any content, a size.
template <class S, class T>
Field kind_field(Kind kind, std::string_view name, T S::*member, std::string_view words,
                 Bounds bounds = {}) {
  Field f = field(name, member, words, std::move(bounds));
  f.kind = kind;
  return f;
}
// --- describing a record -------------------------------------------------------------------------

// One field or several.
struct FieldsPart {
  FieldsPart(Field f) { fields.push_back(std::move(f)); }  // NOLINT(google-explicit-constructor)
  FieldsPart(Fields f) : fields(std::move(f)) {}           // NOLINT(google-explicit-constructor)
  Fields fields;
};
void append(Fields& all, FieldsPart part);
Fields joined(std::initializer_list<FieldsPart> parts);

// The same fields of a record that lies so many bytes behind the beginning of another.
Fields moved(Fields fields, std::size_t by);
// The fields of a record that is part of another.
Fields fields_of_part(Fields fields, std::string_view part, std::size_t by);

template <class S, class M>
Fields fields_within(M S::*member) {
  return fields_of_part(fields_of<M>(), type_name<M>(), std::bit_cast<std::size_t>(member));
}
// A field of a member: FIELD_WITHIN(factors, field("priority", &Factors::priority, …)).
#define FIELD_WITHIN(member, ...) moved({__VA_ARGS__}, std::bit_cast<std::size_t>(&Self::member))

// RECORD(Edge, FIELD(source, "Where it goes out from", {.required = true}), …), in the namespace
// hebb::api, describes a struct of any room. A field has the name of its member.
#define RECORD(T, ...)                                     \
  template <>                                              \
  struct RecordFields<T> {                                 \
    using Self = T;                                        \
    static Fields make() { return joined({__VA_ARGS__}); } \
  };
#define FIELD(member, ...) NAMED_FIELD(#member, member, __VA_ARGS__)
#define NAMED_FIELD(name, member, ...) field(name, &Self::member, __VA_ARGS__)
// The id of a node; milliseconds as a time, in JSON RFC 3339 in UTC, with milliseconds, which is
// read from milliseconds since 1970 as well, and in a request from what read_when() reads; the text
// of a JSON object.
#define NODE_FIELD(member, ...) kind_field(Kind::node, #member, &Self::member, __VA_ARGS__)
#define TIME_FIELD(member, ...) field<TimeCodec>(#member, &Self::member, __VA_ARGS__)
#define JSON_FIELD(member, ...) field<JsonCodec>(#member, &Self::member, __VA_ARGS__)
// The fields of a member, or of the first base, which is a record: as fields of this one.
#define FIELDS_OF(member) fields_within(&Self::member)
#define FIELDS_OF_BASE(Base) fields_of_part(fields_of<Base>(), type_name<Base>(), 0)

// MEMBER(std::string, source, "Where it goes out from", {.required = true}); in a struct is a
// member with its description. Each is on a line of its own.
#define MEMBER(T, name, ...) PRESET_MEMBER(T, name, {}, __VA_ARGS__)
#define PRESET_MEMBER(T, name, preset, ...)         \
  DESCRIBED(field(#name, &Self::name, __VA_ARGS__)) \
  T name = preset
#define KIND_MEMBER(kind, T, name, preset, ...)                      \
  DESCRIBED(kind_field(Kind::kind, #name, &Self::name, __VA_ARGS__)) \
  T name = preset
#define TIME_MEMBER(T, name, ...)          \
  DESCRIBED(TIME_FIELD(name, __VA_ARGS__)) \
  T name = {}
#define NODE_MEMBER(T, name, ...) KIND_MEMBER(node, T, name, {}, __VA_ARGS__)
#define OBJECT_MEMBER(T, name, ...) KIND_MEMBER(object, T, name, {}, __VA_ARGS__)
// The fields of a member, or of the first base, as fields of this one.
#define PART(T, name)        \
  DESCRIBED(FIELDS_OF(name)) \
  T name
#define BASE(T)                \
  DESCRIBED(FIELDS_OF_BASE(T)) \
  static_assert(true)
#define DESCRIBED(...) DESCRIBED_ON(__LINE__, __VA_ARGS__)
#define DESCRIBED_ON(line, ...)                    \
  template <class Self>                            \
  static void described(Line<line>, Fields& all) { \
    static_assert(line <= kLastLine);              \
    add_members<Self, line - 1>(all);              \
    append(all, __VA_ARGS__);                      \
  }

}  // namespace hebb::api
