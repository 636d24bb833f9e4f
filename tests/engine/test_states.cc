// States as they are given and as they are kept; tasks that came without one.
#include <catch2/catch.hpp>

#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using Ids = std::vector<std::string>;

Event stateless(TimeMs at, std::string id, std::string type) {
  return node(at, std::move(id), std::move(type), "");
}

TEST_CASE("a state that hebb knows is meant in any case of its letters, others stay as given") {
  Engine engine = open(":memory:");
  for (const auto& [given, kept] : {std::pair{"open", "OPEN"},
                                    {"Closed", "CLOSED"},
                                    {"in_progress", "IN_PROGRESS"},
                                    {"In progress", "IN_PROGRESS"},
                                    {"in-PROGRESS", "IN_PROGRESS"},
                                    {"blocked", "BLOCKED"},
                                    {"Deferred", "DEFERRED"},
                                    {"Done", "Done"},
                                    {"opened", "opened"},
                                    {"in__progress", "in__progress"}}) {
    CAPTURE(given);
    engine.append(node(kStart, std::string("made ") + given, "TASK", given));
    CHECK(state_of(engine.state(), std::string("made ") + given) == kept);
    engine.append(node(kStart, std::string("set ") + given, "TASK", "OPEN"));
    engine.append(state(kStart + 1, std::string("set ") + given, given));
    CHECK(state_of(engine.state(), std::string("set ") + given) == kept);
  }
  CHECK(ranking(engine, kStart + 1) == Ids{"made open", "set open"});
}

TEST_CASE("a TASK that came without a state is OPEN, by any door") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(stateless(kStart, "appended", "TASK"));
  ingest(engine, R"({"kind":"node","at":1767225600000,"id":"imported","type":"Task"})", "history");
  engine.append(stateless(kStart, "label", "LABEL"));
  engine.append(stateless(kStart, "later", "IDEA"));
  CHECK(ranking(engine, kStart).size() == 2);
  engine.append(stateless(kStart + 1, "later", "TASK"));
  CHECK(ranking(engine, kStart + 1).size() == 3);
  engine.sync();
  CHECK(engine.verify().empty());
}

TEST_CASE("a change without a state opens nothing again") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "done"), success(kStart + 1, "done")});
  engine.append(stateless(kStart + 2, "done", "TASK"));
  engine.append(named(kStart + 3, "late", "x"));
  engine.append(state(kStart + 4, "late", "DEFERRED"));
  engine.append(stateless(kStart, "late", "TASK"));  // it comes after what it precedes
  CHECK(state_of(engine.state(), "done") == "CLOSED");
  CHECK(state_of(engine.state(), "late") == "DEFERRED");
  engine.append({remove(kStart + 5, "done"), stateless(kStart + 6, "done", "TASK")});
  CHECK(state_of(engine.state(), "done") == "CLOSED");
}

}  // namespace
}  // namespace hebb::test
