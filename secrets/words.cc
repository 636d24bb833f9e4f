// Secrets in command lines and sentences, found by the words before them.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "secrets/mask.h"
#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kCommandBytes = 512;
constexpr std::string_view kAnyCommand = "*";
constexpr std::size_t kSentenceBytes = 80;  // how far before a sign the secret's name may be
constexpr Characters kWordEnds = characters(" \t\r\n\"'`|;&)"),
                     kSaidEnds = characters(" \t\r\n\"'`<>");

// The text before `at` in the same command.
std::string_view command_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kCommandBytes) {
    const char c = text[begin - 1];
    const bool goes_on = c == '\n' && begin > 1 && text[begin - 2] == '\\';  // in the next line
    if (!goes_on && std::string_view("\n;|&").find(c) != std::string_view::npos) break;
    --begin;
  }
  return text.substr(begin, at - begin);
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// The part of a sentence before `at`: from the last sign that ends a part.
std::string_view sentence_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kSentenceBytes &&
         std::string_view(".;,!?\n\"`{}[]()<>|=:").find(text[begin - 1]) ==
             std::string_view::npos) {
    --begin;
  }
  return text.substr(begin, at - begin);
}

// Whether several words name a secret, and not something about a secret.
bool names_secret(std::string_view words) {
  bool secret = mentions_secret(words), before = false;
  std::size_t count = 0;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    if (before && rules().has(List::about_secrets, fold_name(word))) return false;
    const bool verb = word == "pass" || word == "Pass" || word == "auth" || word == "Auth";
    before = !verb && is_secret_name(word);
    secret = secret || before;
    count += word.empty() ? 0 : 1;
    at = end + 1;
  }
  return secret && count > 1;
}

// The length of a login's option: --user=, --user, -u, and -sSu, which ends with -u. 0: the text
// begins with another option.
std::size_t after_option(std::string_view text, std::string_view option) {
  if (option.starts_with("--")) {
    if (!text.starts_with(option) || option.size() >= text.size()) return 0;
    const char c = text[option.size()];
    return c == '=' || c == ' ' ? option.size() + 1 : 0;
  }
  constexpr std::size_t kLetters = 16;
  for (std::size_t end = 1; end < text.size() && end < kLetters && is_letter(text[end]); ++end) {
    if (text[end] == option.back()) return end + 1;
  }
  return 0;
}

// Whether a command is in a text as a word or the beginning of one.
bool runs(std::string_view text, std::string_view command) {
  for (std::size_t at = 0; (at = text.find(command, at)) != std::string_view::npos; ++at) {
    if (at == 0 || !is_word_char(text[at - 1])) return true;
  }
  return false;
}

// Whether a command ends at `at`, or goes on with an option or another command, so that the word
// before is an argument and not in a sentence.
bool ends_command(std::string_view text, std::size_t at) {
  const std::size_t next = skip_blanks(text, at);
  if (next >= text.size() || is_quote(text[next])) return true;
  constexpr std::string_view kNext = "-|&;>\\\n\r";
  return kNext.find(text[next]) != std::string_view::npos;
}

// A code of few digits, such as a one-time password.
bool is_code(std::string_view word) {
  return word.size() >= 4 && word.size() <= 8 && std::all_of(word.begin(), word.end(), is_digit);
}

// Whether a word is unlikely in a sentence: letters and digits, or letters and signs.
bool looks_random(std::string_view word) {
  const bool letters = std::any_of(word.begin(), word.end(), is_letter);
  const std::size_t at_sign = word.find('@');
  const bool variable = word.starts_with('$') || word.find_first_of("()[]{}") < word.size();
  const bool address = word.find("://") != std::string_view::npos || word.starts_with('/') ||
                       word.starts_with("./") || word.starts_with("~/") ||
                       (at_sign != std::string_view::npos && word.find('.', at_sign) < word.size());
  return letters && !address && !variable && word.size() >= 6 && is_token_like(word) &&
         !is_placeholder_value(word) && !is_plain(word);
}

// $NAME, $obj.member, $(…), [lindex …]: values of variables and expressions.
bool is_variable(std::string_view word) {
  if (word.starts_with('$')) {
    return std::all_of(word.begin() + 1, word.end(), [](char c) {
      return is_word_char(c) || std::string_view(".:()[]{}").find(c) < 9;
    });
  }
  return word.starts_with('[') || word.starts_with('%');
}

// NAME=value
bool assigns(std::string_view word) {
  const std::size_t sign = std::min(word.find('='), word.size());
  return word.find_first_not_of('=', sign) < word.size() &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(sign),
                     is_secret_name_char);
}

// Whether a text has the option with an argument.
bool has_option(std::string_view text, std::string_view option) {
  for (std::size_t at = 0; (at = text.find(option, at)) != std::string_view::npos; ++at) {
    const std::size_t argument = at + option.size();
    const bool begins = at > 0 && is_blank(text[at - 1]);
    if (begins && argument < text.size() && text[argument] != '-' && !is_blank(text[argument]))
      return true;
  }
  return false;
}

// Whether an argument of -p is no password: a port, ports, the name of a file.
bool is_port_or_file(std::string_view word) {
  constexpr std::size_t kSuffix = 5;
  const std::size_t dot = word.rfind('.');
  const bool suffix = dot < word.size() && word.size() - dot <= kSuffix && is_words(word);
  return suffix || word.find_first_not_of("0123456789.:,/-") == std::string_view::npos ||
         word.find('/') != std::string_view::npos || is_plain(word);
}

// Whether a command in a text reads a secret that is piped into it.
bool reads_secret(std::string_view text) {
  const std::vector<std::string>& piped = rules().list(List::piped);
  return std::any_of(piped.begin(), piped.end(), [&](const std::string& command) {
    return text.find(command) != std::string_view::npos;
  });
}

}  // namespace

void SecretScan::add_token(std::size_t from, std::size_t to) {
  const std::string_view text = text_.substr(from, to - from);
  if (is_token_like(text) && !is_placeholder_value(text) && !is_plain(text)) add(from, to);
}

void SecretScan::add_value(std::string_view name, std::size_t from, std::size_t to) {
  while (from < to && is_blank(text_[from])) ++from;
  while (to > from && is_blank(text_[to - 1])) --to;
  const std::string_view text = judged({from, to});
  if (is_placeholder_value(text) || !may_hold(name, text)) return;
  if (is_token_like(text) || is_chosen_under(name, text)) add(from, to, is_password_name(name));
}

// The word or string at `at`.
SecretSpan SecretScan::argument(std::size_t at) {
  if (at < text_.size() && is_quote(text_[at])) return quoted(at);
  return {at, end_at_escape(at, first_of(argument_end_, kWordEnds, at))};
}

bool SecretScan::command_flag(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  if (rest.size() < 3 || rest[1] == ' ') return false;
  std::string_view before;
  const auto runs_before = [&](const CommandRule& rule) {
    if (before.empty()) before = command_before(text_, at);
    const bool any = rule.command.starts_with('-');
    if (rule.command == kAnyCommand) return true;
    return (any ? has_option(before, rule.command) : runs(before, rule.command)) &&
           std::none_of(rule.unless.begin(), rule.unless.end(),
                        [&](const std::string& other) { return runs(before, other); });
  };
  for (const std::uint16_t i : rules_.logins) {
    const CommandRule& rule = rules_.commands[i];
    const std::size_t login = after_option(rest, rule.pattern);
    if (login == 0 || !runs_before(rule)) continue;
    const SecretSpan secret = login_secret(skip_blanks(text_, at + login), rule.behind);
    if (secret.from == secret.to) continue;
    add(secret.from, secret.to, true);
    return true;
  }
  for (const std::uint16_t i : rules_.options[static_cast<unsigned char>(rest[1])]) {
    const CommandRule& rule = rules_.commands[i];
    if (!rest.starts_with(rule.pattern) || !runs_before(rule)) continue;
    const SecretSpan value = argument(at + rule.pattern.size());
    const std::string_view text = judged(value);
    if (text.empty() || is_placeholder_value(text) || is_variable(text)) continue;
    // -pfoo is one word, -p 3306 may be a port. For an unknown tool fewer values are secrets.
    const bool glued = !rule.pattern.ends_with(' ');
    const bool any = rule.command.starts_with('-');
    if (any && is_port_or_file(text)) continue;
    if (rule.command == kAnyCommand) {
      if (!is_strong(text)) continue;
      add(value.from, value.to);
      return true;
    }
    const bool chosen =
        is_passphrase(text) || (is_chosen_word(text) && (!any || ends_command(text_, value.to)));
    if (is_token_like(text) || (glued && !any ? text.size() >= 4 : chosen)) {
      add(value.from, value.to);
      return true;
    }
  }
  return false;
}

// The secret in the login at `value`: user:SECRET, 'user:SECRET', user:"SECRET", "user":"SECRET";
// and SECRET:, SECRET:x, where a key is the user and there is no password.
SecretSpan SecretScan::login_secret(std::size_t value, char behind) {
  constexpr std::size_t kPort = 6;  // a number of fewer digits is an id or a port
  if (value >= text_.size()) return {};
  const SecretSpan login = argument(value);
  SecretSpan secret = {login.from, login.to};
  const std::size_t sign = text_.substr(login.from, login.to - login.from).find(behind);
  const bool in_quotes = is_quote(text_[value]);
  SecretSpan user = {login.from, login.to};
  if (sign != std::string_view::npos) {
    user.to = login.from + sign;
    secret.from = user.to + 1;
    const bool next = !in_quotes && secret.from < text_.size() && is_quote(text_[secret.from]);
    if (next) secret = quoted(secret.from);
  } else if (in_quotes && login.to + 1 < text_.size() && text_[login.to + 1] == behind) {
    secret = argument(login.to + 2);
  } else {
    return behind == ':' && is_key_like(judged(login)) ? login : SecretSpan{};
  }
  const std::string_view password = judged(secret);
  const bool no_password = password.empty() || password == "x" || password == "X" ||
                           (mentions_secret(password) && !has_digit(password));
  if (behind == ':' && no_password && is_generated(judged(user))) {
    return judged(user).find('@') == std::string_view::npos ? user : SecretSpan{};
  }
  if (password.empty() || is_placeholder_value(password) || password.starts_with("$")) return {};
  if (sign != std::string_view::npos && is_example_login(judged(user), password)) return {};
  const bool number = std::all_of(password.begin(), password.end(), is_digit);
  return number && password.size() < kPort ? SecretSpan{} : secret;
}

void SecretScan::flag(std::size_t at) {
  if (command_flag(at)) return;
  std::size_t from = at;
  while (from < text_.size() && text_[from] == '-') ++from;
  std::size_t end = from;
  while (end < text_.size() && end - from < kSecretNameBytes &&
         (is_word_char(text_[end]) || text_[end] == '-'))
    ++end;
  if (end == from || end + 1 >= text_.size() || text_[end] != ' ') return;
  const std::string_view name = text_.substr(from, end - from);
  if (!is_secret_name(name)) return;
  const std::size_t value = end + 1;
  const SecretSpan span = argument(value);
  const std::string_view text = text_.substr(span.from, span.to - span.from);
  if (is_placeholder_value(text) || is_plain(text)) return;
  const bool variable =
      text.front() == '$' && std::all_of(text.begin() + 1, text.end(), is_word_char);
  if (variable && text_[value] == '"') return;
  const bool names = mentions_secret(text) && !has_digit(text);
  // A word is the value if the command ends after it, or has other options before it.
  const bool among = command_before(text_, at).find(" -") != std::string_view::npos;
  const bool chosen =
      is_chosen_under(name, text) && (among || is_passphrase(text) || ends_command(text_, span.to));
  if (is_quote(text_[value]) || chosen || (!text.starts_with('-') && is_token_like(text) && !names))
    add(span.from, span.to);
}

void SecretScan::sentence(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  if (!rules_.connector_starts[static_cast<unsigned char>(rest.front())]) return;
  for (const std::string& connector : rules_.list(List::connectors)) {
    if (!rest.starts_with(connector)) continue;
    std::size_t value = at + connector.size();
    if (value < text_.size() && text_[value] == ':') ++value;
    value = skip_blanks(text_, value);
    const Name name = name_before(text_, at);
    if (!is_secret_name(text_.substr(name.from, name.to - name.from)))
      return value_after_mention(at, value);
    const SecretSpan span = word(value);
    return add_token(span.from, span.to);
  }
  if (!rest.starts_with("as ")) return;
  // Use … as the password.
  const std::string_view role =
      rest.substr(3, rest.substr(3, kSentenceBytes).find_first_of(".,;\n"));
  std::size_t from = at - 1;
  while (from > 0 && text_[from - 1] != ' ' && text_[from - 1] != '\n') --from;
  const SecretSpan span = word(from);
  if (span.to < at && looks_random(text_.substr(span.from, span.to - span.from)) &&
      names_secret(role)) {
    add(span.from, span.to);
  }
}

// The word of a sentence at `at`, without the signs that end a sentence.
SecretSpan SecretScan::word(std::size_t at) {
  while (at < text_.size() && is_quote(text_[at])) ++at;
  const std::size_t end = end_at_escape(at, first_of(said_end_, kSaidEnds, at));
  return {at, end_without(text_, at, end, ".,;!?)")};
}

// new password -> …, new password → …
void SecretScan::arrow(std::size_t at) {
  if (at > 0 && text_[at] == '>' && text_[at - 1] == ' ') return access_rule(at);
  constexpr std::string_view kArrow = "\xE2\x86\x92";
  std::size_t end = at, value = at + 1;
  if (text_.substr(at).starts_with(kArrow)) {
    value = at + kArrow.size();
  } else if (at > 0 && text_[at] == '>' && (text_[at - 1] == '-' || text_[at - 1] == '=') &&
             value < text_.size() && text_[value] == ' ') {
    --end;
  } else {
    return;
  }
  value_after_mention(end, skip_blanks(text_, value));
}

// ACL SETUSER alice on >SECRET, user alice on >SECRET of Redis
void SecretScan::access_rule(std::size_t at) {
  const std::string_view before = command_before(text_, at);
  if (!runs(before, "SETUSER ") && !(before.starts_with("user ") && runs(before, "on "))) return;
  const SecretSpan span = argument(at + 1);
  if (!is_placeholder_value(judged(span))) add(span.from, span.to);
}

void SecretScan::value_after_mention(std::size_t at, std::size_t value) {
  if (value >= text_.size()) return;
  const SecretSpan span = word(value);
  const std::string_view text = judged(span);
  const std::string_view before = sentence_before(text_, at);
  if (is_code(text)) {
    const std::string folded = fold_name(before);
    if (folded.ends_with("code") && is_secret_name(before)) add(span.from, span.to);
    return;
  }
  const bool assigned =
      is_quote(text_[value]) && text_.substr(skip_blanks(text_, at)).starts_with('=');
  const bool passphrase = text_[at] == ':' && is_passphrase(text);
  if (!looks_random(text) && !passphrase && !(assigned && is_chosen_word(text))) return;
  if (!names_secret(before)) return;
  const std::size_t next = skip_blanks(text_, span.to);
  const bool code =
      next < text_.size() && std::string_view("=+*<&|").find(text_[next]) != std::string_view::npos;
  if (!code) add(span.from, span.to);
}

void SecretScan::phrase(std::size_t at) {
  for (const PhraseSet::Match& match : rules_.phrases.match(text_, at)) {
    if (after_phrase(at, match)) return;
  }
}

// Whether a secret follows a phrase at `at`.
bool SecretScan::after_phrase(std::size_t at, const PhraseSet::Match& match) {
  std::size_t value = skip_blanks(text_, at + match.length);
  if (starts_with_ignoring_case(text_.substr(value), "values ")) value += 7;
  if (value >= text_.size()) return false;
  const bool escaped = text_[value] == '\\' && value + 1 < text_.size();
  const char quote = text_[value + (escaped ? 1 : 0)];
  const bool in_quotes = quote == '\'' || quote == '"';
  SecretSpan span = in_quotes ? quoted(value) : word(value);
  if (in_quotes) span.to = end_at_escape(span.from, span.to);  // send "…\r"
  const std::string_view text = judged(span);
  if (is_placeholder_value(text) || is_variable(text) || text.starts_with("\\\\")) return false;
  if (match.phrase->named) {
    // set DB_PASSWORD x: a lower-case word belongs to a sentence, and (x) is an expression.
    const bool names = !std::all_of(match.word.begin(), match.word.end(), is_lower) &&
                       match.word.find_first_of("()<>") == std::string_view::npos;
    const bool value = names && text.find_first_of("()<>|&") == std::string_view::npos;
    if (names && (in_quotes || value) && !text.starts_with("0x") &&
        is_secret_pair(match.word, text))
      add_value(match.word, span.from, span.to);
    return last_.to == span.to;
  }
  if (!in_quotes && (text.starts_with('-') || assigns(text))) return false;
  bool secret = in_quotes ? is_token_like(text) || is_chosen_word(text) || is_passphrase(text)
                          : (looks_random(text) && has_digit(text)) || is_passphrase(text);
  if (match.phrase->is_command && !in_quotes && !secret) {
    const bool last = !match.phrase->rest.empty() && ends_command(text_, span.to);
    secret = looks_random(text) || (is_chosen_word(text) && (last || is_alone(at, span.to)));
  }
  if (secret) add(span.from, span.to);
  return secret;
}

// docker login --password-stdin <<< SECRET
void SecretScan::here_string(std::size_t at) {
  const std::string_view before = command_before(text_, at);
  if (!reads_secret(before)) return;
  const SecretSpan span = argument(skip_blanks(text_, at + 3));
  if (!is_placeholder_value(judged(span))) add(span.from, span.to);
}

// echo SECRET | docker login --password-stdin
void SecretScan::piped(std::size_t at) {
  const std::string_view after = text_.substr(at + 1, kCommandBytes);
  const std::string_view next = after.substr(0, after.find_first_of("\n;"));
  if (!reads_secret(next)) return;
  const std::string_view before = command_before(text_, at);
  const std::size_t begin = at - before.size();
  const std::size_t shown = before.find_last_not_of(' ');
  if (shown < before.size() && is_quote(before[shown])) {  // "SECRET" | ConvertTo-SecureString
    const std::size_t open = before.rfind(before[shown], shown - 1);
    const std::size_t sign = open < shown ? before.find_last_not_of(" ", open - 1) : open;
    const bool alone = open < shown && (open == 0 || sign > open || before[sign] == '=');
    const std::string_view text = before.substr(open + 1, shown - open - 1);
    if (alone && !is_placeholder_value(text) && !is_variable(text))
      add(begin + open + 1, begin + shown);
  }
  for (const std::string_view command : {"echo ", "printf ", "print "}) {
    const std::size_t found = before.find(command);
    if (found == std::string_view::npos) continue;
    // The last word is the printed text.
    std::size_t end = at;
    while (end > begin && (text_[end - 1] == ' ' || is_quote(text_[end - 1]))) --end;
    std::size_t from = end;
    const bool in_quotes = end < text_.size() && is_quote(text_[end]);
    while (from > begin + found + command.size() &&
           (in_quotes ? text_[from - 1] != text_[end] : text_[from - 1] != ' ')) {
      --from;
    }
    if (!is_placeholder_value(text_.substr(from, end - from))) add(from, end);
    return;
  }
}

}  // namespace hebb::secrets
