// Claims: one task, one agent, for a while; as a function of the ledger's positions.
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/claims/claims.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

ClaimNext by(const std::string& agent, TimeMs now, const std::string& request = "") {
  ClaimNext next;
  next.agent = agent;
  next.now = now;
  next.lease_ms = 10 * kMinute;
  next.request = request;
  return next;
}

void add_tasks(Engine& engine, int n) {
  std::vector<Event> events;
  for (int i = 0; i < n; ++i) events.push_back(node(kStart + i, "t" + std::to_string(i)));
  engine.append(std::move(events));
  engine.sync();
}

ClaimedTask claim_one(Engine& engine, const ClaimNext& next) {
  auto claimed = engine.claim_next(next);
  REQUIRE(claimed.size() == 1);
  return claimed.front();
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refused& e) {
    return e.refusal().reason;
  }
  return "none";
}

Event done(TimeMs at, const std::string& task, std::int64_t token) {
  Event e = partial(at, task);
  std::get<OutcomeSignal>(e.payload).token = token;
  return e;
}

// A second engine, the mirror made anew and a fold of the ledger all say the same.
void check_everywhere(Engine& engine, const std::string& path) {
  const auto claims = engine.claims();
  Engine other = open(path);
  CHECK(other.claims() == claims);
  CHECK(claims == claims_of(engine.ledger(), engine.ledger().last_position()).list());
  engine.sync();
  CHECK(engine.verify().empty());
  CHECK(Engine(open(path)).claims() == claims);
  engine.rebuild();
  CHECK(engine.claims() == claims);
  CHECK(engine.verify().empty());
}

TEST_CASE("claims: are there after a crash before the mirror was ever written") {
  const Folder dir;
  {
    Engine engine = open(dir.file("a.db"));
    engine.append(node(kStart, "t0"));
    Event claim;
    claim.at = kStart + 1;
    claim.subject = "t0";
    claim.payload = Claim{.agent = "ann", .expires_at = kStart + kHour};
    engine.append(std::move(claim));  // and no sync()
  }
  Engine engine = open(dir.file("a.db"));
  engine.sync();
  CHECK(engine.claims().size() == 1);
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("claims: the best task goes to one, the next best to the other, until nothing is left") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 2);
  const auto best = top(engine, 2, kStart + kHour);
  const auto first = claim_one(engine, by("one", kStart + kHour));
  const auto second = claim_one(engine, by("two", kStart + kHour));
  CHECK(first.row.id == best[0]);
  CHECK(second.row.id == best[1]);
  CHECK(second.claim.token > first.claim.token);
  CHECK(first.claim.token == 3);  // its position, after the two tasks
  CHECK(first.claim.expires_at == kStart + kHour + 10 * kMinute);
  CHECK(engine.claim_next(by("three", kStart + kHour)).empty());
  RankQuery query;
  query.top = 5;
  CHECK(engine.rank(query).size() == 2);
  query.unclaimed_at = kStart + kHour;
  CHECK(engine.rank(query).empty());
  query.unclaimed_at = kStart + kHour + 10 * kMinute;  // both have expired
  CHECK(engine.rank(query).size() == 2);
  query.now = kStart + kHour;  // from the graph rather than the mirror
  query.unclaimed_at = kStart + kHour;
  CHECK(engine.rank(query).empty());
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE(
    "claims: an outcome, a release or the time ends one, and its token is worth nothing then") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 1);
  const TimeMs now = kStart + kHour;
  const auto a = claim_one(engine, by("a", now));
  CHECK(release_claim(engine, a.claim.token, now).task == "t0");
  const auto stale = [&](std::int64_t token) {
    return refusal_of([&] { engine.append(done(now + kMinute, "t0", token)); });
  };
  CHECK(stale(a.claim.token) == "stale_lease");
  CHECK(refusal_of([&] { renew_claim(engine, a.claim.token, now, kHour); }) == "stale_lease");
  CHECK(refusal_of([&] { release_claim(engine, a.claim.token, now); }) == "stale_lease");

  const auto b = claim_one(engine, by("b", now));
  CHECK(renew_claim(engine, b.claim.token, now + kMinute, kHour).expires_at ==
        now + kMinute + kHour);
  CHECK(engine.claim_next(by("c", now + 30 * kMinute)).empty());
  // Late, but nobody else has claimed it: the work counts.
  CHECK(refusal_of([&] { engine.append(done(now + 2 * kHour, "t0", b.claim.token)); }) == "none");
  CHECK(engine.claims().empty());

  const auto c = claim_one(engine, by("c", now + 2 * kHour));
  const auto d = claim_one(engine, by("d", now + 3 * kHour));  // that of c has expired
  CHECK(d.claim.expiries == 1);
  CHECK(stale(c.claim.token) == "stale_lease");
  CHECK(refusal_of([&] { engine.append(partial(now + 3 * kHour, "t0")); }) == "none");
  CHECK(stale(d.claim.token) == "stale_lease");  // whoever it was has ended the claim
  CHECK_THROWS_AS(release_claim(engine, 1, now), std::invalid_argument);  // a node's event
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE("claims: the same request gives the same claims, and an outcome sent again counts once") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 5);
  ClaimNext two = by("a", kStart + kHour, "job-1");
  two.n = 2;
  const auto first = engine.claim_next(two);
  REQUIRE(first.size() == 2);
  Engine other = open(dir.file("a.db"));
  two.now += kMinute;
  const auto again = other.claim_next(two);
  REQUIRE(again.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(again[i].claim == first[i].claim);
    CHECK(again[i].row.id == first[i].row.id);
  }
  CHECK(claim_one(engine, by("b", kStart + kHour, "job-1")).row.id != first[0].row.id);
  Event outcome = keyed(done(kStart + kHour, first[0].row.id, first[0].claim.token), "o1");
  CHECK(engine.append(outcome) == Applied::applied);
  CHECK(engine.append(outcome) == Applied::duplicate);
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE("claims: the same request given again after its claims ended is a new one") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 5);
  ClaimNext daily = by("a", kStart + kHour, "daily");
  daily.n = 2;
  const auto first = engine.claim_next(daily);
  REQUIRE(first.size() == 2);
  engine.append(done(kStart + kHour, first[0].row.id, first[0].claim.token));
  // One of them lives, and is renewed: that one alone is given again.
  renew_claim(engine, first[1].claim.token, kStart + kHour, kHour);
  daily.now = kStart + kHour + 30 * kMinute;
  const auto again = engine.claim_next(daily);
  REQUIRE(again.size() == 1);
  CHECK(again[0].claim.token == first[1].claim.token);
  CHECK(again[0].claim.expires_at == kStart + 2 * kHour);
  // Another agent takes over what was left, and the first one asks again.
  daily.now = kStart + 3 * kHour;
  ClaimNext rest = by("b", daily.now);
  rest.query.selection.among = std::vector<std::string>{first[1].row.id};
  CHECK(claim_one(engine, rest).row.id == first[1].row.id);
  const auto anew = engine.claim_next(daily);
  REQUIRE(anew.size() == 2);
  for (const ClaimedTask& task : anew) {
    CHECK(task.claim.token > first[1].claim.token);
    CHECK(task.row.id != first[1].row.id);
  }
  CHECK(engine.claim_next(daily).size() == 2);
  CHECK(engine.claim_next(daily)[0].claim == anew[0].claim);
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE("claims: a request is its agent's own, whatever the agents are called") {
  Engine engine = open(":memory:");
  add_tasks(engine, 4);
  std::set<std::int64_t> tokens;
  for (const auto& [agent, request] : std::vector<std::pair<std::string, std::string>>{
           {"team", "ann/1"}, {"team/ann", "1"}, {"team%2Fann", "1"}}) {
    const auto token = claim_one(engine, by(agent, kStart + kDay, request)).claim.token;
    tokens.insert(token);
    CHECK(claim_one(engine, by(agent, kStart + kDay, request)).claim.token == token);
  }
  CHECK(tokens.size() == 3);
}

TEST_CASE("claims: three expiries make a task stuck, until there is an outcome") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 1);
  TimeMs now = kStart + kHour;
  for (int i = 0; i < 3; ++i, now += kHour) {
    CHECK(claim_one(engine, by("a" + std::to_string(i), now)).claim.expiries == i);
    CHECK_FALSE(engine.claims().front().stuck(now));
  }
  CHECK(engine.claims().front().stuck(now));
  CHECK(engine.claim_next(by("b", now)).empty());
  engine.append(failure(now, "t0"));
  CHECK(claim_one(engine, by("b", now)).claim.expiries == 0);
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE("claims: spread prefers tasks that share no context with what is worked on") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 3);
  const auto best = top(engine, 3, kStart + kHour);
  engine.append(node(kStart, "label", "LABEL", ""));
  engine.append(link(kStart, best[0], "LABELED_AS", "label"));
  engine.append(link(kStart, best[1], "LABELED_AS", "label"));
  REQUIRE(top(engine, 3, kStart + kHour) == best);
  ClaimNext next = by("a", kStart + kHour);
  next.spread = true;
  CHECK(claim_one(engine, next).row.id == best[0]);
  CHECK(claim_one(engine, next).row.id == best[2]);
  CHECK(claim_one(engine, next).row.id == best[1]);
}

TEST_CASE("claims: spread leaves pinned tasks first") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 3);
  const auto best = top(engine, 3, engine.state().facts().ranked_at());
  engine.append(node(kStart, "label", "LABEL", ""));
  engine.append(link(kStart, best[0], "LABELED_AS", "label"));
  engine.append(link(kStart, best[2], "LABELED_AS", "label"));
  const auto pin = [&](const std::string& task) {
    Event e = node(kStart, task);
    std::get<NodeUpsert>(e.payload).pinned = true;
    engine.append(std::move(e));
  };
  pin(best[2]);
  ClaimNext next = by("a", kStart + kHour);
  CHECK(claim_one(engine, next).row.id == best[2]);
  pin(best[0]);
  next.spread = true;
  CHECK(claim_one(engine, next).row.id == best[0]);
  CHECK(claim_one(engine, next).row.id == best[1]);
}

TEST_CASE("claims: the token of one task is no token of another") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 2);
  const auto a = claim_one(engine, by("a", kStart + kHour));
  const std::string other = a.row.id == "t0" ? "t1" : "t0";
  const auto wrong = done(kStart + kHour, other, a.claim.token);
  CHECK(refusal_of([&] { engine.append(wrong); }) == "stale_lease");
  CHECK_THROWS_WITH(engine.append(wrong), Catch::Contains("the claim of " + a.row.id));
  CHECK(engine.claims().size() == 1);
}

TEST_CASE("claims: only the tasks that were asked for") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 4);
  engine.append(node(kStart, "ui", "LABEL", ""));
  engine.append(node(kStart, "later", "LABEL", ""));
  for (const auto* task : {"t1", "t2", "t3"}) engine.append(link(kStart, task, "LABELED_AS", "ui"));
  engine.append(link(kStart, "t2", "LABELED_AS", "later"));
  ClaimNext next = by("a", kStart + kHour);
  next.query.which.labels = {"ui"};
  next.query.which.not_labels = {"later"};
  next.n = 4;
  std::set<std::string> taken;
  for (const auto& claimed : engine.claim_next(next)) taken.insert(claimed.row.id);
  CHECK(taken == std::set<std::string>{"t1", "t3"});
  CHECK(engine.claim_next(next).empty());
  next.query.which = {};
  next.query.which.type = "BUG";
  CHECK(engine.claim_next(next).empty());
  next.query.which = {};
  CHECK(engine.claim_next(next).size() == 2);
  check_everywhere(engine, dir.file("a.db"));
}

TEST_CASE("claims: no undo takes one back, and no claim changes a priority") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 2);
  const auto before = dump(engine.state());
  const auto claimed = claim_one(engine, by("a", kStart + kDay));
  CHECK(dump(engine.state()) == before);
  CHECK_THROWS_AS(engine.undo(claimed.claim.token, kStart + kDay), std::invalid_argument);
  CHECK(engine.claims().size() == 1);
}

// What the page about claims says, with nothing but a list of what happened.
struct Naive {
  std::map<std::string, std::vector<std::pair<std::int64_t, TimeMs>>> open;  // token, until

  void claim(const std::string& task, std::int64_t token, TimeMs until) {
    open[task].emplace_back(token, until);
  }
  void renew(const std::string& task, std::int64_t token, TimeMs until) {
    if (current(task) == token) open[task].back().second = until;
  }
  void release(const std::string& task, std::int64_t token) {
    if (current(task) == token) open.erase(task);
  }
  void outcome(const std::string& task) { open.erase(task); }
  std::int64_t current(const std::string& task) const {
    const auto it = open.find(task);
    return it == open.end() ? 0 : it->second.back().first;
  }
};

TEST_CASE("claims: any history of them is what its events in a row say") {
  for (int seed = 0; seed < soak(6); ++seed) {
    CAPTURE(seed);
    std::minstd_rand random(static_cast<unsigned>(seed) + 1);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const Folder dir;
    Engine engine = open(dir.file("a.db"));
    add_tasks(engine, 4);
    Naive naive;
    TimeMs now = kStart + kHour;
    std::vector<std::pair<std::string, std::int64_t>> tokens;
    for (int step = 0; step < 60; ++step, now += below(6) * kMinute) {
      const int what = below(10);
      if (what < 5 || tokens.empty()) {
        for (const auto& task : engine.claim_next(by("a", now))) {
          naive.claim(task.row.id, task.claim.token, task.claim.expires_at);
          tokens.emplace_back(task.row.id, task.claim.token);
        }
        continue;
      }
      const auto& chosen = tokens[static_cast<std::size_t>(below(static_cast<int>(tokens.size())))];
      const std::string& task = chosen.first;
      const std::int64_t token = chosen.second;
      const bool stale = naive.current(task) != token;
      std::string refused;
      if (what < 7) {
        refused = refusal_of([&] { renew_claim(engine, token, now, kHour); });
        naive.renew(task, token, now + kHour);
      } else if (what < 8) {
        refused = refusal_of([&] { release_claim(engine, token, now); });
        naive.release(task, token);
      } else {
        // A time of its own, perhaps before the claim: what counts is the order of arrival.
        refused = refusal_of(
            [&, at = now - below(120) * kMinute] { engine.append(done(at, task, token)); });
        if (!stale) naive.outcome(task);
      }
      CHECK(refused == (stale ? "stale_lease" : "none"));
    }
    const auto claims = engine.claims();
    REQUIRE(claims.size() == naive.open.size());
    for (const ClaimRow& claim : claims) {
      const auto& of = naive.open.at(claim.task);
      CHECK(claim.token == of.back().first);
      CHECK(claim.expires_at == of.back().second);
      CHECK(claim.expiries == std::ssize(of) - 1);
    }
    check_everywhere(engine, dir.file("a.db"));
  }
}

}  // namespace

TEST_CASE("claims: one by a clock that is far ahead holds no longer than a lease may be") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_tasks(engine, 1);
  constexpr TimeMs kYears = 3650 * kDay;
  const TimeMs now = kStart + kHour;
  const ClaimedTask ahead = claim_one(engine, by("ahead", now + kYears));
  CHECK_FALSE(ahead.claim.active(now));
  const ClaimedTask next = claim_one(engine, by("bob", now));
  CHECK(next.claim.token > ahead.claim.token);
  CHECK(engine.claim_next(by("eve", now + kMinute)).empty());
  // A renewal by such a clock neither.
  renew_claim(engine, next.claim.token, now + kYears, kHour);
  CHECK(claim_one(engine, by("eve", now + kMinute)).claim.agent == "eve");
  ClaimNext long_one = by("bob", now);
  long_one.lease_ms = kLongestLeaseMs + 1;
  CHECK_THROWS_AS(engine.claim_next(long_one), std::invalid_argument);
  CHECK_THROWS_AS(renew_claim(engine, 1, now, kLongestLeaseMs + 1), std::invalid_argument);
}

}  // namespace hebb::test
