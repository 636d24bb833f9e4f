// What a person types, as FTS5 expressions. Any bytes are fine: nothing typed is ever syntax.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hebb::recall {

// The words of a text: runs of ASCII letters and digits and of anything beyond ASCII that is not
// punctuation; the rest only separates, as it does in the index. At most the first 32 words of the
// first 4096 bytes.
struct SearchExpressions {
  std::string all;    // every word, the last as the beginning of one; empty: the text has no word
  std::string begun;  // every word, and every part of a name in camelCase, as the beginning of one
  std::string any;    // at least one of words and parts, each as the beginning of one
  std::array<const std::string*, 3> best_first() const { return {&all, &begun, &any}; }
};
SearchExpressions search_expressions(std::string_view text);

// The same for texts that ask the same: whose words differ in nothing but ASCII case.
std::int64_t search_hash(std::string_view text);

}  // namespace hebb::recall
