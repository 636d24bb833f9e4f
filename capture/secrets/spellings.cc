#include "capture/secrets/spellings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/secrets/scan.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kBase64Bytes = 8;  // a shorter part of base64 would match by chance

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string json_escaped(std::string_view text, bool ascii) {
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

void add_json(std::string_view value, std::vector<std::string>& all) {
  for (const bool ascii : {false, true}) {
    all.push_back(json_escaped(value, ascii));
    all.push_back(replaced(all.back(), "/", "\\/"));  // PHP
    all.push_back(json_escaped(json_escaped(value, ascii), ascii));
  }
}

// URL-encodes all but letters, digits and the characters in `kept`.
std::string url_encoded(std::string_view text, std::string_view kept, bool upper) {
  std::string out;
  for (const char c : text) {
    const bool letter = is_word_char(c) && c != '_';
    if (letter || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += upper ? fmt::format("%{:02X}", byte) : fmt::format("%{:02x}", byte);
    }
  }
  return out;
}

void add_url(std::string_view value, std::vector<std::string>& all) {
  constexpr auto kKept =
      std::to_array<std::string_view>({"-_.!~*'()",             // encodeURIComponent
                                       "-_.!~*'();/?:@&=+$,#",  // encodeURI
                                       "-_.~", "-_.~/"});       // RFC 3986, Python's quote
  for (const bool upper : {true, false}) {
    for (const std::string_view kept : kKept) all.push_back(url_encoded(value, kept, upper));
    all.push_back(replaced(url_encoded(value, "-_.* ", upper), " ", "+"));  // forms
  }
}

void add_html(std::string_view value, std::vector<std::string>& all) {
  constexpr auto kQuotes =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"\"", "'"},
                                                                    {"&quot;", "&#39;"},
                                                                    {"&quot;", "&#x27;"},
                                                                    {"&quot;", "'"},
                                                                    {"&#34;", "&#39;"}});
  std::string angles = replaced(std::string(value), "&", "&amp;");
  angles = replaced(replaced(std::move(angles), "<", "&lt;"), ">", "&gt;");
  for (const auto& [twice, once] : kQuotes) {
    all.push_back(replaced(replaced(angles, "\"", twice), "'", once));
  }
}

// As in a JavaScript string '…', and that in JSON.
void add_code(std::string_view value, std::vector<std::string>& all) {
  const std::string code = replaced(replaced(std::string(value), "\\", "\\\\"), "'", "\\'");
  all.push_back(code);
  all.push_back(json_escaped(code, false));
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

void add_base64(std::string_view value, std::vector<std::string>& all) {
  for (std::size_t before = 0; before < 3; ++before) {
    for (const bool for_url : {false, true}) {
      std::string core = base64_core(value, before, for_url);
      if (core.size() >= kBase64Bytes) all.push_back(std::move(core));
    }
  }
}

}  // namespace

std::vector<std::string> spellings(std::string_view value) {
  std::vector<std::string> all{std::string(value)};
  for (const auto add : {add_json, add_url, add_html, add_code, add_base64}) add(value, all);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace hebb::capture
