// Secrets in tables, YAML and files of settings: found by the lines around a name and its value.
#include <algorithm>
#include <string_view>

#include "secrets/names.h"
#include "secrets/scan.h"
#include "secrets/values.h"
#include "text/ascii.h"

namespace hebb::secrets {
namespace {

constexpr std::size_t kLineBytes = 128;  // how far to look back
constexpr std::size_t kBlockBytes = 8192;

std::size_t line_begin(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLineBytes && text[begin - 1] != '\n') --begin;
  return begin;
}

std::string_view trimmed(std::string_view text) { return trim(text, " \t\r"); }

}  // namespace

// Only rows of two cells, since in others the next cell may be about something else.
void SecretScan::table_row(std::size_t at) {
  const std::string_view before =
      trimmed(text_.substr(line_begin(text_, at), at - line_begin(text_, at)));
  if (!before.starts_with('|') || before.size() > kSecretNameBytes) return;
  if (!is_secret_name(before.substr(1)) || before.rfind('|') > 0) return;
  const std::size_t end = line_end(at);
  const std::string_view rest = text_.substr(at + 1, end - at - 1);
  const std::size_t close = rest.find('|');
  if (close == std::string_view::npos || !trimmed(rest.substr(close + 1)).empty()) return;
  const std::string_view cell = trimmed(rest.substr(0, close));
  const auto from = static_cast<std::size_t>(cell.data() - text_.data());
  add_value(before.substr(1), from, from + cell.size());
}

void SecretScan::columns(std::size_t at) {
  const Name name = name_before(text_, at);
  if (name.from > 0 && text_[name.from - 1] != '\n') return;
  const std::string_view word = text_.substr(name.from, name.to - name.from);
  if (is_secret_name(word)) add_value(word, at + 1, line_end(at));
}

// X of name="X" value="…", <add key="X" value="…"/>, and of name = "X" in the line before.
std::string_view SecretScan::named_beside(std::size_t at) const {
  const std::string_view near = text_.substr(0, at).substr(at - std::min(at, kLineBytes));
  const std::string_view before = near.substr(near.find_last_of("<>{}") + 1);
  std::size_t sign = before.rfind('=');
  if (sign == std::string_view::npos) return {};
  std::size_t end = sign;
  while (end > 0 && before[end - 1] == ' ') --end;
  const std::string_view head = before.substr(0, end);
  const std::string attribute =
      to_lower(head.substr(head.size() - std::min<std::size_t>(head.size(), 4)));
  if (!attribute.ends_with("name") && !attribute.ends_with("key")) return {};
  std::size_t open = std::min(before.find_first_not_of(" \\", sign + 1), before.size());
  if (open < before.size() && is_quote(before[open])) ++open;
  const std::string_view name = before.substr(open);
  return name.substr(0, name.find_first_of("\\\"',"));
}

std::string_view SecretScan::named_before(std::size_t from) const {
  const std::size_t begin = line_begin(text_, from);
  if (begin == 0 || !trimmed(text_.substr(begin, from - begin)).empty()) return {};
  const std::size_t before = line_begin(text_, begin - 1);
  std::string_view line = trimmed(text_.substr(before, begin - 1 - before));
  if (line.starts_with("- ")) line = trimmed(line.substr(2));
  return line.starts_with("name:") ? trimmed(line.substr(5)) : std::string_view();
}

void SecretScan::block(std::size_t at, std::size_t value) {
  const std::size_t key = at - line_begin(text_, at);  // its indentation
  std::size_t end = line_end(value);
  if (end - value > 2) return;  // |, >-
  while (end < text_.size() && end - value < kBlockBytes) {
    const std::size_t line = end + 1;
    end = std::min(text_.find('\n', line), text_.size());
    const std::string_view content = trimmed(text_.substr(line, end - line));
    if (content.empty()) continue;
    const auto from = static_cast<std::size_t>(content.data() - text_.data());
    if (from - line <= key) return;
    add_token(from, from + content.size());
  }
}

// Whether the quote at `at` ends a string that begins in the same line, as in "Password: ".
bool SecretScan::closes_string(std::size_t at) const {
  constexpr std::size_t kBytes = 256;
  bool open = false;
  for (std::size_t i = at; i > 0 && at - i < kBytes && text_[i - 1] != '\n'; --i) {
    if (text_[i - 1] != text_[at] || (i > 1 && text_[i - 2] == '\\')) continue;
    const bool apostrophe = i > 1 && is_letter(text_[i - 2]) && is_letter(text_[i]);
    if (!apostrophe) open = !open;
  }
  return open;
}

// Whether a name at `name` and the word behind it that ends at `to` are the whole line, as in files
// of settings. In a program the word is a variable.
bool SecretScan::is_alone(std::size_t name, std::size_t to) const {
  constexpr std::size_t kBytes = 160;
  constexpr std::string_view kCode = "(){};";
  const std::string_view rest = text_.substr(to, kBytes);
  const bool last = rest.find_first_not_of("\"'") == std::string_view::npos && rest.size() < 2;
  if (!last && !rest.starts_with('\n') && !rest.starts_with('\r') && !rest.starts_with("\\n"))
    return false;
  const std::size_t begin = name > kBytes ? name - kBytes : 0;
  const std::string_view before = text_.substr(begin, name - begin);
  const std::size_t line = before.find_last_of("\n") + 1;
  if (before.find_first_not_of(" \t+-#", line) != std::string_view::npos && line > 0) return false;
  const std::size_t above = line < 2 ? 0 : before.rfind('\n', line - 2) + 1;
  const std::size_t below = rest.find('\n', std::min(rest.find('\n') + 1, rest.size()));
  return before.find_first_of(kCode, above) == std::string_view::npos &&
         rest.substr(0, below).find_first_of(kCode) == std::string_view::npos;
}

// NAME of variable "NAME" { … default = "…" }
std::string_view SecretScan::variable_before(std::size_t at) const {
  constexpr std::string_view kVariable = "variable \"";
  constexpr std::size_t kBytes = 512;
  const std::size_t begin = at > kBytes ? at - kBytes : 0;
  const std::string_view before = text_.substr(begin, at - begin);
  const std::size_t found = before.rfind(kVariable);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = before.substr(found + kVariable.size());
  const bool closed = rest.find("\n}") != std::string_view::npos;
  return closed ? std::string_view() : rest.substr(0, rest.find('"'));
}

}  // namespace hebb::secrets
