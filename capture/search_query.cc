#include "capture/search_query.h"

#include <cstddef>
#include <vector>

namespace hebb::capture {
namespace {

constexpr std::size_t kWords = 32;
constexpr std::size_t kBytes = 4096;

bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string_view> words_of(std::string_view text) {
  text = text.substr(0, kBytes);
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size() && words.size() < kWords;) {
    std::size_t end = i;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end > i) words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

// A word holds no quotation mark, so quoting it takes no escaping. Quoted, AND, OR and NEAR are
// words.
std::string quoted(std::string_view word) { return '"' + std::string(word) + '"'; }

}  // namespace

SearchExpressions search_expressions(std::string_view text) {
  SearchExpressions e;
  for (const auto word : words_of(text)) {
    // A space is FTS5's AND that overlooks a word of which the tokenizer leaves nothing, such as a
    // dash.
    e.all += (e.all.empty() ? "" : " ") + quoted(word);
    e.any += (e.any.empty() ? "" : " OR ") + quoted(word) + "*";
  }
  if (!e.all.empty()) e.all += "*";
  return e;
}

}  // namespace hebb::capture
