#include "engine/fields/field.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "engine/values/checks.h"
#include "engine/values/did_you_mean.h"
#include "engine/values/limits.h"
#include "text/utf8.h"

namespace hebb::fields {

namespace {

constexpr double kLongestMs = 4e15;
constexpr const char* kNoObject = "has to be a JSON object";
constexpr double kWholeMax = 9e15;  // below it every whole number is exact in a double

ReadTime time_of(const Json& json) {
  return json.is_string() ? read_time(json.get<std::string>())
                          : time_of_number(json.get<double>(), json.dump());
}

std::string quoted(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// `value`: the number that the JSON means.
std::string wrong_range(const Field& field, const Json& json, double value) {
  const auto& b = field.bounds;
  const std::string_view unit = field.kind == Kind::duration  ? " ms"
                                : field.kind == Kind::seconds ? " s"
                                                              : "";
  if (b.min && b.max && (value < *b.min || value > *b.max))
    return fmt::format("is {} and has to be from {} to {}{}", quoted(json), *b.min, *b.max, unit);
  if (b.min && value < *b.min)
    return fmt::format("is {} and has to be at least {}{}", quoted(json), *b.min, unit);
  if (b.max && value > *b.max)
    return fmt::format("is {} and has to be at most {}{}", quoted(json), *b.max, unit);
  return {};
}

std::string wrong_text(const Field& field, const Json& json) {
  if (!json.is_string()) return "has to be a text";
  const auto& text = json.get_ref<const std::string&>();
  const auto length =
      static_cast<double>(std::ranges::count_if(text, std::not_fn(is_continuation)));
  if (length < field.bounds.min.value_or(0)) return "is empty";
  if (field.bounds.max && length > *field.bounds.max)
    return fmt::format("has {} characters; at most {} are taken", length, *field.bounds.max);
  const auto& choices = field.bounds.choices;
  const auto it = std::find(choices.begin(), choices.end(), json.get<std::string>());
  if (choices.empty() || it != choices.end()) return {};
  return fmt::format("is {} and has to be one of {}{}", quoted(json), fmt::join(choices, ", "),
                     did_you_mean_text(json.get_ref<const std::string&>(), choices));
}

std::string wrong_integer(const Field& field, const Json& json) {
  const bool whole = json.is_number_integer() ||
                     (json.is_number_float() && std::abs(json.get<double>()) < kWholeMax &&
                      json.get<double>() == std::floor(json.get<double>()));
  if (!whole) {
    const Bounds& b = field.bounds;
    return b.min && b.max ? fmt::format("has to be a whole number from {} to {}", *b.min, *b.max)
                          : "has to be a whole number";
  }
  const auto why = wrong_range(field, json, json.get<double>());
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!why.empty() || !json.is_number_unsigned() || json.get<std::uint64_t>() <= kMost) return why;
  return fmt::format("is {} and has to be at most {}", quoted(json), kMost);
}

std::string wrong_time(const Json& json) {
  if (!json.is_string() && !json.is_number())
    return "has to be a time: RFC 3339, or milliseconds since 1970";
  const ReadTime time = time_of(json);
  const auto* why = std::get_if<std::string>(&time);
  return why ? fmt::format("is {}, which is no time: {}", quoted(json), *why) : std::string();
}

// Why the JSON is no valid duration, or number of seconds; empty: it is valid.
std::string wrong_span(const Field& field, const Json& json) {
  const bool number =
      json.is_number() && json.get<double>() >= 0 && json.get<double>() <= kLongestMs;
  if (number || (json.is_string() && parse_duration(json.get<std::string>())))
    return wrong_range(field, json,
                       field.kind == Kind::seconds ? seconds_value(json)
                                                   : static_cast<double>(duration_value(json)));
  return fmt::format("is {}, which is {}", quoted(json), kNoSpan);
}

std::string wrong_priority(const Json& json) {
  const bool number = json.is_number() && json.get<double>() >= 0 &&
                      json.get<double>() <= kLastPriority &&
                      json.get<double>() == std::floor(json.get<double>());
  if (number || (json.is_string() && parse_priority(json.get<std::string>()))) return {};
  return fmt::format("is {} and has to be one of {}", quoted(json), priorities_taken());
}

std::string wrong_value(const Field& field, const Json& json) {
  switch (field.kind) {
    case Kind::text:
    case Kind::node:
      return wrong_text(field, json);
    case Kind::bytes:
      if (json.is_string())
        return fmt::format("is {} and has to be a size, such as 500MB or 4GiB", quoted(json));
      return wrong_integer(field, json);
    case Kind::integer:
      return wrong_integer(field, json);
    case Kind::priority:
      return wrong_priority(json);
    case Kind::number:
      return json.is_number() && std::isfinite(json.get<double>())
                 ? wrong_range(field, json, json.get<double>())
                 : "has to be a number";
    case Kind::boolean:
      return json.is_boolean() ? "" : "has to be true or false";
    case Kind::time:
      return wrong_time(json);
    case Kind::duration:
    case Kind::seconds:
      return wrong_span(field, json);
    case Kind::object:
      return json.is_object() ? "" : kNoObject;
    case Kind::record:
    case Kind::any:
      return {};
  }
  return {};
}

}  // namespace

Field::Field(std::string_view named, std::string_view described, const FieldType& of_type,
             const void* member, Bounds bound)
    : name(named),
      description(described),
      kind(of_type.kind),
      list(of_type.depth > 0),
      always(of_type.always && !bound.may_be_absent),
      bounds(std::move(bound)),
      record(of_type.record),
      type(&of_type),
      place_(reinterpret_cast<std::uintptr_t>(member)) {}

// Defined here, so that these templates are compiled once.
Field::Field(const Field&) = default;
Field::Field(Field&&) noexcept = default;
Field& Field::operator=(const Field&) = default;
Field& Field::operator=(Field&&) noexcept = default;
Field::~Field() = default;

void Field::set(void* struct_with_it, const Json& json) const {
  type->set(static_cast<std::byte*>(struct_with_it) + place_, json);
}

Json Field::get(const void* struct_with_it, std::optional<std::size_t> element) const {
  const void* member = static_cast<const std::byte*>(struct_with_it) + place_;
  if (element) return type->element(member, *element);
  Json value = type->get(member);
  if (!bounds.may_be_absent) return value;
  const bool nothing = value.is_string() ? value.get_ref<const std::string&>().empty()
                       : value.is_array()
                           ? value.empty()
                           : value == 0 || (value == default_value && !value.is_object());
  return nothing ? Json() : value;
}

Fields fields_of_part(Fields fields, std::string_view part, const void* member) {
  for (Field& f : fields) {
    if (f.part_of.empty()) f.part_of = part;
    f.move(reinterpret_cast<std::uintptr_t>(member));
  }
  return fields;
}

void append(Fields& all, Field&& field) { all.push_back(std::move(field)); }

void append(Fields& all, Fields&& fields) { std::ranges::move(fields, std::back_inserter(all)); }

Fields with_defaults(Fields fields, const void* fresh) {
  for (Field& f : fields) {
    f.move(-reinterpret_cast<std::uintptr_t>(fresh));
    Json& value = f.default_value;
    value = nullptr;  // get() leaves it out
    if (!f.bounds.required) value = f.get(fresh);
    const bool is_empty = (value.is_array() && value.empty()) ||
                          (value.is_string() && value.get_ref<const std::string&>().empty());
    if (is_empty) value = nullptr;
  }
  return fields;
}

namespace {

constexpr std::pair<std::string_view, TimeMs> kUnits[] = {{"ms", 1},         {"w", 604'800'000},
                                                          {"d", 86'400'000}, {"h", 3'600'000},
                                                          {"m", 60'000},     {"s", 1'000}};

}  // namespace

std::string duration_text(TimeMs ms) {
  std::string text;
  for (const std::string_view name : {"d", "h", "m", "s", "ms"}) {
    const TimeMs unit =
        std::ranges::find(kUnits, name, [](const auto& u) { return u.first; })->second;
    if (ms >= unit) text += fmt::format("{}{}", ms / unit, name);
    ms %= unit;
  }
  return text.empty() ? "0s" : text;
}

std::optional<TimeMs> parse_duration(const std::string& text) {
  double sum = 0;
  const char* at = text.c_str();
  do {  // a number and its unit
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    const auto unit = std::ranges::find_if(
        kUnits, [&](const auto& u) { return std::string_view(end).starts_with(u.first); });
    if (end == at || unit == std::end(kUnits) || !(number >= 0)) return std::nullopt;
    sum += number * static_cast<double>(unit->second);
    at = end + unit->first.size();
  } while (at != text.c_str() + text.size());
  if (!(sum <= kLongestMs)) return std::nullopt;
  return static_cast<TimeMs>(sum);
}

namespace {

// `depth`: of lists in lists.
std::string wrong_in(const Field& field, const Json& json, int depth) {
  if (depth == 0) return wrong_value(field, json);
  if (!json.is_array()) return "has to be a list";
  std::size_t i = 0;
  for (const Json& item : json) {
    ++i;
    if (auto why = wrong_in(field, item, depth - 1); !why.empty())
      return fmt::format("has a value, number {}, that {}", i, why);
  }
  return {};
}

}  // namespace

std::string wrong_with(const Field& field, const Json& json) {
  const auto& b = field.bounds;
  if (field.list && json.is_array() && json.size() < b.least) return "is empty";
  if (field.list && json.is_array() && json.size() > b.most)
    return fmt::format("has {} values; at most {} are taken", json.size(), b.most);
  return wrong_in(field, json, field.type->depth);
}

Invalid::Invalid(std::string where, const std::string& reason)
    : std::runtime_error(where.empty() ? reason : where + ": " + reason),
      path(std::move(where)),
      why(reason) {}

std::string Invalid::path_within(const std::string& outer) const {
  return outer + (outer.empty() || path.empty() || path.starts_with('[') ? "" : ".") + path;
}

const Field* find_field(const Fields& fields, std::string_view name) {
  const auto it = std::ranges::find(fields, name, &Field::name);
  return it == fields.end() ? nullptr : &*it;
}

namespace {

// Whether a record whose first field has that value has this field.
bool applies(const Field& field, const Json& first) {
  const auto& only = field.bounds.only;
  return only.empty() ||
         std::ranges::any_of(only, [&](const std::string& one) { return first == one; });
}

// Whether its first field decides which others a record has.
bool has_variants(const Fields& fields) {
  return std::ranges::any_of(fields, [](const Field& f) { return !f.bounds.only.empty(); });
}

Json deciding_value(const Fields& fields, const void* record) {
  return has_variants(fields) ? fields.front().get(record) : Json();
}

void read_field(const Field& field, const Json& json, void* record) {
  if (json.is_null()) return;  // absent
  if (const auto why = wrong_with(field, json); !why.empty()) throw Invalid(field.name, why);
  try {
    field.set(record, json);
  } catch (const Invalid& inner) {
    throw Invalid(inner.path_within(field.name), inner.why);
  }
}

void read_fields(const Fields& fields, const Json& json, void* record) {
  for (const auto& [name, value] : json.items()) {
    if (const Field* f = find_field(fields, name)) {
      read_field(*f, value, record);
      continue;
    }
    std::vector<std::string> names;
    for (const Field& known : fields) names.push_back(known.name);
    throw Invalid(name, fmt::format("is no field; there are {}{}", fmt::join(names, ", "),
                                    did_you_mean_text(name, names)));
  }
  for (const Field& f : fields) {
    const auto it = json.find(f.name);
    if (f.bounds.required && (it == json.end() || it->is_null()))
      throw Invalid(f.name, "is missing");
  }
}

}  // namespace

Fields fields_where(const Fields& fields, const Json& first) {
  Fields those;
  for (const Field& f : fields) {
    if (applies(f, first) && !find_field(those, f.name)) those.push_back(f);
  }
  return those;
}

void read_record(const Fields& fields, const Json& json, void* record) {
  if (!json.is_object()) throw Invalid("", kNoObject);
  if (!has_variants(fields)) return read_fields(fields, json, record);
  const Field& first = fields.front();
  const Json value = json.value(first.name, Json());
  if (value.is_null()) throw Invalid(first.name, "is missing");
  read_field(first, value, record);
  read_fields(fields_where(fields, value), json, record);
}

Json write_record(const Fields& fields, const void* record, const Field* left_out) {
  Json out = Json::object();
  const Json first = deciding_value(fields, record);
  for (const Field& f : fields) {
    if (&f == left_out || !applies(f, first)) continue;
    Json value = f.get(record);
    if (!value.is_null() || f.kind == Kind::any) out[f.name] = std::move(value);
  }
  return out;
}

const Field* first_list(const Fields& fields, const void* record) {
  const Json first = deciding_value(fields, record);
  const auto it = std::ranges::find_if(
      fields, [&](const Field& f) { return f.type->element && applies(f, first); });
  return it == fields.end() ? nullptr : &*it;
}

std::string time_text(TimeMs ms) {
  const TimeMs part = ((ms % 1000) + 1000) % 1000;
  std::string text = format_rfc3339(ms - part);
  text.pop_back();  // the Z
  return fmt::format("{}.{:03}Z", text, part);
}

TimeMs time_value(const Json& json) {
  // A result may have any time, such as that of the node frontier.
  if (json.is_string()) {
    if (const auto time = parse_rfc3339(json.get_ref<const std::string&>())) return *time;
  }
  return std::get<TimeMs>(time_of(json));
}

int priority_value(const Json& json) {
  return json.is_string() ? *parse_priority(json.get<std::string>())
                          : static_cast<int>(json.get<double>());
}

double seconds_value(const Json& json) {
  constexpr double kSecond = 1000;  // ms
  return json.is_string() ? static_cast<double>(*parse_duration(json.get<std::string>())) / kSecond
                          : json.get<double>();
}

TimeMs duration_value(const Json& json) {
  return json.is_string() ? *parse_duration(json.get<std::string>())
                          : static_cast<TimeMs>(json.get<double>());
}

}  // namespace hebb::fields
