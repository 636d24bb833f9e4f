// Memory that an answer took goes back to the system, where the allocator would keep it.
#pragma once

#include <cstddef>

namespace hebb::serve {

// After the work for an answer of so many bytes.
void give_back_memory(std::size_t bytes);

}  // namespace hebb::serve
