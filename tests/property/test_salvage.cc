// Whichever event is damaged, and however: what reads it stops with its number and everything else
// works, verify finds it, and what is salvaged makes a new database that is whole.
#include <array>
#include <span>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "tests/support/any_event.h"
#include "tests/support/folder.h"
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
    } catch (const sql::Error& e) {  // an event is damaged
      RC_ASSERT(e.corrupt());
    }
  }
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
  std::vector<std::uint8_t> before, meanwhile;
  unsigned which = 0, how = 0;
};

// Whether the event was changed by what was done to it.
bool damage_and_salvage(const std::string& path, const Case& c) {
  {
    Engine engine = open(path);
    engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c")});
    append_all(engine, c.before);
    engine.sync();
  }
  // Not the last one: that it is gone shows only by the mirror, which says so.
  Engine other = open(path);
  const auto position =
      1 + static_cast<std::int64_t>(c.which %
                                    static_cast<unsigned>(other.ledger().last_position() - 1));
  damage(other, position, c.how);
  Engine engine = open(path);
  append_all(engine, c.meanwhile);
  const bool damaged = !engine.verify().empty();  // or it is what was there before
  if (damaged) RC_ASSERT_THROWS_AS(engine.rebuild(), DamagedLedger);
  std::string log;
  const auto left_out = export_log(
      engine, [&](std::string_view line) { log += line; }, true);
  RC_ASSERT(left_out.empty() != damaged);
  Engine copy = open(":memory:");
  import_log(copy, log);
  RC_ASSERT(copy.verify().empty());
  return damaged;
}

TEST_CASE("what is salvaged of a damaged ledger is a ledger") {
  const Folder dir;
  int file = 0, damaged = 0;
  const bool holds = rc::check([&](const std::vector<std::uint8_t>& before,
                                   const std::vector<std::uint8_t>& meanwhile, std::uint8_t which,
                                   std::uint8_t how) {
    damaged += damage_and_salvage(dir.file(std::to_string(++file) + ".db"),
                                  {before, meanwhile, which, how});
  });
  CHECK(holds);
  CHECK(damaged > 50);
}

}  // namespace
}  // namespace hebb::test
