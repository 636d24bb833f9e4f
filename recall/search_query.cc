#include "recall/search_query.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include <xxhash.h>

#include "engine/values/ascii.h"
#include "sql/search_tokenizer.h"

namespace hebb::recall {
namespace {

constexpr std::size_t kWords = 32;
constexpr std::size_t kBytes = 4096;

bool is_ascii_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// General punctuation, and the punctuation of Chinese, Japanese and Korean.
bool is_punctuation(char32_t c) {
  if (c >= 0x2000 && c <= 0x206F) return true;
  if (c >= 0x3000 && c <= 0x303F) return !sql::is_written_without_spaces(c);
  return c == 0x30FB || (c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) ||
         (c >= 0xFF3B && c <= 0xFF40) || (c >= 0xFF5B && c <= 0xFF65);
}

// A word has no quotation mark in it, so it needs no escaping. Within quotes, AND, OR and NEAR are
// ordinary words.
std::string in_quotes(std::string_view word) { return '"' + std::string(word) + '"'; }

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  text = text.substr(0, kBytes);
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > begin && words.size() < kWords) words.push_back(text.substr(begin, end - begin));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const char32_t c = sql::next_character(text, at);
    if (c < 0x80 ? is_ascii_word(c) : !is_punctuation(c)) continue;
    end_word(here);
    begin = at;
  }
  end_word(text.size());
  return words;
}

SearchExpressions search_expressions(std::string_view text) {
  SearchExpressions e;
  for (const auto word : words_of(text)) {
    // In FTS5 a space means AND, but ignores a word that has no token, such as a dash.
    e.all += (e.all.empty() ? "" : " ") + in_quotes(word);
    e.any += (e.any.empty() ? "" : " OR ") + in_quotes(word) + "*";
    const auto parts = sql::camel_parts(word);
    for (const auto part : parts) {
      e.begun += (e.begun.empty() ? "" : " ") + in_quotes(part) + "*";
      if (parts.size() > 1) e.any += " OR " + in_quotes(part) + "*";
    }
  }
  if (!e.all.empty()) e.all += "*";
  return e;
}

std::int64_t search_hash(std::string_view text) {
  std::string words;
  for (const auto word : words_of(text)) words.append(word).push_back(' ');
  std::transform(words.begin(), words.end(), words.begin(), [](char c) { return to_lower(c); });
  return std::bit_cast<std::int64_t>(std::uint64_t{XXH3_64bits(words.data(), words.size())});
}

}  // namespace hebb::recall
