#include "secrets/json_masker.h"

#include <algorithm>
#include <utility>

#include "secrets/json_text.h"
#include "secrets/mask.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

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
    if (starts_with_ignoring_case(text, scheme)) return is_token(text.substr(scheme.size()));
  }
  return false;
}

// The content of a quoted string, escapes included: enough to classify a value.
std::string_view inside(std::string_view quoted) {
  return quoted.size() < 2 ? std::string_view() : quoted.substr(1, quoted.size() - 2);
}

// Whether a name in a list of packages or commands may be the name of one: js-tokens; secret-box
// with its description, rotate-secrets with its command.
bool names_package(std::string_view name, std::string_view value) {
  const bool compound = name.find_first_of("-/:") != std::string_view::npos;
  return !is_password_name(name) || (compound && !is_generated(value));
}

// "password": "Enter your password" is a label of a page.
bool is_label(std::string_view value) { return !is_token_like(value) && mentions_secret(value); }

}  // namespace

std::string JsonMasker::run() {
  while (at_ < json_.size()) {
    if (json_[at_] == '"') {
      string();
    } else {
      between();
    }
  }
  while (!objects_.empty()) close_object();
  std::sort(masked_.begin(), masked_.end(),
            [](const Held& a, const Held& b) { return a.from < b.from; });
  std::string out;
  std::size_t done = 0;
  for (const Held& held : masked_) {
    out.append(out_, done, held.from - done);
    out += kMaskedString;
    done = held.to;
  }
  return masked_.empty() ? std::move(out_) : out.append(out_, done);
}

// Copies punctuation, numbers and literals.
void JsonMasker::between() {
  const char c = json_[at_++];
  if (c == '{' || c == '[') open(c);
  if (std::string_view(", \t\r\n").find(c) == std::string_view::npos) forget_command();
  if ((c == '}' || c == ']') && !objects_.empty()) close_object();
  out_ += c;
}

void JsonMasker::open(char bracket) {
  Object& object = objects_.emplace_back();
  object.data = data_.size();
  object.within = std::exchange(next_, Within::nothing);
  object.is_list = bracket == '[';
  // Objects and lists in a list inherit its state; lists in passwords do, too.
  if (objects_.size() > 1 && object.within == Within::nothing) {
    const Object& around = objects_[objects_.size() - 2];
    const bool is_part = around.is_list || (object.is_list && around.within == Within::password);
    if (is_part && around.within != Within::held) object.within = around.within;
  }
}

// Whether the object's other members make one of its values a secret.
bool JsonMasker::is_secret(const Held& held, const Object& object) {
  if (held.of_key) return object.is_key;
  if (held.of_user) return object.has_user;
  const std::string_view content = inside(held.value);
  if (object.has_key_name && is_key_like(content)) return true;
  return object.names_secret || object.of_cookie > 1 || is_session_pair(object.named, content);
}

void JsonMasker::close_object() {
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
  // The object around decides about data that is no secret here.
  const bool passes_on = object.within == Within::held && !objects_.empty();
  if (object.is_secret) {
    for (std::size_t i = object.data; i < data_.size(); ++i) mask(data_[i], object.names_secret);
  }
  if (object.is_secret || !passes_on) data_.resize(object.data);
  for (const Held& held : object.held) {
    if (is_secret(held, object)) {
      mask(held, object.names_secret);
    } else if (passes_on) {
      data_.push_back(held);
    }
  }
}

void JsonMasker::string() {
  const std::size_t end = skip_string(json_, at_);
  const std::string_view quoted = json_.substr(at_, end - at_);
  const std::size_t colon = skip_space(json_, end);
  if (colon < json_.size() && json_[colon] == ':')
    return member(quoted, skip_space(json_, colon + 1));
  at_ = end;
  const bool in_list = !objects_.empty() && objects_.back().is_list;
  if (in_list && within("", quoted))
    return mask(quoted, objects_.back().within == Within::password);
  out_ += masked_string(quoted);
  if (!in_list) return;
  const std::string content = decode(quoted).value_or("");
  const bool is_flag = content.starts_with('-') && content.size() <= kSecretNameBytes;
  if (!is_flag && flag_.empty() && command_.size() + content.size() < kSecretNameBytes)
    command_ += content + ' ';
  flag_ = is_flag ? content : "";
}

void JsonMasker::forget_command() {
  flag_.clear();
  command_.clear();
}

// Whether a value is a secret because of the name of its object or list.
bool JsonMasker::within(std::string_view name, std::string_view quoted) {
  const std::string_view content = inside(quoted);
  switch (objects_.back().within) {
    case Within::faint:
      return is_generated(content) && (name.empty() || !rules().has(List::naming, fold_name(name)));
    case Within::password:
      return !content.empty() && !is_plain(content) && !is_hidden(content) &&
             (origin_ == Origin::typed || !is_placeholder_value(content)) &&
             (name.empty() || !rules().has(List::naming, fold_name(name)));
    default:
      return false;
  }
}

void JsonMasker::member(std::string_view key, std::size_t value) {
  forget_command();
  next_ = Within::nothing;
  out_ += json_.substr(at_, value - at_);
  at_ = value;
  const bool escaped = key.find('\\') != std::string_view::npos;
  const std::string name = escaped ? decode(key).value_or("") : std::string(inside(key));
  const std::string folded = fold_name(name);
  const bool is_text = at_ < json_.size() && json_[at_] == '"';
  const std::size_t end = is_text ? skip_string(json_, at_) : at_;
  const std::string_view quoted = json_.substr(at_, end - at_);
  const bool packages = !objects_.empty() && objects_.back().within == Within::dependencies;
  if (packages) next_ = Within::dependencies;
  if (is_secret_pair(name, inside(quoted)) && !(packages && names_package(name, inside(quoted))) &&
      secret(name, quoted)) {
    return;
  }
  if (is_text &&
      (is_session_pair(name, inside(quoted)) || (!objects_.empty() && within(name, quoted)))) {
    at_ = end;
    return mask(quoted, false);
  }
  if (rules().has(List::dependencies, folded)) next_ = Within::dependencies;
  if (rules().has(List::secret_members, folded)) next_ = Within::held;
  if (objects_.empty()) return;
  Object& object = objects_.back();
  // A cookie: {"name": "sid", "value": "x", "httpOnly": true}
  if (folded == "httponly" || folded == "samesite") object.names_secret = true;
  if (!is_text) return;
  describe(object, folded, quoted);
  if (object.within == Within::held && at_ != end) {
    data_.push_back(hold(quoted));
    at_ = end;
  }
}

// Handles a member that is a string, and its information about the object.
void JsonMasker::describe(Object& object, std::string_view folded, std::string_view quoted) {
  if (folded == "kty") object.is_key = true;
  if (folded == "domain" || folded == "path") ++object.of_cookie;
  if (rules().has(List::reference_members, folded)) {
    object.names_field = true;
    object.ref = decode(quoted).value_or("");
    object.points_to_secret = secrets_.is_secret_field(object.ref);
  }
  if (folded == "role") object.role = decode(quoted).value_or("");
  const bool of_key = rules().has(List::json_private, folded);
  if (folded == "keyname") object.has_key_name = true;
  if (folded == "username" || folded == "user") object.has_user = true;
  if (folded == "key" && is_key_like(inside(quoted))) {  // {"username":"bob","key":"…"}
    Held key = hold(quoted);
    key.of_user = true;
    object.held.push_back(key);
    at_ += quoted.size();
    return;
  }
  if (rules().has(List::naming, folded)) {
    object.names_field = object.names_field || rules().has(List::selecting, folded);
    const std::string named = decode(quoted).value_or("");
    const bool is_kind = folded == "type" || folded == "kind";
    if (is_kind && rules().has(List::secret_kinds, fold_name(named))) object.is_secret = true;
    // The words of a language are tokens, too.
    const bool is_word = is_kind && fold_name(named) == "token";
    object.names_secret = object.names_secret || (!is_word && is_secret_name(named));
    if (folded == "name") object.named = named;
  } else if ((of_key || rules().has(List::value_members, folded)) && quoted.size() > 2) {
    object.held.push_back(hold(quoted, of_key));
    at_ += quoted.size();
  }
}

// Writes a value after its object has decided whether it is a secret.
JsonMasker::Held JsonMasker::hold(std::string_view quoted, bool of_key) {
  const std::size_t from = out_.size();
  out_ += masked_string(quoted);
  return {quoted, from, out_.size(), of_key};
}

void JsonMasker::mask(const Held& held, bool given) {
  if (const auto value = decode(held.value))
    secrets_.learn(*value, origin_, given ? Surety::given : Surety::faint);
  masked_.push_back(held);
}

void JsonMasker::mask(std::string_view value, bool given) {
  const auto content = value.starts_with('"') ? decode(value) : std::string(value);
  if (content) secrets_.learn(*content, origin_, given ? Surety::given : Surety::faint);
  out_ += kMaskedString;
}

// The value after a secret name. False: it is no secret (true, false, null, a count, a path, …).
bool JsonMasker::secret(std::string_view name, std::string_view quoted) {
  const bool password = is_password_name(name);
  if (at_ < json_.size() && (json_[at_] == '{' || json_[at_] == '[')) {
    next_ = password ? Within::password : Within::faint;
    return true;
  }
  const std::string_view content = inside(quoted);
  if (!quoted.empty() && (content.empty() || is_plain(content))) return false;
  if (!quoted.empty() && origin_ == Origin::shown && is_label(content)) return false;
  const std::size_t end = skip_value(json_, at_);
  const std::string_view value = json_.substr(at_, end - at_);
  const bool harmless = value.empty() || value == "true" || value == "false" || value == "null" ||
                        is_count(name, value);
  const bool number = is_short_number_name(name) && value.size() > 2;
  if (harmless || (quoted.empty() && !password && !number)) return false;
  at_ = end;
  mask(value, password);
  return true;
}

// Masks a value that is a string, with its quotes.
std::string JsonMasker::masked_string(std::string_view quoted) {
  if (carries_credentials(quoted)) return credentials(quoted);
  return with_content(quoted, [&](std::string_view text) { return masked_inner(text); });
}

std::string JsonMasker::credentials(std::string_view quoted) {
  const std::string content = decode(quoted).value_or("");
  const std::size_t space = content.rfind(' ');
  if (space != std::string::npos) secrets_.learn(content.substr(space + 1), origin_, Surety::sure);
  return std::string(kMaskedString);
}

std::string JsonMasker::masked_inner(std::string_view text) {
  if (!flag_.empty() && !holds_json(text)) {  // as in a single text: --password hunter2
    // The command's name is unknown: most commands have a login.
    const bool guessed = command_.empty();
    const std::string before = (guessed ? "curl " : command_) + flag_ + ' ';
    const std::string masked = secrets_.masked_text(before + std::string(text), origin_,
                                                    guessed ? Surety::faint : Surety::sure);
    if (masked.starts_with(before)) return masked.substr(before.size());
  }
  if (nesting_ == kNesting || !holds_json(text)) return secrets_.masked_text(text, origin_);
  JsonMasker inner(secrets_, origin_, text, nesting_ + 1, false);
  return secrets_.masked_text(inner.run(), origin_);
}

}  // namespace hebb::secrets
