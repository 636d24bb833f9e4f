// Words that may not come back: tests/house/words.txt.
#include <cctype>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tests/house/sources.h"

using hebb::test::library_rooms;
using hebb::test::Source;
using hebb::test::sources;

namespace {

using Words = std::map<std::string, std::string, std::less<>>;  // and what to write instead

const Words& refused_words() {
  static const Words read = [] {
    Words words;
    std::ifstream file(HEBB_SOURCE_DIR "/tests/house/words.txt");
    for (std::string line; std::getline(file, line);) {
      const auto end = line.find(' ');
      if (!line.starts_with('#') && end != line.npos)
        words.emplace(line.substr(0, end), line.substr(end + 1));
    }
    return words;
  }();
  return read;
}

// The first refused word of a line outside its quotation marks; empty: there is none.
std::string_view refused_word(std::string_view line) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (is_letter(line[i])) {
      std::size_t end = i;
      while (end < line.size() && is_letter(line[end])) ++end;
      const std::string_view word = line.substr(i, end - i);
      if (!quoted && refused_words().contains(word)) return word;
      i = end - 1;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("words with a private meaning do not come back") {
  CHECK(refused_words().size() > 20);
  auto rooms = library_rooms();
  rooms.push_back("cli");
  for (const Source& source : sources(rooms)) {
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string_view word = refused_word(source.lines[i]);
      if (word.empty()) continue;
      INFO(source.path << ":" << i + 1 << ": in place of \"" << word
                       << "\" write: " << refused_words().find(word)->second);
      CHECK(word.empty());
    }
  }
}

TEST_CASE("a refused word is seen in names and comments, not in texts and longer names") {
  CHECK(refused_word("int kNotFiled = 0;") == "kNotFiled");
  CHECK(refused_word("x();  // what was told") == "told");
  CHECK(refused_word("f(\"it was told\");").empty());
  CHECK(refused_word("f(\"a\\\" told\", told);") == "told");
  CHECK(refused_word("int kNotFiledYet = retold;").empty());
}
