// What a crash left between the ledger and the mirror is folded without being held whole.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/folder.h"
#include "tests/support/heap.h"
#include "tests/support/history.h"

namespace hebb::test {

TEST_CASE("a long tail of the ledger is folded one event at a time", "[sqlite][slow]") {
  constexpr int kEvents = 2000;
  constexpr std::size_t kInput = 32 << 10;  // 64 MB in all
  constexpr std::size_t kBound = 12 << 20;  // SQLite's cache is 2 MB
  const Folder dir;
  std::string expected;
  {
    Engine engine = open(dir.file("a.db"));
    engine.append(node(kStart, "t"));
    engine.sync();
    for (int i = 0; i < kEvents / 100; ++i) {
      std::vector<Event> events;
      for (int k = 0; k < 100; ++k) {
        Event e = failure(kStart + (i * 100 + k) * kMinute, "t");
        std::get<OutcomeSignal>(e.payload).input =
            fmt::format(R"({{"note":"{}"}})", std::string(kInput, 'x'));
        events.push_back(std::move(e));
      }
      engine.append(std::move(events));
    }
    expected = dump(engine.state());
  }  // not mirrored: as if it had been killed
  Engine engine = open(dir.file("a.db"));
  const HeapPeak peak;
  CHECK(engine.ledger().last_position() == kEvents + 1);
  engine.state();
  CHECK(peak.bytes() < kBound);
  CHECK(difference(dump(engine.state()), expected) == "");
}

}  // namespace hebb::test
