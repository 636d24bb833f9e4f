// Refused items are kept as they came, one letter for each, and are taken once when that is
// possible.
#include <set>

#include <catch2/catch.hpp>

#include "engine/ledger/refusals.h"
#include "tests/engine/ledger_support.h"
#include "tests/sql/temp_dir.h"

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
  const TempDir dir;
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

TEST_CASE("what is still refused stays counted when a letter of an earlier run is taken") {
  Engine engine = open(":memory:");
  CHECK(ingest(engine, edge_line("a", "b"), "history").refused == 1);
  const auto summary =
      ingest(engine, node_line("a") + node_line("b") + edge_line("a", "nobody"), "history");
  CHECK(summary.applied == 2);
  CHECK(summary.refused == 1);
  REQUIRE(summary.refusals.size() == 1);
  CHECK(summary.refusals[0].line == 3);
}

}  // namespace
}  // namespace hebb::test
