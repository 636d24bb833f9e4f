#include "secrets/json_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "secrets/mask.h"
#include "text/utf8.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kUnicodeEscape = 6;  // bytes of \u00e9

// The number in the \uXXXX at `i`, if one stands there.
std::optional<std::int32_t> code_unit(std::string_view text, std::size_t i) {
  if (i + kUnicodeEscape > text.size() || text[i] != '\\' || text[i + 1] != 'u') return {};
  std::uint16_t unit = 0;
  const char* const end = text.data() + i + kUnicodeEscape;
  if (std::from_chars(text.data() + i + 2, end, unit, 16).ptr != end) return {};
  return unit;
}

// Adds the character of the \uXXXX at `i`, or of two that are a pair; returns the position after.
// Half a pair, as servers send that cut a text, becomes U+FFFD.
std::size_t append_character(std::string& out, std::string_view text, std::size_t i) {
  std::int32_t code = code_unit(text, i).value_or(0);
  i += kUnicodeEscape;
  if (code >= 0xD800 && code <= 0xDFFF) {
    const std::int32_t low = code < 0xDC00 ? code_unit(text, i).value_or(0) : 0;
    const bool pair = low >= 0xDC00 && low <= 0xDFFF;
    code = pair ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
    if (pair) i += kUnicodeEscape;
  }
  out += utf8_of(code);
  return i;
}

// The text without the escapes of JSON. An escape cut at the end is dropped; invalid ones stay.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kEscapes = "nrtbf\"\\/", kMeant = "\n\r\t\b\f\"\\/";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t escape_at = std::min(text.find('\\', i), text.size());
    out += text.substr(i, escape_at - i);
    i = escape_at;
    if (i == text.size()) break;
    if (code_unit(text, i)) {
      i = append_character(out, text, i);
      continue;
    }
    const bool unicode = i + 1 < text.size() && text[i + 1] == 'u';
    if (i + (unicode ? kUnicodeEscape : 2) > text.size()) break;
    const std::size_t escape = kEscapes.find(text[i + 1]);
    if (escape == std::string_view::npos) {
      out += text.substr(i, 2);
    } else {
      out += kMeant[escape];
    }
    i += 2;
  }
  return out;
}

bool is_number_of_json(std::string_view text) {
  return text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

// Whether a value follows `before`: after "name": in an object, after [ or a comma in a list.
bool begins_value(std::string_view before) {
  const auto last = [&] { return before.empty() ? '\0' : before.back(); };
  const auto skip = [&] { before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1); };
  skip();
  if (last() == ':') {
    before.remove_suffix(1);
    skip();
    return last() == '"';
  }
  const std::size_t open = before.rfind('['), close = before.rfind(']');
  const bool in_list = open < before.size() && (close == std::string_view::npos || close < open);
  return in_list && (last() == '[' || last() == ',');
}

}  // namespace

std::string mask_for(std::string_view text, std::size_t from, std::size_t to) {
  constexpr std::size_t kNear = 256;
  const std::string_view before = text.substr(0, from).substr(from - std::min(from, kNear));
  const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", to), text.size());
  const bool ends = next < text.size() && std::string_view(",]}").find(text[next]) < 3;
  const bool is_value =
      ends && is_number_of_json(text.substr(from, to - from)) && begins_value(before);
  if (!is_value) return std::string(kMasked);
  // A quote in the text's own form: escaped in JSON within a string.
  const std::size_t quote = before.rfind('"');
  if (quote == std::string_view::npos) return std::string(kMaskedString);
  const std::size_t escape = before.substr(0, quote).find_last_not_of('\\') + 1;
  const std::string_view sign = before.substr(escape, quote + 1 - escape);
  return std::string(sign) + std::string(kMasked) + std::string(sign);
}

std::size_t skip_space(std::string_view text, std::size_t i) {
  while (i < text.size() &&
         (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
    ++i;
  return i;
}

std::size_t skip_string(std::string_view text, std::size_t i) {
  for (++i; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t skip_value(std::string_view text, std::size_t i) {
  if (i >= text.size()) return i;
  if (text[i] == '"') return skip_string(text, i);
  if (text[i] != '{' && text[i] != '[') {
    return std::min(text.find_first_of(",}] \t\r\n", i), text.size());
  }
  std::size_t depth = 0;
  while (i < text.size()) {
    if (text[i] == '"') {
      i = skip_string(text, i);
      continue;
    }
    if (text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == '}' || text[i] == ']') && --depth == 0) return i + 1;
    ++i;
  }
  return i;
}

bool is_closed_string(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.back() != '"') return false;
  const std::size_t last = quoted.find_last_not_of('\\', quoted.size() - 2);
  return (quoted.size() - 2 - last) % 2 == 0;
}

std::optional<std::string> decode(std::string_view quoted) {
  if (!quoted.starts_with('"') || !is_closed_string(quoted)) return std::nullopt;
  return unescaped(quoted.substr(1, quoted.size() - 2));
}

std::string quote(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool holds_json(std::string_view text) {
  const std::size_t first = skip_space(text, 0);
  return first < text.size() && (text[first] == '{' || text[first] == '[');
}

std::string with_content(std::string_view quoted,
                         const std::function<std::string(std::string_view)>& change) {
  const bool closed = is_closed_string(quoted);
  const std::string content = unescaped(quoted.substr(1, quoted.size() - (closed ? 2 : 1)));
  const std::string changed = change(content);
  if (changed == content) return std::string(quoted);
  std::string again = quote(changed);
  if (!closed) again.pop_back();
  return again;
}

}  // namespace hebb::secrets
