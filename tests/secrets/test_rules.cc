// Rules as data: the user's own, and what is said of a file with a mistake.
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "secrets/rules.h"

namespace hebb::secrets {
namespace {

// What is said of rules; empty: they are taken.
std::string said_of(std::string_view toml) {
  Rules rules;
  try {
    add_rules(rules, toml, "my.toml");
  } catch (const BadRules& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("rules: a file of one's own adds to every list") {
  Rules mine;
  add_rules(
      mine,
      "[[format]]\nname = \"Acme\"\nshape = [\"acme-{lower 8-16}\", \"{digit 4}ACME{hex 8}\"]\n"
      "[names]\nwords = [\"Zugangs-Code\"]\nabout = \"wiki\"\n"
      "[[command]]\nname = \"acmectl \"\nbefore = [\"-k \", \"login \", \"\"]\n"
      "[[command]]\nname = \"acmectl read\"\npiped = true\n"
      "[[command]]\nname = \"acmeadm grant \"\nbefore = \"* \"\nanswers = \"Key?\"\n"
      "[[call]]\nname = \"acme.sign\"\nargument = 2\n"
      "[[block]]\nbegin = \"== ACME\"\nend = \"== END\"\n",
      "my.toml");
  REQUIRE(mine.formats.size() == 2);
  CHECK(mine.formats[0].shape.match("acme-0123456789 and", false) == 15);
  CHECK(mine.formats[0].shape.match("acme-0123", false) == 0);
  CHECK(mine.formats[1].shape.match("1234ACME01234567", false) == 16);
  CHECK(mine.words.occurs_in("meinzugangscode"));
  CHECK(mine.has(List::about_secrets, "wiki"));
  CHECK(mine.commands.size() == 1);
  CHECK(mine.has(List::piped, "acmectl read"));
  CHECK(mine.phrases.match("acmectl login x", 0).front().length == 14);
  CHECK(mine.phrases.match("ACMEctl x", 0).front().length == 8);
  CHECK(mine.blocks.size() == 1);
  CHECK(mine.phrases.match("acmeadm grant bob x", 0).empty());
  CHECK(mine.phrases.match("Key? acmeadm grant \"bob b\" x", 5).front().word == "bob b");
  REQUIRE(mine.calls.size() == 1);
  CHECK(mine.calls[0].object == "acme");
  CHECK(mine.calls[0].function == "sign");
  CHECK(mine.has(List::functions_with_secrets, "sign"));
}

TEST_CASE("rules: a mistake is named with its file and line") {
  const auto check = [](std::string_view toml, std::string_view line, std::string_view what) {
    const std::string said = said_of(toml);
    CAPTURE(toml, said);
    CHECK(said.starts_with("my.toml: line " + std::string(line) + ": "));
    CHECK(said.find(what) != std::string::npos);
  };
  check("[[format]\nname = 1", "1", "");
  check("\n[[format]]\nname = \"a\"\nshape = \"abc-{alnun 20}\"\n", "4",
        "\"alnun\" is no alphabet");
  check("[[format]]\nname = \"a\"\nshape = \"abc-{alnum}\"\n", "3",
        "an alphabet, a space and a number");
  check("[[format]]\nname = \"a\"\nshape = \"abc-{alnum 9-8}\"\n", "3", "the wrong way");
  check("[[format]]\nname = \"a\"\nshape = \"abc-{alnum 0}\"\n", "3", "no number of characters");
  check("[[format]]\nname = \"a\"\nshape = \"{alnum 4}\"\n", "3", "at least 8");
  check("[[format]]\nname = \"a\"\n", "1", "shape is missing");
  check("[[format]]\nname = 7\nshape = \"abc-{alnum 20}\"\n", "2", "name has to be a text");
  check("[[format]]\nname = \"a\"\nregex = \"x\"\nshape = \"abc-{alnum 20}\"\n", "3",
        "\"regex\" is not known");
  check("[[format]]\nname = \"a\"\nshape = \"abc-{alnum 20}\"\nexact = 1\n", "4", "true or false");
  check("[format]\nname = \"a\"\n", "1", "[[format]]");
  check("[names]\nword = [\"a\"]\n", "2", "\"names.word\" is not known");
  check("[names]\nwords = [\"pw\"]\n", "2", "too short");
  check("[names]\nwords = []\n", "2", "empty list");
  check("[[command]]\nname = \"acme \"\n", "1", "before is missing");
  check("[[command]]\nname = \"ab\"\nbefore = \"* \"\n", "1", "too short");
  check("[[call]]\nname = \"acme\"\n", "1", "argument is missing");
  check("[[call]]\nname = \"acme\"\nargument = 99\n", "1", "a number from 0 to 16");
  check("names = 3\n", "1", "[names]");
  CHECK(said_of("") == "");
}

}  // namespace hebb::secrets
