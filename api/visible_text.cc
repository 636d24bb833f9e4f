#include "api/visible_text.h"

#include <cstdint>

#include <fmt/format.h>
#include <utf8proc.h>

#include "text/utf8.h"

namespace hebb {

namespace {

constexpr bool is_variation_selector(std::int32_t c) { return c >= 0xFE00 && c <= 0xFE0F; }

constexpr bool is_noncharacter(std::int32_t c) {
  return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

// Characters that Unicode has not assigned yet, but declares ignorable
// (Default_Ignorable_Code_Point). The library knows properties of assigned characters only.
constexpr bool is_reserved_ignorable(std::int32_t c) {
  return c == 0x2065 || (c >= 0xFFF0 && c <= 0xFFF8) || (c >= 0xE0000 && c <= 0xE0FFF);
}

bool is_hidden(std::int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      break;
  }
  const bool ignorable = utf8proc_get_property(c)->ignorable != 0;
  return (ignorable && !is_variation_selector(c)) || is_reserved_ignorable(c) || is_noncharacter(c);
}

void append_escape(std::string& out, std::int32_t c, Notation notation) {
  const auto u = static_cast<std::uint32_t>(c);
  if (u <= 0xFFFF) {
    out += fmt::format("\\u{:04x}", u);
  } else if (notation == Notation::yaml) {
    out += fmt::format("\\U{:08x}", u);
  } else {
    const std::uint32_t above = u - 0x10000;
    out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
  }
}

constexpr bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

// `lines`: newlines and tabs stay.
std::string visible(std::string_view text, Notation notation, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const char byte = text[i];
    if (is_plain(byte) || (lines && (byte == '\n' || byte == '\t'))) {
      out += byte;
      ++i;
      continue;
    }
    if (byte == '\n' || byte == '\t') {
      out += byte == '\n' ? "\\n" : "\\t";
      ++i;
      continue;
    }
    const auto [c, bytes, is_valid] = first_character(text.substr(i));
    if (!is_valid) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (is_hidden(c)) {
      append_escape(out, c, notation);
    } else {
      out += text.substr(i, bytes);
    }
    i += bytes;
  }
  return out;
}

}  // namespace

std::string visible_text(std::string_view text, Notation notation) {
  return visible(text, notation, true);
}

std::string visible_line(std::string_view text) { return visible(text, Notation::json, false); }

}  // namespace hebb
