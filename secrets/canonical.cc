#include "secrets/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kEscapeBytes = 32;  // longer sequences are no escapes
constexpr std::uint32_t kLastCode = 0x10FFFF, kFirstLatin = 0xA0;

// HTML's names of the characters from U+00A0 to U+00FF.
constexpr auto kLatin = std::to_array<std::string_view>(
    {"nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
     "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
     "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
     "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
     "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
     "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
     "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
     "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
     "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
     "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
     "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"});

constexpr auto kNamed = std::to_array<std::pair<std::string_view, std::uint32_t>>(
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"euro", 0x20AC}});

constexpr Characters kSigns = characters("\\%&'\"+"), kSpecial = characters("\\%&'\"+\n\r\t\b\f");

bool is_sign(char c) { return kSigns[static_cast<unsigned char>(c)]; }
bool is_special(char c) { return kSpecial[static_cast<unsigned char>(c)]; }

// The character of an escape that begins with \, % or &.
struct Escape {
  std::uint32_t length = 0;  // of the escape after its sign; 0: none
  std::uint32_t code = 0;
  bool byte = false;  // the code is a byte of UTF-8, or a character of Latin-1
};

// An escape whose number stands from `skip` to `length`, with `after` more bytes behind it.
Escape number(std::string_view text, std::size_t skip, std::size_t length, std::size_t after,
              int base, bool byte = false) {
  if (text.size() < length + after || length <= skip) return {};
  std::uint32_t code = 0;
  const char* const end = text.data() + length;
  const auto read = std::from_chars(text.data() + skip, end, code, base);
  if (read.ptr != end || read.ec != std::errc() || code > kLastCode) return {};
  return {static_cast<std::uint32_t>(length + after), code, byte};
}

Escape after_backslash(std::string_view text) {
  if (text.empty()) return {};
  switch (text[0]) {
    case 'u':
      if (text.starts_with("u{")) {
        const std::size_t end = text.substr(0, kEscapeBytes).find('}');
        return end == std::string_view::npos ? Escape{} : number(text, 2, end, 1, 16);
      }
      return number(text, 1, 5, 0, 16);
    case 'U':
      return number(text, 1, 9, 0, 16);
    case 'x':
      return number(text, 1, 3, 0, 16, true);
    case '0':
    case '1':
    case '2':
    case '3':
      return number(text, 0, 3, 0, 8, true);
    default:
      return {};
  }
}

Escape after_ampersand(std::string_view text) {
  const std::size_t end = text.substr(0, kEscapeBytes).find(';');
  if (end == std::string_view::npos) return {};
  if (text.starts_with("#x") || text.starts_with("#X")) return number(text, 2, end, 1, 16);
  if (text.starts_with('#')) return number(text, 1, end, 1, 10);
  const std::string_view name = text.substr(0, end);
  const auto length = static_cast<std::uint32_t>(end + 1);
  for (const auto& [known, code] : kNamed) {
    if (name == known) return {length, code};
  }
  const auto latin = std::find(kLatin.begin(), kLatin.end(), name);
  if (latin == kLatin.end()) return {};
  return {length, kFirstLatin + static_cast<std::uint32_t>(latin - kLatin.begin())};
}

Escape escape(char sign, std::string_view after) {
  switch (sign) {
    case '\\':
      return after_backslash(after);
    case '%':
      return number(after, 0, 2, 0, 16, true);
    case '&':
      return after_ampersand(after);
    default:
      return {};
  }
}

// Whether further text could complete an escape at a sign near the end.
bool may_go_on(char sign, std::string_view after) {
  if (sign != '\\' && sign != '%' && sign != '&') return false;
  return after.size() < kEscapeBytes && after.find_first_not_of(
                                            "#{0123456789abcdefghijklmnopqrstuvwxyz"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

}  // namespace

Canonical::Canonical(std::string_view source, bool cut)
    : buffer_(source.size(), '\0'), at_(source.size()) {
  for (std::size_t end = source.size(); end > 0;) {
    const auto rest = source.substr(0, end);
    const auto special = std::find_if(rest.rbegin(), rest.rend(), is_special);
    const auto begin = static_cast<std::size_t>(rest.rend() - special);
    if (begin < end) {
      put(source[end - 1], end - 1);
      at_ -= end - 1 - begin;
      source.copy(buffer_.data() + at_, end - 1 - begin, begin);
    }
    end = begin == 0 ? 0 : begin - 1;
    if (begin > 0) sign(source[end], end, cut);
  }
}

std::size_t Canonical::place(std::size_t at) const {
  at += at_;
  if (at == buffer_.size()) return at;
  const auto after = std::partition_point(runs_.begin(), runs_.end(),
                                          [&](const Run& run) { return run.end > at; });
  return at - std::prev(after)->ahead;
}

void Canonical::put(char c, std::size_t from) {
  const std::size_t ahead = at_ - 1 - from;
  if (runs_.empty() || runs_.back().ahead != ahead) runs_.push_back({at_, ahead});
  buffer_[--at_] = c;
}

void Canonical::put(std::string_view bytes, std::size_t from) {
  for (std::size_t i = bytes.size(); i-- > 0;) put(bytes[i], from);
}

// Removes the beginning of the text.
void Canonical::drop(std::size_t length) {
  at_ += length;
  while (!runs_.empty() && runs_.back().end <= at_) runs_.pop_back();
}

void Canonical::sign(char c, std::size_t from, bool cut) {
  for (Escape found; (found = escape(c, text())).length > 0;) {
    drop(found.length);
    if (found.code >= 0x80) return found.byte ? byte(found.code, from) : code(found.code, from);
    c = static_cast<char>(found.code);
  }
  if (cut && may_go_on(c, text())) return drop(text().size());
  constexpr std::string_view kControls = "\n\r\t\b\f", kLetters = "nrtbf";
  const std::size_t control = kControls.find(c);
  if (c == '\'' || c == '"') {
    if (text().starts_with('\'')) drop(1);
    put('\'', from);
  } else if (control != std::string_view::npos) {
    put(kLetters[control], from);
  } else if (c != '\\') {
    put(c == '+' ? ' ' : c, from);
  } else if (!text().empty()) {  // the backslash belongs to the next character
    const char next = text().front();
    drop(1);
    put(next, from);
  }
}

// Half of a surrogate pair stays as it is until the other half is read.
void Canonical::code(std::uint32_t code, std::size_t from) {
  const bool half = code >= 0xD800 && code < 0xDC00;
  if (half && text().starts_with('\xED') && text().size() >= 3 && text()[1] >= '\xB0') {
    const auto bits = [&](std::size_t i) { return static_cast<std::uint32_t>(text()[i]) & 0x3F; };
    code = 0x10000 + ((code - 0xD800) << 10) + ((bits(1) & 0x0F) << 6 | bits(2));
    drop(3);
  }
  put(utf8_of(static_cast<std::int32_t>(code)), from);
}

// The first byte of a UTF-8 character, before escapes of its other bytes, which until then look
// like characters of Latin-1.
void Canonical::byte(std::uint32_t byte, std::size_t from) {
  const std::size_t more = byte < 0xC2 || byte > 0xF4 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  std::string character(1, static_cast<char>(byte));
  const std::string_view next = text().substr(0, 2 * more);
  for (std::size_t i = 0; i + 1 < next.size() && next[i] == '\xC2'; i += 2) {
    character += next[i + 1];
  }
  if (more == 0 || character.size() <= more) return code(byte, from);
  drop(2 * more);
  put(character, from);
}

bool has_spellings(std::string_view text) { return std::any_of(text.begin(), text.end(), is_sign); }

}  // namespace hebb::secrets
