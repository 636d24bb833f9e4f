// Vectors as bytes: how the ledger and the mirror keep them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hebb {

// Little-endian floats. Nothing for what cannot have been a vector.
std::optional<std::vector<float>> read_floats(std::span<const std::byte> blob);

}  // namespace hebb
