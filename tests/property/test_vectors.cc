// The vector of a node, made from its name and description, whatever the order in which these came,
// what was undone or put into quarantine, and by which way the ledger was folded.
#include <algorithm>
#include <span>

#include <catch2/catch.hpp>

#include "engine/embed/embedder.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

TEST_CASE("a damaged edit in quarantine leaves no trace in a vector") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  Event renamed = named(kStart + kHour, "n", "second name");
  Event described = node(kStart + 2 * kHour, "n");
  std::get<NodeUpsert>(described.payload).description = "of the two";
  {
    Engine engine = open(path);
    engine.append(named(kStart, "n", "first name"));
    engine.append(std::vector{renamed, described});
    engine.sync();
  }
  const std::int64_t damaged = 2;
  {
    Engine engine = open(path);
    tables_of(engine).exec("UPDATE event SET payload = 'nonsense' WHERE position = 2");
  }
  Engine engine = open(path);
  engine.quarantine(std::span(&damaged, 1), kStart + kDay);
  engine.sync();
  CHECK(engine.verify().empty());
  const auto embedder = make_hashing_embedder();
  const auto row = engine.state().vectors().row(*engine.state().find("n"));
  CHECK(std::vector<float>(row.begin(), row.end()) ==
        embedder->embed(std::vector<std::string>{"first name\nof the two"}).front());
}

TEST_CASE("a vector that somebody gave is never replaced, whatever the order") {
  std::vector<Event> events{named(kStart, "n", "name"),
                            node(kStart + 1, "n", "TASK", "OPEN", {1, 2, 3}),
                            named(kStart + 2, "n", "other name")};
  do {
    Engine engine = open(":memory:");
    engine.append(node(kStart - 1, "given", "TASK", "OPEN", {3, 2, 1}));
    for (const Event& e : events) engine.append(e);
    const auto row = engine.state().vectors().row(*engine.state().find("n"));
    CHECK(std::vector<float>(row.begin(), row.end()) == std::vector<float>{1, 2, 3});
  } while (std::next_permutation(events.begin(), events.end(),
                                 [](const Event& a, const Event& b) { return a.at < b.at; }));
}

}  // namespace
}  // namespace hebb::test
