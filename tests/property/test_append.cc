// Whatever events a program appends: with those that were taken the database can be opened, folded,
// verified and rebuilt, and refused ones leave nothing behind.
#include <span>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "tests/support/any_event.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

// Whether it was taken.
bool offer(Engine& engine, const Event& e) {
  try {
    return engine.append(e) == Applied::applied;
  } catch (const Refused&) {
  } catch (const reward::BadPolicy&) {
  }
  return false;
}

void check_whole(Engine& engine) {
  const auto problems = engine.verify();
  if (!problems.empty()) RC_FAIL(problems.front());
}

struct Count {
  int taken = 0, refused = 0;
};

void append_and_open_again(const std::string& path, std::span<const std::uint8_t> bytes,
                           Count& count) {
  std::string held;
  {
    Engine engine = open(path);
    engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c")});
    for (AnyEvent events(bytes); !events.at_end();) {
      const std::string before = dump(engine.state());
      const auto position = engine.ledger().last_position();
      const bool applied = offer(engine, events.next());
      ++(applied ? count.taken : count.refused);
      RC_ASSERT(engine.ledger().last_position() == position + (applied ? 1 : 0));
      if (!applied) RC_ASSERT(dump(engine.state()) == before);
    }
    engine.sync();
    held = dump(engine.state());
  }
  Engine again = open(path);
  RC_ASSERT(dump(again.state()) == held);
  check_whole(again);
  again.rebuild();
  RC_ASSERT(dump(again.state()) == held);
  check_whole(again);
  const TimeMs last = again.state().facts().ranked_at();  // it may be the latest time that there is
  again.recalibrate(std::min(std::max(kStart + kDay, last + 1), Limits::kLatestTime));
  again.gc(kStart + 1000 * kDay, kDay, false);
  check_whole(again);
}

TEST_CASE("what was appended can be opened, verified and rebuilt; what was refused left nothing") {
  const Folder dir;
  int file = 0;
  Count count;
  const bool holds = rc::check([&](const std::vector<std::uint32_t>& words) {
    const auto bytes = std::as_bytes(std::span(words));
    append_and_open_again(dir.file(std::to_string(++file) + ".db"),
                          {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                          count);
  });
  CHECK(holds);
  CHECK(count.taken > 100);
  CHECK(count.refused > 100);
}

}  // namespace
}  // namespace hebb::test
