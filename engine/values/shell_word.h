// Texts as words of a command line, for messages that a person can paste.
#pragma once

#include <string>

namespace hebb {

// The text as one word of a shell's command line: quoted where it has to be.
inline std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+:-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string inner;
  for (const char c : text) inner += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + inner + "'";
}

}  // namespace hebb
