#include "capture/secrets/memory.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/secrets/names.h"
#include "capture/secrets/scan.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kStart = 4;
constexpr std::size_t kBase64Bytes = 8;  // a shorter part of base64 would match by chance

// Common words. A secret that is one of these is masked in its place but not looked for elsewhere.
constexpr auto kCommon = std::to_array<std::string_view>(
    {"true",   "false",  "null",  "none",    "undefined", "password", "passwort", "secret",
     "token",  "text",   "type",  "content", "name",      "value",    "test",     "tests",
     "admin",  "user",   "users", "root",    "guest",     "example",  "default",  "string",
     "number", "object", "array", "login",   "email",     "role",     "button",   "textbox",
     "http",   "https",  "html",  "json",    "data",      "error",    "result",   "masked",
     "file",   "path",   "page",  "home",    "main",      "index",    "demo",     "hello",
     "1234",   "2024",   "2025",  "2026",    "localhost", "iserror",  "bearer",   "basic"});

std::uint32_t first_bytes_of(const char* bytes) {
  std::uint32_t start = 0;
  std::memcpy(&start, bytes, kStart);
  return start;
}

std::size_t bit_of(std::uint32_t start) { return (start * 2654435761u) >> 16; }

std::string json_escaped(std::string_view text, bool ascii) {
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

// URL-encodes all but letters, digits and the characters in `kept`.
std::string url_encoded(std::string_view text, std::string_view kept, const char* format,
                        bool plus) {
  std::string out;
  for (const char c : text) {
    const bool letter = is_word_char(c) && c != '_';
    if (letter || kept.find(c) != std::string_view::npos) {
      out += c;
    } else if (plus && c == ' ') {
      out += '+';
    } else {
      out += fmt::format(fmt::runtime(format), static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += c;
    }
  }
  return out;
}

// The part of the base64 of a text containing `value` that does not depend on the rest of the text,
// if `value` is preceded by `before` bytes (0, 1 or 2) modulo 3.
std::string base64_core(std::string_view value, std::size_t before, bool for_url) {
  const std::string_view digits =
      for_url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
              : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  const std::size_t skip = (3 - before) % 3;  // bytes in one base64 group with those before
  for (std::size_t i = skip; i + 2 < value.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(value[i + k]));
    };
    const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (const int shift : {18, 12, 6, 0}) out += digits[group >> shift & 63];
  }
  return out;
}

std::vector<std::string> spellings(std::string_view value) {
  constexpr std::string_view kComponent = "-_.!~*'()";  // encodeURIComponent
  constexpr std::string_view kUnreserved = "-_.~";      // RFC 3986
  std::vector<std::string> all{std::string(value)};
  for (const bool ascii : {false, true}) {
    all.push_back(json_escaped(value, ascii));
    all.push_back(json_escaped(all.back(), ascii));
  }
  for (const char* format : {"%{:02X}", "%{:02x}"}) {
    all.push_back(url_encoded(value, kComponent, format, false));
    all.push_back(url_encoded(value, kUnreserved, format, false));
    all.push_back(url_encoded(value, "-_.*", format, true));  // as HTML forms send it
  }
  all.push_back(html_escaped(value));
  std::string code(value);  // as in a JavaScript string '…'
  for (std::size_t at = 0; (at = code.find('\'', at)) != std::string::npos; at += 2) {
    code.insert(at, 1, '\\');
  }
  all.push_back(code);
  all.push_back(json_escaped(code, false));
  for (std::size_t before = 0; before < 3; ++before) {
    for (const bool for_url : {false, true}) {
      std::string core = base64_core(value, before, for_url);
      if (core.size() >= kBase64Bytes) all.push_back(std::move(core));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Whether replacing it within a JSON string leaves valid JSON.
bool fits_json(std::string_view form) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '"') return false;
    if (form[i] == '\\' && ++i == form.size()) return false;
  }
  return true;
}

bool is_common(std::string_view value) {
  const std::string folded = fold_name(value);
  return folded.size() == value.size() &&
         std::find(kCommon.begin(), kCommon.end(), folded) != kCommon.end();
}

// Whether the letter at `at` belongs to an escape such as \n, so that a word may begin after it.
bool is_escape(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' &&
         std::string_view("nrtbf").find(text[at]) != std::string_view::npos;
}

bool is_whole_word(std::string_view text, std::size_t from, std::size_t to) {
  const bool begins = from == 0 || !is_word_char(text[from - 1]) || is_escape(text, from - 1);
  return begins && (to >= text.size() || !is_word_char(text[to]));
}

// Whether [from, to) is a whole number or word of JSON outside of its strings.
bool is_whole_scalar(std::string_view text, std::size_t from, std::size_t to) {
  const auto ends = [](char c) {
    return std::string_view(" \t\r\n,:[]{}").find(c) != std::string_view::npos;
  };
  return (from == 0 || ends(text[from - 1])) && (to >= text.size() || ends(text[to]));
}

}  // namespace

bool SecretMemory::remember(std::string_view value) {
  if (value.size() < kLeastBytes || value.size() > kValueBytes) return false;
  if (is_common(value) || says_nothing(value)) return false;
  const auto known = std::find_if(values_.begin(), values_.end(),
                                  [&](const Value& other) { return other.text == value; });
  if (known != values_.end()) return false;
  Value added{std::string(value), {}};
  for (std::string& spelling : spellings(value)) {
    if (spelling.size() < kStart) continue;
    const bool word = spelling.size() < kWordBytes;
    const bool fits = fits_json(spelling);
    added.forms.push_back({std::move(spelling), word, fits});
  }
  values_.push_back(std::move(added));
  if (values_.size() <= kValues) {
    index(values_.back());
  } else {
    values_.pop_front();
    index_all();
  }
  return true;
}

void SecretMemory::index(const Value& value) {
  for (const Form& form : value.forms) {
    const std::uint32_t start = first_bytes_of(form.text.data());
    by_start_.emplace(start, &form);
    const std::size_t bit = bit_of(start);
    starts_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

void SecretMemory::index_all() {
  by_start_.clear();
  starts_.fill(0);
  for (const Value& value : values_) index(value);
}

std::size_t SecretMemory::match(std::string_view text, std::size_t at, bool is_json,
                                bool cut) const {
  const std::uint32_t start = first_bytes_of(text.data() + at);
  const std::size_t bit = bit_of(start);
  if ((starts_[bit / 64] >> bit % 64 & 1) == 0) return 0;
  std::size_t best = 0;
  const std::string_view rest = text.substr(at);
  const auto [first, last] = by_start_.equal_range(start);
  for (auto it = first; it != last; ++it) {
    const Form& form = *it->second;
    const bool whole = rest.starts_with(form.text);
    const bool begins =
        cut && form.text.size() > rest.size() && std::string_view(form.text).starts_with(rest);
    if ((!whole && !begins) || (is_json && !form.fits_json)) continue;
    const std::size_t length = std::min(form.text.size(), rest.size());
    if (form.word && !is_whole_word(text, at, at + length)) continue;
    best = std::max(best, length);
  }
  return best;
}

std::string SecretMemory::scrub(std::string_view text, bool is_json, bool cut) const {
  if (values_.empty() || text.size() < kStart) return std::string(text);
  std::string out;
  out.reserve(text.size());
  bool in_string = !is_json;
  for (std::size_t i = 0; i < text.size();) {
    if (i + kStart <= text.size()) {
      const std::size_t length = match(text, i, is_json, cut);
      const bool scalar = !in_string && is_whole_scalar(text, i, i + length);
      if (length > 0 && (in_string || scalar)) {
        out += scalar ? fmt::format("\"{}\"", kMasked) : std::string(kMasked);
        i += length;
        continue;
      }
    }
    const char c = text[i];
    if (is_json && c == '"') in_string = !in_string;
    std::size_t taken = 1;
    if (is_json && in_string && c == '\\') taken = text.substr(i).starts_with("\\u") ? 6 : 2;
    out += text.substr(i, taken);
    i += taken;
  }
  return out;
}

}  // namespace hebb::capture
