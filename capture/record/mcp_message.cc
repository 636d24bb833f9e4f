#include "capture/record/mcp_message.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/ascii.h"

namespace hebb::capture {

using nlohmann::json;

bool too_long(const CapturedValue& id) { return !id.whole() || id.length > kRequestIdBytes; }

std::string request_key(const CapturedValue& id) {
  if (!id.present || too_long(id)) return {};
  const json value = json::parse(id.text, nullptr, false);
  if (value.is_string()) return "s" + value.get<std::string>();
  if (!value.is_number()) return {};
  if (value.is_number_float()) {
    const double number = value.get<double>();
    const auto whole = static_cast<std::int64_t>(std::clamp(number, -9e15, 9e15));
    if (static_cast<double>(whole) == number) return fmt::format("n{}", whole);
    return fmt::format("n{}", number);
  }
  return "n" + value.dump();
}

std::vector<std::string_view> messages_of(std::string_view line) {
  const std::string_view array = trim(line);
  if (array.starts_with('{')) return {array};
  std::vector<std::string_view> elements;
  if (!array.starts_with('[')) return elements;
  bool in_string = false;
  std::size_t depth = 0;
  std::size_t from = 1;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const char c = array[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    const bool closes = c == '}' || c == ']';
    if (closes && depth > 0) --depth;
    if ((c == ',' && depth == 1) || (closes && depth == 0)) {
      const std::size_t first = array.find_first_not_of(kBlanks, from);
      if (first < i && array[first] == '{') elements.push_back(array.substr(first, i - first));
      from = i + 1;
    }
    if (closes && depth == 0) break;
  }
  return elements;
}

}  // namespace hebb::capture
