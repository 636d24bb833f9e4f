// Describing plain structs: RECORD() after a struct gives it a table of fields. A member's type
// decides the kind of its field; these types are for kinds that C++ does not distinguish.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/fields/field.h"
#include "engine/values/read_json.h"

namespace hebb::fields {

// The id of a node that exists. A request may have a task's name instead: api/request.h.
struct NodeId : std::string {
  using std::string::string;
  NodeId(std::string id) : std::string(std::move(id)) {}  // NOLINT(google-explicit-constructor)
};

// A moment; kNever: absent. JSON: RFC 3339 in UTC, with milliseconds. Milliseconds since 1970 are
// read as well, and in a request what read_when() reads.
struct Time {
  TimeMs ms = 0;
  constexpr Time() = default;
  constexpr Time(TimeMs at) : ms(at) {}             // NOLINT(google-explicit-constructor)
  constexpr operator TimeMs() const { return ms; }  // NOLINT(google-explicit-constructor)
};

// A span of time. JSON: a number of milliseconds; "14d", "3h30m", "45s" are read as well.
struct Duration {
  TimeMs ms = 0;
  auto operator<=>(const Duration&) const = default;
};

// The same in JSON as a number of seconds.
struct Seconds {
  double value = 0;
};

// How urgent people say a task is. JSON: 0 (most urgent) to 4; what parse_priority() reads, such as
// "P1" and "high", is read as well.
struct Priority {
  int value = 0;
};

// A size. JSON: a whole number; on the command line "500MB" and "4GiB" are read as well.
struct Bytes {
  std::uint64_t count = 0;
  operator std::uint64_t() const { return count; }  // NOLINT(google-explicit-constructor)
};

// Any JSON object; null: absent.
struct Object {
  Json json = {};
  Object() = default;
  Object(Json object) : json(std::move(object)) {}  // NOLINT(google-explicit-constructor)
  operator const Json&() const { return json; }     // NOLINT(google-explicit-constructor)
};
// The text of a JSON object; empty: absent.
struct ObjectText {
  std::string text;
  operator const std::string&() const { return text; }  // NOLINT(google-explicit-constructor)
};

// A struct that RECORD() describes. A struct is described in its own namespace. What its fields by
// themselves do not say, its member check() may: Codec<T>::set() calls it after reading; it throws
// Invalid.
template <class T>
concept Record = requires(const T& record) {
  record_fields(std::type_identity<T>(), record);
};

// The fields of a record, with the values of a new one as defaults.
template <Record T>
const Fields& fields_of() {
  static const Fields kFields = [] {
    const T fresh{};
    return record_fields(std::type_identity<T>(), fresh);
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
  using Described = T;
  static constexpr Kind kKind = K;
  static constexpr int kDepth = 0;
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
struct Codec<NodeId> : Plain<NodeId, Kind::node> {
  static Json get(const NodeId& id) { return static_cast<const std::string&>(id); }
  static void set(NodeId& id, const Json& json) { id = json.get<std::string>(); }
};
template <>
struct Codec<Time> : Plain<Time, Kind::time> {
  static Json get(Time at) { return at == graph::kNever ? Json() : Json(time_text(at)); }
  static void set(Time& at, const Json& json) { at = time_value(json); }
};
template <>
struct Codec<Duration> : Plain<Duration, Kind::duration> {
  static Json get(Duration span) { return span.ms; }
  static void set(Duration& span, const Json& json) { span.ms = duration_value(json); }
};
template <>
struct Codec<Seconds> : Plain<Seconds, Kind::seconds> {
  static Json get(Seconds span) { return span.value; }
  static void set(Seconds& span, const Json& json) { span.value = seconds_value(json); }
};
template <>
struct Codec<Priority> : Plain<Priority, Kind::priority> {
  static Json get(Priority priority) { return priority.value; }
  static void set(Priority& priority, const Json& json) { priority.value = priority_value(json); }
};
template <>
struct Codec<Bytes> : Plain<Bytes, Kind::bytes> {
  static Json get(Bytes size) { return size.count; }
  static void set(Bytes& size, const Json& json) { size.count = json.get<std::uint64_t>(); }
};
template <>
struct Codec<Object> : Plain<Object, Kind::object> {
  static Json get(const Object& object) { return object.json; }
  static void set(Object& object, const Json& json) { object.json = json; }
};
template <>
struct Codec<ObjectText> : Plain<ObjectText, Kind::object> {
  static Json get(const ObjectText& object) {
    return object.text.empty() ? Json() : json_or_discarded(object.text);
  }
  static void set(ObjectText& object, const Json& json) { object.text = json.dump(); }
};
template <Record T>
struct Codec<T> : Plain<T, Kind::record> {
  static Json get(const T& value) { return write_record(fields_of<T>(), &value); }
  static void set(T& value, const Json& json) {
    read_record(fields_of<T>(), json, &value);
    if constexpr (requires { value.check(); }) value.check();
  }
};
template <class T>
struct Codec<std::optional<T>> {
  using Described = std::optional<T>;
  static constexpr Kind kKind = Codec<T>::kKind;
  static constexpr int kDepth = Codec<T>::kDepth;
  static Json get(const std::optional<T>& value) { return value ? Codec<T>::get(*value) : Json(); }
  static void set(std::optional<T>& value, const Json& json) {
    Codec<T>::set(value.emplace(), json);
  }
};
template <class T>
struct Codec<std::vector<T>> {
  using Described = std::vector<T>;
  static constexpr Kind kKind = Codec<T>::kKind;
  static constexpr int kDepth = Codec<T>::kDepth + 1;
  static Json get(const std::vector<T>& value) {
    Json out = Json::array();
    for (const T& item : value) out.push_back(Codec<T>::get(item));
    return out;
  }
  static void set(std::vector<T>& value, const Json& json) {
    value.clear();
    for (const Json& item : json) {
      try {
        Codec<T>::set(value.emplace_back(), item);
      } catch (const Invalid& inner) {
        throw Invalid(inner.path_within("[" + std::to_string(value.size() - 1) + "]"), inner.why);
      }
    }
  }
};

// A member of type T or optional<T>, described as if its type was As.
template <class As, class T>
struct CodecAs : Plain<T, Codec<As>::kKind> {
  using Described = As;
  static Json get(const T& value) { return Codec<As>::get(As{value}); }
  static void set(T& value, const Json& json) {
    As as;
    Codec<As>::set(as, json);
    value = static_cast<T>(as);
  }
};
template <class As, class T>
struct CodecAs<As, std::optional<T>> : Plain<std::optional<T>, Codec<As>::kKind> {
  using Described = As;
  static Json get(const std::optional<T>& value) {
    return value ? CodecAs<As, T>::get(*value) : Json();
  }
  static void set(std::optional<T>& value, const Json& json) {
    CodecAs<As, T>::set(value.emplace(), json);
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

template <class T, class C>
const FieldType& field_type() {
  using Inner = typename RecordOf<typename C::Described>::type;
  constexpr auto kRecord = [] {
    if constexpr (Record<Inner>) {
      return &fields_of<Inner>;
    } else {
      return static_cast<const Fields& (*)()>(nullptr);
    }
  }();
  constexpr auto kElement = [] {
    if constexpr (Record<Inner> && std::is_same_v<T, std::vector<Inner>>) {
      return +[](const void* member, std::size_t index) {
        const T& list = *static_cast<const T*>(member);
        return index < list.size() ? Codec<Inner>::get(list[index]) : Json();
      };
    } else {
      return static_cast<Json (*)(const void*, std::size_t)>(nullptr);
    }
  }();
  static constexpr FieldType kType{
      C::kKind,
      C::kDepth,
      !RecordOf<T>::kOptional,
      kRecord,
      type_name<Inner>(),
      [](const void* member) -> Json { return C::get(*static_cast<const T*>(member)); },
      kElement,
      [](void* member, const Json& json) { C::set(*static_cast<T*>(member), json); }};
  return kType;
}

// --- describing a record -------------------------------------------------------------------------

// The field with the value in a member of `self`, the struct that RECORD() describes.
template <class T>
Field field(std::string_view name, const T& member, std::string_view description,
            Bounds bounds = {}) {
  return Field(name, description, field_type<T, Codec<T>>(), &member, std::move(bounds));
}
template <class As, class T>
Field field_as(std::string_view name, const T& member, std::string_view description,
               Bounds bounds = {}) {
  return Field(name, description, field_type<T, CodecAs<As, T>>(), &member, std::move(bounds));
}

Fields fields_of_part(Fields fields, std::string_view name, const void* member);
// The fields of a member that is a record, part(self.lease), or of the base, part<Order>(self), as
// fields of the record itself.
template <class T>
struct Part {
  Fields fields;
};
template <class T>
Part<T> part(const T& member) {
  return {fields_of_part(fields_of<T>(), type_name<T>(), &member)};
}

// Whether T's first base, or a base of it, is a record.
template <class T>
struct AnyRecordBase;
template <class T>
constexpr bool kHasRecordBase = requires {
  T{AnyRecordBase<T>{}};
};
template <class T>
struct AnyRecordBase {
  template <class Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T> &&
           (Record<Base> || kHasRecordBase<Base>))
  operator Base() const;  // NOLINT(google-explicit-constructor)
};
template <class T, class Of>
constexpr bool kIsBasePart = false;
template <class T, class Of>
constexpr bool kIsBasePart<Part<T>, Of> = std::is_base_of_v<T, Of>;
// Whether the parts of a record include the fields of its base.
template <class T, class... Parts>
concept HasFieldsOfBase = !kHasRecordBase<T> || (kIsBasePart<Parts, T> || ...);

void append(Fields& all, Field&& field);
void append(Fields& all, Fields&& fields);
template <class T>
void append(Fields& all, Part<T>&& part) {
  for (Field& f : part.fields) append(all, std::move(f));
}
// The fields of a record; `fresh` is a new instance of it.
Fields with_defaults(Fields fields, const void* fresh);

template <class T, class... Parts>
Fields joined(const T& fresh, Parts... parts) {
  static_assert(HasFieldsOfBase<T, Parts...>,
                "the fields of the base are missing: name it as part<Base>(self)");
  Fields all;
  (append(all, std::move(parts)), ...);
  return with_defaults(std::move(all), &fresh);
}

// RECORD(Edge, FIELD(source, "Where it goes out from", {.required = true}), …) behind a struct, in
// its namespace. A field has its member's name; field("why", self.reasons, …) has another.
#define RECORD(T, ...)                                                                \
  inline ::hebb::fields::Fields record_fields(std::type_identity<T>, const T& self) { \
    using namespace ::hebb::fields; /* NOLINT(google-build-using-namespace) */        \
    return ::hebb::fields::joined(self __VA_OPT__(, ) __VA_ARGS__);                   \
  }
#define FIELD(member, ...) field(#member, self.member, __VA_ARGS__)
// The same for a member whose kind another type decides: FIELD_AS(Time, at, …).
#define FIELD_AS(T, member, ...) field_as<T>(#member, self.member, __VA_ARGS__)

}  // namespace hebb::fields
