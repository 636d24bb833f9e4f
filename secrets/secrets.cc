#include "secrets/secrets.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "secrets/ascii.h"
#include "secrets/json_text.h"
#include "secrets/mask.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"

namespace hebb::secrets {
namespace {

constexpr int kNesting = 3;  // JSON within strings of JSON is masked down to this depth

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

// Whether the tool types into the field that has the focus.
bool types(std::string_view tool) {
  const std::string folded = fold_name(tool);
  const std::vector<std::string>& typing = rules().list(List::typing);
  return std::any_of(typing.begin(), typing.end(), [&](const std::string& word) {
    return folded.find(word) != std::string::npos;
  });
}

}  // namespace

class JsonMasker {
 public:
  // `typing`: a member "text" at the top level is typed into the field that has the focus.
  JsonMasker(Secrets& secrets, Origin origin, std::string_view json, int nesting, bool typing)
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
    bool points_to_secret = false;
    bool is_key = false;    // a JSON Web Key
    std::string ref, role;  // of the field of a page that it is about
    struct Held {
      std::string_view value;        // with quotes
      std::size_t from = 0, to = 0;  // in the output
      bool of_key = false;           // a private member of a JSON Web Key, if it is one
    };
    std::vector<Held> held;
  };

  // Copies punctuation, numbers and literals.
  void between() {
    const char c = json_[at_++];
    if (c == '{') objects_.emplace_back();
    if (std::string_view(", \t\r\n").find(c) == std::string_view::npos) flag_.clear();
    if (c == '}' && !objects_.empty()) close_object();
    out_ += c;
  }

  void close_object() {
    Object object = std::move(objects_.back());
    objects_.pop_back();
    if (origin_ == Origin::shown && is_field_role(object.role) && !object.ref.empty()) {
      secrets_.see({object.ref, object.names_secret, false});  // a page that is given as JSON
    } else {
      object.names_secret = object.names_secret || object.points_to_secret;
    }
    const bool top = objects_.empty() && nesting_ == 0 && origin_ == Origin::typed;
    if (top && object.names_field) secrets_.focused_ = object.names_secret;
    if (top && !object.names_field && typing_ && secrets_.focused_) object.names_secret = true;
    for (auto held = object.held.rbegin(); held != object.held.rend(); ++held) {
      if (!(held->of_key ? object.is_key : object.names_secret)) continue;
      learn(held->value);
      out_.replace(held->from, held->to - held->from, mask_string());
    }
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
      if (!is_key && value && is_token_like(*value)) secrets_.learn(*value, origin_);
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
    const std::string said = decode(quoted).value_or("");
    flag_ = said.starts_with('-') && said.size() <= kSecretNameBytes ? said : "";
    at_ = end;
  }

  void member(std::string_view key, std::size_t value) {
    flag_.clear();
    out_ += json_.substr(at_, value - at_);
    at_ = value;
    const bool escaped = key.find('\\') != std::string_view::npos;
    const std::string name = escaped ? decode(key).value_or("") : std::string(key);
    const bool is_text = at_ < json_.size() && json_[at_] == '"';
    const std::size_t end = is_text ? skip_string(json_, at_) : at_;
    const std::string_view quoted = json_.substr(at_, end - at_);
    if (is_secret_pair(name, is_text ? quoted.substr(1, quoted.size() - 2) : ""))
      return secret(name);
    const std::string folded = fold_name(name);
    if (objects_.empty()) return;
    Object& object = objects_.back();
    // A cookie: {"name": "sid", "value": "x", "httpOnly": true}
    if (folded == "httponly" || folded == "samesite") object.names_secret = true;
    if (!is_text) return;
    if (folded == "kty") object.is_key = true;
    if (rules().has(List::pointing, folded)) {
      object.names_field = true;
      object.ref = decode(quoted).value_or("");
      object.points_to_secret = secrets_.is_secret_field(object.ref);
    }
    if (folded == "role") object.role = decode(quoted).value_or("");
    const bool of_key = rules().has(List::json_private, folded);
    if (rules().has(List::naming, folded)) {
      object.names_field = object.names_field || rules().has(List::selecting, folded);
      const std::string named = decode(quoted).value_or("");
      // The words of a language are tokens, too.
      const bool is_kind = folded == "type" || folded == "kind";
      const bool is_word = is_kind && fold_name(named) == "token";
      object.names_secret = object.names_secret || (!is_word && is_secret_name(named));
    } else if ((of_key || rules().has(List::holding, folded)) && quoted.size() > 2) {
      const std::size_t from = out_.size();
      out_ += masked_string(quoted);
      objects_.back().held.push_back({quoted, from, out_.size(), of_key});
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
    return with_content(quoted, [&](std::string_view text) { return masked_inner(text); });
  }

  std::string credentials(std::string_view quoted) {
    const std::string said = decode(quoted).value_or("");
    const std::size_t space = said.rfind(' ');
    if (space != std::string::npos) secrets_.learn(said.substr(space + 1), origin_);
    return mask_string();
  }

  std::string masked_inner(std::string_view text) {
    if (!flag_.empty() && !holds_json(text)) {  // as in one text: --password hunter2
      const std::string masked = secrets_.masked_text(flag_ + ' ' + std::string(text), origin_);
      if (masked.starts_with(flag_ + ' ')) return masked.substr(flag_.size() + 1);
    }
    if (nesting_ == kNesting || !holds_json(text)) return secrets_.masked_text(text, origin_);
    JsonMasker inner(secrets_, origin_, text, nesting_ + 1, false);
    return secrets_.masked_text(inner.run(), origin_);
  }

  Secrets& secrets_;
  const Origin origin_;
  const std::string_view json_;
  const int nesting_;
  const bool typing_;
  std::size_t at_ = 0;
  std::string flag_;  // the string before in an array, if it may be a flag of a command
  std::string out_;
  std::vector<Object> objects_;
};

std::string Secrets::arguments(std::string_view tool, std::string_view json, bool cut) {
  const std::string masked =
      JsonMasker(*this, Origin::typed, json, 0, focused_ && types(tool)).run();
  return scrub_json(masked, 0, cut);
}

std::string Secrets::result(std::string_view json, bool cut) {
  const std::string masked = JsonMasker(*this, Origin::shown, json, 0, false).run();
  return scrub_json(masked, 0, cut);
}

std::string Secrets::text(std::string_view plain) {
  return memory_.scrub(masked_text(plain, Origin::shown), false);
}

std::string Secrets::arguments_again(std::string_view json, bool cut) {
  const bool focused = focused_;
  const std::string masked = JsonMasker(*this, Origin::typed, json, 0, false).run();
  focused_ = focused;
  return scrub_json(masked, 0, cut);
}

std::string Secrets::result_again(std::string_view json, bool cut) const {
  return scrub_json(json, 0, cut);
}

std::string Secrets::scrub_text(std::string_view text, int nesting, bool cut) const {
  if (nesting == kNesting || !holds_json(text)) return memory_.scrub(text, cut);
  return memory_.scrub(scrub_json(text, nesting + 1, cut), cut);
}

// Strings are looked at as what they say, because a server may escape any character of them.
std::string Secrets::scrub_json(std::string_view json, int nesting, bool cut) const {
  if (memory_.empty()) return std::string(json);
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0, end = 0; i < json.size(); i = end) {
    if (json[i] == '"') {
      end = skip_string(json, i);
      const std::string_view quoted = json.substr(i, end - i);
      const bool cut_here = cut && end == json.size() && !is_closed_string(quoted);
      out += with_content(
          quoted, [&](std::string_view text) { return scrub_text(text, nesting, cut_here); });
      continue;
    }
    constexpr std::string_view kBetween = " \t\r\n,:[]{}\"";
    end = std::min(json.find_first_of(kBetween, i), json.size());
    const std::string_view scalar = json.substr(i, end - i);
    const bool secret = nesting == 0 && memory_.scrub(scalar, cut && end == json.size()) == kMasked;
    out += secret ? mask_string() : std::string(scalar);
    if (end == i) out += json[end++];
  }
  return out;
}

std::string Secrets::masked_text(std::string_view plain, Origin origin) {
  const Findings found = find_secrets(plain);
  for (const SnapshotField& field : found.fields) see(field);
  std::string out;
  std::size_t done = 0;
  for (const SecretSpan& span : found.spans) {
    const std::string_view value = plain.substr(span.from, span.to - span.from);
    if (is_token_like(value)) learn(value, origin);
    out += plain.substr(done, span.from - done);
    out += kMasked;
    done = span.to;
  }
  out += plain.substr(done);
  return out;
}

// In results a value with a secret name may be an ordinary word of the page or a placeholder, so
// only those that look like tokens are looked for everywhere. What a client gives as a password is
// one, whatever it looks like.
void Secrets::learn(std::string_view value, Origin origin) {
  if (is_hidden(value)) return;
  if (origin == Origin::shown && (says_nothing(value) || !is_token_like(value))) return;
  if (memory_.remember(value, origin)) ++version_;
}

void Secrets::see(const SnapshotField& field) {
  if (field.focused) focused_ = field.secret;
  const auto known = fields_.find(field.ref);
  if (known != fields_.end()) {
    const auto place = known->second;
    if (field.secret) return field_order_.splice(field_order_.end(), field_order_, place);
    // The same ref may have named another field on an earlier page.
    fields_.erase(known);
    field_order_.erase(place);
    return;
  }
  if (!field.secret) return;
  ++version_;
  const auto added = field_order_.insert(field_order_.end(), field.ref);
  fields_.emplace(*added, added);
  if (fields_.size() <= bounds_.fields) return;
  fields_.erase(field_order_.front());
  field_order_.pop_front();
}

std::string mask_secrets(std::string_view json) { return Secrets().result(json); }

}  // namespace hebb::secrets
