#include "secrets/values.h"

#include <algorithm>
#include <cstddef>

#include "secrets/format.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kLeastMade = 8;
constexpr std::size_t kLeastKey = 20;
constexpr std::size_t kUuidBytes = 36;

bool all_of(std::string_view text, bool (*is)(char)) {
  return std::all_of(text.begin(), text.end(), is);
}

constexpr bool is_upper_hex(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

std::size_t digits_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

// 4.0.0, ^4.0.0, >=10, ~> 2.0, v1.2.3-beta.1, 18.x, 10.0.0.1:8080
bool is_version(std::string_view value) {
  constexpr std::string_view kSigns = "^~<>=! ";
  constexpr std::size_t kSuffixBytes = 24;
  const std::size_t signs = std::min(value.find_first_not_of(kSigns), value.size());
  value.remove_prefix(signs);
  if (value.starts_with('v') || value.starts_with('V')) value.remove_prefix(1);
  std::size_t numbers = 0;
  while (!value.empty()) {
    const std::size_t digits = digits_at(value);
    const bool any = digits == 0 && numbers > 0 && (value.front() == 'x' || value.front() == '*');
    if (digits == 0 && !any) break;
    ++numbers;
    value.remove_prefix(any ? 1 : digits);
    if (!value.starts_with('.')) break;
    value.remove_prefix(1);
  }
  if (numbers < 2 && (numbers == 0 || signs == 0)) return false;
  if (value.empty()) return true;
  constexpr std::string_view kBehind = "-+:/, |";
  const bool more =
      kBehind.find(value.front()) != std::string_view::npos || is_lower(value.front());
  return numbers > 1 && more && value.size() <= kSuffixBytes && !is_random(value) &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return is_alnum(c) ||
                  std::string_view("-+.:/<>=^~, |*").find(c) != std::string_view::npos;
         });
}

// 2026-03-01, 2026-03-01T10:00:00Z, 10:00
bool is_date(std::string_view value) {
  const std::size_t first = digits_at(value);
  if (first == 0 || first > 4 || first == value.size()) return false;
  const std::size_t second = digits_at(value.substr(first + 1));
  const char sign = value[first];
  const bool date = first == 4 && second == 2 && (sign == '-' || sign == '/');
  const bool time = first <= 2 && second == 2 && sign == ':';
  return (date || time) && std::all_of(value.begin(), value.end(), [](char c) {
           return is_digit(c) || std::string_view("-/:.,+TZ ").find(c) != std::string_view::npos;
         });
}

// Letters of both cases and digits mixed as in no file name.
bool is_tangled(std::string_view part) {
  const auto is_in = [&](bool (*is)(char)) { return std::any_of(part.begin(), part.end(), is); };
  return part.size() >= kLeastMade && is_in(is_upper) && is_in(is_lower) && is_in(is_digit) &&
         !is_words(part);
}

bool is_path(std::string_view value) {
  const bool drive = value.size() > 3 && is_letter(value[0]) && value[1] == ':' &&
                     (value[2] == '\\' || value[2] == '/');
  const bool here = value.starts_with("./") || value.starts_with("../") || value.starts_with("~/");
  if (!drive && !here && !value.starts_with('/')) return false;
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find_first_of("/\\", at), value.size());
    const std::string_view part = value.substr(at, end - at);
    const bool named = std::all_of(part.begin(), part.end(), [](char c) {
      return is_word_char(c) || std::string_view(".-@:~,").find(c) != std::string_view::npos ||
             static_cast<unsigned char>(c) >= 0x80;
    });
    if (!named || is_tangled(part)) return false;
    parts += part.empty() ? 0 : 1;
    at = end + 1;
  }
  return here || drive || parts > 1;
}

bool is_host(std::string_view value) {
  constexpr std::size_t kLabelBytes = 24, kDigits = 3;
  value = value.substr(0, value.find(':'));
  std::size_t labels = 0;
  std::string_view last;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('.', at), value.size());
    last = value.substr(at, end - at);
    const auto digits = std::count_if(last.begin(), last.end(), is_digit);
    const bool named = std::all_of(last.begin(), last.end(), [](char c) {
      return is_lower(c) || is_digit(c) || c == '-' || c == '_';
    });
    if (last.empty() || !named || last.size() > kLabelBytes ||
        static_cast<std::size_t>(digits) > kDigits) {
      return false;
    }
    ++labels;
    at = end + 1;
  }
  return labels > 1 && last.size() > 1 && all_of(last, is_lower);
}

// nginx:1.25.3, registry.example.com/app:v2.0
bool is_image(std::string_view value) {
  const std::size_t colon = value.rfind(':');
  return colon != std::string_view::npos && colon > 0 && is_version(value.substr(colon + 1)) &&
         std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return is_lower(c) || is_digit(c) ||
                  std::string_view("-_./:").find(c) != std::string_view::npos;
         });
}

// https://example.com/token, without a login in it.
bool is_address(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos || scheme == 0 || scheme > 12) return false;
  if (!std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(scheme),
                   [](char c) { return is_alnum(c) || c == '+'; })) {
    return false;
  }
  return value.find_first_of(" @\n", scheme) == std::string_view::npos;
}

}  // namespace

bool is_plain(std::string_view value) {
  constexpr std::size_t kFingerprintBytes = 40;
  if (value.empty()) return false;
  for (const std::string& start : rules().list(List::plain_starts)) {
    if (value.starts_with(start)) return true;
  }
  if (value.size() == kFingerprintBytes && all_of(value, is_upper_hex)) return true;
  return is_version(value) || is_date(value) || is_path(value) || is_address(value) ||
         is_host(value) || is_image(value);
}

bool is_words(std::string_view value) {
  constexpr std::size_t kNumber = 4;
  // Signs that occur in no name.
  if (value.find_first_of("!#$%^*") < value.size() && has_digit(value)) {
    return false;
  }
  for (std::size_t at = 0; at < value.size();) {
    if (!is_alnum(value[at])) {
      ++at;
      continue;
    }
    while (at < value.size() && is_letter(value[at])) ++at;
    const std::size_t digits = digits_at(value.substr(at));
    at += digits;
    if (digits > kNumber || (digits > 0 && at < value.size() && is_letter(value[at]))) return false;
  }
  return true;
}

bool is_generated(std::string_view value) {
  return value.size() >= kLeastMade && !is_words(value) && is_token_like(value) &&
         !is_placeholder_value(value) && !is_plain(value);
}

bool may_hold(std::string_view name, std::string_view value) {
  constexpr std::size_t kLeast = 2;
  if (value.size() < kLeast || is_plain(value)) return false;
  if (is_password_name(name)) return true;
  return is_token_like(value) && (!is_words(value) || (is_token_name(name) && has_digit(value)));
}

bool is_chosen_word(std::string_view value) {
  constexpr std::size_t kLeast = 5;
  return value.size() >= kLeast && all_of(value, is_lower) && !is_placeholder_value(value) &&
         !rules().has(List::common, value) && !mentions_secret(value);
}

bool is_passphrase(std::string_view value) {
  constexpr std::size_t kWords = 3, kLeast = 3;
  std::size_t words = 0;
  for (std::size_t at = 0; at <= value.size(); ++words) {
    const std::size_t end = std::min(value.find('-', at), value.size());
    const std::string_view word = value.substr(at, end - at);
    if (word.size() < kLeast || !all_of(word, is_lower) || rules().has(List::common, word) ||
        rules().has(List::no_seed_words, word)) {
      return false;
    }
    at = end + 1;
  }
  return words >= kWords && !mentions_secret(value);
}

bool is_chosen_under(std::string_view name, std::string_view value) {
  const bool sentence = name.find(' ') != std::string_view::npos;
  // A secret, but not a password, may also be named: secret: my-tls-cert
  const bool passphrase = fold_name(name).find("pass") != std::string::npos && is_passphrase(value);
  return !sentence && (is_chosen_word(value) || passphrase) && is_password_name(name) &&
         !is_short_number_name(name);
}

bool is_uuid(std::string_view value) {
  if (value.size() != kUuidBytes) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? value[i] != '-' : !is_hex_digit(value[i])) return false;
  }
  return true;
}

bool is_strong(std::string_view value) {
  constexpr std::size_t kLeast = 7, kMost = 64;
  constexpr std::string_view kOthers = "/\\:=,;'\"()[]{}<>| \t\n";
  if (value.size() < kLeast || value.size() > kMost) return false;
  // Not names of page elements, mail addresses, or versions of packages.
  constexpr std::string_view kNoStarts = "#.@~$";
  const std::size_t at_sign = value.find('@');
  if (kNoStarts.find(value.front()) < kNoStarts.size()) return false;
  if (at_sign < value.size() && value.find('.', at_sign) < value.size()) return false;
  const bool signs = value.find_first_of("!#@%^&~$") < value.size();
  return has_digit(value) && std::any_of(value.begin(), value.end(), is_letter) &&
         value.find_first_of(kOthers) == std::string_view::npos && (signs || is_random(value)) &&
         !is_placeholder_value(value) && !is_plain(value);
}

bool is_key_like(std::string_view value) {
  constexpr std::ptrdiff_t kDigits = 3;
  if (value.size() < kLeastKey || names_thing(value)) return false;
  if (is_uuid(value) || is_random(value)) return true;
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return is_word_char(c) || std::string_view("-+/=:").find(c) != std::string_view::npos;
  });
  const auto digits = std::count_if(value.begin(), value.end(), is_digit);
  return plain && digits >= kDigits && is_generated(value);
}

}  // namespace hebb::secrets
