// Secrets found by the name before them: NAME=value, name: "value", headers.
#include <algorithm>
#include <string>

#include "secrets/format.h"
#include "secrets/mask.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr Characters kValueEnds = characters(" \t\r\n\"'`|;&)<>,#");
constexpr Characters kParameterEnds = characters("&# \t\r\n\"'`<>)]}"),
                     kUnquotedEnds = characters(" \t\r\n\"'`,;&<>)}");
constexpr std::size_t kHeaderBytes = 2048;  // how much of a header is looked at

// self.password, getToken(), config["x"]: an expression of a program and not a value. No part of
// one begins with a digit, as in Summer.2024.
bool is_expression(std::string_view value) {
  if (value.find_first_of("([{") != std::string_view::npos) return true;
  if (value.find("||") < value.size() || value.find("&&") < value.size()) return true;
  bool digits = false, dots = false, numbered = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (!is_word_char(c) && c != '.') return false;
    digits = digits || is_digit(c);
    dots = dots || c == '.';
    numbered = numbered || (c == '.' && i + 1 < value.size() && is_digit(value[i + 1]));
  }
  return dots && (!digits || (is_letter(value.front()) && !numbered && is_words(value)));
}

bool is_lower_word(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return is_lower(c) || c == '_'; });
}

bool is_constant_name(std::string_view name) {
  return std::none_of(name.begin(), name.end(), is_lower);
}

// token=TOKEN, an example in documentation.
bool names_secret_only(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return is_upper(c) || c == '_'; }) &&
         mentions_secret(value);
}

// The length of a hash scheme such as {SSHA}; 0: there is none.
std::size_t hash_scheme(std::string_view text) {
  constexpr std::size_t kBytes = 24;
  const std::size_t close = text.substr(0, kBytes).find('}');
  if (!text.starts_with('{') || close == std::string_view::npos) return 0;
  const std::string_view name = text.substr(1, close - 1);
  const bool named = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_upper(c) || is_digit(c) || c == '-' || c == '.';
  });
  return named && close + 1 < text.size() && is_alnum(text[close + 1]) ? close + 1 : 0;
}

// Values of address parameters without secret names: signatures, sessions, OAuth's codes.
bool is_secret_parameter(std::string_view name, std::string_view value) {
  constexpr std::size_t kLeast = 12;
  const std::string folded = fold_name(name);
  value = value.substr(0, kJudgedBytes);
  value = value.substr(0, value.find_first_of("& \t\n\"'#<>"));
  if (rules().has(List::parameters, folded)) return value.size() >= 4;
  if (folded == "p") return is_strong(value);  // ?u=bob&p=…
  if (!rules().has(List::random_parameters, folded) || value.size() < kLeast) return false;
  if (folded == "key" && is_uuid(value)) return true;
  if (folded == "code") return is_token_like(value);
  const bool plain = std::all_of(value.begin(), value.end(), is_word_char);
  const auto digits = std::count_if(value.begin(), value.end(), is_digit);
  return is_random(value) || (plain && value.size() >= 24 && digits >= 4 && is_token_like(value));
}

// The name with the word before it, for "the api key: …"; empty if there is none.
std::string_view two_words(std::string_view text, const Name& name) {
  std::size_t from = name.from;
  if (from == 0 || text[from - 1] != ' ') return {};
  --from;
  const std::size_t space = from;
  while (from > 0 && name.to - from < kSecretNameBytes && is_secret_name_char(text[from - 1]))
    --from;
  if (from == space) return {};
  return text.substr(from, name.to - from);
}

// Whether a default in brackets, after a blank, ends at `at`: Password [none]
bool is_default(std::string_view text, std::size_t at) {
  constexpr std::size_t kBytes = 16;
  const std::string_view near = text.substr(0, at).substr(at - std::min(at, kBytes));
  const std::size_t open = near.rfind('[');
  return open < near.size() && open > 0 && near[open - 1] == ' ';
}

}  // namespace

Name name_before(std::string_view text, std::size_t at) {
  constexpr int kSpaces = 16;  // columns of names
  Name name;
  for (int spaces = 0; spaces < kSpaces && at > 0 && text[at - 1] == ' '; ++spaces) --at;
  if (at > 0 && text[at - 1] == '}') {  // string Token { get; set; } = …
    constexpr std::size_t kAccessors = 48;
    const std::string_view near = text.substr(0, at).substr(at - std::min(at, kAccessors));
    const std::size_t open = near.rfind('{');
    if (open != std::string_view::npos && near.find("get;", open) != std::string_view::npos) {
      at -= near.size() - open;
      while (at > 0 && text[at - 1] == ' ') --at;
    }
  }
  if (at > 0 && is_quote(text[at - 1])) {
    name.in_quotes = true;
    --at;
    if (at > 0 && text[at - 1] == '\\') --at;
  } else if (at > 1 && text[at - 1] == ']' && is_default(text, at)) {  // Password [none]: …
    at = text.rfind('[', at - 1) - 1;
  } else if (at > 0 && text[at - 1] == ']') {  // os.environ["TOKEN"] = …, form[password]=…
    --at;
    const std::size_t size = text.substr(0, at).find_last_not_of("0123456789");
    if (size != std::string_view::npos && text[size] == '[') at = size;  // char key[32] = …
    if (at > 0 && is_quote(text[at - 1])) --at;
  }
  name.to = name.from = at;
  while (name.from > 0 && at - name.from < kSecretNameBytes &&
         is_secret_name_char(text[name.from - 1])) {
    --name.from;
  }
  return name;
}

std::size_t end_without(std::string_view text, std::size_t from, std::size_t end,
                        std::string_view signs) {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost && end > from; ++i, --end) {
    if (signs.find(text[end - 1]) == std::string_view::npos) return end;
  }
  return end;
}

std::size_t SecretScan::end_at_escape(std::size_t from, std::size_t end) {
  constexpr std::size_t kBehind = 64;  // how far after the first escape to look for others
  const std::size_t first = first_text(escape_, "\\", from);
  for (std::size_t at = first; at < end && at - first < kBehind; ++at) {
    if (text_[at] != '\\') continue;
    ++at;
    if (at < text_.size() && std::string_view("nrt").find(text_[at]) < 3) return at - 1;
  }
  return end;
}

SecretSpan SecretScan::quoted(std::size_t at) const {
  const bool escaped = text_[at] == '\\';
  const std::size_t from = at + (escaped ? 2 : 1);
  const char quote = text_[from - 1];
  for (std::size_t i = from; i < text_.size(); ++i) {
    if (escaped && text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] == quote) {
      return {from, i};
    }
    if (text_[i] == quote) return {from, i};
    if (text_[i] == '\\') ++i;
  }
  return {from, text_.size()};
}

// key in: let key: &str = …, var key string = …, variable "key" { default = …; and the name on the
// line before value:
std::string_view SecretScan::named_elsewhere(const Name& name, char sign) const {
  if (sign == ':') return named_before(name.from);
  const std::string_view last = text_.substr(name.from, name.to - name.from);
  if (last == "default") return variable_before(name.from);
  if (last == "content" || last.ends_with("value") || last.ends_with("Value"))
    return named_beside(name.from);
  std::size_t end = name.from;
  while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '&')) --end;
  const bool typed = end > 0 && text_[end - 1] == ':';
  if (!typed && (end == name.from || last != "string")) return {};
  const Name before = name_before(text_, typed ? end - 1 : end);
  return text_.substr(before.from, before.to - before.from);
}

// The word or string at `at`, or the beginning of a long one.
std::string_view SecretScan::value_at(std::size_t at) const {
  constexpr std::size_t kBytes = 64;
  const std::size_t from = at + (is_quote(text_[at]) ? 1 : 0);
  const std::string_view near = text_.substr(from, kBytes);
  const auto end = std::find_if(near.begin(), near.end(),
                                [](char c) { return kValueEnds[static_cast<unsigned char>(c)]; });
  return near.substr(0, static_cast<std::size_t>(end - near.begin()));
}

// An assignment sign: the end of the name before it, and the beginning of the value.
struct SecretScan::Sign {
  std::size_t end = 0, value = 0;
  bool arrow = false;     // 'password' => '…'
  bool compares = false;  // == or !=
};

bool SecretScan::sign_at(std::size_t at, Sign& sign) const {
  const char c = text_[at];
  const auto is_one_of = [&](std::size_t i, std::string_view list) {
    return i < text_.size() && list.find(text_[i]) != std::string_view::npos;
  };
  if (c == '=' && at > 0 && text_[at - 1] == '=') return false;  // of == and longer rows
  std::size_t next = at + 1;
  sign.arrow = c == '=' && is_one_of(next, ">");
  if (sign.arrow) ++next;
  while (c == '=' && is_one_of(next, "=")) {
    sign.compares = true;
    ++next;
  }
  if (c == '<') ++next;  // <-
  if (next >= text_.size() || is_one_of(next, "=>:")) return false;
  if (c == ':' && text_.substr(next).starts_with("//")) return false;
  sign.end = at;  // :=, ??=, ||=, += and .= are skipped, too
  while (c == '=' && sign.end > 0 && is_one_of(sign.end - 1, ":?|+.")) --sign.end;
  if (sign.end > 0 && is_one_of(sign.end - 1, "=<>")) return false;
  if (c == '=' && sign.end == at && sign.end > 0 && text_[sign.end - 1] == '!') {
    sign.compares = true;
    --sign.end;
  }
  sign.value = next;
  while (is_one_of(sign.value, " \t")) ++sign.value;
  // b"…", @"…"
  if (is_one_of(sign.value, "@bBrRuULN") && is_one_of(sign.value + 1, "\"'")) ++sign.value;
  return sign.value < text_.size();
}

void SecretScan::assignment(std::size_t at) {
  if (text_[at] == ':' && at + 1 < text_.size() && is_blank(text_[at + 1])) next_line(at);
  Sign found;
  if (!sign_at(at, found)) return;
  const char sign = text_[at];
  const std::size_t value = found.value;
  const Name name = name_before(text_, found.end);
  const std::string_view last = text_.substr(name.from, name.to - name.from);
  std::string_view word = last;
  const bool in_quotes = is_quote(text_[value]);
  if ((found.compares || sign == '<') && !in_quotes) return;
  if (word.empty()) {  // SET PASSWORD FOR 'bob'@'%' = '…'
    if (sign == '=' && in_quotes) value_after_mention(found.end, value);
    return;
  }
  const std::string_view near = value_at(value);
  const bool parameter = is_parameter(name.from, at, value);
  bool secret =
      is_secret_pair(word, near, parameter) || is_session_pair(word, near) ||
      (word == "key" && (in_quotes || value == at + 1) && is_key_of_user(name.from, near));
  if (secret && in_quotes && !name.in_quotes && closes_string(value)) return;
  const bool of_property = word.ends_with(".value") || word == "value";
  if (!secret && sign == '=' && of_property && property(name.to - 5, at)) return;
  const bool aligned = sign == '=' && !secret && is_generated(near);
  if ((sign == ':' || aligned) && !name.in_quotes && !(secret && is_password_name(word))) {
    const std::string_view words = two_words(text_, name);
    if (!words.empty() && is_secret_name(words)) {
      secret = true;
      word = words;
    }
  }
  if (!secret && (sign == '=' || last == "value")) {
    const std::string_view named = named_elsewhere(name, sign);
    const bool listed = name.from > 0 && text_[name.from - 1] == ',';
    secret = is_secret_name(named) && (sign == ':' || in_quotes || listed);
    if (secret) word = named;
  }
  if (secret && found.compares && !is_generated(near)) return;
  if (secret) return value_of(word, name.from, at, found);
  if (parameter && is_secret_parameter(last, text_.substr(value)))
    return unquoted(last, name.from, value, '?');
  if (sign == '=' && last == "name" && in_quotes) return form_part(name.from, quoted(value));
  if (value > at + 1 && !found.compares) value_after_mention(found.end, value);
}

// {"username":"bob","key":"…"}, API(key="…"): a key beside a user, or an argument of a login
// function.
bool SecretScan::is_key_of_user(std::size_t from, std::string_view value) const {
  constexpr std::size_t kBytes = 128;
  const std::string_view before = statement_before(from);
  constexpr std::string_view kLogins[] = {"user", "login", "API(", "Client(", "curl "};
  const bool logs_in = std::any_of(
      std::begin(kLogins), std::end(kLogins),
      [&](std::string_view login) { return before.find(login) != std::string_view::npos; });
  const std::string_view after = text_.substr(from, kBytes);
  // 32 bytes in base64 are a key in any context.
  constexpr std::size_t kKeyCharacters = 44;
  const bool whole = value.size() == kKeyCharacters && value.ends_with('=') && is_random(value);
  return whole || ((logs_in || after.find("\"username\"") < after.size()) && is_key_like(value));
}

// Whether a name at `from`, with its sign and value, is a parameter of an address.
bool SecretScan::is_parameter(std::size_t from, std::size_t sign, std::size_t value) const {
  return text_[sign] == '=' && value == sign + 1 && from > 0 &&
         std::string_view("?&#;").find(text_[from - 1]) != std::string_view::npos;
}

// The value behind the name of a secret, which begins at `from`; the sign is at `at`.
void SecretScan::value_of(std::string_view name, std::size_t from, std::size_t at,
                          const Sign& found) {
  const char sign = text_[at];
  const std::size_t value = found.value;
  const std::string_view rest = text_.substr(value);
  if (rest.starts_with("('") || rest.starts_with("(\"")) {
    std::string user;  // auth=('user', 'password')
    const SecretSpan last = last_string(value + 1, user);
    if (text_.substr(after_string(last)).starts_with(')')) add(last.from, last.to);
    return;
  }
  if (header(from, name, value)) return;
  if (sign == ':' && (rest.front() == '|' || rest.front() == '>')) return block(from, value);
  const bool escaped = rest.size() > 1 && rest.front() == '\\' && is_quote(rest[1]);
  if (!escaped && !is_quote(rest.front())) {
    if (!found.arrow) unquoted(name, from, value, is_parameter(from, at, value) ? '?' : sign);
    return;
  }
  const SecretSpan span = quoted(value);
  const std::string_view content = text_.substr(span.from, span.to - span.from);
  // "password": "Enter your password" is a label on a page and not a secret.
  const bool is_label = !is_token_like(content) && mentions_secret(content);
  if (!is_placeholder_value(content) && !is_label && !is_count(name, content) &&
      may_hold(name, content))
    add(span.from, span.to, is_password_name(name));
}

// Content-Disposition: form-data; name="password", an empty line, and the value up to a line that
// begins with two dashes. `at`: of the word name.
void SecretScan::form_part(std::size_t at, SecretSpan name) {
  constexpr std::size_t kHeadersBytes = 256;
  const std::size_t begin = at - std::min(at, kHeadersBytes);
  const std::string_view before = text_.substr(begin, at - begin);
  if (before.substr(before.rfind('\n') + 1).find("form-data") == std::string_view::npos) return;
  if (!is_secret_name(judged(name))) return;
  const std::string_view after = text_.substr(name.to, kHeadersBytes);
  const std::size_t crlf = after.find("\r\n\r\n"), lf = after.find("\n\n");
  if (crlf == std::string_view::npos && lf == std::string_view::npos) return;
  const std::size_t from = name.to + (crlf < lf ? crlf + 4 : lf + 2);
  const std::size_t boundary = first_text(boundary_, "\n--", from);
  std::size_t to = boundary == text_.size() ? line_end(from) : boundary;
  if (to > from && text_[to - 1] == '\r') --to;
  add(from, to);
}

// Authorization and cookies: the value may have several words.
bool SecretScan::header(std::size_t from, std::string_view name, std::size_t value) {
  const std::string folded = fold_name(name);
  const bool cookie = folded == "cookie" || folded == "setcookie";
  if (!cookie && !folded.ends_with("authorization")) return false;
  std::size_t end = line_end(value);
  if (is_quote(text_[value])) {
    const SecretSpan span = quoted(value);
    value = span.from;
    end = span.to;
  } else if (from > 0 && is_quote(text_[from - 1])) {  // curl -H 'Cookie: …'
    end = std::min(end, text_.find(text_[from - 1], value));
  }
  const std::string_view content = text_.substr(value, end - value);
  if (cookie) {
    const std::size_t sign = content.substr(0, kHeaderBytes).find('=');
    const std::string_view first = content.substr(0, sign);
    if (sign < content.size() && first.find_first_of(" ()[]{}<>,;") >= first.size())
      add(value, end);
    return true;
  }
  for (const std::string& scheme : rules_.list(List::schemes)) {
    if (!starts_with_ignoring_case(content, scheme)) continue;
    const std::string_view rest = content.substr(scheme.size(), kHeaderBytes);
    const std::string_view first = rest.substr(0, rest.find_first_of(" \"'`"));
    const bool alone = first.size() == rest.size() && !is_lower_word(first);
    if (!is_placeholder_value(first) && !names_secret_only(first) &&
        (alone || is_token_like(first)))
      add(value + scheme.size(), end);
    return true;
  }
  std::string_view first = content.substr(0, kHeaderBytes);
  first = first.substr(0, first.find(' '));
  // An unknown scheme, and one word after it.
  const std::string_view second =
      content.substr(std::min(first.size() + 1, content.size()), kHeaderBytes);
  const std::string_view word = second.substr(0, second.find_first_of(" ,;"));
  const bool is_scheme = !first.empty() && std::all_of(first.begin(), first.end(), [](char c) {
    return is_alnum(c) || c == '-' || c == '_';
  });
  if (is_scheme && is_words(first) && is_generated(word)) {
    add(value + first.size() + 1, value + first.size() + 1 + word.size());
  } else if (is_token_like(first) && !is_placeholder_value(first) && !is_plain(first)) {
    add(value, value + first.size());
  }
  return true;
}

void SecretScan::unquoted(std::string_view name, std::size_t from, std::size_t value, char sign) {
  if (text_.substr(value).starts_with(kMasked)) return;
  value += hash_scheme(text_.substr(value));
  std::size_t end = sign == '?' ? first_of(parameter_end_, kParameterEnds, value)
                                : first_of(value_end_, kUnquotedEnds, value);
  if (end > value && text_[end - 1] == '\\') --end;  // the backslash of \"
  end = end_at_escape(value, end);
  if (sign != '?') end = end_without(text_, value, end, ".,:;");
  const std::string_view content = judged({value, end});
  if (is_placeholder_value(content) || is_count(name, content)) return;
  const bool code =
      is_expression(text_.substr(value, std::min(line_end(value) - value, content.size() + 1)));
  const bool number = content.find_first_not_of("0123456789") == std::string_view::npos;
  const bool short_number = number && content.size() >= 3 && is_short_number_name(name);
  const bool sure = is_password_name(name);
  const bool member = name.find('.') != std::string_view::npos;
  const bool in_code = (code || member) && from > 0 && text_[from - 1] == ';';
  const bool parameter =
      sign == '?' && !in_code && !is_plain(content) && !names_secret_only(content);
  if (short_number || parameter) return add(value, end, sure);
  if (sign == '?' || code || !may_hold(name, content)) return;
  const char next = end < text_.size() ? text_[end] : '\n';
  const bool last = std::string_view("&\n\r\\\"'").find(next) != std::string_view::npos;
  const bool tight = sign == '=' && text_[value - 1] == sign;
  const bool variable = tight && is_constant_name(name);
  if (is_token_like(content)) {
    if (sign == ':' || tight || last) add(value, end, sure);
  } else if (tight && !mentions_secret(content)) {
    const bool setting = next == ' ' || (next == ';' && from > 0 && text_[from - 1] == ';');
    if (variable || last || (setting && is_chosen_under(name, content))) add(value, end, sure);
  } else if (is_chosen_under(name, content) && is_alone(from, end)) {
    add(value, end, sure);
  }
}

}  // namespace hebb::secrets
