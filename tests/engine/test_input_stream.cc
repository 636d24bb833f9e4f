// Inputs that come a piece at a time, never end, or hold a line that is too long to be kept.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/refusals.h"
#include "tests/engine/input_support.h"
#include "tests/engine/ledger_support.h"

namespace hebb {
namespace {

using test::outcome_line;

Input::Read pieces(std::string_view content, std::size_t size) {
  return [rest = content, size](char* to, std::size_t room) mutable {
    const auto piece = rest.substr(0, std::min(size, room));
    std::copy(piece.begin(), piece.end(), to);
    rest.remove_prefix(piece.size());
    return piece.size();
  };
}

std::string items_of(Reader reader, Input& input) {
  std::string all;
  try {
    reader(input, {kTestNow, "task"}, [&](const Item& item) {
      const auto* refusal = std::get_if<Refusal>(&item.parsed);
      all += fmt::format("{}|{}|{}|{}|{}\n", item.line, item.text, refusal ? refusal->reason : "",
                         item.bytes, item.hash);
    });
  } catch (const UnreadableInput& e) {
    all += e.what();
  }
  return all + input.hash();
}

TEST_CASE("in pieces of whatever size an input says the same") {
  const std::string good = R"({"taskId":"t","outcome":"success"})";
  const std::vector<std::string> contents{
      "",
      "\n \n",
      good,
      "\xef\xbb\xbf" + good + "\n\n  \t\r\n" + good + "\r\n" + good,
      "[" + good + ",\n" + good + "]\n",
      " {\n\"taskId\":\"t\",\n\"outcome\":\"success\"\n}\n",
      "{\n" + good + "\n",
      "nonsense\n[1]\n" + good + "\n",
      "[1]\n" + good + "\n",
      good + "\n" + std::string(3 << 20, 'x') + "\n \n" + std::string(3 << 20, ' ') + good + "\n",
      std::string(3 << 20, 'x')};
  for (std::size_t i = 0; i < contents.size(); ++i) {
    for (const Format& format : formats()) {
      CAPTURE(i, format.name);
      Input whole(contents[i]);
      const std::string expected = items_of(format.read, whole);
      for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
        if (size < 7 && contents[i].size() > 1000) continue;  // slow, and no other
        Input input(pieces(contents[i], size), contents[i].size());
        CHECK(items_of(format.read, input) == expected);
        CHECK(input.bytes() == contents[i].size());
      }
      CHECK(whole.hash() == content_hash(contents[i]));
    }
  }
}

// Never ends; what is held of it stays small.
void check_endless(std::string_view what, std::size_t most, const std::string& error) {
  for (const Format& format : formats()) {
    CAPTURE(what.substr(0, 40), format.name);
    Input input(
        [&, at = std::size_t{0}](char* to, std::size_t room) mutable {
          for (std::size_t i = 0; i < room; ++i) to[i] = what[(at++) % what.size()];
          return room;
        },
        most);
    std::size_t held = 0;
    std::string said;
    try {
      format.read(input, {kTestNow, "task"},
                  [&](const Item&) { held = std::max(held, input.ahead().size()); });
    } catch (const UnreadableInput& e) {
      said = e.what();
    }
    CHECK(said.find(error) != std::string::npos);
    CHECK(held <= 4 * Limits::kLineBytes);
  }
}

TEST_CASE("an input that does not end is given up at its limit", "[slow]") {
  constexpr std::size_t kMost = 8 << 20;
  const std::string error = "this is longer than 8 MiB; --max-size allows more";
  check_endless(std::string_view("\0", 1), kMost, error);
  check_endless(outcome_line("t", ""), kMost, error);
  check_endless("x", kMost, error);
  check_endless(" ", kMost, error);
  check_endless("\n", kMost, error);
  check_endless("[1,", kMost, error);
}

TEST_CASE("what is held as a whole has a limit of its own", "[slow]") {
  const auto all_of = [](std::string first, Reader reader) -> std::string {
    Input input(
        [&](char* to, std::size_t room) {
          std::fill_n(to, room, ' ');
          std::copy(first.begin(), first.end(), to);
          first.clear();
          return room;
        },
        Limits::kInputBytes);
    try {
      reader(input, {kTestNow, "task"}, [](const Item&) {});
    } catch (const UnreadableInput& e) {
      return e.what();
    }
    return "";
  };
  for (const char* format : {"outcome", "cloudevents", "github", "junit"}) {
    const Reader reader = find_format(format)->read;
    CHECK(all_of("[1,", reader).find("this is longer than 256 MiB") == 0);
  }
  CHECK(all_of("{\n", read_outcomes) == "the object does not end within 1 MiB; it begins (line 1)");
}

TEST_CASE("a line that is too long is kept as its beginning, its length and its hash") {
  const std::string line = "{\"taskId\":\"" + std::string(3 << 20, 'x');
  const std::string content = outcome_line("t", "a") + line + "\n" + outcome_line("t", "b");
  Engine engine = test::open(":memory:");
  engine.append(test::node(kTestNow, "t"));
  CHECK(test::ingest(engine, content, "outcome", kTestNow, "f").applied == 2);
  auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].reason == refusal::kTooLong);
  CHECK(letters[0].line == 2);
  CHECK(letters[0].text == line.substr(0, 64 << 10));
  CHECK(letters[0].bytes == std::ssize(line));
  CHECK(letters[0].hash == content_hash(line));
  CHECK(letters[0].detail.find(std::to_string(line.size())) != std::string::npos);

  // Read again it is the same letter; another one with the same beginning is not.
  test::ingest(engine, content, "outcome", kTestNow, "f");
  CHECK(engine.dead_letters().size() == 1);
  test::ingest(engine, outcome_line("t", "a") + line + "y\n", "outcome", kTestNow, "f");
  CHECK(engine.dead_letters().size() == 2);

  // It cannot be retried, says so, and stays as it is.
  const std::vector<std::int64_t> ids{letters[0].id};
  const auto retried = engine.retry_dead_letters(ids, kTestNow);
  REQUIRE(retried.refusals.size() == 1);
  CHECK(retried.refusals[0].refusal.reason == refusal::kTooLong);
  CHECK(retried.refusals[0].refusal.detail.find("cannot be retried") != std::string::npos);
  CHECK(engine.dead_letters()[0].detail == letters[0].detail);

  // An element of an array, which is not read line by line.
  const std::string element = "{\"taskId\":\"" + std::string(2 << 20, 'y') + "\"}";
  test::ingest(engine, "[" + element + "]", "outcome", kTestNow, "g");
  letters = engine.dead_letters();
  REQUIRE(letters.size() == 3);
  CHECK(letters[2].text == element.substr(0, 64 << 10));
  CHECK(letters[2].bytes == std::ssize(element));
}

}  // namespace
}  // namespace hebb
