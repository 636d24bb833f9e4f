// What must hold of a database whatever happens to it, in random lives. `scripts/soak lives N`
// lives more of them: HEBB_LIVES says how many, and HEBB_FROM the seed of the first.
#include <cstdlib>
#include <memory>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/checks.h"
#include "tests/support/folder.h"
#include "tests/support/life.h"

namespace hebb::test {
namespace {

// A database with three engines, each of which does something in turn, with a graph cache or
// without.
class Lived {
 public:
  Lived(std::string path, std::uint64_t seed)
      : path_(std::move(path)),
        kind_(kind_of(seed)),
        life_(seed, kind_),
        has_graph_cache_(seed % 3 == 0) {
    for (int k = 0; k < 3; ++k) engines_.push_back(fresh());
    life_.begin(engine());
  }

  // Takes a step, and compares what was looked up in it with the naive model of before.
  void step() {
    Engine& own = engine();
    const auto position = own.ledger().last_position();
    const naive::Model before = naive_of(own);
    life_.step(own);
    const auto event = own.ledger().event(position + 1);
    if (event && own.ledger().last_position() == position + 1)
      REQUIRE(check_arrival(before, *event, life_.offered) == "");
    if (life_.random.chance(0.15)) engine().sync();
    if (life_.random.chance(0.05)) engine().rebuild();
    if (life_.random.chance(has_graph_cache_ ? 0.3 : 0.05))
      engines_[life_.random.below(3)] = fresh();
  }

  void check() {
    const std::string expected = dump(plain_fold(engine().ledger(), kEndOfTime));
    for (auto& e : engines_) {
      REQUIRE(difference(dump(e->state()), expected) == "");
      mapped += e->state().graph().edges().weight.is_view();
    }
    Engine& one = engine();
    REQUIRE(check_naive(one, naive_of(one), life_.now()) == "");
    REQUIRE(check_ranking(one, one.state().facts().ranked_at()) == "");
    if (life_.random.chance(0.1)) REQUIRE(check_ranking(one, life_.now()) == "");
  }

  void check_more() {
    const TimeMs at = kStart + static_cast<TimeMs>(life_.random.below(
                                   static_cast<std::uint64_t>(life_.now() - kStart + 1)));
    CAPTURE(at);
    REQUIRE(check_file(engine(), path_) == "");
    REQUIRE(check_as_of(engine(), at) == "");
  }

  // What the log makes elsewhere is the same, and counts once.
  void check_elsewhere() {
    if (kind_.gc) return;  // an event of before, which it took the node of, is refused
    life_.end(engine());
    Engine copy = imported(engine());
    REQUIRE(check_same(copy, engine()) == "");
    const std::string log = exported(engine());
    REQUIRE(exported(copy) == log);
    REQUIRE(import_log(copy, log).applied == 0);
    Engine shuffled = imported_shuffled(engine(), life_.random);
    REQUIRE(check_same(shuffled, engine()) == "");
    shuffled.rebuild();
    REQUIRE(check_same(shuffled, engine()) == "");
  }

  int mapped = 0;

 private:
  static LifeKind kind_of(std::uint64_t seed) {
    return {.gc = seed % 2 == 0, .words = seed % 4 == 1, .hostile = seed % 5 == 2};
  }
  Engine& engine() { return *life_.random.pick(engines_); }
  std::unique_ptr<Engine> fresh() {
    const bool has_graph_cache = has_graph_cache_ && life_.random.chance(0.5);
    return std::make_unique<Engine>(open(path_, has_graph_cache ? 0 : kNoGraphCache));
  }

  std::string path_;
  LifeKind kind_;
  Life life_;
  bool has_graph_cache_;
  std::vector<std::unique_ptr<Engine>> engines_;
};

TEST_CASE("random lives: every engine holds what the naive model and a plain fold hold") {
  const auto given = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const auto first = given("HEBB_FROM", 1), count = given("HEBB_LIVES", 30);
  int mapped = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const Folder dir;
    Lived lived(dir.file("a.db"), seed);
    for (int step = 1; step <= 60; ++step) {
      CAPTURE(step);
      lived.step();
      lived.check();
      if (step % 20 == 0) lived.check_more();
    }
    lived.check_elsewhere();
    mapped += lived.mapped;
  }
  CHECK((mapped > 50 || count < 30));  // or no graph cache was used
}

TEST_CASE("what is kept of a ranking is given up when more changed than there are tasks") {
  Engine engine = open(":memory:");
  Life life(1);
  life.begin(engine);
  const TimeMs now = engine.recalibrate(life.now() + kDay).at;
  CHECK(check_ranking(engine, now) == "");
  engine.append(std::vector<Event>(11'000, partial(now, "t1")));
  CHECK(check_ranking(engine, now) == "");
  CHECK_FALSE(engine.rank({}).empty());
}

}  // namespace
}  // namespace hebb::test
