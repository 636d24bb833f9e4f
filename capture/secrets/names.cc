#include "capture/secrets/names.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <utf8proc.h>

#include "capture/actions/payload.h"
#include "capture/ascii.h"

namespace hebb::capture {
namespace {

// Secret if anywhere in a folded name.
constexpr auto kWords = std::to_array<std::string_view>(
    {"password",      "passwd",       "passphrase", "passcode",      "passwort",
     "kennwort",      "motdepasse",   "wachtwoord", "contrasena",    "pwd",
     "secret",        "token",        "apikey",     "authorization", "cookie",
     "bearer",        "credential",   "privatekey", "accesskey",     "signingkey",
     "encryptionkey", "accountkey",   "masterkey",  "securitycode",  "verificationcode",
     "onetimecode",   "recoverycode", "backupcode", "pincode",       "seedphrase",
     "jsessionid",    "phpsessid",    "xauth",      "adgangskode",   "salasana",
     "palavrapasse",  "geheimzahl"});

// Secret only as the whole folded name, or as the last of several words.
constexpr auto kAlone = std::to_array<std::string_view>({"auth", "pass", "pin", "psw", "pw", "cvv",
                                                         "cvc", "otp", "totp", "senha", "parola",
                                                         "mnemonic", "heslo", "sifre", "jelszo"});

// Secret if anywhere in a name with other letters than those of ASCII, in lower case.
constexpr auto kForeign = std::to_array<std::string_view>(
    {"contraseña", "парол", "пин-код", "пинкод", "код подтверждения", "密码", "密碼", "口令",
     "パスワード", "비밀번호", "hasło", "lösenord", "şifre", "jelszó"});

// Words that contain one of kForeign but are no secrets: encryption, tongue twisters.
constexpr auto kNoForeign =
    std::to_array<std::string_view>({"şifrelem", "şifrele", "şifreli", "绕口令", "繞口令"});

// Words that contain one of kWords but are no secrets.
constexpr auto kNoSecrets = std::to_array<std::string_view>(
    {"tokeniz", "tokenis", "secretar", "passwordless", "cookieconsent", "cookiepolicy",
     "cookiebanner", "cookienotice", "cookiesettings", "cookiecutter", "progresstoken", "pagetoken",
     "continuationtoken", "cursortoken", "synctoken"});

// Endings of names of things that are about a secret but are none.
constexpr auto kAbout = std::to_array<std::string_view>(
    {"type",      "url",       "uri",    "endpoint",  "count",  "length",   "policy",  "expires",
     "expiresin", "expiresat", "expiry", "ttl",       "limit",  "required", "enabled", "strength",
     "visible",   "status",    "format", "algorithm", "name",   "lifetime", "issuer",  "audience",
     "scheme",    "provider",  "regex",  "rules",     "budget", "usage",    "class",   "changed",
     "timeout",   "hint",      "stdin",  "file",      "kind"});

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

template <std::size_t N>
bool holds_any(const std::array<std::string_view, N>& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// Whether one of `words` is in the text beside the `exceptions`, which may contain them.
template <std::size_t N, std::size_t M>
bool holds_word(const std::array<std::string_view, N>& words,
                const std::array<std::string_view, M>& exceptions, std::string text) {
  if (!holds_any(words, text)) return false;
  for (const std::string_view exception : exceptions) {
    for (std::size_t at = 0; (at = text.find(exception)) != std::string::npos;) {
      text.erase(at, exception.size());
    }
  }
  return holds_any(words, text);
}

// In lower case and composed, whatever the alphabet. A text that is not UTF-8 stays as it is.
std::string without_case(std::string_view text) {
  // The beginning may have been cut within a character.
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) {
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
  for (std::size_t at = 0; (at = lower.find(kDotAbove)) != std::string::npos;) {
    lower.erase(at, kDotAbove.size());
  }
  return lower;
}

bool has_foreign_word(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), is_ascii);
  return !ascii && holds_word(kForeign, kNoForeign, without_case(text));
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
  if (value.front() == '%' && value.back() == '%') return all(value, "%_");  // %NAME%
  if (value.front() == '$') {
    // $NAME is a variable; other texts that begin with $ may be passwords.
    return std::all_of(value.begin() + 1, value.end(),
                       [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
  }
  const std::string folded = fold_name(value);
  if (std::any_of(value.begin(), value.end(), is_digit) || !all(value, " _-.'")) return false;
  return folded.starts_with("your") || folded.starts_with("insertyour");
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string folded;
  for (const char c : name) {
    if (is_upper(c)) folded += static_cast<char>(c - 'A' + 'a');
    if (is_lower(c) || is_digit(c)) folded += c;
  }
  return folded;
}

bool is_secret_name(std::string_view name) {
  const std::string folded = fold_name(name);
  if (among(kAlone, folded) || among(kAlone, last_word(name))) return true;
  if (has_foreign_word(name)) return true;
  if (!holds_word(kWords, kNoSecrets, folded)) return false;
  return std::none_of(kAbout.begin(), kAbout.end(),
                      [&](std::string_view end) { return folded.ends_with(end); });
}

bool mentions_secret(std::string_view text) {
  return holds_word(kWords, kNoSecrets, fold_name(text)) || has_foreign_word(text);
}

bool is_count(std::string_view name, std::string_view value) {
  if (value.empty() || (!is_digit(value.front()) && value.front() != '-')) return false;
  const std::string folded = fold_name(name);
  return folded == "pass" || folded.find("tokens") != std::string::npos ||
         folded.find("count") != std::string::npos;
}

bool is_hidden(std::string_view value) {
  return value == kMasked || value.find_first_not_of("*•●") == std::string_view::npos;
}

bool says_nothing(std::string_view value) {
  constexpr auto kNothing = std::to_array<std::string_view>(
      {"true", "false", "null", "none", "None", "NULL", "nil", "undefined", "True", "False",
       "string", "String", "str", "yes", "no", "required", "optional"});
  if (is_hidden(value) || among(kNothing, value)) return true;
  if (value.find_first_not_of("*x•●") == std::string_view::npos) return true;
  if (fold_name(value).empty() && value.size() < 4) return true;  // ";"
  return is_placeholder(value);
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

}  // namespace hebb::capture
