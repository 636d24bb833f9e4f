// The vector of a node, made from its name and description, whatever the order in which these came,
// what was undone, and by which way the ledger was folded.
#include <algorithm>
#include <span>

#include <catch2/catch.hpp>

#include "engine/embed/embedder.h"
#include "tests/sql/temp_dir.h"
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

}  // namespace
}  // namespace hebb::test
