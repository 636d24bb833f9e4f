// Whichever event is damaged, and however: the rest works, and once the event is in quarantine
// every engine, the mirror and a rebuild give the same, whatever is appended afterwards.
#include <array>
#include <span>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "tests/sql/temp_dir.h"
#include "tests/support/any_event.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

void append_all(Engine& engine, std::span<const std::uint8_t> bytes) {
  int left = 30;
  for (AnyEvent events(bytes); !events.at_end() && left > 0; --left) {
    try {
      engine.append(events.next());
    } catch (const Refused&) {
    } catch (const reward::BadPolicy&) {
    } catch (const sql::Error& e) {  // an event is damaged, and not yet in quarantine
      RC_ASSERT(e.corrupt());
    }
  }
}

void check_same(Engine& engine, const std::string& path) {
  engine.sync();
  const auto problems = engine.verify();
  if (!problems.empty()) RC_FAIL(problems.front());
  Engine again = open(path);
  const auto lines = difference(dump(again.state()), dump(engine.state()));
  if (!lines.empty()) RC_FAIL(lines);
}

void damage(Engine& engine, std::int64_t position, unsigned how) {
  constexpr auto kDamages = std::to_array<const char*>({
      "payload = 'nonsense'",
      "payload = '{}'",
      "at = 253402300799999",
      "at = 0",
      "subject = 'elsewhere'",
      "kind = 'none'",
      "key = CAST(x'ff' AS TEXT)",
      "vector = x'01'",
      "kind = 'node', payload = '{\"type\":\"OTHER\"}'",
  });
  auto& db = tables_of(engine);
  if (how % (kDamages.size() + 1) == kDamages.size()) {
    db.exec("DELETE FROM event WHERE position = " + std::to_string(position));
  } else {
    db.exec(std::string("UPDATE event SET ") + kDamages[how % (kDamages.size() + 1)] +
            " WHERE position = " + std::to_string(position));
  }
}

struct Case {
  std::vector<std::uint8_t> before, meanwhile, after;
  unsigned which = 0, how = 0;
};

// Whether there was anything to put into quarantine.
bool damage_and_go_on(const std::string& path, const Case& c) {
  Engine other = open(path);
  {
    Engine engine = open(path);
    engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c")});
    append_all(engine, c.before);
    engine.sync();
    other.state();
  }
  // Not the last one: that it is gone shows only by the mirror, which says so.
  const auto position =
      1 + static_cast<std::int64_t>(c.which %
                                    static_cast<unsigned>(other.ledger().last_position() - 1));
  {
    Engine engine = open(path);
    damage(engine, position, c.how);
    append_all(engine, c.meanwhile);
    engine.sync();
    engine.rank({});
  }
  Engine engine = open(path);
  const bool damaged = !engine.verify().empty();  // or it is what was there before
  if (damaged) {
    RC_ASSERT_THROWS_AS(engine.rebuild(), DamagedLedger);
    engine.quarantine(std::span(&position, 1), kStart + 100 * kDay);
  }
  check_same(engine, path);
  append_all(other, c.after);
  // An undo among them may have taken back the quarantine, and then that event counts as damaged.
  if (damaged && !other.verify().empty())
    other.quarantine(std::span(&position, 1), kStart + 200 * kDay);
  check_same(other, path);
  check_same(engine, path);
  engine.rebuild();
  check_same(engine, path);
  check_same(other, path);
  return damaged;
}

TEST_CASE("a ledger with a quarantine is as good as any other") {
  const TempDir dir;
  int file = 0, damaged = 0;
  const bool holds = rc::check(
      [&](const std::vector<std::uint8_t>& before, const std::vector<std::uint8_t>& meanwhile,
          const std::vector<std::uint8_t>& after, std::uint8_t which, std::uint8_t how) {
        damaged += damage_and_go_on(dir.file(std::to_string(++file) + ".db"),
                                    {before, meanwhile, after, which, how});
      });
  CHECK(holds);
  CHECK(damaged > 50);
}

// Found by the above: the making of `a` is in quarantine, that of `b` is undone, and `a` is made
// again. The engine that has folded all of it knew no longer that the edges of `a` come back with
// it.
TEST_CASE("a node that comes back has its edges, whatever was undone meanwhile") {
  const TempDir dir;
  CHECK(damage_and_go_on(
      dir.file("graph.db"),
      {{60, 61, 2, 11, 32, 46, 17, 30, 63, 2, 38, 14, 28,
        2,  27, 5, 10, 61, 3,  55, 29, 7,  1, 35, 45},
       {56, 15, 43, 55, 58, 7,  10, 39, 36, 42, 42, 24, 31, 36, 35, 21, 57, 46, 9,  57, 29,
        6,  21, 33, 40, 44, 32, 9,  56, 53, 19, 12, 38, 23, 3,  56, 51, 38, 7,  49, 18},
       {3,  50, 8,  34, 61, 4,  21, 42, 57, 23, 36, 56, 54, 14, 53,
        37, 47, 34, 43, 50, 18, 39, 17, 5,  34, 55, 63, 55, 2},
       20,
       38}));
}

}  // namespace
}  // namespace hebb::test
