// Refused items are kept as they came, one letter for each, and are taken once when that is
// possible.
#include <set>

#include <catch2/catch.hpp>

#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

TEST_CASE("dead letters keep the text as it came, with reason and place, and can be taken later") {
  Engine engine = open(":memory:");
  const std::string text =
      "{ \"taskId\" : \"ghost\",  \"outcome\":\"failure\", \"id\":\"o\", \"extra\":1.50 }";
  const auto summary =
      ingest(engine, "\n" + text + "\nnonsense\n", "outcome", kStart, "log.ndjson");
  CHECK(summary.refused == 2);
  auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 2);
  if (letters[0].line > letters[1].line) std::swap(letters[0], letters[1]);
  CHECK(letters[0].text == text);
  CHECK(letters[0].reason == refusal::kUnknownTask);
  CHECK(letters[0].file == "log.ndjson");
  CHECK(letters[0].line == 2);
  CHECK(letters[1].text == "nonsense");
  CHECK(letters[1].reason == refusal::kNotJson);

  const std::vector<std::int64_t> ids{letters[0].id, letters[1].id};
  CHECK(engine.retry_dead_letters(ids, kStart).refused == 2);
  CHECK(engine.dead_letters().size() == 2);
  engine.append(node(kStart, "ghost"));
  const auto retried = engine.retry_dead_letters(ids, kStart + kHour);
  CHECK(retried.applied == 1);
  CHECK(retried.refused == 1);
  letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].text == "nonsense");
  CHECK(failures_of(engine, "ghost") == 1);
  // It has no time of its own, so it gets the time when it came.
  engine.ledger().events_of_subject("ghost", [&](Event&& e) { CHECK(e.at == kStart); });
}

TEST_CASE("lines that are alike are each a dead letter; a file read again makes none anew") {
  Engine engine = open(":memory:");
  const std::string keyed = outcome_line("ghost", "o1") + "nonsense\n" + "nonsense\n";
  ingest(engine, keyed, "outcome", kStart, "f");
  ingest(engine, keyed, "outcome", kStart + 1, "f");
  auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 3);
  std::set<std::int64_t> lines;
  for (const DeadLetter& l : letters) lines.insert(l.line);
  CHECK(lines == std::set<std::int64_t>{1, 2, 3});

  // Without id and time each line counts, also where it stands in the same place again.
  const std::string each = outcome_line("ghost", "") + outcome_line("ghost", "");
  ingest(engine, each, "outcome", kStart, "g");
  ingest(engine, each, "outcome", kStart, "g");
  letters = engine.dead_letters();
  CHECK(letters.size() == 3 + 4);
  engine.append(node(kStart, "ghost"));
  std::vector<std::int64_t> ids;
  for (const DeadLetter& l : letters) ids.push_back(l.id);
  CHECK(engine.retry_dead_letters(ids, kStart + kHour).applied == 1 + 4);
  CHECK(failures_of(engine, "ghost") == 1 + 4);
}

TEST_CASE("a dead letter that two processes retry counts once", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  ingest(engine, outcome_line("late", "") + outcome_line("late", ""), "outcome");
  engine.append(node(kStart, "late"));
  const auto codes = in_children(4, [&](int) {
    Engine own = open(dir.file("a.db"));
    const std::vector<std::int64_t> ids{1, 2};
    own.retry_dead_letters(ids, kStart);
    return 0;
  });
  CHECK(codes == std::vector<int>(4, 0));
  CHECK(failures_of(engine, "late") == 2);
  CHECK(engine.dead_letters().empty());
}

constexpr const char* kSecret = "hunter2-Zq8xw";

// An outcome with a time and without an id: its content is its identity.
std::string outcome_saying(const std::string& task, const std::string& said) {
  return "{\"feedback\":\"the password for root: " + said +
         "\",\"outcome\":\"failure\",\"taskId\":\"" + task +
         "\",\"timestamp\":\"2026-01-05T00:00:00Z\",\"notes\":{\"password\":\"" + said + "\"}}\n";
}

std::int64_t stored(Engine& engine, const std::string& task, const std::string& words) {
  std::int64_t count = 0;
  engine.ledger().events_of_subject(task, [&](Event&& e) {
    count += encode_payload(e.payload).find(words) != std::string::npos;
  });
  return count;
}

TEST_CASE("a dead letter holds no secret, nor does its detail, and can be tried again") {
  Engine engine = open(":memory:");
  const std::string keyed = std::string("{\"taskId\":\"t\",\"outcome\":\"failure\",\"id\":\"o\",") +
                            "\"feedback\":\"new password -> " + kSecret + "\"}\n";
  const std::string broken = std::string("{\"taskId\":\"t\",\"outcome\":\"") + kSecret +
                             "\",\"password\":\"" + kSecret + "\"}\nDB_PASSWORD=" + kSecret + "\n";
  CHECK(ingest(engine, keyed + broken, "outcome", kStart, "f").refused == 3);
  std::vector<std::int64_t> ids;
  for (const DeadLetter& l : engine.dead_letters()) {
    CAPTURE(l.text, l.detail);
    CHECK(l.text.find("[masked]") != std::string::npos);
    CHECK(l.detail.find(kSecret) == std::string::npos);
    CHECK(l.text.find(kSecret) == std::string::npos);
    ids.push_back(l.id);
  }
  ingest(engine, keyed + broken, "outcome", kStart + 1, "f");
  CHECK(engine.dead_letters().size() == 3);
  engine.append(node(kStart, "t"));
  CHECK(engine.retry_dead_letters(ids, kStart).applied == 1);
  CHECK(failures_of(engine, "t") == 1);
  CHECK(stored(engine, "t", "new password -> [masked]") == 1);
  CHECK(stored(engine, "t", kSecret) == 0);
  CHECK(ingest(engine, keyed, "outcome").duplicates == 1);
}

TEST_CASE("an outcome is stored without secrets and counts once, given again or tried again") {
  const std::string line = outcome_saying("t", kSecret);
  {
    Engine engine = open(":memory:");
    engine.append(node(kStart - kDay, "t"));
    CHECK(ingest(engine, line, "outcome").applied == 1);
    CHECK(stored(engine, "t", kSecret) == 0);
    CHECK(stored(engine, "t", "the password for root: [masked]") == 1);
    CHECK(ingest(engine, line, "outcome").duplicates == 1);
    // The text that a dead letter would hold.
    CHECK(ingest(engine, outcome_saying("t", "[masked]"), "outcome").duplicates == 1);
    CHECK(failures_of(engine, "t") == 1);
  }
  Engine engine = open(":memory:");
  CHECK(ingest(engine, line, "outcome").refused == 1);
  engine.append(node(kStart - kDay, "t"));
  const std::vector<std::int64_t> ids{engine.dead_letters().at(0).id};
  CHECK(engine.retry_dead_letters(ids, kStart).applied == 1);
  CHECK(ingest(engine, line, "outcome").duplicates == 1);
  CHECK(failures_of(engine, "t") == 1);
  CHECK(stored(engine, "t", kSecret) == 0);
}

TEST_CASE("more items than a batch has are refused, and those behind them are taken") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"), kNoGraphCache);
  engine.append(node(kStart, "t"));
  std::string text;
  for (int i = 0; i < 2'300; ++i) text += "{\"outcome\":\"success\"}\n";
  text += "{\"taskId\":\"t\",\"outcome\":\"success\"}\n";
  const auto summary = ingest(engine, text, "outcome");
  CHECK(summary.refused == 2'300);
  CHECK(summary.applied == 1);
  CHECK(engine.dead_letters().size() == 2'300);
}

TEST_CASE("the token of a claim and the names of an outcome stay as they are") {
  Engine engine = open(":memory:");
  const std::string line =
      "{\"taskId\":\"api-key-0123456789abcdef0123456789\",\"outcome\":\"failure\",\"id\":\"x\","
      "\"token\":7,\"agentId\":\"bot\",\"relatedNodes\":[\"sk-live-0123456789abcdef0123456789\"]}";
  ingest(engine, line + "\n", "outcome", kStart, "f");
  REQUIRE(engine.dead_letters().size() == 1);
  CHECK(engine.dead_letters()[0].text == line);
}

}  // namespace
}  // namespace hebb::test
