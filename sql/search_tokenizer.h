// The words of a text as `hebb search` knows them: an FTS5 tokenizer on top of SQLite's unicode61.
//
// To the words of unicode61 it adds, at the same place, the parts of a name in camelCase
// (parseJsonFile: also parse, json and file), and it cuts runs of Chinese, Japanese and Korean,
// which have no spaces between words, into pairs of characters. A query is cut into the same
// pairs, in order, so that a run is found by any piece of it, short ones included.
#pragma once

#include <string_view>
#include <vector>

struct sqlite3;

namespace hebb::sql {

// Makes the tokenizer known to the connection; returns an SQLite result code.
int register_search_tokenizer(sqlite3* db);

// The parts of a name in camelCase: parse, Json, File of parseJsonFile; HTTP, Server of HTTPServer.
// A part begins at an ASCII capital after a character that is no capital, or before a lower-case
// letter. A word with one part gives itself. The parts refer to the word's memory.
std::vector<std::string_view> camel_parts(std::string_view word);

// Whether the character is of a script that is indexed in pairs.
bool is_written_without_spaces(char32_t c);

// The character at text[at], 0xFFFD if it is not UTF-8; moves `at` behind it. Precondition:
// at < text.size().
char32_t next_character(std::string_view text, std::size_t& at);

}  // namespace hebb::sql
