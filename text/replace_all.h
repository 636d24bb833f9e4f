// Replaces all occurrences of a part of a text.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

// The replacement is not searched again. Precondition: `part` is not empty. O(text).
inline void replace_all(std::string& text, std::string_view part, std::string_view by) {
  std::size_t at = text.find(part), done = 0;
  if (at == std::string::npos) return;
  std::string out;
  for (; at != std::string::npos; at = text.find(part, done)) {
    out.append(text, done, at - done);
    out += by;
    done = at + part.size();
  }
  text = out.append(text, done);
}

}  // namespace hebb
