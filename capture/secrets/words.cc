// Secrets in command lines and sentences, found by the word before them.
#include <algorithm>
#include <array>
#include <string_view>

#include "capture/secrets/names.h"
#include "capture/secrets/scan.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kCommandBytes = 512;

// Flags of one letter that are followed by a password, if the command says so.
struct CommandFlag {
  std::string_view command, flag;
};
constexpr auto kCommandFlags = std::to_array<CommandFlag>({{"sshpass ", "-p "},
                                                           {"sshpass ", "-p"},
                                                           {"docker login ", "-p "},
                                                           {"podman login ", "-p "},
                                                           {"redis-cli ", "-a "},
                                                           {"mysql ", "-p"},
                                                           {"mysqldump ", "-p"},
                                                           {"mysqladmin ", "-p"},
                                                           {"mariadb ", "-p"}});

// What stands before `at` in the same command.
std::string_view command_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kCommandBytes &&
         std::string_view("\n;|&").find(text[begin - 1]) == std::string_view::npos) {
    --begin;
  }
  return text.substr(begin, at - begin);
}

}  // namespace

void SecretScan::add_token(std::size_t from, std::size_t to) {
  const std::string_view said = text_.substr(from, to - from);
  if (is_token_like(said) && !says_nothing(said)) add(from, to);
}

bool SecretScan::command_flag(std::size_t at) {
  if (!text_.substr(at).starts_with("-p") && !text_.substr(at).starts_with("-a ")) return false;
  const std::string_view before = command_before(text_, at);
  for (const auto& [command, flag] : kCommandFlags) {
    if (!text_.substr(at).starts_with(flag) || before.find(command) == std::string_view::npos)
      continue;
    const std::size_t value = at + flag.size();
    add_token(value, std::min(text_.find_first_of(" \t\r\n\"'`|;&)", value), text_.size()));
    return true;
  }
  return false;
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
  if (!is_secret_name(text_.substr(from, end - from))) return;
  std::size_t value = end + 1;
  if (is_quote(text_[value])) {
    const SecretSpan span = quoted(value);
    if (!says_nothing(text_.substr(span.from, span.to - span.from))) add(span.from, span.to);
    return;
  }
  const std::size_t to = std::min(text_.find_first_of(" \t\r\n\"'`|;&)", value), text_.size());
  const std::string_view said = text_.substr(value, to - value);
  if (!said.starts_with('-') && !says_nothing(said) && is_token_like(said)) add(value, to);
}

void SecretScan::sentence(std::size_t at) {
  if (!text_.substr(at).starts_with("is ")) return;
  const Name name = name_before(text_, at);
  if (!is_secret_name(text_.substr(name.from, name.to - name.from))) return;
  std::size_t value = at + 3;
  if (value < text_.size() && text_[value] == ':') ++value;
  while (value < text_.size() && (text_[value] == ' ' || is_quote(text_[value]))) ++value;
  std::size_t to = std::min(text_.find_first_of(" \t\r\n\"'`", value), text_.size());
  while (to > value && std::string_view(".,;!?").find(text_[to - 1]) != std::string_view::npos)
    --to;
  const std::string_view said = text_.substr(value, to - value);
  if (is_token_like(said) && !says_nothing(said)) add(value, to);
}

void SecretScan::netrc(std::size_t at) {
  constexpr std::string_view kWord = "password ";
  if (!text_.substr(at).starts_with(kWord)) return;
  const std::string_view before = command_before(text_, at);
  if (before.find("machine ") == std::string_view::npos) return;
  if (before.find("login ") == std::string_view::npos) return;
  const std::size_t value = at + kWord.size();
  add_token(value, std::min(text_.find_first_of(" \t\r\n", value), text_.size()));
}

}  // namespace hebb::capture
