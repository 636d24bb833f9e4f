#include "skill/artifact/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/did_you_mean.h"
#include "skill/artifact/stored.h"
#include "text/utf8.h"

namespace hebb::skill {
namespace {

constexpr std::size_t kMostKeys = 1000;  // of an object

}  // namespace

void invalid(std::string_view path, std::string_view what) {
  throw Invalid(path.empty() ? std::string(what) : fmt::format("{}: {}", path, what));
}

Json parse_json(std::string_view text, std::string_view what, std::size_t limit) {
  if (text.size() > limit) {
    invalid(what, fmt::format("is {} bytes long; at most {} are taken", text.size(), limit));
  }
  auto read = read_json(text, kMostKeys);
  if (auto* value = std::get_if<Json>(&read)) return std::move(*value);
  const auto& [reason, why] = std::get<Refusal>(read);
  invalid(what, reason == refusal::kNotJson ? "is no JSON: " + why : why);
}

std::string dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void refuse_nulls(const Json& json, const std::string& path) {
  if (json.is_null()) throw fields::Invalid(path, "is null; leave it out, or give a value");
  if (!json.is_structured()) return;
  for (const auto& [name, value] : json.items()) {
    if (value.is_object() && (name == "args" || name == "extra")) continue;
    refuse_nulls(value, json.is_array() ? fmt::format("{}[{}]", path, name)
                        : path.empty()  ? name
                                        : fmt::format("{}.{}", path, name));
  }
}

Json member(const Json& object, const char* key) {
  return object.is_object() ? object.value(key, Json()) : Json();
}

std::string text_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_true(const Json& object, const char* key) { return member(object, key) == true; }

double number_member(const Json& object, const char* key, double otherwise) {
  const Json value = member(object, key);
  return value.is_number() ? value.get<double>() : otherwise;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string first_line(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find('\n'));
  std::size_t end = std::min(text.size(), kLongest);
  // Does not cut within a character.
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

Fields::Fields(const Json& value, std::string path) : value_(value), path_(std::move(path)) {
  if (!value.is_object()) invalid(path_, fmt::format("is {}; must be an object", dump(value)));
}

std::string Fields::at(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Json* Fields::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const auto found = value_.find(std::string(key));
  return found == value_.end() ? nullptr : &*found;
}

const Json& Fields::need(std::string_view key) {
  const Json* found = find(key);
  if (found == nullptr) invalid(at(key), "is missing");
  return *found;
}

std::optional<std::string> Fields::text(std::string_view key, std::size_t limit) {
  const Json* found = find(key);
  if (found == nullptr) return std::nullopt;
  if (!found->is_string()) invalid(at(key), fmt::format("is {}; must be a string", dump(*found)));
  auto text = found->get<std::string>();
  if (text.size() > limit) {
    invalid(at(key), fmt::format("is {} bytes long; at most {} are taken", text.size(), limit));
  }
  return text;
}

std::string Fields::need_text(std::string_view key, std::size_t limit) {
  auto found = text(key, limit);
  if (!found) invalid(at(key), "is missing");
  if (found->empty()) invalid(at(key), "is empty");
  return *std::move(found);
}

void Fields::done() const {
  for (const auto& [key, value] : value_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    invalid(at(key), "is not known here" + did_you_mean_text(key, known_));
  }
}

}  // namespace hebb::skill
