// NDJSON, one object or an array: told apart by looking, with lines, texts and neighbours kept.
#include <catch2/catch.hpp>

#include "tests/engine/input_support.h"

using namespace hebb;

namespace {

const std::string kGood = R"({"taskId":"t","outcome":"success"})";

std::string reasons(const std::vector<Got>& all) {  // "1: , 2:not_json, "
  std::string out;
  for (const Got& got : all) out += std::to_string(got.line) + ":" + reason_of(got) + " ";
  return out;
}
std::string reasons(std::string_view content) { return reasons(read_all(read_outcomes, content)); }

std::string unreadable(Reader reader, std::string_view content) {
  try {
    read_all(reader, content);
  } catch (const UnreadableInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lines: blank ones are skipped, a bad one does not touch its neighbours") {
  CHECK(reasons("") == "");
  CHECK(reasons("\n \n\t\r\n") == "");
  CHECK(reasons(kGood) == "1: ");
  CHECK(reasons(kGood + "\n\n" + kGood + "\r\n") == "1: 3: ");
  CHECK(reasons("\xef\xbb\xbf" + kGood + "\n") == "1: ");
  for (const std::string bad : {"{", "}", "nonsense", "[", "\"", "{\"taskId\":", "\\", "{\"a\":\"}",
                                "{\"taskId\":\"\xff\"}", "\x01", "[1,2]", "{}}"}) {
    CAPTURE(bad);
    const auto all = read_all(read_outcomes, kGood + "\n" + bad + "\n" + kGood + "\n");
    REQUIRE(all.size() == 3);
    CHECK(reason_of(all[0]) == "");
    CHECK(reason_of(all[1]) != "");
    CHECK(all[1].text == bad);
    CHECK(reason_of(all[2]) == "");
  }
}

TEST_CASE("a bad first line leaves the others") {
  for (const std::string bad : {"}", "nonsense", "{\"taskId\":", "{\"a\":\"}", "[1]", "{}}"}) {
    CAPTURE(bad);
    const auto all = read_all(read_outcomes, bad + "\n" + kGood + "\n" + kGood + "\n");
    REQUIRE(all.size() == 3);
    CHECK(reason_of(all[0]) != "");
    CHECK(reason_of(all[1]) == "");
    CHECK(reason_of(all[2]) == "");
  }
}

TEST_CASE("a last line that was cut off") {
  for (std::size_t size = 1; size < kGood.size(); ++size) {
    CAPTURE(size);
    const auto all = read_all(read_outcomes, kGood + "\n" + kGood.substr(0, size));
    REQUIRE(all.size() == 2);
    CHECK(reason_of(all[0]) == "");
    CHECK(reason_of(all[1]) == "truncated_line");
  }
  CHECK(reasons(kGood + "\n{\"x\":\"\xc3") == "1: 2:truncated_line ");
  CHECK(reasons(kGood + "\n{\"x\":\n") == "1: 2:not_json ");
  CHECK(reasons(kGood + "\n{}") == "1: 2:missing_field ");  // whole, and wrong
}

TEST_CASE("an array: each element with its line and its own refusal") {
  const std::string text =
      " [ " + kGood + ",\n\n  {\"taskId\": [ \"]\\\"\" ]},\n" + kGood + "\n]\n";
  const auto all = read_all(read_outcomes, text);
  CHECK(reasons(all) == "1: 3:wrong_type 4: ");
  CHECK(all[1].text == R"({"taskId": [ "]\"" ]})");
  CHECK(reasons("[]") == "");
  CHECK(reasons(" [ \n ] ") == "");
  CHECK(reasons("[" + kGood + ",,\n" + kGood + ",]") == "1: 1:not_json 2: 2:not_json ");
  CHECK(reasons("[" + kGood + " " + kGood + "," + kGood + "]") == "1:not_json 1: ");
  CHECK(reasons("[tru, 1e999," + kGood + "]") == "1:not_json 1:not_finite 1: ");
}

TEST_CASE("an array that does not end where the file does is unreadable") {
  CHECK(unreadable(read_outcomes, "[") ==
        "the array does not end: the text was cut off, or a bracket or a quote is not closed; it "
        "begins (line 1)");
  CHECK(unreadable(read_outcomes, "\n\n[" + kGood + ",") ==
        "the array does not end: the text was cut off, or a bracket or a quote is not closed; it "
        "begins (line 3)");
  CHECK(unreadable(read_outcomes, "[\n" + kGood + "\n]\nand more") ==
        "there is text after the end of the array (line 4)");
  CHECK(unreadable(read_outcomes, "[" + kGood + "]\n[" + kGood + ",") ==
        "the array does not end: the text was cut off, or a bracket or a quote is not closed; it "
        "begins (line 2)");
  CHECK(unreadable(read_outcomes, "[\"") != "");
  CHECK(unreadable(read_outcomes, "[\"a\nb\"]") != "");
}

TEST_CASE("an array whose brackets do not match is unreadable, however many there are") {
  const std::string message = "a bracket of the array is closed by one of the other kind (line ";
  CHECK(unreadable(read_outcomes, "[" + kGood + "}") == message + "1)");
  CHECK(unreadable(read_outcomes, "[\n" + kGood + ",\n{\"a\":[1}]\n]\n") == message + "3)");
  CHECK(unreadable(read_outcomes, "[{]") == message + "1)");
  CHECK(unreadable(read_github, "[{]}") == message + "1)");
  // In lines, each is a matter of its own.
  CHECK(reasons(kGood + "\n{\"a\":[1}\n[{]}\n" + kGood + "\n") == "1: 2:not_json 3:not_json 4: ");
}

TEST_CASE("values that follow one another are all read, however they are written") {
  const std::string pretty = "{\n  \"taskId\": \"t\",\n  \"outcome\": \"success\"\n}";
  for (const std::string& text :
       {kGood + kGood + kGood, "[" + kGood + "]\n[" + kGood + "," + kGood + "]",
        "[" + kGood + "][" + kGood + "]\n" + kGood, pretty + "\n" + pretty + "\n" + pretty + "\n",
        "[[" + kGood + "],[" + kGood + "," + kGood + "]]", kGood + "[" + kGood + "]\n\n" + pretty,
        "\xef\xbb\xbf[" + kGood + "," + kGood + "]" + kGood}) {
    CAPTURE(text);
    const auto all = read_all(read_outcomes, text);
    REQUIRE(all.size() == 3);
    for (const Got& got : all) CHECK(reason_of(got) == "");
  }
  const auto long_one = "[" + kGood + "]\n" + pretty + std::string(3 << 20, ' ') + pretty + kGood;
  CHECK(reasons(long_one) == "1: 2: 5: 8: ");
  // Deeper than pages, an array is an item, and no item that can be read.
  CHECK(reasons(std::string(100'000, '[') + std::string(100'000, ']')) == "1:too_deep ");
}

TEST_CASE("one object over several lines") {
  const std::string pretty = "{\n  \"taskId\": \"t}\",\n  \"outcome\": \"success\"\n}";
  const auto all = read_all(read_outcomes, "\n" + pretty + "\n");
  REQUIRE(reasons(all) == "2: ");
  CHECK(all[0].text == pretty);
  CHECK(unreadable(read_outcomes, pretty.substr(0, pretty.size() - 1)) ==
        "the object does not end: the text was cut off, or a bracket or a quote is not closed; it "
        "begins (line 1)");
}

TEST_CASE("the length of a line has no part in the others") {
  const std::string many(3 << 20, 'x');
  CHECK(reasons(kGood + "\n" + many + "\n" + kGood + "\n") == "1: 2:too_long 3: ");
}

TEST_CASE("what can be read of a file that is being written") {
  // The whole, and how much of it.
  const auto [text, bytes] = GENERATE(table<std::string, std::size_t>({
      {"", 0},
      {" \n", 0},
      {"{\"a\":1}\n", 8},
      {"{\"a\":1}", 7},
      {"{\"a\":1}\n{\"b\":", 8},
      {"{\"a\":\n{\"b\":1}", 13},  // a bad line hides no other
      {"{\"a\":\"}", 0},
      {"{\n\"a\":1", 0},
      {"{\n\"a\":1}\n", 9},
      {"[{\"a\":[1]}", 0},
      {"\xef\xbb\xbf[{}", 0},
      {"[{}]\n", 5},
      {"[{}][{", 4},
      {"[{}]\n[{\"a\":\"]\"}]", 16},
      {"[1] x", 5},  // it is for the reader to say what is wrong
      {"<a/>", 0},
      {"<a/>\n", 5},
  }));
  CAPTURE(text);
  CHECK(whole_part(text).size() == bytes);
}
