// What a ledger is exported as makes the same ledger again.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/reward/world.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using reward::Random;

// The rows of a ledger, but for their positions, for the keys that come from those, and for claims.
std::vector<std::string> rows(Engine& engine) {
  std::vector<std::string> all;
  engine.ledger().events_until(std::numeric_limits<TimeMs>::max(), [&](Event&& e) {
    if (is_claim(e.payload)) return;
    const bool by_position = e.key.starts_with(kPositionKey);
    std::string line = fmt::format("{} {} {} {} {}", e.at, by_position ? "7:" : e.key, e.subject,
                                   kind_name(e.payload), encode_payload(e.payload));
    if (const auto* upsert = std::get_if<NodeUpsert>(&e.payload)) {
      for (const float x : upsert->vector) line += fmt::format(" {}", x);
    }
    all.push_back(std::move(line));
  });
  return all;
}

// Tasks, labels, and events at random times, in random order of arrival, with keys and without.
void fill(Random& random, Engine& engine, bool undoes = false) {
  std::vector<std::string> tasks;
  for (int i = 0; i < 6; ++i) {
    tasks.push_back(fmt::format("t{}", i));
    Event e = named(kStart, tasks.back(), fmt::format("do \"it\" {}", i));
    std::get<NodeUpsert>(e.payload).properties = R"({"a":[1,null]})";
    engine.append(e);
  }
  engine.append(node(kStart, "label", "LABEL", ""));
  engine.append(policy(0, {{"prior", "0.75"}}));  // from the beginning
  for (int i = 0; i < 60; ++i) {
    const TimeMs at = kStart + static_cast<TimeMs>(1 + random.below(100)) * kHour;
    const std::string a = random.pick(tasks), b = random.pick(tasks);
    const auto make = [&]() -> Event {
      switch (random.below(18)) {
        case 0:
          return unlink(at, a, "RELATES", b);
        case 1:
          return test::state(at, a, random.chance(0.5) ? "OPEN" : "IN_PROGRESS");
        case 2:
          return success(at, a, {b}, random.between(0.1, 1));
        case 3:
          return success(at, a);
        case 4:
        case 5:
          return failure(at, a);
        case 6:
          return partial(at, a);
        case 7:
          return pivot(at, a, random.between(0.2, 4));
        case 8:
          return guide(at, {{a, 1.0}, {"t1", 0.5}});
        case 9:
          return policy(at, {{"pivot_factor", random.chance(0.5) ? "0.3" : "0.9"}});
        case 10:
          return named(at, a, fmt::format("name {}", i));
        case 11:
          return forget(at, {{a, b, "RELATES"}}, {});
        case 12:
          return link(at, a, "LABELED_AS", "label");
        case 13:
          return remove(at, a);
        case 14:
          return node(at, a);
        case 15:
        case 16: {
          Event claim;
          claim.at = at;
          claim.subject = a;
          claim.payload = Claim{.agent = "ann", .expires_at = at + kHour};
          return claim;
        }
        default:
          return link(at, a, "RELATES", b, random.between(0.1, 3));
      }
    };
    Event e = make();
    try {
      engine.append(random.chance(0.5) ? keyed(std::move(e), fmt::format("e{:02}", i)) : e);
      const auto events = static_cast<std::uint64_t>(engine.ledger().last_position());
      if (undoes && random.chance(0.1))
        engine.undo(static_cast<std::int64_t>(1 + random.below(events)), kStart + 200 * kHour);
      // As a worker does that holds a claim.
      if (const auto claims = engine.claims(); !claims.empty() && random.chance(0.1)) {
        Event done = partial(at, claims.front().task);
        std::get<OutcomeSignal>(done.payload).token = claims.front().token;
        engine.append(done);
      }
    } catch (const Refused&) {
    } catch (const std::invalid_argument&) {
    }
  }
  engine.append(pivot(kStart + 300 * kHour, "t2"));  // later than what was undone
}

TEST_CASE("importing an export gives the same ledger, and so the same graph") {
  for (int i = 1; i <= soak(20); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i));
    Engine original = open(":memory:");
    const bool undoes = i % 2 == 0;
    fill(random, original, undoes);
    const std::string text = exported(original);

    Engine copy = open(":memory:");
    const auto summary = import_log(copy, text);
    for (const auto& r : summary.refusals)
      UNSCOPED_INFO(r.refusal.reason + ": " + r.refusal.detail);
    CHECK(summary.refused == 0);
    // An undo may leave a link without the node that it named, and an export leaves that out.
    if (!undoes) CHECK(rows(copy) == rows(original));
    CHECK(difference(dump(copy.state()), dump(original.state())) == "");
    // What it is exported as again is the same, keys and all, and it counts once.
    CHECK(exported(copy) == text);
    CHECK(import_log(copy, text).applied == 0);
  }
}

TEST_CASE("what was undone is left out of an export") {
  Random random(7);
  Engine original = open(":memory:");
  fill(random, original);
  const auto before = rows(original).size();
  Event late = failure(kStart + 200 * kHour, "label");  // which nothing deletes
  original.append(late);
  const std::int64_t position = original.ledger().last_position();
  original.undo(position, kStart + 201 * kHour);
  Engine copy = open(":memory:");
  CHECK(import_log(copy, exported(original)).refused == 0);
  CHECK(rows(copy).size() == before);
  CHECK(exported(copy) == exported(original));
}

TEST_CASE("only an import of a ledger's own lines takes what a ledger knows") {
  const std::string line =
      R"({"kind":"policy","at":1700000000000,"key":"6:x","of":"policy","replace":false,)"
      R"("settings":[["prior","2"]]})"
      "\n";
  Engine engine = open(":memory:");
  const auto refused = ingest(engine, line, "history");
  REQUIRE(refused.refused == 1);
  CHECK(refused.refusals[0].refusal.reason == "unknown_kind");
  CHECK(import_log(engine, line).applied == 1);
  CHECK(engine.state().policy().prior == 2);
  const auto wrong = import_log(
      engine, R"({"kind":"state","at":1700000000000,"key":"6:x","id":"a","state":"OPEN"})"
              "\n");
  CHECK(wrong.refused == 1);  // the key is not that of its kind
}

}  // namespace
}  // namespace hebb::test
