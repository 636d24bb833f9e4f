#include "engine/values/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/values/canonical_json.h"
#include "engine/values/checks.h"
#include "engine/values/times.h"

namespace hebb::input {

namespace {

constexpr std::size_t kFirstCapacity = 16 << 10;

std::string_view type_name(Element value) {
  return value.is_array()    ? "an array"
         : value.is_object() ? "an object"
         : value.is_string() ? "a string"
         : value.is_bool()   ? "a boolean"
         : value.is_null()   ? "null"
                             : "a number";
}

[[noreturn]] void refuse_type(Element value, std::string_view path, std::string_view wanted) {
  refuse(refusal::kWrongType, fmt::format("{}: must be {}, is {}", path, wanted, type_name(value)));
}

template <class T>
T as(Element value, std::string_view path, std::string_view wanted) {
  T out{};
  if (value.get(out) != simdjson::SUCCESS) refuse_type(value, path, wanted);
  return out;
}

[[noreturn]] void refuse_depth() {
  refuse(refusal::kTooDeep,
         fmt::format("objects and arrays may be nested {} deep", Limits::kDepth));
}

// simdjson says that a text is wrong, but not where or why. The slow parser does.
[[noreturn]] void diagnose(std::string_view text, simdjson::error_code error) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    refuse(refusal::kNotUtf8, "the text is not valid UTF-8");
  }
  if (error == simdjson::DEPTH_ERROR) refuse_depth();
  try {
    const auto ignored = nlohmann::json::parse(text);
  } catch (const nlohmann::json::out_of_range&) {
    refuse(refusal::kNotFinite, "a number is too large; a double reaches to 1.8e308");
  } catch (const nlohmann::json::exception& e) {
    const std::string_view what = e.what();  // "[json.exception.…] parse error at …"
    const auto start = what.find("] ");
    std::string why(start == std::string_view::npos ? what : what.substr(start + 2));
    constexpr std::string_view kLine = "line 1, ";  // of a text that may itself be a later line
    if (const auto at = why.find(kLine); at != why.npos && text.find('\n') == text.npos)
      why.erase(at, kLine.size());
    refuse(refusal::kNotJson, std::move(why));
  }
  if (error == simdjson::NUMBER_ERROR) {
    refuse(refusal::kOutOfRange,
           "an integer has more than 64 bits; write it as a string or with an exponent");
  }
  refuse(refusal::kNotJson, simdjson::error_message(error));
}

}  // namespace

void refuse(std::string_view reason, std::string detail) {
  throw ItemRefused{{std::string(reason), std::move(detail)}};
}

JsonReader::JsonReader(std::size_t depth) : depth_(depth) {
  // simdjson counts the document itself, but not an innermost empty object or array; canonical()
  // checks the depth exactly.
  if (parser_.allocate(kFirstCapacity, depth + 1) != simdjson::SUCCESS) throw std::bad_alloc();
}

Element JsonReader::parse(std::string_view text) {
  if (padded_.size() < text.size() + simdjson::SIMDJSON_PADDING) {
    padded_.resize(text.size() + simdjson::SIMDJSON_PADDING);
  }
  if (!text.empty()) std::memcpy(padded_.data(), text.data(), text.size());
  text_size_ = text.size();
  Element root;
  const auto error = parser_.parse(padded_.data(), text.size(), false).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) diagnose(text, error);
  return root;
}

Object JsonReader::parse_object(std::string_view text) {
  return as_object(parse(text), "the item");
}

// --- canonical text ------------------------------------------------------------------------------

std::string JsonReader::canonical(Object value) {
  std::string out;
  out.reserve(text_size_);
  fields_.clear();
  path_.clear();
  append_object(out, value);
  return out;
}

void JsonReader::append(std::string& out, Element value) {
  const auto append_integer = [&out](auto number) {
    std::array<char, 24> buffer;
    out.append(buffer.begin(), std::to_chars(buffer.begin(), buffer.end(), number).ptr);
  };
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
      return append_array(out, value.get_array().value_unsafe());
    case simdjson::dom::element_type::OBJECT:
      return append_object(out, value.get_object().value_unsafe());
    case simdjson::dom::element_type::INT64:
      return append_integer(value.get_int64().value_unsafe());
    case simdjson::dom::element_type::UINT64:
      return append_integer(value.get_uint64().value_unsafe());
    case simdjson::dom::element_type::DOUBLE:
      return append_json_number(out, value.get_double().value_unsafe());
    case simdjson::dom::element_type::STRING:
      return append_json_string(out, value.get_string().value_unsafe());
    case simdjson::dom::element_type::BOOL:
      out += value.get_bool().value_unsafe() ? "true" : "false";
      return;
    case simdjson::dom::element_type::NULL_VALUE:
      out += "null";
      return;
  }
}

void JsonReader::check_depth() const {
  if (path_.size() >= depth_) refuse_depth();
}

void JsonReader::append_object(std::string& out, Object object) {
  check_depth();
  // All levels share one stack. It is used by index, because deeper levels may reallocate it.
  const std::size_t begin = fields_.size();
  for (const auto field : object) fields_.emplace_back(field.key, field.value);
  const std::size_t end = fields_.size();
  const auto first = fields_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto by_key = [](const Field& a, const Field& b) { return a.first < b.first; };
  std::sort(first, fields_.end(), by_key);
  const auto same_key = [](const Field& a, const Field& b) { return a.first == b.first; };
  if (const auto twice = std::adjacent_find(first, fields_.end(), same_key);
      twice != fields_.end()) {
    refuse(refusal::kDuplicateKey,
           fmt::format("{}: has the key \"{}\" twice",
                       path_.empty() ? "the item" : fmt::format("{}", fmt::join(path_, ".")),
                       twice->first));
  }
  out += '{';
  for (std::size_t i = begin; i < end; ++i) {
    const auto [key, value] = fields_[i];
    if (i != begin) out += ',';
    append_json_string(out, key);
    out += ':';
    path_.push_back(key);
    append(out, value);
    path_.pop_back();
  }
  out += '}';
  fields_.resize(begin);
}

void JsonReader::append_array(std::string& out, Array array) {
  check_depth();
  path_.emplace_back("[]");
  out += '[';
  bool first = true;
  for (const Element value : array) {
    if (!first) out += ',';
    first = false;
    append(out, value);
  }
  out += ']';
  path_.pop_back();
}

// --- fields --------------------------------------------------------------------------------------

std::optional<Element> find(Object object, std::string_view name) {
  Element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

Element need(Object object, std::string_view name, std::string_view path) {
  if (const auto value = find(object, name)) return *value;
  refuse(refusal::kMissingField, fmt::format("{}: is required", path.empty() ? name : path));
}

void check_id(std::string_view id, std::string_view path) { throw_if(check_name(id, path)); }

std::string text_in(Object object, std::string_view name) {
  const auto value = find(object, name);
  return value && value->is_string() ? std::string(value->get_string().value()) : std::string();
}

std::string_view as_text(Element value, std::string_view path) {
  return as<std::string_view>(value, path, "a string");
}

std::string_view as_name(Element value, std::string_view path) {
  const std::string_view text = as_text(value, path);
  check_id(text, path);
  return text;
}

double as_number(Element value, std::string_view path) {
  return as<double>(value, path, "a number");
}

std::int64_t as_integer(Element value, std::string_view path) {
  return as<std::int64_t>(value, path, "a whole number");
}

int as_priority(Element value, std::string_view path) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) {
    const std::int64_t number = as_integer(value, path);
    throw_if(check_priority(number, path));
    return static_cast<int>(number);
  }
  if (const auto priority = parse_priority(text)) return *priority;
  refuse(refusal::kOutOfRange,
         fmt::format("{}: is \"{}\"; allowed are {}", path, text, priorities_taken()));
}

bool as_boolean(Element value, std::string_view path) {
  return as<bool>(value, path, "true or false");
}

Object as_object(Element value, std::string_view path) {
  return as<Object>(value, path, "an object");
}

Array as_array(Element value, std::string_view path) { return as<Array>(value, path, "an array"); }

TimeMs as_time(Element value, std::string_view path) {
  ReadTime time;
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) {
    time = time_of_rfc3339(text);
  } else if (double ms = 0; value.get(ms) == simdjson::SUCCESS) {
    time = time_of_number(ms, simdjson::minify(value));
  } else {
    refuse_type(value, path, "a time");
  }
  if (const auto* why = std::get_if<std::string>(&time)) {
    refuse(refusal::kBadTime, fmt::format("{}: {}", path, *why));
  }
  return std::get<TimeMs>(time);
}

std::vector<float> as_vector(Element value, std::string_view path) {
  const Array array = as_array(value, path);
  std::vector<float> vector;
  for (const Element number : array) {
    if (vector.size() > Limits::kVectorDimension) break;  // refused below
    double wide = 0;
    if (number.get(wide) != simdjson::SUCCESS)
      refuse_type(number, fmt::format("{}[{}]", path, vector.size()), "a number");
    vector.push_back(static_cast<float>(wide));
  }
  throw_if(check_vector(vector, path));
  return vector;
}

std::string as_properties(JsonReader& reader, Element value, std::string_view path) {
  std::string text = reader.canonical(as_object(value, path));
  throw_if(check_size(text, path));
  return text;
}

}  // namespace hebb::input
