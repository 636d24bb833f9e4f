#include "capture/secrets/names.h"

#include <algorithm>
#include <array>

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
     "jsessionid",    "phpsessid",    "xauth"});

// Secret only as the whole folded name, or as the last of several words.
constexpr auto kAlone =
    std::to_array<std::string_view>({"auth", "pass", "pin", "psw", "pw", "cvv", "cvc", "otp",
                                     "totp", "senha", "parola", "mnemonic"});

// Labels in other languages, compared without folding.
constexpr auto kForeign = std::to_array<std::string_view>(
    {"contraseña", "Contraseña", "пароль", "Пароль", "密码", "密碼", "パスワード", "비밀번호",
     "hasło", "Hasło", "lösenord", "Lösenord"});

// Words that contain one of kWords but are no secrets.
constexpr auto kNoSecrets = std::to_array<std::string_view>(
    {"tokeniz", "tokenis", "secretar", "passwordless", "cookieconsent", "cookiepolicy",
     "cookiebanner", "cookienotice", "cookiesettings", "cookiecutter", "progresstoken", "pagetoken",
     "continuationtoken", "cursortoken", "synctoken"});

// Endings of names of things that are about a secret but are none.
constexpr auto kAbout = std::to_array<std::string_view>(
    {"type",     "url",       "uri",       "endpoint", "count",    "length",    "policy",
     "expires",  "expiresin", "expiresat", "expiry",   "ttl",      "limit",     "required",
     "enabled",  "strength",  "visible",   "status",   "format",   "algorithm", "name",
     "lifetime", "issuer",    "audience",  "scheme",   "provider", "regex",     "rules",
     "budget",   "usage",     "class",     "changed",  "timeout"});

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

bool holds_word(std::string& folded) {
  if (!holds_any(kWords, folded)) return false;
  for (const std::string_view word : kNoSecrets) {
    for (std::size_t at = 0; (at = folded.find(word)) != std::string::npos;) {
      folded.erase(at, word.size());
    }
  }
  return holds_any(kWords, folded);
}

bool has_foreign_word(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), is_ascii);
  return !ascii && holds_any(kForeign, text);
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
  std::string folded = fold_name(name);
  if (among(kAlone, folded) || among(kAlone, last_word(name))) return true;
  if (has_foreign_word(name)) return true;
  if (!holds_word(folded)) return false;
  return std::none_of(kAbout.begin(), kAbout.end(),
                      [&](std::string_view end) { return folded.ends_with(end); });
}

bool mentions_secret(std::string_view text) {
  std::string folded = fold_name(text);
  return holds_word(folded) || has_foreign_word(text);
}

bool is_count(std::string_view name, std::string_view value) {
  if (value.empty() || (!is_digit(value.front()) && value.front() != '-')) return false;
  const std::string folded = fold_name(name);
  return folded == "pass" || folded.find("tokens") != std::string::npos ||
         folded.find("count") != std::string::npos;
}

bool says_nothing(std::string_view value) {
  constexpr auto kNothing = std::to_array<std::string_view>(
      {"", "true", "false", "null", "none", "None", "NULL", "nil", "undefined", "True", "False",
       "string", "String", "str", "yes", "no", "required", "optional", kMasked});
  if (among(kNothing, value)) return true;
  if (value.find_first_not_of("*x•●") == std::string_view::npos) return true;
  if (value.starts_with("${") || value.starts_with("{{") || value.starts_with("$(")) return true;
  if (value.front() == '<' || (value.front() == '%' && value.back() == '%')) return true;
  if (value.front() == '$') {
    // $NAME is a variable; other texts that begin with $ may be passwords.
    return std::all_of(value.begin() + 1, value.end(),
                       [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
  }
  const std::string folded = fold_name(value);
  if (folded.empty() && value.size() < 4) return true;  // ";"
  return folded.starts_with("your") || folded.starts_with("insertyour");
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
