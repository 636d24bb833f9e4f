// Many threads read one state, and reading does not change it. Built with ThreadSanitizer, the test
// finds more than the comparison does.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/folder.h"
#include "tests/support/history.h"
#include "tests/support/ranking.h"

using namespace hebb;
using namespace hebb::test;

TEST_CASE("eight threads read one state at once, and each sees what one alone sees") {
  const Folder dir;
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
          fmt::format("{:a} ", type_policy(state, static_cast<graph::TypeId>(type)).decay_per_day);
    }
    const auto view = state.view();
    for (const auto& r : reward::rank(view, kStart + kDay))
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

// As the server does it: reading shares a lock, and every call of the engine has it alone.
TEST_CASE("eight threads read a state while one writes, behind one lock") {
  constexpr int kWrites = 60;
  const Folder dir;
  Engine engine = open(dir.file("hebb.db"));
  std::shared_mutex lock;
  const State* state = &engine.state();
  int written = 0;                 // tasks; guarded by the lock, as the state is
  std::atomic<int> announced = 0;  // the same, to wait for: readers in a circle would let nobody in
  std::vector<int> torn(8, 0), last(8, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t reader = 0; reader < torn.size(); ++reader) {
      threads.emplace_back([&, reader] {
        int& seen = last[reader];
        while (seen < kWrites) {
          announced.wait(seen);
          const std::shared_lock shared(lock);
          const auto view = state->view();
          const auto ranked = reward::rank(view, kStart + kDay);
          torn[reader] += std::ssize(ranked) != written || written < seen;
          torn[reader] += state->graph().num_nodes() != static_cast<std::size_t>(written) + 1;
          seen = written;
        }
      });
    }
    threads.emplace_back([&] {
      for (int i = 0; i < kWrites; ++i) {
        {
          const std::unique_lock alone(lock);
          engine.append(node(kStart + i, fmt::format("t{}", i), "TASK", "OPEN"));
          if (i > 0) engine.append(link(kStart + i, "t0", "RELATES", fmt::format("t{}", i)));
          if (i % 10 == 0) engine.sync();
          state = &engine.state();
          written = i + 1;
        }
        announced = i + 1;
        announced.notify_all();
      }
    });
  }
  CHECK(torn == std::vector<int>(8, 0));
  CHECK(last == std::vector<int>(8, kWrites));
}

TEST_CASE("a state that was only loaded knows the policy of every type that it holds") {
  const Folder dir;
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
  CHECK(type_policy(state, *type).decay_per_day == 0.5);
  CHECK(state.view().types.size() == state.graph().edge_types().size());
}
