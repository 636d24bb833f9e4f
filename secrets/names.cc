#include "secrets/names.h"

#include <algorithm>
#include <cstdlib>

#include <utf8proc.h>

#include "secrets/format.h"
#include "secrets/mask.h"
#include "secrets/rules.h"
#include "secrets/values.h"
#include "text/ascii.h"
#include "text/replace_all.h"
#include "text/utf8.h"

namespace hebb::secrets {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// The last word of a name: DB_PASS, smtpPass, "your pin".
std::string last_word(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_letter(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_letter(name[begin - 1])) {
    --begin;
    if (is_upper(name[begin]) && begin + 1 < end && is_lower(name[begin + 1])) break;
  }
  return fold_name(name.substr(begin, end - begin));
}

// 4096, -1, 1,024, 0.5, 128k
bool is_whole_number(std::string_view value) {
  if (value.starts_with('-')) value.remove_prefix(1);
  if (!value.empty() && std::string_view("kKmM").find(value.back()) < 4) value.remove_suffix(1);
  return !value.empty() && is_digit(value.front()) &&
         value.find_first_not_of("0123456789.,_") == std::string_view::npos;
}

// Whether the text has one of `words` outside of the `exceptions`, which may contain them.
bool holds_word(const WordSet& words, List exceptions, std::string_view text) {
  if (!words.occurs_in(text)) return false;
  std::string other(text);
  for (const std::string& exception : rules().list(exceptions)) replace_all(other, exception, "");
  return other.size() == text.size() || words.occurs_in(other);
}

bool ends_with_any(List list, std::string_view folded) {
  const std::vector<std::string>& endings = rules().list(list);
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& ending) { return folded.ends_with(ending); });
}

// In lower case and composed, whatever the alphabet. A text that is not UTF-8 stays as it is.
std::string without_case(std::string_view text) {
  // The beginning may have been cut within a character.
  while (!text.empty() && is_continuation(text.front())) {
    text.remove_prefix(1);
  }
  utf8proc_uint8_t* folded = nullptr;
  const auto length = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(text.size()), &folded,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                     UTF8PROC_CASEFOLD | UTF8PROC_IGNORE));
  if (length < 0) return std::string(text);
  std::string lower(reinterpret_cast<const char*>(folded), static_cast<std::size_t>(length));
  std::free(folded);  // NOLINT(cppcoreguidelines-no-malloc): utf8proc's
  constexpr std::string_view kDotAbove = "\xCC\x87";  // of the Turkish capital I
  replace_all(lower, kDotAbove, "");
  return lower;
}

bool has_foreign_word(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), is_ascii);
  return !ascii && holds_word(rules().foreign, List::not_foreign, without_case(text));
}

bool is_placeholder(std::string_view value) {
  const auto all = [](std::string_view text, std::string_view signs) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
      return is_letter(c) || is_digit(c) || signs.find(c) != std::string_view::npos;
    });
  };
  if (value.starts_with("${") || value.starts_with("{{") || value.starts_with("$(")) return true;
  if (value.front() == '<') {  // <your key>
    value.remove_prefix(1);
    if (value.ends_with('>')) value.remove_suffix(1);
    return all(value, " _-.,:|/'()%=");
  }
  if (value.front() == '{') {  // {token}, perhaps cut at the end
    const std::string_view name = value.substr(1, value.find('}') - 1);
    return name.size() + 2 >= value.size() && !has_digit(name) && all(name, "_-.");
  }
  if (value.front() == '%' && value.size() == 2) return is_letter(value.back());  // %s
  if (value.front() == '%' && value.back() == '%') return all(value, "%_");       // %NAME%
  if (value.front() == '$') {
    // $NAME is a variable; other texts that begin with $ may be passwords.
    return std::all_of(value.begin() + 1, value.end(),
                       [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
  }
  const std::string folded = fold_name(value);
  if (has_digit(value) || !all(value, " _-.'")) return false;
  return folded.starts_with("your") || folded.starts_with("insertyour");
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string folded(name.size(), '\0');
  std::size_t size = 0;
  for (const char c : name) {
    if (is_alnum(c)) folded[size++] = to_lower(c);
  }
  folded.resize(size);
  return folded;
}

namespace {

bool is_secret_folded(std::string_view name, std::string_view folded) {
  if (rules().has(List::whole_names, folded)) return true;
  const std::string last = last_word(name);
  if (last.size() < folded.size() && rules().has(List::whole_names, last)) return true;
  if (has_foreign_word(name)) return true;
  return holds_word(rules().words, List::not_secret, folded) &&
         !ends_with_any(List::about_secrets, folded);
}

}  // namespace

bool is_secret_name(std::string_view name) { return is_secret_folded(name, fold_name(name)); }

bool is_secret_pair(std::string_view name, std::string_view value, bool parameter) {
  const std::string folded = fold_name(name);
  if (is_secret_folded(name, folded)) return true;
  constexpr std::size_t kLeast = 20, kLeastOfHeader = 8;
  const bool header = name.starts_with("X-") || name.starts_with("x-");
  if (value.size() < (header ? kLeastOfHeader : kLeast)) return false;
  const bool key = folded.ends_with("key") && folded.size() > 3;
  if (!key || ends_with_any(List::keys_of_things, folded) || names_thing(value)) return false;
  if (is_random(value)) return true;
  if (header && value.size() < kLeast) return is_generated(value);
  if (name.find('-') < name.size() && std::all_of(value.begin(), value.end(), is_alnum) &&
      is_token_like(value))
    return true;
  // AZURE_OPENAI_KEY, algoliaAdminKey
  const bool variable =
      name.find('_') != std::string_view::npos && std::none_of(name.begin(), name.end(), is_lower);
  const std::vector<std::string>& issuers = rules().list(List::issuers);
  const bool issued = std::any_of(issuers.begin(), issuers.end(), [&](const std::string& issuer) {
    return folded.find(issuer) != std::string::npos;
  });
  return (variable || issued || parameter) && is_key_like(value);
}

bool is_password_name(std::string_view name) {
  constexpr std::size_t kPart = 4;
  std::string folded = fold_name(name);
  if (rules().has(List::ambiguous_names, folded)) return false;
  const std::string last = last_word(name);
  const auto is_sure = [](const std::string& word) {
    return rules().has(List::whole_names, word) && !rules().has(List::ambiguous_names, word);
  };
  if (is_sure(folded) || (last.size() < folded.size() && is_sure(last))) return true;
  if (has_foreign_word(name)) return true;
  for (const std::string& faint : rules().list(List::ambiguous_names)) {
    if (faint.size() >= kPart) replace_all(folded, faint, " ");
  }
  return holds_word(rules().words, List::not_secret, folded);
}

bool is_token_name(std::string_view name) {
  if (std::none_of(name.begin(), name.end(), is_lower)) return true;
  const std::string folded = fold_name(name);
  const std::vector<std::string>& tokens = rules().list(List::tokens);
  return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
    return folded.find(token) != std::string::npos;
  });
}

bool is_session_pair(std::string_view name, std::string_view value) {
  constexpr std::size_t kLeast = 16;
  return value.size() >= kLeast && rules().has(List::sessions, fold_name(name)) &&
         is_generated(value) && !is_uuid(value);
}

bool mentions_secret(std::string_view text) {
  return holds_word(rules().words, List::not_secret, fold_name(text)) || has_foreign_word(text);
}

bool is_short_number_name(std::string_view name) {
  return ends_with_any(List::short_numbers, fold_name(name));
}

bool is_count(std::string_view name, std::string_view value) {
  constexpr std::size_t kTests = 6;  // a number of fewer digits counts tests that pass
  if (!is_whole_number(value)) return false;
  if (fold_name(name) == "pass") return value.size() < kTests;
  for (std::string_view rest = name; !rest.empty();) {
    const std::string word = last_word(rest);
    if (word.ends_with("tokens") || word == "count" || word == "counts" || word == "tokencount")
      return true;
    const auto begin = std::find_if(rest.rbegin(), rest.rend(), is_letter);
    const auto behind = static_cast<std::size_t>(begin - rest.rbegin());
    rest.remove_suffix(std::min(rest.size(), behind + std::max<std::size_t>(word.size(), 1)));
  }
  return false;
}

bool is_hidden(std::string_view value) {
  return value == kMasked || value.find_first_not_of("*•●") == std::string_view::npos;
}

bool is_placeholder_value(std::string_view value) {
  if (is_hidden(value) || rules().has(List::no_values, value)) return true;
  if (value.find_first_not_of("*x•●") == std::string_view::npos) return true;
  if (value.size() < 4 && fold_name(value).empty()) return true;  // ";"
  return is_placeholder(value);
}

bool is_example_login(std::string_view user, std::string_view password) {
  return std::all_of(password.begin(), password.end(), is_letter) && is_secret_name(password) &&
         rules().has(List::no_users, fold_name(user));
}

bool is_token_like(std::string_view value) {
  std::size_t letters = 0, digits = 0, signs = 0;
  for (const char c : value) {
    if (is_digit(c)) {
      ++digits;
    } else if (is_lower(c) || is_upper(c) || !is_ascii(c)) {
      ++letters;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      return false;
    } else if (std::string_view("._-'(),:;?").find(c) == std::string_view::npos) {
      ++signs;
    }
  }
  if (value.size() < 4) return false;
  if (letters == 0) return digits >= 6 || (digits > 0 && signs > 0 && value.size() >= 6);
  return digits > 0 || signs > 0;
}

}  // namespace hebb::secrets
