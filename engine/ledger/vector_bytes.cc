#include "engine/ledger/vector_bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace hebb {

static_assert(std::endian::native == std::endian::little, "vectors are stored little-endian");

std::optional<std::vector<float>> read_floats(std::span<const std::byte> blob) {
  std::vector<float> v(blob.size() / sizeof(float));
  if (!v.empty()) std::memcpy(v.data(), blob.data(), v.size() * sizeof(float));
  const bool finite = std::all_of(v.begin(), v.end(), [](float x) { return std::isfinite(x); });
  if (blob.size() % sizeof(float) != 0 || !finite) return std::nullopt;
  return v;
}

}  // namespace hebb
