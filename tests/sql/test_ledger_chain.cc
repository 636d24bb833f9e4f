// Databases of every version get the checksums that they would have had from the beginning.
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "sql/ledger_chain.h"
#include "sql/schema_check.h"

using hebb::sql::Database;
using hebb::sql::RowChecksum;
using Mode = Database::Mode;

namespace {

std::string first_schema() {
  std::ifstream in(HEBB_SOURCE_DIR "/tests/capture/data/schema_1.sql");
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* kRows =
    "INSERT INTO event (position, at, kind, subject, key, payload, vector) VALUES"
    " (1, 5, 'node', 'a', '1:a', '{\"type\":\"TASK\"}', x'0000803F'),"
    " (2, 6, 'node', 'b', '1:b', '{\"type\":\"TASK\"}', NULL),"
    " (3, 7, 'edge', 'a', '2:c', '{\"target\":\"b\",\"type\":\"T\",\"weight\":1}', NULL);";

// As a program that appends computes them.
std::int64_t third_checksum() {
  const std::byte one[] = {std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3f}};
  RowChecksum first(0);
  first.integer(1).integer(5).text("node").text("a").text("1:a").text(R"({"type":"TASK"})");
  first.blob(one);
  RowChecksum second(first.value());
  second.integer(2).integer(6).text("node").text("b").text("1:b").text(R"({"type":"TASK"})").null();
  RowChecksum third(second.value());
  third.integer(3).integer(7).text("edge").text("a").text("2:c");
  third.text(R"({"target":"b","type":"T","weight":1})").null();
  return third.value();
}

}  // namespace

TEST_CASE("a checksum tells columns, types and the row before apart") {
  const auto of = [](auto&& fill, std::int64_t before = 0) {
    RowChecksum checksum(before);
    fill(checksum);
    return checksum.value();
  };
  const auto base = of([](RowChecksum& c) { c.text("ab").text("c"); });
  CHECK(base == of([](RowChecksum& c) { c.text("ab").text("c"); }));
  CHECK(base != of([](RowChecksum& c) { c.text("a").text("bc"); }));
  CHECK(base != of([](RowChecksum& c) { c.text("ab").text("c"); }, 1));
  CHECK(base != of([](RowChecksum& c) { c.text("ab").blob(std::as_bytes(std::span("c", 1))); }));
  CHECK(of([](RowChecksum& c) { c.null(); }) != of([](RowChecksum& c) { c.text(""); }));
  // Stored: another number here would find every ledger damaged.
  CHECK(base == -1061749595504476611);
}

TEST_CASE("a database of any version gets its checksums, and has what a new one has") {
  const int from = GENERATE(1, 2, 3);
  CAPTURE(from);
  Database db(":memory:", Mode::read_write_create);
  db.exec(first_schema());
  db.exec("PRAGMA user_version=1");
  hebb::sql::migrate(db, "", hebb::sql::migrations().first(static_cast<std::size_t>(from - 1)));
  REQUIRE(db.scalar("PRAGMA user_version") == from);
  db.exec(kRows);
  hebb::sql::migrate(db);
  CHECK(db.scalar("PRAGMA user_version") == hebb::sql::schema_version());
  CHECK(db.scalar("SELECT count(DISTINCT checksum) FROM event") == 3);
  CHECK(db.scalar("SELECT checksum FROM event WHERE position = 3") == third_checksum());
  for (const auto& fault : hebb::sql::check_schema(db)) {
    FAIL_CHECK(fault.type << " " << fault.name << " " << fault.what);
  }
}
