// Password fields: in HTML, in code that fills one, and in tools' snapshots of a page.
#include <algorithm>
#include <bitset>
#include <string>

#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"

namespace hebb::secrets {
namespace {

// How far to look from a place. Bounded, because one huge line may have any number of places.
constexpr std::size_t kTagBytes = 2048;
constexpr std::size_t kArguments = 17;  // most arguments of a call that are searched, plus one
constexpr std::size_t kStatementBytes = 512;
constexpr std::size_t kRefBytes = 64;
constexpr std::size_t kChildrenBytes = 8192;

// The first quoted string, without quotes.
std::string_view first_quoted(std::string_view text) {
  const std::size_t from = text.find('"');
  if (from == std::string_view::npos) return {};
  std::size_t to = from + 1;
  while (to < text.size() && text[to] != '"') to += text[to] == '\\' ? 2 : 1;
  return text.substr(from + 1, std::min(to, text.size()) - from - 1);
}

std::string_view first_word(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t-'\"");
  if (from == std::string_view::npos) return {};
  const auto end =
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), is_word_char);
  return text.substr(from, static_cast<std::size_t>(end - text.begin()) - from);
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The value of an attribute of a tag; quotes may be escaped.
struct Attribute {
  std::string_view name, value;
};

Attribute next_attribute(std::string_view tag, std::size_t& at) {
  const std::size_t sign = tag.find('=', at);
  if (sign == std::string_view::npos) {
    at = tag.size();
    return {};
  }
  std::size_t from = sign;
  while (from > at && (is_word_char(tag[from - 1]) || tag[from - 1] == '-')) --from;
  std::size_t value = sign + 1;
  if (value < tag.size() && tag[value] == '\\') ++value;
  std::size_t end = 0;
  if (value < tag.size() && (tag[value] == '"' || tag[value] == '\'')) {
    end = std::min(tag.find(tag[value], value + 1), tag.size());
    ++value;
  } else {
    end = std::min(tag.find_first_of(" \t\r\n/>", value), tag.size());
  }
  value = std::min(value, end);
  at = std::max(end, sign + 1);
  const bool escaped = end > value && tag[end - 1] == '\\';
  return {tag.substr(from, sign - from), tag.substr(value, end - value - (escaped ? 1 : 0))};
}

// Whether a word for logins or keys is in a function's name.
bool is_about_login(std::string_view function) {
  constexpr std::size_t kNameBytes = 32;
  const std::string name = to_lower(function.substr(0, kNameBytes));
  const std::vector<std::string>& words = rules().list(List::secret_calls);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return name.find(word) != std::string::npos; });
}

}  // namespace

bool is_field_role(std::string_view role) {
  return role == "textbox" || role == "searchbox" || role == "combobox" || role == "spinbutton";
}

void SecretScan::tag(std::size_t at) {
  const std::string_view near = text_.substr(at, kTagBytes);
  if (near.starts_with("<<<")) return here_string(at);
  if (near.starts_with("<-")) return assignment(at);
  const std::string_view tag = near.substr(0, std::min(near.find('>'), near.size()));
  if (!starts_with_ignoring_case(near, "<input")) return element(at);
  bool secret = false;
  std::string_view value;
  for (std::size_t i = 6; i < tag.size();) {
    const Attribute attribute = next_attribute(tag, i);
    const std::string name = fold_name(attribute.name);
    if (name == "value") value = attribute.value;
    const bool names = name == "type" || name == "name" || name == "id" || name == "placeholder" ||
                       name == "arialabel" || name == "autocomplete";
    secret = secret || (names && is_secret_name(attribute.value));
  }
  if (!secret || is_placeholder_value(value)) return;
  const auto from = static_cast<std::size_t>(value.data() - text_.data());
  add(from, from + value.size());
}

// X of <X><value>, <setting name="X"><value>, and <param-name>X</param-name><param-value>
std::string_view SecretScan::named_above(std::size_t at) const {
  constexpr std::size_t kBytes = 128;
  std::string_view before = text_.substr(0, at).substr(at - std::min(at, kBytes));
  before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
  if (!before.ends_with('>')) return {};
  const std::size_t open = before.rfind('<');
  if (open == std::string_view::npos) return {};
  std::string_view tag = before.substr(open + 1, before.size() - open - 2);
  if (!tag.starts_with('/')) {
    for (std::size_t i = 0; i < tag.size();) {
      const Attribute attribute = next_attribute(tag, i);
      if (attribute.name == "name" || attribute.name == "key") return attribute.value;
    }
    return tag.substr(0, tag.find(' '));
  }
  const std::string_view content = before.substr(0, open);
  return content.substr(content.rfind('>') + 1);
}

// <password>…</password>, and of property lists <key>Password</key><string>…</string>
void SecretScan::element(std::size_t at) {
  const std::string_view near = text_.substr(at, kTagBytes);
  std::size_t end = 1;
  while (end < near.size() && end < kRefBytes &&
         (is_word_char(near[end]) || near[end] == '-' || near[end] == ':')) {
    ++end;
  }
  std::string_view name = near.substr(1, end - 1);
  if (end < near.size() && near[end] == ' ') {  // <property name="password">…</property>
    const std::size_t close = std::min(near.find('>'), near.size());
    name = {};
    for (std::size_t i = end; i < close;) {
      const Attribute attribute = next_attribute(near.substr(0, close), i);
      if (attribute.name == "name" || attribute.name == "key") name = attribute.value;
    }
    end = close;
    if (name.empty() || (close > 0 && near[close - 1] == '/')) return;
  }
  if (end >= near.size() || near[end] != '>') return;
  if (near.starts_with("<key>")) {
    constexpr std::string_view kString = "<string>";
    const std::string_view key = near.substr(end + 1, near.find('<', end) - end - 1);
    const std::size_t value = near.find(kString, end);
    if (key.size() > kSecretNameBytes || !is_secret_name(key) || value == std::string_view::npos ||
        value > end + 2 * kRefBytes) {
      return;
    }
    const std::size_t from = at + value + kString.size();
    return add_value(key, from, std::min(text_.find('<', from), text_.size()));
  }
  if (rules().has(List::values_of, fold_name(name))) name = named_above(at);
  if (!is_secret_name(name)) return;
  const std::size_t close = near.find("</", end);
  if (close == std::string_view::npos) return;
  const std::string_view value = near.substr(end + 1, close - end - 1);
  const std::size_t blanks = std::min(value.find_first_not_of(" \n\t\r"), value.size());
  const std::string_view content =
      value.substr(blanks, value.find_last_not_of(" \n\t\r") + 1 - blanks);
  if (value.find('<') == std::string_view::npos && !is_placeholder_value(content) &&
      may_hold(name, content))
    add(at + end + 1, at + close, is_password_name(name));
}

SecretSpan SecretScan::last_string(std::size_t at, std::string& before) const {
  SecretSpan last;
  const std::size_t end = std::min(text_.size(), at + kTagBytes);
  for (std::size_t i = at; i < end && text_[i] != ')' && text_[i] != '\n' && text_[i] != ';';) {
    const bool escaped = text_[i] == '\\' && i + 1 < text_.size();
    const char c = text_[escaped ? i + 1 : i];
    if (c != '"' && c != '\'' && c != '`') {
      ++i;
      continue;
    }
    if (last.to > 0 && before.size() < kTagBytes)
      before += text_.substr(last.from, std::min(last.to - last.from, kTagBytes));
    last = quoted(i);
    i = last.to + (escaped ? 2 : 1);
  }
  return last;
}

std::string_view SecretScan::statement_before(std::size_t at) const {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kStatementBytes && text_[begin - 1] != '\n' &&
         text_[begin - 1] != ';' && !text_.substr(begin - 1).starts_with("),")) {
    --begin;
  }
  return text_.substr(begin, at - begin);
}

// page.getByRole('textbox', { name: 'Password' }).fill('…'), page.fill('#password', '…'): the last
// string argument of a function that fills a field, in a statement that mentions a secret. And
// form.append('password', '…').
void SecretScan::call(std::size_t at) {
  std::size_t from = at;
  while (from > 0 && at - from < 32 && is_word_char(text_[from - 1])) --from;
  const std::string_view function = text_.substr(from, at - from);
  if (!function.empty() && at + 1 < text_.size()) call_arguments(from, at);
  if (at + 1 < text_.size() && puts_value(at, function)) return;
  const bool fills = rules().has(List::fills, function);
  const bool logs_in = rules().has(List::logins, function);
  if (!fills && !logs_in) return;
  std::string given;
  const SecretSpan last = last_string(at + 1, given);
  const bool secret = fills && (is_secret_name(given) || answers_prompt(from) ||
                                mentions_secret(std::string(statement_before(from)) + given));
  const std::string_view content = text_.substr(last.from, last.to - last.from);
  if (goes_on(after_string(last))) return;  // fill("Note", text): the value is no string
  const bool login = logs_in && !given.empty() && !is_plain(content) &&
                     (is_token_like(content) || is_passphrase(content));
  if ((secret || login) && !is_placeholder_value(content)) add(last.from, last.to);
}

// Whether the statement before has waited for a prompt: child.expect('Password:')
bool SecretScan::answers_prompt(std::size_t at) const {
  constexpr std::size_t kBytes = 96;
  const std::string_view near = text_.substr(0, at).substr(at - std::min(at, kBytes));
  const std::size_t line = near.rfind('\n');
  if (line == std::string_view::npos || line == 0) return false;
  const std::size_t begin = near.rfind('\n', line - 1) + 1;
  const std::string_view last = near.substr(begin, line - begin);
  const bool asks = last.find("assword") < last.size() || last.find("assphrase") < last.size();
  return asks && last.find("expect") < last.size();
}

// jwt.sign(payload, 'SECRET'): arguments that are secrets by their number; of some functions, and
// of functions with names about logins and keys, the arguments that look like a key or a password.
void SecretScan::call_arguments(std::size_t from, std::size_t at) {
  const std::string_view function = text_.substr(from, at - from);
  std::bitset<kArguments> secret;
  bool keys = false;
  if (rules_.has(List::functions_with_secrets, function)) {
    const std::string_view before = text_.substr(0, from);
    const std::string_view object = before.substr(0, before.find_last_not_of(".:->") + 1);
    for (const CallRule& rule : rules_.calls) {
      const bool is_object =
          rule.object.empty() || (object.size() < from && object.ends_with(rule.object));
      if (rule.function != function || !is_object) continue;
      keys = keys || rule.argument == 0;
      if (rule.argument > 0) secret.set(rule.argument);
    }
  }
  const bool passwords = secret.none() && is_quote(text_[at + 1]) && is_about_login(function);
  if (secret.none() && !keys && !passwords) return;
  int depth = 0;
  std::size_t number = 1;
  const std::size_t end = std::min(text_.size(), at + kStatementBytes);
  for (std::size_t i = at + 1; i < end && depth >= 0 && number < kArguments; ++i) {
    const char c = text_[i];
    depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
    depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
    if (c == ',' && depth == 0) ++number;
    const bool escaped = c == '\\' && i + 1 < end && is_quote(text_[i + 1]);
    if (!is_quote(c) && !escaped) continue;
    const SecretSpan string = quoted(i);
    const std::string_view content = judged(string);
    const bool chosen =
        secret[number] && !is_placeholder_value(content) && !is_plain(content) &&
        (is_token_like(content) || is_chosen_word(content) || is_passphrase(content));
    if (chosen || (keys && is_key_like(content)) || (passwords && is_strong(content)))
      add(string.from, string.to);
    i = string.to + (escaped ? 1 : 0);
  }
}

// Whether another argument follows a string that ends at `at`: not one with a name, as in
// fill('…', timeout=5).
bool SecretScan::goes_on(std::size_t at) const {
  if (at >= text_.size() || text_[at] != ',') return false;
  const std::size_t next = std::min(text_.find_first_not_of(" ,", at), text_.size());
  const auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(next), text_.end(),
                                    is_word_char);
  const bool named = end != text_.end() && (*end == '=' || *end == ':');
  return next < text_.size() && is_letter(text_[next]) && !named;
}

// Set("Authorization", "…"), os.Setenv("API_TOKEN", "…"), ("password", "…"), password("…"): a name
// and, next to it, its value. For functions known to set values under names any value counts, for
// others a value that looks like a secret.
bool SecretScan::puts_value(std::size_t at, std::string_view function) {
  constexpr int kArguments = 4;
  const bool puts = rules().has(List::setter_calls, function) || rules().has(List::fills, function);
  SecretSpan name = string_argument(at + 1), value;
  std::size_t next = after_string(name);
  if (name.from == 0) return false;
  if (next < text_.size() && text_[next] == ')') {  // password("…")
    const std::string_view content = text_.substr(name.from, name.to - name.from);
    const bool sure = puts && is_password_name(function);
    const bool secret = is_generated(content) || (sure && may_hold(function, content));
    if (!secret || is_placeholder_value(content) || !is_secret_name(function)) return false;
    add(name.from, name.to, sure);
    return true;
  }
  for (int i = 0; i < kArguments && next < text_.size() && text_[next] == ','; ++i, name = value) {
    value = string_argument(next + 1);
    if (value.from == 0) return false;
    next = after_string(value);
    const std::string_view named = text_.substr(name.from, name.to - name.from);
    const std::string_view content = text_.substr(value.from, value.to - value.from);
    if (named.size() > kSecretNameBytes) continue;
    if (!is_secret_pair(named, content) && !is_session_pair(named, content)) continue;
    const bool sure = is_password_name(named);
    if (is_placeholder_value(content) || !may_hold(named, content)) return true;
    if (fold_name(named).ends_with("authorization")) return header(name.from, named, value.from);
    if ((puts && sure) || is_generated(content)) add(value.from, value.to, sure);
    return true;
  }
  return false;
}

// The string that is the argument at `at`; from is 0 if there is none.
SecretSpan SecretScan::string_argument(std::size_t at) const {
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\n')) ++at;
  if (at < text_.size() && text_[at] == 'b') ++at;
  const bool escaped = at + 1 < text_.size() && text_[at] == '\\';
  if (at >= text_.size() || !is_quote(text_[at + (escaped ? 1 : 0)])) return {};
  return quoted(at);
}

// The position after the quote that ends a string.
std::size_t SecretScan::after_string(SecretSpan string) const {
  const bool escaped = string.to < text_.size() && text_[string.to] == '\\';
  return std::min(string.to + (escaped ? 2 : 1), text_.size());
}

// document.querySelector('#password').value = '…'
bool SecretScan::property(std::size_t from, std::size_t at) {
  if (from == 0 || text_[from - 1] != '.' || !mentions_secret(statement_before(from))) return false;
  std::string given;
  const SecretSpan last = last_string(at + 1, given);
  if (!is_placeholder_value(text_.substr(last.from, last.to - last.from))) add(last.from, last.to);
  return true;
}

// - textbox "Password" [active] [ref=e7]: hunter2
void SecretScan::yaml_field(std::size_t at) {
  constexpr std::string_view kRef = "[ref=";
  if (!text_.substr(at).starts_with(kRef)) return;
  const std::size_t length = text_.substr(at, kRefBytes).find(']');
  if (length == std::string_view::npos) return;
  const std::size_t close = at + length;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kStatementBytes && text_[begin - 1] != '\n') --begin;
  const std::string_view head = text_.substr(begin, at - begin);
  SnapshotField& field = found_.fields.emplace_back();
  field.ref = text_.substr(at + kRef.size(), close - at - kRef.size());
  const std::size_t end = std::min(line_end(close), close + kTagBytes);
  std::string_view tail = text_.substr(close + 1, end - close - 1);
  field.secret = is_field_role(first_word(head)) && is_secret_name(first_quoted(head));
  field.focused = head.find("[active]") != std::string_view::npos ||
                  tail.substr(0, tail.find(':')).find("[active]") != std::string_view::npos;
  const std::size_t colon = tail.find(": ");
  if (colon == std::string_view::npos && tail.ends_with(':') && is_field_role(first_word(head))) {
    return field_with_children(end, indentation(head));
  }
  if (!field.secret || colon == std::string_view::npos) return;
  std::string_view value = tail.substr(colon + 2);
  if (value.size() > 1 && value.front() == '"') value = value.substr(1, value.size() - 2);
  const auto from = static_cast<std::size_t>(value.data() - text_.data());
  if (!is_hidden(value)) add(from, from + value.size(), true);
}

// The last field that was found, with lines below it: - /placeholder: …, then - text: hunter2
void SecretScan::field_with_children(std::size_t end, std::size_t indented) {
  constexpr std::string_view kText = "- text: ", kPlaceholder = "- /placeholder: ";
  SnapshotField& field = found_.fields.back();
  for (std::size_t i = end; i + 1 < text_.size() && i - end < kChildrenBytes;) {
    const std::size_t line = i + 1;
    i = std::min(text_.find('\n', line), text_.size());
    std::string_view child = text_.substr(line, std::min(i - line, kTagBytes));
    const std::size_t begin = indentation(child);
    if (begin <= indented) return;
    child.remove_prefix(begin);
    if (child.starts_with(kPlaceholder) && is_secret_name(child.substr(kPlaceholder.size()))) {
      field.secret = true;
    } else if (field.secret && child.starts_with(kText) && !is_hidden(child.substr(kText.size()))) {
      add(line + begin + kText.size(), i, true);
    }
  }
}

// uid=1_6 textbox "Password" focusable focused value="••••"
void SecretScan::listed_field(std::size_t at) {
  constexpr std::string_view kUid = "uid=";
  if (!text_.substr(at).starts_with(kUid)) return;
  const std::string_view line = text_.substr(at, std::min(line_end(at) - at, kTagBytes));
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space > kRefBytes) return;
  const std::string_view rest = line.substr(space);
  SnapshotField& field = found_.fields.emplace_back();
  field.ref = line.substr(kUid.size(), space - kUid.size());
  constexpr std::string_view kValue = " value=\"";
  const std::size_t value = rest.rfind(kValue);
  std::string_view shown;
  if (value != std::string_view::npos) {
    shown = rest.substr(value + kValue.size());
    shown = shown.substr(0, std::min(shown.rfind('"'), shown.size()));
  }
  // A browser shows a password as dots, whatever the field's name.
  const bool dots = !shown.empty() && shown.find_first_not_of("•●") == std::string_view::npos;
  field.secret = dots || (is_field_role(first_word(rest)) && is_secret_name(first_quoted(rest)));
  field.focused = rest.find(" focused") != std::string_view::npos;
  if (!field.secret || is_hidden(shown)) return;
  const auto from = static_cast<std::size_t>(shown.data() - text_.data());
  add(from, from + shown.size(), true);
}

}  // namespace hebb::secrets
