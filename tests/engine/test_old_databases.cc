// Databases that older programs wrote: each was made by the program of that schema, with the
// commands in tests/engine/databases/README.md.
#include <filesystem>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "engine/engine.h"
#include "engine/tables.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb {
namespace {

namespace fs = std::filesystem;
using test::Folder;

const std::string kFolder = HEBB_SOURCE_DIR "/tests/engine/databases";

std::string copied(const Folder& dir, const std::string& name, const std::string& as = "old.db") {
  const std::string path = dir.file(as);
  fs::copy_file(kFolder + "/" + name, path);
  fs::permissions(path, fs::perms::owner_write, fs::perm_options::add);
  return path;
}

std::vector<std::string> ids(const std::vector<RankRow>& rows) {
  std::vector<std::string> ids;
  for (const auto& row : rows) ids.push_back(row.id);
  return ids;
}

TEST_CASE("a database of each older schema opens, and its verify is clean", "[sqlite]") {
  const std::string name =
      GENERATE("schema1.sqlite", "schema2.sqlite", "schema3.sqlite", "schema15.sqlite");
  INFO(name);
  const Folder dir;
  const std::string path = copied(dir, name);
  std::int64_t events = 0;
  {
    Engine engine({.path = path});
    CHECK(engine.verify() == std::vector<std::string>{});
    events = engine.ledger().last_position();
    CHECK(events > 25);
    // What the old program's policy made fade is kept by this one's, in the mirror too.
    auto& protected_types = tables_of(engine);
    CHECK(protected_types.scalar("SELECT sum(protected) FROM edge_type WHERE name IN "
                                 "('LABELED_AS', 'IN_CATEGORY', 'ASSIGNED_TO')") == 3);
  }
  // What the mirror says is what the ledger folds to.
  Engine again({.path = path});
  RankQuery as_mirrored;
  as_mirrored.top = 10;
  RankQuery as_folded = as_mirrored;
  as_folded.now = again.state().facts().ranked_at();
  const auto mirrored = again.rank(as_mirrored), folded = again.rank(as_folded);
  CHECK_FALSE(mirrored.empty());
  CHECK(ids(mirrored) == ids(folded));
  for (std::size_t i = 0; i < mirrored.size(); ++i)
    CHECK(mirrored[i].factors.priority == folded[i].factors.priority);
  CHECK(again.state().policy().top_k == 2);
  CHECK(again.state().policy().failure_penalty == 0.6);
  CHECK(again.ledger().last_position() == events);
  CHECK(again.dead_letters().size() == 1);
  CHECK(again.verify() == std::vector<std::string>{});
}

TEST_CASE("an upgrade from 0.1.0 keeps each event, and ranks as a database made anew", "[sqlite]") {
  const Folder dir;
  const std::string before = copied(dir, "schema3.sqlite", "before.db");
  Engine upgraded({.path = copied(dir, "schema3.sqlite")});
  REQUIRE(upgraded.sync());
  auto& tables = tables_of(upgraded);
  tables.exec("ATTACH '" + before + "' AS before");
  const std::string columns = "SELECT position, at, kind, subject, key, payload, vector FROM ";
  const auto only_in = [&](const std::string& a, const std::string& b) {
    return tables.scalar("SELECT count(*) FROM (" + columns + a + ".event EXCEPT " + columns + b +
                         ".event)");
  };
  CHECK(only_in("before", "main") == 0);
  CHECK(only_in("main", "before") == 0);
  CHECK(tables.scalar("SELECT count(*) FROM before.event") == 35);
  CHECK(tables.scalar("SELECT count(*) FROM before.recall AS r "
                      "JOIN before.node AS n ON n.key = r.node "
                      "JOIN main.node AS m ON m.id = n.id "
                      "JOIN main.recall AS k ON k.node = m.key AND k.recall_count = r.recall_count "
                      "AND k.last_recalled_at = r.last_recalled_at") == 2);

  Engine anew = test::open(":memory:");
  const auto imported = test::import_log(anew, test::exported(upgraded));
  CHECK(imported.refused == 0);
  constexpr TimeMs kLater = 1'786'000'100'000;  // after all that the old program wrote
  CHECK_FALSE(test::ranking(upgraded, kLater).empty());
  CHECK(test::ranking(anew, kLater) == test::ranking(upgraded, kLater));
}

TEST_CASE("a mirror that was folded by other rules is made anew from the ledger", "[sqlite]") {
  const Folder dir;
  const std::string path = copied(dir, "schema3.sqlite");
  const auto weights = [](Engine& engine) {
    return tables_of(engine).scalar("SELECT count(*) FROM edge WHERE weight = 0.125");
  };
  {
    Engine engine({.path = path});
    REQUIRE(engine.sync());
    CHECK(weights(engine) == 0);
    tables_of(engine).exec(
        "UPDATE edge SET weight = 0.125;"
        "UPDATE mirror SET value = value + 2 WHERE name = 'rules'");
  }
  Engine engine({.path = path});
  CHECK(engine.try_sync());
  CHECK(weights(engine) == 0);
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("every database that is kept is opened by a test") {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".sqlite") names.insert(entry.path().filename());
  }
  CHECK(names == std::set<std::string>{"schema1.sqlite", "schema15.sqlite", "schema2.sqlite",
                                       "schema3.sqlite"});
}

}  // namespace
}  // namespace hebb
