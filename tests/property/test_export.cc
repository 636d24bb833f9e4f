// What a ledger is exported as makes the same ledger again.
#include <catch2/catch.hpp>

#include "tests/support/history.h"
#include "tests/support/life.h"

namespace hebb::test {
namespace {

TEST_CASE("what was undone is left out of an export") {
  Engine original = open(":memory:");
  Life life(7);
  life.begin(original);
  for (int i = 0; i < 60; ++i) life.step(original);
  const std::string before = exported(original);
  original.append(failure(life.now(), "t0"));
  CHECK(exported(original) != before);
  original.undo(original.ledger().last_position(), life.now() + kDay);
  CHECK(exported(original) == before);
}

TEST_CASE("only an import of a ledger's own lines takes what a ledger knows") {
  const std::string line =
      R"({"kind":"policy","at":1700000000000,"key":"6:x","of":"policy","replace":false,)"
      R"("settings":[["prior","2"]]})"
      "\n";
  Engine engine = open(":memory:");
  const auto refused = ingest(engine, line, "history");
  REQUIRE(refused.refused == 1);
  CHECK(refused.refusals[0].refusal.reason == "unknown_kind");
  CHECK(import_log(engine, line).applied == 1);
  CHECK(engine.state().policy().prior == 2);
  const auto wrong = import_log(
      engine, R"({"kind":"state","at":1700000000000,"key":"6:x","id":"a","state":"OPEN"})"
              "\n");
  CHECK(wrong.refused == 1);  // the key is not that of its kind
}

}  // namespace
}  // namespace hebb::test
