// Vectors as bytes: how the ledger and the mirror keep them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hebb {

// Reads little-endian floats. nullopt if the bytes cannot be a vector.
std::optional<std::vector<float>> read_floats(std::span<const std::byte> blob);

}  // namespace hebb
