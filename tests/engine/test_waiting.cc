// What a claimer gets besides the best: the tasks that wait longest, and those next to its own
// work.
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

// Five tasks that are old and not urgent; each hour comes one that is, and one is claimed and done.
// How many claims it takes until the five are: at most as many as given.
std::size_t claims_until_old_are_done(Engine& engine, std::size_t most) {
  std::set<std::string> old;
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    Event e = node(kStart, id);
    std::get<NodeUpsert>(e.payload).priority = 3;
    engine.append(e);
    old.insert(id);
  }
  TimeMs now = kStart + 10 * kDay;
  for (std::size_t count = 1; count <= most; ++count, now += kHour) {
    Event fresh = node(now, "new-" + std::to_string(count));
    std::get<NodeUpsert>(fresh.payload).priority = 1;
    engine.append(fresh);
    ClaimNext next;
    next.agent = "worker";
    next.now = next.query.now.emplace(now);
    const auto claimed = engine.claim_next(next);
    REQUIRE(claimed.size() == 1);
    old.erase(claimed.front().row.id);
    Event done = success(now, claimed.front().row.id);
    std::get<OutcomeSignal>(done.payload).token = claimed.front().claim.token;
    engine.append(done);
    if (old.empty()) return count;
  }
  return most + 1;
}

TEST_CASE("nothing waits for ever: each twentieth claim is for what waits longest") {
  Engine engine = open(":memory:");
  SECTION("five old tasks are done after a hundred claims at most") {
    const std::size_t claims = claims_until_old_are_done(engine, 200);
    CHECK(claims >= 20);
    CHECK(claims <= 100);
  }
  SECTION("of ten claims one") {
    engine.append(policy(kStart, {{"waiting_share", "10"}}));
    CHECK(claims_until_old_are_done(engine, 200) <= 50);
  }
  SECTION("none") {
    engine.append(policy(kStart, {{"waiting_share", "0"}}));
    CHECK(claims_until_old_are_done(engine, 200) == 201);
  }
  SECTION("what was touched within the days is not one that waits") {
    engine.append(policy(kStart, {{"waiting_days", "30"}}));
    CHECK(claims_until_old_are_done(engine, 200) == 201);
  }
}

TEST_CASE("the count of claims goes on where it was when the database is opened again") {
  const Folder dir;
  std::size_t old = 0;
  {
    Engine engine = open(dir.file("a.db"));
    engine.append(node(kStart, "old"));
  }
  for (int count = 1; count <= 20; ++count) {
    Engine engine = open(dir.file("a.db"));
    const TimeMs now = kStart + 10 * kDay + count * kHour;
    engine.append(node(now, "new-" + std::to_string(count)));
    ClaimNext next;
    next.agent = "worker";
    next.now = next.query.now.emplace(now);
    const auto claimed = engine.claim_next(next);
    REQUIRE(claimed.size() == 1);
    if (claimed.front().row.id == "old") {
      ++old;
      CHECK(count == 20);
      CHECK(claimed.front().row.reasons.front() == "waits longest");
    }
  }
  CHECK(old == 1);
}

TEST_CASE("an agent's own last work comes before that of others") {
  Engine engine = open(":memory:");
  for (const char* label : {"wood", "iron"}) engine.append(node(kStart, label, "LABEL", ""));
  for (const char* id : {"wood-1", "iron-1", "wood-2", "iron-2"}) {
    engine.append(node(kStart + 1, id));
    engine.append(link(kStart + 1, id, "LABELED_AS", std::string(id).substr(0, 4)));
  }
  const auto done = [&](TimeMs at, const char* id, const std::string& agent, bool claims) {
    Event e = success(at, id);
    if (claims) {
      Event claim;
      claim.at = at - 1;
      claim.subject = id;
      claim.payload = Claim{agent, at + kHour, false};
      engine.append(claim);
    } else if (!agent.empty()) {
      std::get<OutcomeSignal>(e.payload).input = R"({"agentId":")" + agent + R"("})";
    }
    engine.append(e);
  };
  const bool claims = GENERATE(true, false);
  CAPTURE(claims);
  done(kStart + kHour, "wood-1", "ann", claims);
  done(kStart + 2 * kHour, "iron-1", "bob", claims);
  const auto first = [&](const std::string& agent) {
    RankQuery query;
    query.agent = agent;
    query.now = kStart + 3 * kHour;
    return engine.rank(query).front().id;
  };
  CHECK(first("") == "iron-2");
  CHECK(first("bob") == "iron-2");
  CHECK(first("ann") == "wood-2");
  CHECK(first("nobody") == "iron-2");
  ClaimNext next;
  next.agent = "ann";
  next.now = next.query.now.emplace(kStart + 3 * kHour);
  CHECK(engine.claim_next(next).front().row.id == "wood-2");
  // What was found is not kept beyond the next event about the task.
  const auto reopened = engine.ledger().last_position() + 1;
  for (const char* id : {"wood-1", "iron-1"})
    engine.append(state(kStart + 2 * kHour + 1, id, "OPEN"));
  done(kStart + 2 * kHour + 2, "wood-1", "bob", claims);
  done(kStart + 2 * kHour + 3, "iron-1", "cid", claims);
  CHECK(first("bob") == "wood-2");
  CHECK(first("ann") == "iron-2");
  engine.undo(engine.ledger().last_position() - (claims ? 2 : 1), kStart + 3 * kHour);
  engine.undo(reopened, kStart + 3 * kHour);
  CHECK(first("bob") == "iron-2");
  CHECK(first("ann") == "wood-2");
}

TEST_CASE("an estimate is said, told again and taken back") {
  Engine engine = open(":memory:");
  Event e = node(kStart, "task");
  std::get<NodeUpsert>(e.payload).estimate = 2 * kHour;
  engine.append(e);
  const auto estimate = [&] {
    return engine.state().graph().nodes().estimate[*engine.state().find("task")];
  };
  CHECK(estimate() == 2 * kHour);
  engine.append(node(kStart + 1, "task"));
  CHECK(estimate() == 2 * kHour);
  Event none = node(kStart + 2, "task");
  std::get<NodeUpsert>(none.payload).estimate = 0;
  CHECK_THROWS_AS(engine.append(none), Refused);
  std::get<NodeUpsert>(none.payload).estimate = graph::kNever;
  engine.append(none);
  CHECK(estimate() == graph::kNever);
}

}  // namespace
}  // namespace hebb::test
