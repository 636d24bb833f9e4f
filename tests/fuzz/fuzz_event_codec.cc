// A letter for the kind, then a payload's JSON: decoded or refused, and what was decoded comes
// back.
#include <array>
#include <stdexcept>

#include "tests/fuzz/reader_invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr auto kKinds =
      std::to_array<std::string_view>({"node", "delete", "edge", "unlink", "state", "outcome",
                                       "pivot", "recalibrate", "policy", "undo", "gc"});
  if (size == 0 || data[0] < 'a' || data[0] >= 'a' + kKinds.size()) return 0;
  const std::string_view kind = kKinds[static_cast<std::size_t>(data[0] - 'a')];
  const std::string_view json(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const hebb::Payload payload = hebb::decode_payload(kind, json, {});
    hebb::fuzz::require(hebb::kind_name(payload) == kind, "a kind is kept");
    const std::string text = hebb::encode_payload(payload);
    const hebb::Payload again = hebb::decode_payload(kind, text, {});
    hebb::fuzz::require(hebb::encode_payload(again) == text, "a payload comes back");
  } catch (const std::invalid_argument&) {
    // Not of its kind.
  }
  return 0;
}
