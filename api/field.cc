#include "api/field.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "text/ascii.h"

namespace hebb::api {

namespace {

// "500MB", "4GiB", "1000"; units are powers of 1024.
std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const char* rest = text.data() + text.size();
  while (end != rest && *end == ' ') ++end;
  const std::string unit = to_lower(std::string(end, rest));
  if (error != std::errc()) return std::nullopt;
  for (int power = 0; power < 5; ++power) {
    const std::string letter(power > 0 ? 1 : 0, " kmgt"[power]);
    if (unit != letter && unit != letter + "b" && (power == 0 || unit != letter + "ib")) continue;
    const std::uint64_t size = std::uint64_t{1} << (10 * power);
    if (number > std::numeric_limits<std::int64_t>::max() / size) return std::nullopt;
    return number * size;
  }
  return std::nullopt;
}

}  // namespace

std::string option_named(std::string_view name) {
  std::string option = "--" + std::string(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string option_name(const Field& field) {
  const std::string_view option = field.bounds.option;
  if (!option.empty()) return std::string(option.substr(0, option.find(',')));
  if (!field.bounds.positional) return option_named(field.name);
  std::string text = field.name;
  std::ranges::transform(text, text.begin(),
                         [](char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; });
  return text;
}

bool is_assigned(const Field& field) {
  return field.kind == Kind::object && !field.list && field.bounds.positional;
}

Json from_text(const Field& field, const std::string& text) {
  switch (field.kind) {
    case Kind::bytes:
      if (const auto bytes = parse_bytes(text)) return *bytes;
      [[fallthrough]];
    case Kind::integer:
    case Kind::priority:
    case Kind::seconds:
    case Kind::number: {
      const Json json = Json::parse(text, nullptr, false);
      return json.is_number() ? json : Json(text);  // wrong_with() reports one that is still a text
    }
    case Kind::boolean:
      if (text == "true" || text == "1") return true;
      if (text == "false" || text == "0") return false;
      return text;
    case Kind::any: {  // a whole number, or else a text
      constexpr std::size_t kDigits = 18;
      const bool digits = !text.empty() && text.size() <= kDigits &&
                          text.find_first_not_of("0123456789") == std::string::npos;
      return digits ? Json(std::stoll(text)) : Json(text);
    }
    case Kind::object:
    case Kind::record:
      return parse_json(text, field.name);
    case Kind::text:
    case Kind::node:
    case Kind::time:
    case Kind::duration:
      return text;
  }
  return text;
}

}  // namespace hebb::api
