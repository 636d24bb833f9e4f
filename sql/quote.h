// Quotes names and texts for SQL text. Anybody may have chosen a name in a file, so SQL text gets
// names only through these functions. A value is bound (Statement::bind) wherever SQL allows it.
#pragma once

#include <string>
#include <string_view>

namespace hebb::sql {

inline std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) out.append(c == quote ? 2 : 1, c);
  return out += quote;
}

inline std::string quoted_name(std::string_view name) { return quoted(name, '"'); }
inline std::string quoted_text(std::string_view text) { return quoted(text, '\''); }

}  // namespace hebb::sql
