// docs/measurements.md: what scripts/bench measures by running the program, and what it has kept.
#include <stdexcept>

#include "tests/docs/blocks.h"
#include "tests/support/process.h"

namespace hebb::test {

Generators measurements_blocks() {
  Generators all;
  for (const char* name :
       {"replays", "held-out", "leaks", "tests-napfd", "simulation", "week", "performance", "peers",
        "shards", "claims", "scale", "scale-model", "http", "bytes", "languages", "tool-calls"}) {
    all[name] = [name](const std::string&) {
      ProcessOptions options;
      options.env = {{"HEBB", HEBB_BINARY}};
      const auto printed =
          run_process({"python3", HEBB_SOURCE_DIR "/scripts/bench", "--table", name}, options);
      if (printed.exit_code != 0) throw std::runtime_error("scripts/bench: " + printed.err);
      return printed.out;
    };
  }
  return all;
}

}  // namespace hebb::test
