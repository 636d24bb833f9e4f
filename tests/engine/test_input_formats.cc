// The two visible lists: formats and reasons of refusal.
#include <set>

#include <catch2/catch.hpp>

#include "engine/input/tracker.h"
#include "tests/support/reasons.h"

using namespace hebb;

TEST_CASE("the formats by their stored names") {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    names.push_back(format.name);
    CHECK(format.read != nullptr);
  }
  std::vector<std::string_view> expected{"outcome", "cloudevents", "junit", "history"};
  for (const auto& text : input::tracker_texts()) expected.push_back(text.name);
  CHECK(names == expected);
  for (const char* stored : {"github", "beads", "taskwarrior"}) CHECK(find_format(stored));
}

TEST_CASE("each mapping of a tracker can be read, and one that is wrong says where and why") {
  for (const auto& text : input::tracker_texts()) {
    const input::Mapping mapping = input::read_mapping(text);
    CHECK(mapping.name == text.name);
    CHECK_FALSE(mapping.inner.empty());
    const input::Mapping head = input::read_recognition(text);
    for (const input::Key key : {input::Key("recognise"), input::Key("recognise_not")})
      CHECK(head[key].texts == mapping[key].texts);
  }
  const auto wrong = [](const std::string& toml) -> std::string {
    const std::string whole =
        "recognise = \"key\"\nid = \"key\"\nname = \"title\"\nstate = \"state\"\n" + toml;
    try {
      input::read_mapping({"mine", whole});
    } catch (const input::BadMapping& e) {
      return e.what();
    }
    return "";
  };
  CHECK(wrong("") == "");
  CHECK(wrong("edges = [{ from = \"a[]\", in = \"BLOCKS\" }]") == "");
  CHECK(wrong("closing = \"x\"") == "mine.toml: line 5: closing is no key here");
  CHECK(wrong("from = \"x\"") == "mine.toml: line 5: from is no key here");
  CHECK(wrong("\nclosed = 5") == "mine.toml: line 6: closed has to be a text, texts or true");
  CHECK(wrong("closed = [\"a\", 5]") ==
        "mine.toml: line 5: closed has to be a text, texts or true");
  CHECK(wrong("closed = []") == "mine.toml: line 5: closed is an empty list");
  CHECK(wrong("times = \"long\"") == "mine.toml: line 5: times: there is no form \"long\"");
  CHECK(wrong("edges = \"a\"") == "mine.toml: line 5: edges has to be a list of tables");
  CHECK(wrong("edges = [{ in = \"BLOCKS\" }]") == "mine.toml: line 5: from is missing");
  CHECK(wrong("edges = [{ from = \"a\" }]") ==
        "mine.toml: line 5: there has to be either in or out");
  CHECK(wrong("edges = [{ from = \"a\", in = \"A\", has = \"b\" }]") ==
        "mine.toml: line 5: has is a field and a text");
  CHECK(wrong("x").find("mine.toml: line 5: ") == 0);
  CHECK_THROWS_WITH(input::read_mapping({"mine", "id = \"key\""}),
                    "mine.toml: line 1: name is missing");
  CHECK_THROWS_AS(input::mapping_of("none"), input::BadMapping);
}

TEST_CASE("each reason is one snake_case code with a meaning") {
  std::set<std::string_view> codes;
  for (const auto& reason : refusal::kReasons) {
    CAPTURE(reason.code);
    CHECK(codes.insert(reason.code).second);
    CHECK(reason.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string_view::npos);
    CHECK_FALSE(reason.meaning.empty());
  }
}
