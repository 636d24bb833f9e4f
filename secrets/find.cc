#include "secrets/find.h"

#include <algorithm>

#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr Characters kLetters = characters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
constexpr Characters with_alnum(std::string_view signs) {
  Characters all = characters(signs);
  for (int c = 0; c < 128; ++c) {
    if (is_alnum(static_cast<char>(c))) all[static_cast<std::size_t>(c)] = true;
  }
  return all;
}
constexpr Characters kName = with_alnum("_-"), kTokenSigns = with_alnum("_-.~+/="),
                     kHost = with_alnum("-.");

constexpr std::size_t kTokenBytes = 20;  // of a token of unknown format

// The characters of which a token consists.
constexpr Characters kReaching = with_alnum(kReachSigns);

std::size_t run_length(std::string_view text, const Characters& characters) {
  std::size_t length = 0;
  while (length < text.size() && characters[static_cast<unsigned char>(text[length])]) ++length;
  return length;
}

// The length of a base64url part of a JSON Web Token; 0 if it is too short to be one.
std::size_t token_part(std::string_view text) {
  const std::size_t length = run_length(text, kName);
  return length >= 8 ? length : 0;
}

// The length of eyJ….eyJ….signature, or of its beginning at the end of the text.
std::size_t web_token(std::string_view text) {
  const std::size_t header = token_part(text);
  if (header == 0 || header >= text.size() || text[header] != '.') return 0;
  std::size_t end = header + 1;
  if (!text.substr(end).starts_with("ey")) return 0;
  end += token_part(text.substr(end));
  if (end < text.size() && text[end] == '.') end += 1 + run_length(text.substr(end + 1), kName);
  return end;
}

// Sorts the spans, joins overlapping ones, and drops values that are masked already.
std::vector<SecretSpan> in_order(std::vector<SecretSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const SecretSpan& a, const SecretSpan& b) { return a.from < b.from; });
  std::vector<SecretSpan> joined;
  for (const SecretSpan& span : spans) {
    if (!joined.empty() && span.from < joined.back().to) {
      joined.back().to = std::max(joined.back().to, span.to);
      joined.back().sure = joined.back().sure && span.sure;
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

}  // namespace

std::size_t SecretScan::first_of(Ahead& known, const Characters& signs, std::size_t at) const {
  if (at < known.from || at > known.to) {
    std::size_t to = std::min(at, text_.size());
    while (to < text_.size() && !signs[static_cast<unsigned char>(text_[to])]) ++to;
    known = {at, to};
  }
  return known.to;
}

std::size_t SecretScan::first_text(Ahead& known, std::string_view what, std::size_t at) const {
  if (at < known.from || at > known.to) known = {at, std::min(text_.find(what, at), text_.size())};
  return known.to;
}

// Whether `at` is within a word and no token begins there, as at most positions.
inline bool SecretScan::within_word(std::size_t at, char before) const {
  return is_alnum(text_[at]) && is_alnum(before) && before != 'm' &&
         (at < 2 || text_[at - 2] != '\\') && (at < 3 || text_[at - 3] != '%') &&
         !rules_.format_index.may_begin(text_.substr(at));
}

Findings SecretScan::run() {
  char before = '\n';
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (at >= last_.from && at < last_.to) {
      at = last_.to - 1;  // already found to be a secret
    } else if (!within_word(at, before)) {
      look(at, before);
    }
    before = text_[at];
  }
  return std::move(found_);
}

void SecretScan::look(std::size_t at, char before) {
  const char c = text_[at];
  switch (c) {
    case ':':
      login_line(at);
      [[fallthrough]];
    case '=':
      return assignment(at);
    case '@':
      return user_and_host(at);
    case '(':
      return call(at);
    case '<':
      return tag(at);
    case '>':
      return arrow(at);
    case '\xE2':
      return arrow(at);
    case '|':
      table_row(at);
      return piped(at);
    case '\t':
      return columns(at);
    case '[':
      return yaml_field(at);
    case '-':
      if (before != '-') private_key(at);
      if (before == ' ' || before == '\n' || before == '\'' || before == '"') flag(at);
      return;
    case '/':
      if (before == ' ' || before == '\'') flag(at);
      return;
    default:
      break;
  }
  if (!is_word_char(c)) return;
  token(at);
  if (last_.to > at || is_word_char(before)) return;
  if (!is_digit(c)) words(at, before);
}

// Secrets that begin with a word.
void SecretScan::words(std::size_t at, char before) {
  switch (to_lower(text_[at])) {
    case 'p':
      private_key(at);
      break;
    case 'b':
      credentials(at);
      break;
    case 'u':
      listed_field(at);
      break;
    case 'k':
      manifest(at);
      break;
    default:
      break;
  }
  if (before == ' ') sentence(at);
  const char start = before == ' ' && at > 1 ? text_[at - 2] : before;
  if (start == '\n' || start == ':' || start == '=' || start == '#' || is_quote(start)) seed(at);
  phrase(at);
}

// A letter that ends an escape belongs to no word: as in \n, %3D and the codes that colour a
// terminal's text.
Before SecretScan::before(std::size_t at) const {
  if (at == 0) return Before::other;
  const char c = text_[at - 1];
  if (c == '_' || c == '-') return Before::sign;
  if (!is_alnum(c)) return Before::other;
  const auto back = [&](std::size_t n) { return at >= n ? text_[at - n] : ' '; };
  const bool escape =
      back(2) == '\\' && std::string_view("nrtbf").find(c) != std::string_view::npos;
  if (escape || back(3) == '%') return Before::other;
  if (c != 'm') return Before::word;
  const std::string_view head = text_.substr(at > 8 ? at - 8 : 0, std::min<std::size_t>(at, 8));
  const std::size_t colour = head.substr(0, head.size() - 1).find_last_not_of("0123456789;");
  const bool coloured = colour != std::string_view::npos && head[colour] == '[';
  return coloured ? Before::other : Before::word;
}

void SecretScan::token(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  const auto back = [&](std::size_t n) { return at >= n ? text_[at - n] : '\n'; };
  const bool begins = !is_alnum(back(1)) || back(1) == 'm' || back(2) == '\\' || back(3) == '%';
  if (!begins && !rules_.format_index.may_begin(rest)) return;
  const Before before = this->before(at);
  const bool start = before != Before::word;
  if (start && rest.starts_with("eyJ") && at >= no_web_token_until_) {
    const std::size_t length = web_token(rest);
    if (length == 0) no_web_token_until_ = at + run_length(rest, kName);
    if (length > 0) return add(at, at + length, true);
  }
  if (start && at >= reach_end_) {
    reach_end_ = at;
    while (reach_end_ < text_.size() && kReaching[static_cast<unsigned char>(text_[reach_end_])])
      ++reach_end_;
  }
  const std::size_t reach = start ? reach_end_ - at : 0;
  const std::size_t known = rules_.format_index.match(rules_.formats, rest, before, reach);
  if (known > 0) return add(at, at + known, true);
  const bool escape = at > 0 && text_[at - 1] == '\\';  // \n and a token behind it
  if (!start || escape || reach < kTokenBytes || at < word_end_ || !is_letter(rest.front())) return;
  word_end_ = at + run_length(rest, kName);
  const std::string_view word = text_.substr(at, word_end_ - at);
  if (is_unknown_token(word) && !is_file(at, word_end_)) add(at, word_end_);
}

// The name of a file: it has a suffix of letters.
bool SecretScan::is_file(std::size_t from, std::size_t to) const {
  const std::string_view rest = text_.substr(to, 8);
  const std::size_t suffix = rest.starts_with('.') ? run_length(rest.substr(1), kLetters) : 0;
  const bool ends = suffix + 1 >= rest.size() || !is_word_char(rest[suffix + 1]);
  return (suffix > 1 && suffix < 6 && ends) || (from > 0 && text_[from - 1] == '/' && suffix > 0);
}

void SecretScan::credentials(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!starts_with_ignoring_case(rest, scheme)) continue;
    const std::size_t from = at + scheme.size();
    const std::size_t length = run_length(text_.substr(from), kTokenSigns);
    const std::string_view token = text_.substr(from, length);
    const bool mixed = std::any_of(token.begin() + (length > 0), token.end(), is_upper) &&
                       std::any_of(token.begin(), token.end(), is_lower);
    if (is_words(token) && !mixed) continue;
    if (length >= 8 && (is_token_like(token) || (length >= 12 && mixed))) add(from, from + length);
  }
}

void SecretScan::private_key(std::size_t at) {
  constexpr std::size_t kTitleBytes = 96;
  if (last_.from <= at && last_.to == text_.size()) return;  // within a key block found before
  const std::string_view rest = text_.substr(at);
  for (std::size_t i = 0; i < rules_.blocks.size(); ++i) {
    const BlockRule& block = rules_.blocks[i];
    if (!rest.starts_with(block.begin)) continue;
    key_begins_.resize(rules_.blocks.size());
    if (at < key_begins_[i]) continue;
    std::string_view title = rest.substr(0, kTitleBytes);
    title = title.substr(0, title.find_first_of("\r\n\\"));
    if (title.find(block.has) == std::string_view::npos) continue;
    const std::size_t from = std::min(rest.find(block.from), rest.size());
    key_begins_[i] = at + from;
    const std::size_t end = rest.find(block.end, std::max(from, block.begin.size()));
    if (end == std::string_view::npos) return add(at + from, text_.size());
    const std::string_view last = rest.substr(end + block.end.size());
    const std::size_t dashes = last.substr(0, 96).find("----");
    const std::size_t close = dashes == std::string_view::npos
                                  ? std::min(last.find_first_of("\r\n"), last.size())
                                  : last.find_first_not_of('-', dashes);
    return add(at + from, at + end + block.end.size() + std::min(close, last.size()));
  }
}

// jdbc:oracle:thin:user/SECRET@host, sqlplus user/SECRET@host
bool SecretScan::slash_login(std::size_t at) {
  std::size_t from = at;
  while (from > 0 && at - from < 256 && !is_quote(text_[from - 1]) && text_[from - 1] != ' ' &&
         text_[from - 1] != '\n') {
    --from;
  }
  std::size_t to = at;
  if (from == at && at > 1 && is_quote(text_[at - 1])) {  // user/"SECRET"@host
    to = at - 1;
    const std::size_t open = text_.rfind(text_[to], to - 1);
    if (open == std::string_view::npos || open == 0 || text_[open - 1] != '/') return false;
    from = open - 1;
  }
  const std::string_view login = text_.substr(from, to - from);
  const std::size_t slash = login.find('/');
  if (slash == std::string_view::npos || slash + 1 == login.size()) return false;
  const std::string_view before = text_.substr(from > 80 ? from - 80 : 0, from > 80 ? 80 : from);
  const std::string_view line = before.substr(before.find_last_of("\n;|&") + 1);
  for (const std::string& word : rules_.list(List::slash_logins)) {
    if (login.starts_with(word) || line.find(word) != std::string_view::npos) {
      if (!is_placeholder_value(login.substr(slash + 1))) add(from + slash + 1, to);
      return true;
    }
  }
  return false;
}

void SecretScan::user_and_host(std::size_t at) {
  if (slash_login(at)) return;
  std::size_t from = at;
  while (from > 0 && at - from < 512 &&
         std::string_view(" \t\r\n\"'`<>/@()[]{},;|\\").find(text_[from - 1]) ==
             std::string_view::npos) {
    --from;
  }
  const std::string_view user_info = text_.substr(from, at - from);
  const std::size_t colon = user_info.find(':');
  if (colon == std::string_view::npos) {  // https://TOKEN@host
    const bool address = from >= 3 && text_.substr(from - 3, 3) == "://";
    if (address && is_key_like(user_info)) add(from, at);
    return;
  }
  if (colon + 1 == user_info.size()) return;
  const std::string_view password = user_info.substr(colon + 1);
  const std::string_view name = user_info.substr(0, colon);
  if (is_placeholder_value(password) || is_example_login(name, password) || at + 1 >= text_.size())
    return;
  if (from >= 3 && text_.substr(from - 3, 3) == "://") {
    // An @ in the password may be written without escaping, so take the last one.
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n\"'`<>/\\", at), text_.size());
    return add(from + colon + 1, text_.rfind('@', end - 1), true);
  }
  const std::string_view after = text_.substr(at + 1);
  const std::string_view host = after.substr(0, run_length(after, kHost));
  const bool dsn = host == "tcp";  // user:password@tcp(host:3306)/database
  const bool named = dsn || host.find('.') != std::string_view::npos || host == "localhost";
  const std::string user = fold_name(name);
  if (!named || user.empty() || !is_letter(user.front())) return;
  if (!dsn && (rules_.has(List::no_users, user) || password.find('.') != std::string_view::npos))
    return;
  if (password.size() < 6 || !(is_token_like(password) || (dsn && is_chosen_word(password))))
    return;
  add(from + colon + 1, at);
}

Findings find_in_plain(std::string_view text) {
  Findings found = SecretScan(text).run();
  find_in_tables(text, found.spans);
  return found;
}

Findings find_secrets(std::string_view text) {
  Findings found = find_in_plain(text);
  find_in_escaped(text, found.spans);
  find_in_base64(text, found.spans);
  found.spans = in_order(std::move(found.spans));
  return found;
}

}  // namespace hebb::secrets
