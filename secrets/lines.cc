// Secrets in lines without names: logins in files such as .pgpass, and the words of a seed.
#include <algorithm>
#include <array>
#include <string_view>

#include "secrets/names.h"
#include "secrets/rules.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kFieldBytes = 64;

// The field of a login that begins a text: it ends at `sign`.
std::string_view field(std::string_view text, char sign) {
  const std::string_view near = text.substr(0, kFieldBytes);
  const auto end = std::find_if_not(near.begin(), near.end(), [](char c) {
    return is_word_char(c) || std::string_view("-.*@+").find(c) != std::string_view::npos;
  });
  const auto length = static_cast<std::size_t>(end - near.begin());
  return length < near.size() && near[length] == sign ? near.substr(0, length) : "";
}

bool is_port(std::string_view field) {
  constexpr std::size_t kLeast = 4, kMost = 5;
  const bool number = std::all_of(field.begin(), field.end(), is_digit);
  return field == "*" || (number && field.size() >= kLeast && field.size() <= kMost);
}

// Ports of PostgreSQL and of its connection poolers.
bool is_usual_port(std::string_view field) {
  return field == "*" || field == "5432" || field == "5433" || field == "6432";
}

// Whether it may be a host, not the name of a file such as main.c.
bool is_named_host(std::string_view host) {
  const std::size_t dot = host.rfind('.');
  return host == "localhost" || (dot < host.size() && host.size() - dot > 3);
}

bool is_mail_port(std::string_view field) {
  return field == "25" || field == "465" || field == "587" || field == "2525";
}

}  // namespace

// host:port:database:user:SECRET of .pgpass, [host]:587 user:SECRET of Postfix
void SecretScan::login_line(std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kFieldBytes &&
         (is_alnum(text_[begin - 1]) ||
          std::string_view("-.*[]").find(text_[begin - 1]) != std::string_view::npos)) {
    --begin;
  }
  const char before = begin > 0 ? text_[begin - 1] : '\n';
  if (begin == at || (before != '\n' && !is_quote(before))) return;
  std::size_t value = at + 1;
  const std::string_view mail = field(text_.substr(value), ' ');
  const std::string_view port = field(text_.substr(value), ':');
  if (is_mail_port(mail)) {
    value += mail.size() + 1;
  } else if (is_port(port) &&
             (is_usual_port(port) || is_named_host(text_.substr(begin, at - begin)))) {
    value += port.size() + 1;
    const std::string_view database = field(text_.substr(value), ':');
    if (database.empty() || std::all_of(database.begin(), database.end(), is_digit)) return;
    value += database.size() + 1;
  } else {
    return;
  }
  const std::string_view user = field(text_.substr(value), ':');
  if (user.empty() || is_digit(user.front())) return;
  value += user.size() + 1;
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n\"'`", value), text_.size());
  const bool last = end == text_.size() || text_[end] != ' ';
  const std::string_view content = judged({value, end});
  if (!last || content.find(':') < content.size() || is_placeholder_value(content) ||
      is_plain(content))
    return;
  if (is_token_like(content) || is_chosen_word(content) || is_passphrase(content)) add(value, end);
}

// Use the following password: and, alone in the next line or the one after it, the password.
void SecretScan::next_line(std::size_t at) {
  constexpr std::size_t kBytes = 128, kBlanks = 16, kLeast = 12;
  const std::size_t from = text_.find_first_not_of(" \t\r\n", at + 1);
  if (from == std::string_view::npos || from - at > kBlanks) return;
  const std::string_view between = text_.substr(at, from - at);
  if (between.find('\n') == std::string_view::npos) return;
  std::size_t end = from;
  while (end < text_.size() && end - from < kBytes && !is_blank(text_[end])) ++end;
  const bool alone = end >= text_.size() || text_[end] == '\n' || text_[end] == '\r';
  const std::string_view content = text_.substr(from, end - from);
  if (!alone || content.size() < kLeast || !is_generated(content) ||
      content.find_first_of("=:(){}[]<>\"'/") < content.size())
    return;
  const std::string_view before = text_.substr(0, at).substr(at - std::min(at, kBytes));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  if (line.find(' ') < line.size() && mentions_secret(line)) add(from, end);
}

// Twelve to twenty-four words from a list for keys of wallets, as a whole line or string. They have
// three to eight letters, and none is a common word such as "the".
void SecretScan::seed(std::size_t at) {
  constexpr std::size_t kLeast = 3, kMost = 8;
  constexpr std::array<std::size_t, 5> kCounts{12, 15, 18, 21, 24};
  std::size_t words = 0, end = at;
  for (std::size_t i = at; i < text_.size() && words <= kCounts.back();) {
    std::size_t to = i;
    while (to < text_.size() && to - i <= kMost && is_lower(text_[to])) ++to;
    const std::string_view word = text_.substr(i, to - i);
    if (word.size() < kLeast || word.size() > kMost || rules_.has(List::no_seed_words, word)) break;
    ++words;
    end = to;
    if (to >= text_.size() || text_[to] != ' ') break;
    i = to + 1;
  }
  if (std::find(kCounts.begin(), kCounts.end(), words) == kCounts.end()) return;
  const bool ends = end >= text_.size() || is_quote(text_[end]) || text_[end] == '\n' ||
                    text_[end] == '\r' || text_[end] == '\\';
  if (ends) add(at, end);
}

}  // namespace hebb::secrets
