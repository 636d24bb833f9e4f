#include "capture/secrets/secrets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/payload.h"
#include "capture/ascii.h"
#include "capture/secrets/names.h"
#include "capture/secrets/scan.h"

namespace hebb::capture {
namespace {

constexpr int kNesting = 3;  // JSON within strings of JSON is masked down to this depth

std::size_t skip_space(std::string_view text, std::size_t i) {
  while (i < text.size() &&
         (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
    ++i;
  return i;
}

// The position after the string that opens at `i`; the end of the text if it does not close.
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

// The position after the value of any kind that begins at `i`.
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

// Whether the string that skip_string() skipped is closed: it ends with an unescaped quote.
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

// Whether the text is a single word that has more than lower-case letters.
bool is_token(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of(kTokenCharacters), text.size());
  const std::string_view token = text.substr(0, end);
  return text.find_first_not_of(" \\rnt\"", end) == std::string_view::npos &&
         std::any_of(token.begin(), token.end(), [](char c) { return c < 'a' || c > 'z'; });
}

bool carries_credentials(std::string_view quoted) {
  std::string_view text = quoted.substr(1);
  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic "}) {
    if (text.starts_with(scheme)) return text.find(' ', scheme.size()) == std::string_view::npos;
  }
  // A header line: "Authorization: Bearer …".
  const std::size_t name = text.find_first_not_of(kHeaderNameCharacters);
  if (name != 0 && name != std::string_view::npos && text[name] == ':') {
    text.remove_prefix(skip_space(text, name + 1));
  }
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (starts_like(text, scheme)) return is_token(text.substr(scheme.size()));
  }
  return false;
}

// The JSON string that replaces a value.
std::string mask_string() { return fmt::format("\"{}\"", kMasked); }

// Objects such as {"name": "password", "value": "x"}, in either order, or a field of a form: one
// member names what another one holds.
constexpr auto kNaming = std::to_array<std::string_view>(
    {"name", "label", "selector", "element", "field", "key", "header", "css", "placeholder",
     "xpath", "target", "accessiblename"});
constexpr auto kPointing = std::to_array<std::string_view>({"ref", "uid", "target"});
constexpr auto kHolding = std::to_array<std::string_view>({"value", "text", "input", "keys"});

// Whether the tool types into the field that has the focus.
bool types(std::string_view tool) {
  const std::string folded = fold_name(tool);
  constexpr auto kTyping = std::to_array<std::string_view>(
      {"type", "keyboard", "inserttext", "sendkeys", "inputtext", "fill"});
  return std::any_of(kTyping.begin(), kTyping.end(),
                     [&](std::string_view word) { return folded.find(word) != std::string::npos; });
}

std::string quote(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

class JsonMasker {
 public:
  // `typing`: a member "text" at the top level is typed into the field that has the focus.
  JsonMasker(Secrets& secrets, Secrets::Origin origin, std::string_view json, int nesting,
             bool typing)
      : secrets_(secrets), origin_(origin), json_(json), nesting_(nesting), typing_(typing) {
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
  struct Object {
    bool names_secret = false;
    bool names_field = false;
    std::size_t from = 0, to = 0;  // of its value in the output; empty: none yet
  };

  // Copies punctuation, numbers and literals.
  void between() {
    const char c = json_[at_++];
    if (c == '{') objects_.emplace_back();
    if (c == '}' && !objects_.empty()) close_object();
    out_ += c;
  }

  void close_object() {
    Object object = objects_.back();
    objects_.pop_back();
    const bool top = objects_.empty() && nesting_ == 0 && origin_ == Secrets::Origin::arguments;
    if (top && object.names_field) secrets_.focused_ = object.names_secret;
    if (top && !object.names_field && typing_ && secrets_.focused_) object.names_secret = true;
    if (!object.names_secret || object.from == object.to) return;
    const std::string held = out_.substr(object.from, object.to - object.from);
    learn(held);
    out_.replace(object.from, object.to - object.from, mask_string());
  }

  // Takes a string with its quotes.
  void learn(std::string_view quoted) {
    if (const auto value = decode(quoted)) secrets_.learn(*value, origin_);
  }

  // Learns all strings within an object or array, except for keys.
  void learn_within(std::string_view json) {
    for (std::size_t i = 0; i < json.size();) {
      if (json[i] != '"') {
        ++i;
        continue;
      }
      const std::size_t end = skip_string(json, i);
      const std::size_t next = skip_space(json, end);
      const auto value = decode(json.substr(i, end - i));
      const bool is_key = next < json.size() && json[next] == ':';
      if (!is_key && value) secrets_.learn(*value, Secrets::Origin::result);
      i = end;
    }
  }

  void string() {
    const std::size_t end = skip_string(json_, at_);
    const std::string_view quoted = json_.substr(at_, end - at_);
    const std::size_t colon = skip_space(json_, end);
    if (colon < json_.size() && json_[colon] == ':')
      return member(quoted, skip_space(json_, colon + 1));
    out_ += masked_string(quoted);
    at_ = end;
  }

  void member(std::string_view key, std::size_t value) {
    out_ += json_.substr(at_, value - at_);
    at_ = value;
    const bool escaped = key.find('\\') != std::string_view::npos;
    const std::string name = escaped ? decode(key).value_or("") : std::string(key);
    if (is_secret_name(name)) return secret(name);
    if (objects_.empty() || at_ >= json_.size() || json_[at_] != '"') return;
    const std::string folded = fold_name(name);
    const std::size_t end = skip_string(json_, at_);
    const std::string_view quoted = json_.substr(at_, end - at_);
    Object& object = objects_.back();
    if (among(kPointing, folded)) {
      object.names_field = true;
      const bool known = secrets_.is_secret_field(decode(quoted).value_or(""));
      object.names_secret = object.names_secret || known;
    }
    if (among(kNaming, folded)) {
      object.names_field = object.names_field || folded != "name";
      object.names_secret = object.names_secret || is_secret_name(quoted);
    } else if (among(kHolding, folded) && quoted.size() > 2) {
      object.from = out_.size();
      out_ += masked_string(quoted);
      object.to = out_.size();
      at_ = end;
    }
  }

  // The value after a secret key: masked unless it says nothing (true, false, null, a count).
  void secret(std::string_view name) {
    const std::size_t end = skip_value(json_, at_);
    const std::string_view value = json_.substr(at_, end - at_);
    at_ = end;
    const bool harmless = value.empty() || value == "true" || value == "false" || value == "null" ||
                          value == "\"\"" || is_count(name, value);
    if (harmless) {
      out_ += value;
      return;
    }
    if (value.front() == '"') {
      learn(value);
    } else if (value.front() == '{' || value.front() == '[') {
      learn_within(value);
    } else {
      secrets_.learn(value, origin_);
    }
    out_ += mask_string();
  }

  // Masks a value that is a string, with its quotes.
  std::string masked_string(std::string_view quoted) {
    if (carries_credentials(quoted)) return credentials(quoted);
    const bool escaped = quoted.find('\\') != std::string_view::npos;
    const bool closed = is_closed_string(quoted);
    if (!escaped && closed) {
      const std::string_view inner = quoted.substr(1, quoted.size() - 2);
      std::string masked = masked_inner(inner);
      return masked == inner ? std::string(quoted) : quote(masked);
    }
    // A string that was cut is closed for decoding; an escape that was cut is dropped.
    std::string whole(quoted);
    if (!closed) {
      for (int dropped = 0; dropped < 7 && !decode(whole + '"'); ++dropped) whole.pop_back();
      whole += '"';
    }
    const std::optional<std::string> inner = decode(whole);
    if (!inner) return std::string(quoted);
    const std::string masked = masked_inner(*inner);
    return masked == *inner ? std::string(quoted) : quote(masked);
  }

  std::string credentials(std::string_view quoted) {
    const std::string said = decode(quoted).value_or("");
    const std::size_t space = said.rfind(' ');
    if (space != std::string::npos) secrets_.learn(said.substr(space + 1), origin_);
    return mask_string();
  }

  std::string masked_inner(std::string_view text) {
    const std::size_t first = skip_space(text, 0);
    const bool holds_json =
        nesting_ < kNesting && first < text.size() && (text[first] == '{' || text[first] == '[');
    if (!holds_json) return secrets_.masked_text(text);
    return secrets_.masked_text(JsonMasker(secrets_, origin_, text, nesting_ + 1, false).run());
  }

  Secrets& secrets_;
  const Secrets::Origin origin_;
  const std::string_view json_;
  const int nesting_;
  const bool typing_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Object> objects_;
};

std::string Secrets::arguments(std::string_view tool, std::string_view json, bool cut) {
  const std::string masked =
      JsonMasker(*this, Origin::arguments, json, 0, focused_ && types(tool)).run();
  return scrub(masked, true, cut);
}

std::string Secrets::result(std::string_view json, bool cut) {
  const std::string masked = JsonMasker(*this, Origin::result, json, 0, false).run();
  return scrub(masked, true, cut);
}

std::string Secrets::text(std::string_view plain) {
  return scrub(masked_text(plain), false, false);
}

std::string Secrets::arguments_again(std::string_view json, bool cut) {
  const bool focused = focused_;
  const std::string masked = JsonMasker(*this, Origin::arguments, json, 0, false).run();
  focused_ = focused;
  return scrub(masked, true, cut);
}

std::string Secrets::result_again(std::string_view json, bool cut) const {
  return scrub(json, true, cut);
}

std::string Secrets::scrub(std::string_view text, bool is_json, bool cut) const {
  std::string scrubbed = memory_.scrub(text, is_json, cut);
  return given_.empty() ? scrubbed : given_.scrub(scrubbed, is_json, cut);
}

std::string Secrets::masked_text(std::string_view plain) {
  const Findings found = find_secrets(plain);
  for (const SnapshotField& field : found.fields) see(field);
  std::string out;
  std::size_t done = 0;
  for (const SecretSpan& span : found.spans) {
    learn(plain.substr(span.from, span.to - span.from), Origin::result);
    out += plain.substr(done, span.from - done);
    out += kMasked;
    done = span.to;
  }
  out += plain.substr(done);
  return out;
}

// In results a value with a secret name may be an ordinary word of the page, so only those that
// look like tokens are looked for everywhere. What a client types into a password field is a
// secret.
void Secrets::learn(std::string_view value, Origin origin) {
  if (value == kMasked) return;
  if (origin == Origin::result && !is_token_like(value)) return;
  if (memory_.remember(value)) ++version_;
}

void Secrets::see(const SnapshotField& field) {
  if (field.focused) focused_ = field.secret;
  if (!field.secret) {
    // The same ref may have named another field on an earlier page.
    if (fields_.erase(field.ref) > 0) std::erase(field_order_, field.ref);
    return;
  }
  if (!fields_.insert(field.ref).second) return;
  ++version_;
  field_order_.push_back(field.ref);
  if (field_order_.size() <= kFields) return;
  fields_.erase(field_order_.front());
  field_order_.pop_front();
}

std::string mask_secrets(std::string_view json) { return Secrets().result(json); }

}  // namespace hebb::capture
