#include "capture/actions_payload.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hebb::capture {
namespace {

constexpr int kNesting = 3;  // JSON in a string in JSON in a string is masked, deeper is not

constexpr std::array<std::string_view, 14> kSecretWords{
    "password",      "passwd", "passphrase", "pwd",        "secret",     "token",     "apikey",
    "authorization", "cookie", "bearer",     "credential", "privatekey", "accesskey", "signingkey"};

std::size_t skip_space(std::string_view text, std::size_t i) {
  while (i < text.size() &&
         (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
    ++i;
  return i;
}

// Past the string that opens at `i`; the end of the text if it does not close.
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

// Past the value that begins at `i`, whatever it is.
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

// What skip_string() went past ends with a quote that is none of the text's.
bool is_closed_string(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.back() != '"') return false;
  const std::size_t last = quoted.find_last_not_of('\\', quoted.size() - 2);
  return (quoted.size() - 2 - last) % 2 == 0;
}

std::optional<std::string> decode(std::string_view quoted) {
  const auto value = nlohmann::json::parse(quoted, nullptr, false);
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

constexpr std::string_view kHeaderNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

constexpr std::string_view kTokenCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/=";

// `lower` is in lower case.
bool starts_like(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char c) {
           return want == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

// One word and no more, that no dictionary has.
bool is_token(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of(kTokenCharacters), text.size());
  const std::string_view token = text.substr(0, end);
  return text.find_first_not_of(" \\rnt\"", end) == std::string_view::npos &&
         std::any_of(token.begin(), token.end(), [](char c) { return c < 'a' || c > 'z'; });
}

bool carries_credentials(std::string_view quoted) {
  std::string_view text = quoted.substr(1);
  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic "}) {
    if (text.starts_with(scheme)) return true;
  }
  // As in a list of headers: "Authorization: Bearer …".
  const std::size_t name = text.find_first_not_of(kHeaderNameCharacters);
  if (name != 0 && name != std::string_view::npos && text[name] == ':') {
    text.remove_prefix(skip_space(text, name + 1));
  }
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (starts_like(text, scheme)) return is_token(text.substr(scheme.size()));
  }
  return false;
}

std::string mask(std::string_view json, int nesting);

// A value that is a string, quotes included.
std::string masked_string(std::string_view quoted, int nesting) {
  if (carries_credentials(quoted)) return fmt::format("\"{}\"", kMasked);
  const std::size_t first = skip_space(quoted, 1);
  const bool holds_json = nesting < kNesting && first < quoted.size() &&
                          (quoted[first] == '{' || quoted[first] == '[' || quoted[first] == '\\');
  if (!holds_json) return std::string(quoted);
  // A cut string is closed to be read; an escape that the cut went through is left off.
  std::string closed(quoted);
  if (!is_closed_string(quoted)) {
    for (int dropped = 0; dropped < 7 && !decode(closed + '"'); ++dropped) closed.pop_back();
    closed += '"';
  }
  const std::optional<std::string> inner = decode(closed);
  if (!inner) return std::string(quoted);
  const std::string masked = mask(*inner, nesting + 1);
  if (masked == *inner) return std::string(quoted);
  return nlohmann::json(masked).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_count(std::string_view folded_key, char first_of_value) {
  const bool number = first_of_value == '-' || (first_of_value >= '0' && first_of_value <= '9');
  return number && (folded_key.find("tokens") != std::string_view::npos ||
                    folded_key.find("count") != std::string_view::npos);
}

std::string fold_key(std::string_view key) {
  std::string folded;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') folded += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) folded += c;
  }
  return folded;
}

bool is_secret_folded(std::string_view key) {
  constexpr std::array<std::string_view, 6> kAlone{"auth", "pin", "cvv", "cvc", "otp", "totp"};
  constexpr std::array<std::string_view, 3> kHarmless{"progresstoken", "pagetoken",
                                                      "nextpagetoken"};
  const auto is = [&](std::string_view word) { return key == word; };
  const auto holds = [&](std::string_view word) {
    return key.find(word) != std::string_view::npos;
  };
  if (std::any_of(kHarmless.begin(), kHarmless.end(), is)) return false;
  return std::any_of(kAlone.begin(), kAlone.end(), is) ||
         std::any_of(kSecretWords.begin(), kSecretWords.end(), holds);
}

// The value after a secret key: masked unless it says nothing (true, false, null, a count).
std::size_t mask_value(std::string_view json, std::size_t i, std::string_view folded,
                       std::string& out) {
  const std::size_t end = skip_value(json, i);
  const std::string_view value = json.substr(i, end - i);
  const bool harmless = value.empty() || value == "true" || value == "false" || value == "null" ||
                        value == "\"\"" || is_count(folded, value.front());
  if (harmless) {
    out += value;
  } else {
    out += '"';
    out += kMasked;
    out += '"';
  }
  return end;
}

// {"name": "password", "value": "x"}, in either order, and the fields of a form that an agent
// fills: the object says in one member what the other holds.
struct Object {
  bool names_secret = false;
  std::size_t from = 0, to = 0;  // of its value in the output; empty: none yet
};

bool names_what_it_holds(std::string_view folded) {
  constexpr std::array<std::string_view, 10> kNames{"name",        "label", "selector", "element",
                                                    "field",       "key",   "header",   "css",
                                                    "placeholder", "xpath"};
  return std::find(kNames.begin(), kNames.end(), folded) != kNames.end();
}

class Masker {
 public:
  Masker(std::string_view json, int nesting) : json_(json), nesting_(nesting) {
    out_.reserve(json.size());
  }

  std::string run() {
    while (at_ < json_.size()) {
      if (json_[at_] == '"') {
        string();
      } else {
        between();
      }
    }
    while (!objects_.empty()) close_object();
    return std::move(out_);
  }

 private:
  // Punctuation, numbers, literals.
  void between() {
    const char c = json_[at_++];
    if (c == '{') objects_.emplace_back();
    if (c == '}' && !objects_.empty()) close_object();
    out_ += c;
  }

  void close_object() {
    const Object object = objects_.back();
    objects_.pop_back();
    if (!object.names_secret || object.from == object.to) return;
    out_.replace(object.from, object.to - object.from, fmt::format("\"{}\"", kMasked));
  }

  void string() {
    const std::size_t end = skip_string(json_, at_);
    const std::string_view quoted = json_.substr(at_, end - at_);
    const std::size_t colon = skip_space(json_, end);
    if (colon < json_.size() && json_[colon] == ':')
      return member(quoted, skip_space(json_, colon + 1));
    out_ += masked_string(quoted, nesting_);
    at_ = end;
  }

  void member(std::string_view key, std::size_t value) {
    out_ += json_.substr(at_, value - at_);
    at_ = value;
    const bool escaped = key.find('\\') != std::string_view::npos;
    const std::string folded = fold_key(escaped ? decode(key).value_or("") : std::string(key));
    if (is_secret_folded(folded)) {
      at_ = mask_value(json_, at_, folded, out_);
      return;
    }
    if (objects_.empty() || at_ >= json_.size() || json_[at_] != '"') return;
    const std::size_t end = skip_string(json_, at_);
    Object& object = objects_.back();
    if (names_what_it_holds(folded)) {
      object.names_secret =
          object.names_secret || is_secret_folded(fold_key(json_.substr(at_, end - at_)));
    } else if ((folded == "value" || folded == "text") && end - at_ > 2) {
      object.from = out_.size();
      out_ += masked_string(json_.substr(at_, end - at_), nesting_);
      object.to = out_.size();
      at_ = end;
    }
  }

  const std::string_view json_;
  const int nesting_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Object> objects_;
};

std::string mask(std::string_view json, int nesting) { return Masker(json, nesting).run(); }

// Length of the valid UTF-8 sequence at `i`; 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  const auto follows = [&](std::size_t k) {
    return i + k < text.size() && (byte(k) & 0xC0) == 0x80;
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return 4;
  }
  return 0;
}

// Not through a character.
std::size_t cut_at(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return limit;
}

}  // namespace

std::string mask_secrets(std::string_view json) { return mask(json, 0); }

std::string escape_invalid_utf8(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t length = sequence_length(json, i);
    if (length == 0) {
      out += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(json[i]));
      ++i;
    } else {
      out += json.substr(i, length);
      i += length;
    }
  }
  return out;
}

Payload stored_payload(std::string_view raw, std::size_t length, std::size_t limit) {
  const bool whole = raw.size() == length;
  const std::string masked = mask_secrets(escape_invalid_utf8(raw));
  Payload payload;
  payload.text = masked.substr(0, cut_at(masked, limit));
  payload.bytes = whole ? masked.size() : std::max(length, payload.text.size() + 1);
  return payload;
}

}  // namespace hebb::capture
