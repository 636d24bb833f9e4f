// The vector of a node is the last that an event brought: what arrives late has the words that the
// node has then, and its own place among the events.
#include <algorithm>

#include <catch2/catch.hpp>

#include "engine/embed/embedder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

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

TEST_CASE(
    "a late half of an edit leaves the vector that is there, in whatever order it is folded") {
  Engine engine = open(":memory:");
  engine.append(named(kStart + 2, "n", "backups"));
  Event late = node(kStart + 1, "n");
  std::get<NodeUpsert>(late.payload).description = "how they are made";
  engine.append(late);
  const auto words = make_hashing_embedder()->embed(std::vector<std::string>{"backups"});
  const auto check = [&] {
    const auto row = engine.state().vectors().row(*engine.state().find("n"));
    CHECK(std::vector<float>(row.begin(), row.end()) == words.front());
    CHECK(engine.content("n").description == "how they are made");
  };
  check();
  engine.rebuild();
  check();
  CHECK(engine.verify().empty());
}

}  // namespace
}  // namespace hebb::test
