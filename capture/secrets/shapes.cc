#include "capture/secrets/shapes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "capture/secrets/names.h"
#include "capture/secrets/scan.h"

namespace hebb::capture {
namespace {

constexpr std::string_view kAlnum =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kName =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
constexpr std::string_view kBase64 =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/=";

constexpr std::string_view kHost =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";

struct Shape {
  std::string_view prefix, characters;
  std::size_t least;  // characters after the prefix
};

// Tokens that are recognised by a prefix. Sources: the issuers' pages on secret scanning.
constexpr auto kShapes = std::to_array<Shape>({
    {"ghp_", kAlnum, 20},
    {"gho_", kAlnum, 20},
    {"ghu_", kAlnum, 20},
    {"ghs_", kName, 20},
    {"ghr_", kAlnum, 20},
    {"github_pat_", kName, 20},
    {"glpat-", kName, 16},
    {"sk-ant-", kName, 16},
    {"sk-proj-", kName, 16},
    {"sk-svcacct-", kName, 16},
    {"sk-or-", kName, 16},
    {"sk-", kAlnum, 20},
    {"sk_live_", kAlnum, 12},
    {"sk_test_", kAlnum, 12},
    {"rk_live_", kAlnum, 12},
    {"whsec_", kBase64, 16},
    {"AKIA", kUpper, 16},
    {"ASIA", kUpper, 16},
    {"xoxb-", kName, 10},
    {"xoxp-", kName, 10},
    {"xoxa-", kName, 10},
    {"xoxr-", kName, 10},
    {"xoxs-", kName, 10},
    {"xoxe-", kName, 10},
    {"xapp-", kName, 10},
    {"AIza", kName, 30},
    {"ya29.", kName, 20},
    {"npm_", kAlnum, 30},
    {"pypi-AgE", kName, 20},
    {"hf_", kAlnum, 30},
    {"SG.", kBase64, 40},
    {"dop_v1_", kAlnum, 40},
    {"shpat_", kAlnum, 24},
    {"lin_api_", kAlnum, 24},
    {"ntn_", kAlnum, 30},
    {"hvs.", kName, 20},
    {"AGE-SECRET-KEY-", kUpper, 40},
    {"xai-", kAlnum, 40},
    {"gsk_", kAlnum, 30},
    {"hooks.slack.com/services/", kBase64, 20},
    {"discord.com/api/webhooks/", kBase64, 20},
});

std::size_t run_length(std::string_view text, std::string_view characters) {
  return std::min(text.find_first_not_of(characters), text.size());
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

// Sorts the spans, joins those that overlap, and drops those that are masked already.
std::vector<SecretSpan> in_order(std::vector<SecretSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const SecretSpan& a, const SecretSpan& b) { return a.from < b.from; });
  std::vector<SecretSpan> joined;
  for (const SecretSpan& span : spans) {
    if (!joined.empty() && span.from < joined.back().to) {
      joined.back().to = std::max(joined.back().to, span.to);
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

}  // namespace

bool starts_like(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char c) {
           return want == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

std::size_t SecretScan::line_end(std::size_t at) {
  if (line_end_ < at || line_end_ == 0) {
    line_end_ = std::min(text_.find_first_of("\r\n", at), text_.size());
  }
  return line_end_;
}

Findings SecretScan::run() {
  char before = '\n';
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (at >= last_.from && at < last_.to) {
      at = last_.to - 1;  // already found to be a secret
    } else {
      look(at, before);
    }
    before = text_[at];
  }
  found_.spans = in_order(std::move(found_.spans));
  return std::move(found_);
}

void SecretScan::look(std::size_t at, char before) {
  const char c = text_[at];
  switch (c) {
    case '=':
    case ':':
      return assignment(at);
    case '@':
      return user_and_host(at);
    case '(':
      return call(at);
    case '<':
      return tag(at);
    case '|':
      return table_row(at);
    case '\t':
      return columns(at);
    case 'p':
      if (!is_word_char(before)) netrc(at);
      break;
    case '[':
      return yaml_field(at);
    case '-':
      if (before != '-') private_key(at);
      if (before == ' ' || before == '\n' || before == '\'' || before == '"') flag(at);
      return;
    case 'b':
    case 'B':
      if (!is_word_char(before)) credentials(at);
      return;
    case 'i':
      if (before == ' ') sentence(at);
      return;
    case 'u':
      if (!is_word_char(before)) listed_field(at);
      break;
    default:
      break;
  }
  if (!is_word_char(before) && is_word_char(c)) token(at);
}

void SecretScan::token(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  if (rest.starts_with("eyJ") && at >= no_web_token_until_) {
    const std::size_t length = web_token(rest);
    if (length == 0) no_web_token_until_ = at + run_length(rest, kName);
    return add(at, at + length);
  }
  for (const Shape& shape : kShapes) {
    if (shape.prefix.front() != rest.front() || !rest.starts_with(shape.prefix)) continue;
    const std::size_t length = run_length(rest.substr(shape.prefix.size()), shape.characters);
    if (length < shape.least) continue;
    return add(at, at + shape.prefix.size() + length);
  }
}

void SecretScan::credentials(std::size_t at) {
  const std::string_view rest = text_.substr(at);
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!starts_like(rest, scheme)) continue;
    const std::size_t from = at + scheme.size();
    const std::size_t length = run_length(text_.substr(from), kBase64);
    const std::string_view token = text_.substr(from, length);
    const bool mixed = token.find_first_of(kUpper.substr(0, 26), 1) < length &&
                       token.find_first_of("abcdefghijklmnopqrstuvwxyz") < length;
    if (length >= 8 && (is_token_like(token) || (length >= 12 && mixed))) add(from, from + length);
  }
}

void SecretScan::private_key(std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  const std::string_view rest = text_.substr(at);
  if (!rest.starts_with(kBegin)) return;
  const std::size_t title = rest.find("-----", kBegin.size());
  if (title == std::string_view::npos || title > 80) return;
  if (rest.substr(0, title).find("PRIVATE KEY") == std::string_view::npos) return;
  const std::size_t end = rest.find("-----END ", title);
  if (end == std::string_view::npos) return add(at, text_.size());
  const std::size_t closed = rest.find("-----", end + 9);
  add(at, closed == std::string_view::npos ? text_.size() : at + closed + 5);
}

void SecretScan::user_and_host(std::size_t at) {
  // Words before a colon that are not users: mailto:bob1@example.com, npm:react@18.2.0 …
  constexpr auto kNoUsers = std::to_array<std::string_view>(
      {"mailto",   "email", "mail",    "to",     "from",     "cc",       "bcc",      "user",
       "username", "login", "contact", "author", "acct",     "account",  "sip",      "sips",
       "xmpp",     "npm",   "jsr",     "jid",    "owner",    "assignee", "reporter", "by",
       "git",      "ssh",   "name",    "id",     "workspace"});
  std::size_t from = at;
  while (from > 0 && at - from < 512 &&
         std::string_view(" \t\r\n\"'`<>/@()[]{},;|\\").find(text_[from - 1]) ==
             std::string_view::npos) {
    --from;
  }
  const std::string_view user_info = text_.substr(from, at - from);
  const std::size_t colon = user_info.find(':');
  if (colon == std::string_view::npos || colon + 1 == user_info.size()) return;
  const std::string_view password = user_info.substr(colon + 1);
  if (says_nothing(password) || at + 1 >= text_.size()) return;
  if (from >= 3 && text_.substr(from - 3, 3) == "://") {
    // An @ in the password may be written without escaping, so take the last one.
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n\"'`<>/\\", at), text_.size());
    return add(from + colon + 1, text_.rfind('@', end - 1));
  }
  const std::string_view after = text_.substr(at + 1);
  const std::string_view host = after.substr(0, run_length(after, kHost));
  const bool named =
      host.find('.') != std::string_view::npos || host == "tcp" || host == "localhost";
  const std::string user = fold_name(user_info.substr(0, colon));
  const bool is_user = std::find(kNoUsers.begin(), kNoUsers.end(), user) == kNoUsers.end();
  if (colon == 0 || !named || !is_user || !is_token_like(password)) return;
  if (password.find('.') != std::string_view::npos || password.size() < 6) return;
  add(from + colon + 1, at);
}

Findings find_secrets(std::string_view text) { return SecretScan(text).run(); }

}  // namespace hebb::capture
