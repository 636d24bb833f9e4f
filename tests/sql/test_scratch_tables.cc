// Scratch tables hide those of the file as long as they live; what differs is found and written.
#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sql/scratch_tables.h"
#include "tests/support/folder.h"

namespace hebb::sql::test {
namespace {

constexpr std::array<std::string_view, 3> kTables{"node", "edge_type", "edge"};

// Two nodes, an edge between them, and that one of them was asked for.
void fill(Database& db) {
  migrate(db);
  db.exec(
      "INSERT INTO node (key, id, name) VALUES (1, 'a', 'first'), (2, 'b', 'second');"
      "INSERT INTO edge_type VALUES (1, 'RELATES', 1, 0, 0, 1, 1, NULL, 0, 0, 0);"
      "INSERT INTO edge VALUES (1, 2, 1, 0.5, 7, 0, '{}'); INSERT INTO recall VALUES (1, 3, 4)");
}

std::vector<std::string> differences(ScratchTables& scratch, std::string_view table) {
  std::vector<std::string> found;
  scratch.differences(table, [&](const Statement& row) {
    found.push_back(std::string(row.text(0)) + (row.integer(1) != 0 ? " scratch" : " file"));
    return true;
  });
  return found;
}

TEST_CASE("scratch tables are written in place of those of the file, and compared", "[sqlite]") {
  const hebb::test::Folder dir;
  Database db(dir.file("a.db"), Database::Mode::read_write_create);
  fill(db);
  {
    ScratchTables scratch(db, kTables);
    CHECK(db.scalar("SELECT count(*) FROM node") == 0);
    db.exec(
        "INSERT INTO node (key, id, name) VALUES (1, 'a', 'first'), (2, 'b', 'other'), "
        "(3, 'c', 'third'); INSERT INTO edge_type SELECT * FROM main.edge_type;"
        "INSERT INTO edge VALUES (1, 3, 1, 0.5, 7, 0, '{}')");
    CHECK(differences(scratch, "node") ==
          std::vector<std::string>{"node b file", "node b scratch", "node c scratch"});
    CHECK(differences(scratch, "edge_type").empty());
    CHECK(differences(scratch, "edge") ==
          std::vector<std::string>{"edge a b RELATES file", "edge a c RELATES scratch"});
    CHECK(db.scalar("SELECT count(*) FROM main.node") == 2);
    Transaction transaction(db);
    scratch.write_differences();
    transaction.commit();
    for (const auto table : kTables) CHECK(differences(scratch, table).empty());
  }
  CHECK(db.scalar("SELECT count(*) FROM node") == 3);
  CHECK(db.scalar("SELECT count(*) FROM node_search('other')") == 1);
  CHECK(db.scalar("SELECT target FROM edge") == 3);
  CHECK(db.scalar("SELECT recall_count FROM recall WHERE node = 1") == 3);
}

TEST_CASE("scratch tables need no write access, and none outlives a rollback", "[sqlite]") {
  const hebb::test::Folder dir;
  {
    Database db(dir.file("a.db"), Database::Mode::read_write_create);
    fill(db);
    const Transaction rolled_back(db);
    const ScratchTables scratch(db, kTables);
  }
  Database db(dir.file("a.db"), Database::Mode::read_only);
  const Transaction snapshot(db, Transaction::Kind::deferred);
  {
    ScratchTables scratch(db, kTables);
    CHECK(differences(scratch, "node") == std::vector<std::string>{"node a file", "node b file"});
  }
  CHECK(db.scalar("SELECT count(*) FROM node") == 2);
}

TEST_CASE("a connection whose scratch tables cannot be dropped writes no more", "[sqlite]") {
  const hebb::test::Folder dir;
  Database db(dir.file("a.db"), Database::Mode::read_write_create);
  fill(db);
  {
    const Transaction transaction(db);
    Statement& row = db.query(Query::mirror_edge_types);
    {
      ScratchTables scratch(db, kTables);
      db.exec("INSERT INTO edge_type SELECT * FROM main.edge_type");
      REQUIRE(row.step());  // a table that is being read cannot be dropped
      CHECK_THROWS_AS(scratch.drop(), Error);
    }
    row.reset();
    CHECK_THROWS_AS(db.exec("DELETE FROM node"), Error);
    CHECK_THROWS_AS(db.query(Query::mirror_edge_types).step(), Error);
  }
  CHECK_FALSE(db.in_transaction());
  CHECK_THROWS_AS(db.scalar("SELECT count(*) FROM node"), Error);
  Database other(dir.file("a.db"), Database::Mode::read_write);
  CHECK(other.scalar("SELECT count(*) FROM node") == 2);
}

}  // namespace
}  // namespace hebb::sql::test
