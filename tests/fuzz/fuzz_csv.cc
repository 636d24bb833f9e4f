#include "tests/fuzz/reader_invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hebb::fuzz::check_tracker("csv", data, size);
  return 0;
}
