// Turns the text that a person types into FTS5 expressions. Any bytes are allowed: no part of the
// text is taken for FTS5 syntax.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::recall {

// The words of a text, in order: runs of ASCII letters and digits and of anything beyond ASCII that
// is not punctuation; the rest only separates, as it does in the index. At most the first 32 words
// of the first 4096 bytes.
std::vector<std::string_view> words_of(std::string_view text);

// The same as expressions of FTS5.
struct SearchExpressions {
  std::string all;    // every word, the last as a prefix; empty: the text has no word
  std::string begun;  // every word, and every part of a name in camelCase, as a prefix
  std::string any;    // at least one of the words and parts, as a prefix
  std::array<const std::string*, 3> best_first() const { return {&all, &begun, &any}; }
};
SearchExpressions search_expressions(std::string_view text);

// A hash of the text's words. Texts whose words differ only in ASCII case have the same hash.
std::int64_t search_hash(std::string_view text);

}  // namespace hebb::recall
