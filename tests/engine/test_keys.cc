// Keys begin with the time; those of hebb 0.1 did not, and are the same keys.
#include <catch2/catch.hpp>

#include "engine/values/canonical_json.h"
#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

const std::string kHash = content_hash("some line");

TEST_CASE("keys made of hashes are in the order of time") {
  const std::string early = timed_key(Link{}, 255, kHash), late = timed_key(Link{}, 256, kHash);
  CHECK(early == "2:0000000000ff" + kHash);
  CHECK(early < late);
  CHECK(key_of_0_1(early) == "2:" + kHash);
  CHECK_FALSE(key_of_0_1("2:" + kHash));
  CHECK_FALSE(key_of_0_1("5:0000000000ff" + kHash + "0"));
  CHECK_FALSE(key_of_0_1("5:ci-run-000000000000000000000000000000000000x"));
}

// The lines as a history, in a database of hebb 0.1 that has taken them: their keys without time.
Engine database_of_0_1(const std::string& path, const std::string& lines) {
  Engine now = open(":memory:");
  REQUIRE(ingest(now, lines, "history").refused == 0);
  sql::Database old(path, sql::Database::Mode::read_write_create);
  std::FILE* file = std::fopen(HEBB_SOURCE_DIR "/tests/capture/data/schema_1.sql", "rb");
  REQUIRE(file);
  std::string schema(1 << 20, ' ');
  schema.resize(std::fread(schema.data(), 1, schema.size(), file));
  std::fclose(file);
  old.exec(schema);
  old.exec("PRAGMA user_version=1");
  now.ledger().events_after(0, [&](Event&& e) {
    const auto key = key_of_0_1(e.key);
    REQUIRE(key);
    old.exec(fmt::format(
        "INSERT INTO event (position, at, kind, subject, key, payload) "
        "VALUES ({}, {}, '{}', '{}', '{}', '{}')",
        e.position, e.at, kind_name(e.payload), e.subject, *key, encode_payload(e.payload)));
  });
  return open(path);
}

TEST_CASE("what hebb 0.1 has taken counts once, for ever", "[sqlite]") {
  const Folder dir;
  const std::string lines = node_line("a") + node_line("b") + edge_line("a", "b", kStart + 1) +
                            node_line("c", kStart + kHour);
  Engine engine = database_of_0_1(dir.file("old.db"), lines);
  CHECK(engine.verify().empty());
  RankQuery all;
  all.top = 9;
  CHECK(engine.rank(all).size() == 3);
  const auto again = ingest(engine, lines, "history");
  CHECK(again.duplicates == 4);
  CHECK(again.applied == 0);
  CHECK(again.refused == 0);
  const auto more = ingest(engine, lines + edge_line("b", "c", kStart + 2), "history");
  CHECK(more.applied == 1);
  CHECK(more.duplicates == 4);
  CHECK(engine.ledger().last_position() == 5);
  // By either form, whichever the ledger has.
  const auto key = engine.ledger().event(5)->key;
  CHECK(engine.ledger().position_of(key) == 5);
  const auto old = engine.ledger().event(1);
  CHECK(engine.ledger().position_of(timed_key(old->payload, old->at, old->key.substr(2))) == 1);
  REQUIRE(engine.sync());
  CHECK(engine.verify().empty());
}

}  // namespace
}  // namespace hebb::test
