#include "sql/search_tokenizer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <sqlite3.h>

#include "sql/queries.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb::sql {
namespace {

using Receive = int (*)(void*, int, const char*, int, int, int);  // FTS5's xToken

struct Words {
  fts5_tokenizer unicode61{};
  Fts5Tokenizer* inner = nullptr;

  Words() = default;
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    if (inner != nullptr) unicode61.xDelete(inner);
  }
};

// UTF-8 of the first character that may be written without spaces, U+1100, begins with this byte.
constexpr unsigned char kFirstByte = 0xE1;

bool may_be_written_without_spaces(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= kFirstByte; });
}

bool may_have_parts(std::string_view word) {
  return word.size() > 1 && std::any_of(word.begin() + 1, word.end(), is_upper);
}

// Tokenizes one text and passes the tokens to `receive`.
class Pass {
 public:
  Pass(const Words& words, int flags, std::string_view text, void* context, Receive receive)
      : words_(words), flags_(flags), text_(text), context_(context), receive_(receive) {}

  int run() { return tokenize(text_, &Pass::word); }

 private:
  int tokenize(std::string_view text, Receive receive) {
    return words_.unicode61.xTokenize(words_.inner, this, flags_, text.data(),
                                      static_cast<int>(text.size()), receive);
  }
  int emit(int flags, std::string_view token) {
    return receive_(context_, flags, token.data(), static_cast<int>(token.size()), start_, end_);
  }
  bool is_query() const { return (flags_ & FTS5_TOKENIZE_QUERY) != 0; }

  // Called with a folded word of unicode61 and its place in the text.
  static int word(void* self, int, const char* folded, int size, int start, int end) {
    Pass& pass = *static_cast<Pass*>(self);
    pass.start_ = start;
    pass.end_ = end;
    const auto length = static_cast<std::size_t>(end - start);
    const auto original = pass.text_.substr(static_cast<std::size_t>(start), length);
    if (may_be_written_without_spaces(original)) return pass.cut(original);
    return pass.take(original, {folded, static_cast<std::size_t>(size)});
  }
  // Called with a word of a piece between characters without spaces; its place is that of the whole
  // run.
  static int word_of_piece(void* self, int, const char* folded, int size, int start, int end) {
    Pass& pass = *static_cast<Pass*>(self);
    const auto length = static_cast<std::size_t>(end - start);
    const auto original = pass.piece_.substr(static_cast<std::size_t>(start), length);
    return pass.take(original, {folded, static_cast<std::size_t>(size)});
  }
  static int part(void* self, int, const char* folded, int size, int, int) {
    Pass& pass = *static_cast<Pass*>(self);
    std::string token(folded, static_cast<std::size_t>(size));
    // The index must not have the same token twice at one place.
    if (std::find(pass.taken_.begin(), pass.taken_.end(), token) != pass.taken_.end())
      return SQLITE_OK;
    const int rc = pass.emit(FTS5_TOKEN_COLOCATED, token);
    pass.taken_.push_back(std::move(token));
    return rc;
  }

  int take(std::string_view original, std::string_view folded) {
    if (const int rc = emit(0, folded); rc != SQLITE_OK) return rc;
    if (is_query() || !may_have_parts(original)) return SQLITE_OK;
    const auto parts = camel_parts(original);
    if (parts.size() < 2) return SQLITE_OK;
    taken_.assign(1, std::string(folded));
    for (const auto piece : parts) {
      if (const int rc = tokenize(piece, &Pass::part); rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
  }

  // A run that has characters written without spaces, and perhaps others.
  int cut(std::string_view run) {
    for (std::size_t at = 0; at < run.size();) {
      const std::size_t begin = at;
      std::size_t next = at;
      const bool without_spaces = is_written_without_spaces(next_character(run, next));
      while (at < run.size()) {
        next = at;
        if (is_written_without_spaces(next_character(run, next)) != without_spaces) break;
        at = next;
      }
      piece_ = run.substr(begin, at - begin);
      const int rc = without_spaces ? pairs(piece_) : tokenize(piece_, &Pass::word_of_piece);
      if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
  }

  // ABCD gives AB, BC, CD and, in the index but not in a query, D at the place of CD: so every
  // character begins a token.
  int pairs(std::string_view run) {
    std::size_t first = 0, second = 0;
    next_character(run, second);
    if (second == run.size()) return emit(0, run);
    while (second < run.size()) {
      std::size_t end = second;
      next_character(run, end);
      if (const int rc = emit(0, run.substr(first, end - first)); rc != SQLITE_OK) return rc;
      first = second;
      second = end;
    }
    return is_query() ? SQLITE_OK : emit(FTS5_TOKEN_COLOCATED, run.substr(first));
  }

  const Words& words_;
  const int flags_;
  const std::string_view text_;
  void* const context_;
  const Receive receive_;
  std::string_view piece_;
  std::vector<std::string> taken_;
  int start_ = 0, end_ = 0;
};

// C calls these: no exception may leave them.

int create(void* api, const char**, int, Fts5Tokenizer** out) {
  auto* fts5 = static_cast<fts5_api*>(api);
  std::unique_ptr<Words> words(new (std::nothrow) Words);
  if (words == nullptr) return SQLITE_NOMEM;
  void* context = nullptr;
  int rc = fts5->xFindTokenizer(fts5, "unicode61", &context, &words->unicode61);
  if (rc != SQLITE_OK) return rc;
  std::array<const char*, 2> arguments = {"remove_diacritics", "2"};
  rc = words->unicode61.xCreate(context, arguments.data(), 2, &words->inner);
  if (rc != SQLITE_OK) return rc;
  *out = reinterpret_cast<Fts5Tokenizer*>(words.release());
  return SQLITE_OK;
}

void destroy(Fts5Tokenizer* words) { delete reinterpret_cast<Words*>(words); }

int tokenize(Fts5Tokenizer* words, void* context, int flags, const char* text, int size,
             Receive receive) {
  try {
    const std::string_view all(text != nullptr ? text : "", static_cast<std::size_t>(size));
    return Pass(*reinterpret_cast<const Words*>(words), flags, all, context, receive).run();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

}  // namespace

int register_search_tokenizer(sqlite3* db) {
  fts5_api* api = nullptr;
  sqlite3_stmt* stmt = nullptr;
  const std::string_view sql = text(Query::fts5_api);
  int rc = sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &stmt, nullptr);
  if (rc != SQLITE_OK) return rc;
  sqlite3_bind_pointer(stmt, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
  sqlite3_step(stmt);
  rc = sqlite3_finalize(stmt);
  if (rc != SQLITE_OK) return rc;
  if (api == nullptr) return SQLITE_ERROR;
  fts5_tokenizer tokenizer{create, destroy, tokenize};
  return api->xCreateTokenizer(api, "hebb_words", api, &tokenizer, nullptr);
}

std::vector<std::string_view> camel_parts(std::string_view word) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const bool after_other = !is_upper(word[i - 1]);
    const bool before_lower = i + 1 < word.size() && is_lower(word[i + 1]);
    if (!is_upper(word[i]) || (!after_other && !before_lower)) continue;
    parts.push_back(word.substr(begin, i - begin));
    begin = i;
  }
  parts.push_back(word.substr(begin));
  return parts;
}

bool is_written_without_spaces(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kRanges[] = {
      {0x1100, 0x11FF},    // Hangul, as single letters
      {0x2E80, 0x2FDF},    // radicals
      {0x3005, 0x3007},    // repetition and zero
      {0x3021, 0x3029},    // numerals
      {0x3031, 0x3035},    // repetition
      {0x3038, 0x303C},    // numerals
      {0x3041, 0x318F},    // Hiragana, Katakana, Bopomofo, Hangul
      {0x31A0, 0x31FF},    // the same, extended
      {0x3400, 0x4DBF},    // Han
      {0x4E00, 0x9FFF},    // Han
      {0xA960, 0xA97F},    // Hangul
      {0xAC00, 0xD7FF},    // Hangul
      {0xF900, 0xFAFF},    // Han
      {0xFF66, 0xFFDC},    // Katakana and Hangul of half width
      {0x1B000, 0x1B16F},  // Kana
      {0x20000, 0x3FFFD},  // Han
  };
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const Range& r) { return c >= r.first && c <= r.last; });
}

char32_t next_character(std::string_view text, std::size_t& at) {
  const Utf8Character next = first_character(text.substr(at));
  at += next.bytes;
  return static_cast<char32_t>(next.code);
}

}  // namespace hebb::sql
