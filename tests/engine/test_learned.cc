// Exponents are learned when an outcome arrives, and are then what its event says.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/explain.h"
#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

std::string task(int i) { return fmt::format("t{:03}", i); }
TimeMs hour(int i) { return kStart + i * kHour; }

Event done(int i, TimeMs at) { return keyed(success(at, task(i ^ 1)), fmt::format("done/{}", i)); }

// A queue of `completions` + 10 tasks that were filed an hour apart; of two the second goes first.
void work(Engine& engine, int completions) {
  std::vector<Event> events;
  for (int i = 0; i < completions + 10; ++i) events.push_back(node(hour(i), task(i)));
  engine.append(events);
  for (int i = 0; i < completions; ++i) engine.append(done(i, hour(i + 200)));
}

// The positions of the events that have exponents.
std::vector<std::int64_t> learned_at(Engine& engine) {
  std::vector<std::int64_t> positions;
  engine.ledger().events_until(kEndOfTime, [&](Event&& e) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (outcome && outcome->learned) positions.push_back(e.position);
  });
  return positions;
}

std::optional<reward::Learned> learned(Engine& engine) { return engine.state().facts().learned; }

TEST_CASE("learned: from the 20th completion on, and again with a quarter more", "[sqlite]") {
  Engine engine = open(":memory:");
  work(engine, 20);
  CHECK_FALSE(learned(engine));
  engine.append(done(20, hour(220)));
  REQUIRE(learned(engine));
  CHECK(learned(engine)->completed == 20);
  CHECK(learned(engine)->recency != 1);
  CHECK(engine.state().view().policy.recency_exponent == 0.2 * learned(engine)->recency);
  CHECK(engine.state().policy().recency_exponent == 0.2);  // as it is set
  for (int i = 21; i < 25; ++i) engine.append(done(i, hour(200 + i)));
  CHECK(learned(engine)->completed == 20);
  engine.append(done(25, hour(225)));
  CHECK(learned(engine)->completed == 25);
  CHECK(learned_at(engine).size() == 2);
}

TEST_CASE("learned: tests that passed, and tasks that were deleted, are no completed tasks",
          "[sqlite]") {
  Engine engine = open(":memory:");
  for (int i = 0; i < 100; ++i) {
    const std::string id = fmt::format("test-{}", i);
    engine.append({node(kStart, id, "TEST"), keyed(success(kStart, id), id)});
  }
  work(engine, 20);
  CHECK_FALSE(learned(engine));
  engine.append(done(20, hour(220)));
  REQUIRE(learned(engine));
  CHECK(learned(engine)->completed == 20);
  CHECK(learned(engine)->recency != 1);
  const auto before = learned(engine);
  for (int i = 0; i < 8; ++i) engine.append(remove(hour(221), task(i)));
  for (int i = 21; i < 27; ++i) engine.append(done(i, hour(201 + i)));
  CHECK(learned(engine) == before);
}

TEST_CASE("learned: the ledger has it, so a rebuild, a cache and a log give the same", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"), 0);
  work(engine, 40);
  engine.sync();
  const std::string expected = dump(engine.state());
  const auto before = learned(engine);
  REQUIRE(before);
  {
    Engine again = open(dir.file("a.db"), 0);
    CHECK(learned(again) == before);
    CHECK(again.state().facts().learned_from == engine.state().facts().learned_from);
    CHECK(again.state().facts().completed == 40);
    CHECK(difference(dump(again.state()), expected) == "");
    again.rebuild();
    CHECK(learned(again) == before);
    CHECK(again.state().facts().completed == 40);
    CHECK(difference(dump(again.state()), expected) == "");
  }
  Engine copy = open(":memory:");
  import_log(copy, exported(engine));
  CHECK(learned(copy) == before);
  CHECK(exported(copy) == exported(engine));
}

TEST_CASE("learned: a late outcome has no say, nor one that was undone", "[sqlite]") {
  Engine engine = open(":memory:");
  work(engine, 24);
  const auto at_20 = learned(engine);
  REQUIRE(at_20);
  engine.append(done(24, hour(100)));  // late: it is the 25th
  engine.append(done(25, hour(101)));  // due, but late
  CHECK(learned(engine) == at_20);
  engine.append(done(26, hour(300)));
  const auto at_26 = learned(engine);
  CHECK(at_26->completed == 26);
  engine.undo(engine.ledger().last_position(), hour(301));
  CHECK(learned(engine) == at_20);
  const std::string undone = dump(engine.state());
  engine.rebuild();
  CHECK(learned(engine) == at_20);
  CHECK(difference(dump(engine.state()), undone) == "");
  Engine copy = open(":memory:");
  import_log(copy, exported(engine));
  CHECK(learned(copy) == at_20);
  CHECK(exported(copy) == exported(engine));
  engine.undo(engine.ledger().last_position(), hour(302));  // the undo
  CHECK(learned(engine) == at_26);
}

TEST_CASE("learned: what a log brings is within the bounds of what is learned", "[sqlite]") {
  Engine engine = open(":memory:");
  work(engine, 21);
  const std::string log = exported(engine);
  const auto with = [&](const char* field, const char* value) {
    const std::string key = fmt::format("\"{}\":", field);
    const auto from = log.rfind(key);
    REQUIRE(from != log.npos);
    std::string changed = log;
    changed.replace(from + key.size(), log.find_first_of(",}", from) - from - key.size(), value);
    Engine copy = open(":memory:");
    import_log(copy, changed);
    return learned(copy).has_value();
  };
  CHECK(with("age", "0"));
  CHECK_FALSE(with("age", "-0.1"));
  CHECK_FALSE(with("recency", "3.01"));
  CHECK_FALSE(with("base_rate", "1.01"));
  CHECK(with("base_rate", "1"));
  const reward::Policy policy = reward::Policy::learned();
  const auto in_force = reward::in_force(policy, reward::Learned{.recency = 0});
  CHECK(in_force.recency_exponent == policy.recency_exponent * reward::kLeastLearned);
}

TEST_CASE("learned: a policy can do without, and a request cannot bring its own", "[sqlite]") {
  Engine engine = open(":memory:");
  engine.append(policy(kStart - 1, {{"learn", "false"}}));
  work(engine, 30);
  CHECK(learned_at(engine).empty());
  engine.append(policy(hour(300), {{"learn", "true"}, {"recency_exponent", "0.4"}}));
  Event bold = done(30, hour(301));
  std::get<OutcomeSignal>(bold.payload).learned = reward::Learned{.recency = 3};
  engine.append(bold);
  REQUIRE(learned(engine));
  CHECK(learned(engine)->recency != 1);
  CHECK(engine.state().view().policy.recency_exponent == 0.4 * learned(engine)->recency);
  engine.append(policy(hour(302), {{"learn", "false"}}));
  CHECK(engine.state().view().policy == engine.state().policy());
}

TEST_CASE("learned: explain says what was learned and what is set", "[sqlite]") {
  Engine engine = open(":memory:");
  work(engine, 30);
  const auto formula = [&] {
    for (const FactorLine& line : explain(engine, task(35)).lines)
      if (line.name == "recency") return line.formula;
    return std::string();
  };
  CHECK(formula().find(fmt::format("^ -{:.4g} (set: 0.2; learned)",
                                   0.2 * learned(engine)->recency)) != std::string::npos);
  engine.append(policy(hour(302), {{"learn", "false"}}));
  CHECK(formula().find("learned") == std::string::npos);
}

}  // namespace
}  // namespace hebb::test
