#include "serve/memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hebb::serve {

void give_back_memory(std::size_t bytes) {
  constexpr std::size_t kMuch = 1 << 20;
  if (bytes < kMuch) return;
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace hebb::serve
