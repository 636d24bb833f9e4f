// What an import says of the tasks that were there before.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/history.h"

namespace hebb {
namespace {

TEST_CASE("of many tasks that an import changed a hundred are named, and all are counted") {
  const auto list = [](const char* state) {
    std::string text;
    for (int i = 0; i < 150; ++i)
      text += fmt::format(R"({{"id":"bd-{}","title":"T","status":"{}"}})"
                          "\n",
                          i, state);
    return text;
  };
  Engine engine = test::open(":memory:");
  test::ingest(engine, list("open"), "beads", test::kStart, "file");
  const auto summary = test::ingest(engine, list("in_progress"), "beads", test::kStart + 1, "file");
  CHECK(summary.changed.size() == 100);
  CHECK(summary.tasks_changed == 150);
}

}  // namespace
}  // namespace hebb
