// A text with every escape undone, so that a value is found in any spelling of programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::secrets {

// The common form of all spellings of a value. Escapes become their character, until none is left:
// \n, \x26, \046, \u0026, \u{26}, \U00000026, %26, &#38;, &#x26; and &amp;. A backslash before
// anything else is dropped, a plus becomes a blank, and quotes that stand together become one: a
// string of a shell, of SQL or of CSV ends and begins anew at each, or doubles it.
//
// At each position it depends only on the next character and the canonical form of the rest. So the
// canonical form of a text contains the canonical form of a value in it, unless an escape reaches
// across the value's beginning or end.
class Canonical {
 public:
  // `cut`: the source is only a beginning; an escape that its end may cut is left out. O(source).
  explicit Canonical(std::string_view source, bool cut = false);

  std::string_view text() const { return std::string_view(buffer_).substr(at_); }

  // The position of a byte of the text in the source; of the text's end, the source's end. O(log of
  // the escapes).
  std::size_t place(std::size_t at) const;

 private:
  struct Run {
    std::size_t end = 0;    // its end in buffer_; the next run ends where this begins
    std::size_t ahead = 0;  // how much larger its positions are in the source
  };

  void put(char c, std::size_t from);
  void put(std::string_view bytes, std::size_t from);
  void drop(std::size_t length);
  void sign(char c, std::size_t from, bool cut);
  void code(std::uint32_t code, std::size_t from);
  void byte(std::uint32_t byte, std::size_t from);

  // Built from its end, because the meaning of a sign depends on the text after it.
  std::string buffer_;
  std::size_t at_;  // where the text begins in buffer_
  std::vector<Run> runs_;
};

// Whether a text may contain escapes.
bool has_spellings(std::string_view text);

}  // namespace hebb::secrets
