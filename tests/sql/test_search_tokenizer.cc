// The words of the search index, as FTS5 sees them.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "sql/database.h"
#include "sql/search_tokenizer.h"

using hebb::sql::camel_parts;
using hebb::sql::Database;
using Words = std::vector<std::string>;

namespace {

Words parts(std::string_view word) {
  const auto views = camel_parts(word);
  return {views.begin(), views.end()};
}

// Every word of the index of one text, with where it stands, in the order of words.
std::string indexed(const std::string& text) {
  Database db(":memory:", Database::Mode::read_write_create);
  db.exec(
      "CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'hebb_words');"
      "CREATE VIRTUAL TABLE v USING fts5vocab (t, instance);"
      "INSERT INTO t VALUES ('" +
      text + "'); INSERT INTO t (t) VALUES ('integrity-check');");
  std::string all;
  const auto add = [](void* to, int, char** values, char**) {
    static_cast<std::string*>(to)->append(values[0]).append("@").append(values[1]).append(" ");
    return 0;
  };
  REQUIRE(sqlite3_exec(db.handle(), "SELECT term, offset FROM v", add, &all, nullptr) == SQLITE_OK);
  return all;
}

}  // namespace

TEST_CASE("parts of a name in camelCase") {
  CHECK(parts("parseJsonFile") == Words{"parse", "Json", "File"});
  CHECK(parts("HTTPServer") == Words{"HTTP", "Server"});
  CHECK(parts("parseHTTP") == Words{"parse", "HTTP"});
  CHECK(parts("http2Client") == Words{"http2", "Client"});
  CHECK(parts("ABC") == Words{"ABC"});
  CHECK(parts("Word") == Words{"Word"});
  CHECK(parts("aB") == Words{"a", "B"});
  CHECK(parts("x") == Words{"x"});
  CHECK(parts("") == Words{""});
  CHECK(parts("caf\u00e9Bar") == Words{"caf\u00e9", "Bar"});
}

TEST_CASE("a name in camelCase stands with its parts at one place, each once") {
  CHECK(indexed("a parseJsonFile b") == "a@0 b@2 file@1 json@1 parse@1 parsejsonfile@1 ");
  CHECK(indexed("testTest") == "test@0 testtest@0 ");
  CHECK(indexed("read_file") == "file@1 read@0 ");
}

TEST_CASE("characters without spaces stand in pairs, the last also alone") {
  CHECK(indexed("\u4fee\u590d\u767b") == "\u4fee\u590d@0 \u590d\u767b@1 \u767b@1 ");
  CHECK(indexed("\u4fee") == "\u4fee@0 ");
  CHECK(indexed("\u4fee\u590dlogIn\u767b x") ==
        "in@1 log@1 login@1 x@3 \u4fee\u590d@0 \u590d@0 \u767b@2 ");
  CHECK(indexed("\u4fee\u4fee\u4fee") == "\u4fee@1 \u4fee\u4fee@0 \u4fee\u4fee@1 ");
}

TEST_CASE("characters of a text, whatever its bytes") {
  const auto characters = [](std::string_view text) {
    std::u32string all;
    for (std::size_t at = 0; at < text.size();) all += hebb::sql::next_character(text, at);
    return all;
  };
  CHECK(characters("a\u00e9\u4fee\U00020bb7") == U"a\u00e9\u4fee\U00020bb7");
  CHECK(characters("\xe4\xbd") == U"\ufffd\ufffd");
  CHECK(characters("\xe4"
                   "a") ==
        U"\ufffd"
        U"a");
  CHECK(characters("\xff\x80z") == U"\ufffd\ufffdz");
}
