// Reads that count, reads that do not, and that counting never harms anything.
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "engine/engine.h"
#include "engine/recall/recall.h"
#include "engine/storage/storage.h"
#include "engine/tables.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::recall;
using hebb::test::kDay;
using hebb::test::kStart;
using Ids = std::vector<std::string>;

namespace {

using hebb::test::Folder;

Engine open(const std::string& path, bool read_only = false) {
  EngineOptions options;
  options.path = path;
  options.read_only = read_only;
  return Engine(options);
}

void put(Engine& engine, const std::string& id, const std::string& name,
         const std::string& description = {}, const std::string& project = {},
         const std::string& scope = {}, const std::string& type = "TASK") {
  NodeUpsert upsert;
  upsert.type = type;
  upsert.state = "OPEN";
  upsert.name = name;
  upsert.description = description;
  upsert.project = project;
  upsert.scope = scope;
  engine.append(Event{0, kStart, id, "", upsert});
  engine.sync();
}

Ids ids(const std::vector<FoundNode>& nodes) {
  Ids out;
  for (const auto& n : nodes) out.push_back(n.id);
  return out;
}

Ids found(Engine& engine, const std::string& text, std::size_t limit = 20, TimeMs now = kStart) {
  SearchQuery query;
  query.text = text;
  query.limit = limit;
  return ids(search_nodes(tables_of(engine), query, now));
}

std::int64_t recalls(Engine& engine, const std::string& id) {
  return tables_of(engine).scalar(
      "SELECT recall_count FROM recall JOIN node ON node.key = recall.node WHERE id = '" + id +
      "'");
}

// Everything a read must not change: nodes, ledger, and the search index byte by byte.
std::string content(Engine& engine) {
  std::string all;
  const auto add = [](void* to, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i) {
      static_cast<std::string*>(to)->append(values[i] != nullptr ? values[i] : "NULL").append("|");
    }
    return 0;
  };
  for (const auto* sql :
       {"SELECT position, key, payload FROM event", "SELECT * FROM node",
        "SELECT id, hex(block) FROM node_search_data",
        "SELECT segid, hex(term), pgno FROM node_search_idx",
        "SELECT id, hex(sz) FROM node_search_docsize", "SELECT k, v FROM node_search_config"}) {
    REQUIRE(sqlite3_exec(tables_of(engine).handle(), sql, add, &all, nullptr) == SQLITE_OK);
  }
  return all;
}

}  // namespace

TEST_CASE("get and search count, each node once") {
  Engine engine = open(":memory:");
  put(engine, "a", "flaky login");
  put(engine, "b", "flaky logout");
  auto& db = tables_of(engine);
  const auto first = get_node(db, "a", kStart + 1);
  REQUIRE(first);
  CHECK(first->name == "flaky login");
  CHECK(first->recall_count == 0);
  CHECK_FALSE(first->last_recalled_at);
  CHECK(found(engine, "flaky").size() == 2);
  CHECK(recalls(engine, "a") == 2);
  CHECK(recalls(engine, "b") == 1);
  const auto second = get_node(db, "a", kStart + 9);
  CHECK(second->recall_count == 2);
  CHECK(second->last_recalled_at == kStart + 1);
  CHECK_FALSE(get_node(db, "nobody", kStart));
}

TEST_CASE(
    "only the first three of what a search returns are counted, and no more than it returns") {
  Engine engine = open(":memory:");
  for (const char* id : {"a", "b", "c", "d", "e"}) put(engine, id, "same");
  CHECK(found(engine, "same", 1) == Ids{"a"});
  CHECK(recalls(engine, "b") == 0);
  CHECK(found(engine, "Same") == Ids{"a", "b", "c", "d", "e"});
  for (const char* id : {"a", "b", "c"}) CHECK(recalls(engine, id) == 1);
  for (const char* id : {"d", "e"}) CHECK(recalls(engine, id) == 0);
}

TEST_CASE("a search counts once a day for each node, another search counts, and so does opening") {
  Engine engine = open(":memory:");
  auto& db = tables_of(engine);
  put(engine, "a", "flaky login");
  for (int i = 0; i < 10; ++i) found(engine, i % 2 == 0 ? "flaky login" : "  Flaky, LOGIN!");
  CHECK(recalls(engine, "a") == 1);
  found(engine, "login flaky");  // other words, or in another order, are another search
  CHECK(recalls(engine, "a") == 2);
  const TimeMs midnight = kStart - kStart % kDay + kDay;
  found(engine, "flaky login", 20, midnight - 1);
  CHECK(recalls(engine, "a") == 2);
  found(engine, "flaky login", 20, midnight);
  CHECK(recalls(engine, "a") == 3);
  CHECK(db.scalar("SELECT count(*) FROM recall_search") == 1);  // yesterday's need no memory
  put(engine, "b", "flaky login");
  found(engine, "flaky login", 20, midnight + 1);
  CHECK(recalls(engine, "a") == 3);
  CHECK(recalls(engine, "b") == 1);
  for (int i = 0; i < 3; ++i) get_node(db, "a", midnight);
  CHECK(recalls(engine, "a") == 6);
  engine.append(Event{0, midnight, "a", "", NodeDelete{}});
  engine.sync();
  db.exec("DELETE FROM node WHERE id = 'a'");
  CHECK(db.scalar("SELECT count(*) FROM recall_search") == 1);
}

TEST_CASE("a count that fails at any call to the disk fails no read") {
  test::FaultVfs vfs;
  const Folder folder;
  Engine engine = open(folder.file("hebb.db"));
  put(engine, "a", "flaky login");
  auto& db = tables_of(engine);
  const auto found = get_node(db, "a", kStart);
  REQUIRE(found);
  const std::span<const FoundNode> one(&*found, 1);
  TimeMs now = kStart;  // each search on a day of its own, or it does not count
  vfs.arm(test::Fault::none, 0);
  REQUIRE(count_found(db, "flaky", one, now));
  const int calls = vfs.calls();
  REQUIRE(calls > 3);
  int refused = 0;
  for (int nth = 1; nth <= calls; ++nth) {
    CAPTURE(nth);
    vfs.arm(test::Fault::error, nth);
    now += kDay;
    refused += !count_found(db, "flaky", one, now);
    vfs.arm(test::Fault::full, nth);  // writes fail from there on, and the read has none
    const auto node = get_node(db, "a", kStart);
    REQUIRE(node);
    CHECK(node->name == "flaky login");
    CHECK(ids(search_nodes(db, {.text = "flaky", .filter = {}}, kStart)) == Ids{"a"});
    vfs.arm(test::Fault::none, 0);
  }
  CHECK(refused > 0);
  const std::int64_t before = recalls(engine, "a");
  CHECK(count_opened(db, *found, now));
  CHECK(recalls(engine, "a") == before + 1);
  CHECK(count_found(db, "flaky", one, now + kDay));
  CHECK(recalls(engine, "a") == before + 2);
  CHECK(engine.verify().empty());
}

TEST_CASE("navigation does not count") {
  Engine engine = open(":memory:");
  put(engine, "a", "x");
  put(engine, "b", "y");
  engine.append(Event{0, kStart, "a", "", Link{"b", "PARENT_OF", 1.0, std::nullopt}});
  engine.recalibrate(kStart + 1);
  engine.rank({});
  engine.state();
  engine.content("a");
  events_of_node(engine, "a", kStart);
  stats_of(engine, kStart);
  CHECK(promoted_nodes(tables_of(engine), {{}, 0, {}, 10}).empty());
  CHECK(tables_of(engine).scalar("SELECT count(*) FROM recall") == 0);
}

TEST_CASE("a read changes neither ledger nor nodes nor the search index") {
  Engine engine = open(":memory:");
  for (int i = 0; i < 50; ++i)
    put(engine, "n" + std::to_string(i), "word and w" + std::to_string(i));
  const auto before = content(engine);
  for (int i = 0; i < 20; ++i) {
    REQUIRE(found(engine, "word", 20, kStart + i * kDay).front() == "n0");
    get_node(tables_of(engine), "n1", kStart);
  }
  CHECK(recalls(engine, "n0") == 20);
  CHECK(recalls(engine, "n1") >= 20);
  CHECK(content(engine) == before);
  put(engine, "n1", "another");  // and the measure can tell a change
  CHECK(content(engine) != before);
}

TEST_CASE("a change of state does not touch the search index, a change of words does") {
  Engine engine = open(":memory:");
  put(engine, "a", "old words");
  auto& db = tables_of(engine);
  const auto index = [&] { return db.scalar("SELECT max(id) + count(*) FROM node_search_data"); };
  const auto before = index();
  engine.append(Event{0, kStart + 1, "a", "", StateChange{"CLOSED"}});
  engine.sync();
  CHECK(index() == before);
  put(engine, "a", "new words");
  CHECK(index() != before);
  CHECK(found(engine, "old").empty());
  CHECK(found(engine, "new") == Ids{"a"});
}

TEST_CASE("the index follows every way in which a node changes") {
  const Folder folder;
  Engine engine = open(folder.file("hebb.db"));
  put(engine, "a", "apple");
  put(engine, "b", "banana", "yellow fruit");
  engine.append(Event{0, kStart + 5, "b", "", NodeDelete{}});
  engine.rebuild();
  CHECK(found(engine, "apple") == Ids{"a"});
  CHECK(found(engine, "fruit").empty());
  auto& db = tables_of(engine);
  // FTS5 compares its index with the table; rank 1 asks for the content, too.
  db.exec("INSERT INTO node_search (node_search, rank) VALUES ('integrity-check', 1)");
  CHECK(recalls(engine, "a") == 1);
  engine.rebuild();
  CHECK(recalls(engine, "a") == 1);  // not in the ledger, and yet not lost
}

TEST_CASE("a database that cannot be written still answers, and counts nothing") {
  const Folder folder;
  {
    Engine engine = open(folder.file("hebb.db"));
    put(engine, "a", "apple");
  }
  SECTION("opened read-only") {
    Engine engine = open(folder.file("hebb.db"), true);
    CHECK(found(engine, "apple") == Ids{"a"});
    CHECK(get_node(tables_of(engine), "a", kStart));
    CHECK(recalls(engine, "a") == 0);
  }
  SECTION("locked by another writer") {
    Engine engine = open(folder.file("hebb.db"));
    Engine other = open(folder.file("hebb.db"));
    {
      sql::Transaction lock(tables_of(other), sql::Transaction::Kind::immediate);
      CHECK(found(engine, "apple") == Ids{"a"});
      CHECK(recalls(engine, "a") == 0);
    }
    CHECK(found(engine, "apple") == Ids{"a"});
    CHECK(recalls(engine, "a") == 1);
  }
  SECTION("without the table") {
    Engine engine = open(folder.file("hebb.db"));
    tables_of(engine).exec(
        "DROP TABLE recall; CREATE VIEW recall AS SELECT 1 AS node, 2 AS "
        "recall_count, 3 AS last_recalled_at");
    CHECK(found(engine, "apple") == Ids{"a"});
  }
}

TEST_CASE("counting leaves the connection as it was") {
  const Folder folder;
  Engine engine = open(folder.file("hebb.db"));
  put(engine, "a", "apple");
  auto& db = tables_of(engine);
  const auto wait = db.scalar("PRAGMA busy_timeout");
  CHECK(wait > 50);
  found(engine, "apple");
  CHECK(db.scalar("PRAGMA busy_timeout") == wait);
}

TEST_CASE("a deleted node is neither found nor promoted") {
  Engine engine = open(":memory:");
  put(engine, "a", "apple");
  for (int i = 0; i < 6; ++i) found(engine, "apple", 20, kStart + i * kDay);
  auto& db = tables_of(engine);
  CHECK(ids(promoted_nodes(db, {})) == Ids{"a"});
  engine.append(Event{0, kStart + 1, "a", "", NodeDelete{}});
  engine.sync();
  CHECK(found(engine, "apple").empty());
  CHECK_FALSE(get_node(db, "a", kStart));
  CHECK(promoted_nodes(db, {}).empty());
}

TEST_CASE("promoted: threshold, order, every filter, limit") {
  Engine engine = open(":memory:");
  auto& db = tables_of(engine);
  const auto recall = [&](const std::string& id, int times, TimeMs last) {
    for (int i = 0; i < times; ++i) get_node(db, id, last);
  };
  put(engine, "a", "", "", "shop", "team");
  put(engine, "b", "", "", "shop", "me");
  put(engine, "c", "", "", "bank", "me", "NOTE");
  put(engine, "d", "", "", "bank", "team");
  recall("a", 5, kStart);
  recall("b", 7, kStart - 40 * kDay);
  recall("c", 5, kStart + 1);
  recall("d", 4, kStart + 2);
  const auto promoted = [&](auto&& change) {
    PromotedQuery query;
    change(query);
    return ids(promoted_nodes(db, query));
  };
  CHECK(promoted([](auto&) {}) == Ids{"b", "c", "a"});
  CHECK(promoted([](auto& q) { q.min_recalls = 4; }) == Ids{"b", "c", "a", "d"});
  CHECK(promoted([](auto& q) { q.min_recalls = 8; }).empty());
  CHECK(promoted([](auto& q) { q.filter.project = "shop"; }) == Ids{"b", "a"});
  CHECK(promoted([](auto& q) { q.filter.scope = "me"; }) == Ids{"b", "c"});
  CHECK(promoted([](auto& q) { q.filter.type = "NOTE"; }) == Ids{"c"});
  CHECK(promoted([](auto& q) { q.recalled_since = kStart - 30 * kDay; }) == Ids{"c", "a"});
  CHECK(promoted([](auto& q) { q.limit = 2; }) == Ids{"b", "c"});
  recall("a", 1, kStart - 99 * kDay);  // a clock set back makes nothing stale
  CHECK(promoted([](auto& q) { q.recalled_since = kStart - 30 * kDay; }) == Ids{"a", "c"});
}
