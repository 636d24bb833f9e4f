// What a person types, as FTS5 expressions. Any bytes are fine: nothing typed is ever syntax.
#pragma once

#include <string>
#include <string_view>

namespace hebb::capture {

// The words of a text: runs of ASCII letters and digits and of anything beyond ASCII; the rest only
// separates, as it does in the index. At most the first 32 words of the first 4096 bytes.
struct SearchExpressions {
  std::string all;  // every word, the last as the beginning of one; empty: the text has no word
  std::string any;  // at least one word, each as the beginning of one
};
SearchExpressions search_expressions(std::string_view text);

}  // namespace hebb::capture
