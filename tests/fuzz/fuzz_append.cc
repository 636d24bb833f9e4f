// Events of every kind, made out of the input's bytes: refused with a reason, or taken so that the
// ledger can be folded, verified and rebuilt.
#include "engine/engine.h"
#include "tests/fuzz/reader_invariants.h"
#include "tests/support/any_event.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kEvents = 40;  // a fold is quadratic in its late events
  hebb::EngineOptions options;
  options.path = ":memory:";
  hebb::Engine engine(options);
  hebb::test::AnyEvent events({data, size});
  for (int i = 0; i < kEvents && !events.at_end(); ++i) {
    const auto before = engine.ledger().last_position();
    bool applied = false;
    try {
      applied = engine.append(events.next()) == hebb::Applied::applied;
    } catch (const hebb::Refused&) {
    } catch (const hebb::reward::BadPolicy&) {
    }
    hebb::fuzz::require(engine.ledger().last_position() == before + (applied ? 1 : 0),
                        "what was refused left nothing");
  }
  hebb::fuzz::require(engine.sync(), "the mirror is written");
  hebb::fuzz::require(engine.verify().empty(), "the mirror is what the ledger folds to");
  engine.rebuild();
  hebb::fuzz::require(engine.verify().empty(), "a rebuilt mirror is what the ledger folds to");
  return 0;
}
