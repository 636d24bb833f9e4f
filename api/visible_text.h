// Makes text from others safe to show: nothing in it is hidden, moves the cursor or changes the
// direction of writing.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

// How a character above U+FFFF is escaped: as in JSON, in two halves, or as in YAML, \U000e0001.
enum class Notation { json, yaml };

// Characters that show nothing or command a terminal become \uXXXX: control characters but newline
// and tab, line and paragraph separators, and whatever Unicode calls a format character or
// ignorable (marks of direction, zero widths, byte order marks, tags), and non-characters.
// Variation selectors stay: emoji need them. A byte that is not UTF-8 becomes \xXX. All else stays,
// so JSON and YAML mean the same after it as before. Applying it twice changes nothing more. O(n).
std::string visible_text(std::string_view text, Notation notation = Notation::json);

// The same for text within one line: newlines become \n, tabs \t.
std::string visible_line(std::string_view text);

}  // namespace hebb
