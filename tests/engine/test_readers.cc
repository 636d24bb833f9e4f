// Many threads read one state, and reading does not change it. Built with ThreadSanitizer, the test
// finds more than the comparison does.
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

using namespace hebb;
using namespace hebb::test;

TEST_CASE("eight threads read one state at once, and each sees what one alone sees") {
  const TempDir dir;
  Engine engine = open(dir.file("hebb.db"));
  for (int i = 0; i < 30; ++i) {
    engine.append(
        node(kStart + i, fmt::format("t{}", i), "TASK", "OPEN", {static_cast<float>(i), 1}));
    // Types that no policy names, and none of which was asked for before.
    if (i > 0)
      engine.append(link(kStart + kHour, "t0", fmt::format("T_{}", i), fmt::format("t{}", i)));
  }
  engine.append(failure(kStart + kHour, "t3"));
  engine.append(policy(kStart + kHour, {{"type.T_5.decay_per_day", "0.5"}}));
  engine.append(link(kStart + 2 * kHour, "t1", "T_LAST", "t2"));
  const State& state = engine.state();
  const auto read = [&state] {
    std::string text = dump(state);
    for (std::size_t type = 0; type < state.graph().edge_types().size(); ++type) {
      text +=
          fmt::format("{:a} ", state.type_policy(static_cast<graph::TypeId>(type)).decay_per_day);
    }
    const auto view = state.view();
    for (const auto& r : reward::rank(view, reward::focus(view, kStart + kDay), kStart + kDay))
      text += fmt::format("{} {:a}\n", r.node, r.factors.priority);
    return text;
  };
  std::vector<std::string> seen(8);
  {
    std::vector<std::jthread> readers;
    for (auto& text : seen) readers.emplace_back([&text, &read] { text = read(); });
  }
  const std::string alone = read();
  for (const auto& text : seen) CHECK(text == alone);
}

TEST_CASE("a state that was only loaded knows the policy of every type that it holds") {
  const TempDir dir;
  const std::string path = dir.file("hebb.db");
  {
    Engine engine = open(path);
    engine.append(node(kStart, "a"));
    engine.append(node(kStart, "b"));
    engine.append(policy(kStart, {{"type.MINE.decay_per_day", "0.5"}}));
    engine.append(link(kStart + 1, "a", "MINE", "b"));
    engine.sync();
  }
  Engine engine = open(path);
  const State& state = engine.state();
  const auto type = state.graph().edge_types().find("MINE");
  REQUIRE(type);
  CHECK(state.type_policy(*type).decay_per_day == 0.5);
  CHECK(state.view().types.size() == state.graph().edge_types().size());
}
