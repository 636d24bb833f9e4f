#include "tests/support/heap.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>
#include <sqlite3.h>

namespace {

std::atomic<std::size_t> held = 0, peak = 0;
std::atomic<bool> none = false;

void* take(std::size_t size) {
  void* memory = none ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(memory);
  std::size_t before = peak;
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
  return memory;
}

void give(void* memory) {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// The other forms of new and delete that are not aligned end in these; AddressSanitizer has its own
// of them, of which the one for nothrow would meet the delete that is here.
void* operator new(std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return take(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { give(memory); }
void operator delete(void* memory, std::size_t) noexcept { give(memory); }

namespace hebb::test {

HeapPeak::HeapPeak() : new_before_(held) {
  peak = new_before_;
  sqlite3_memory_highwater(1);
  sqlite_before_ = static_cast<std::size_t>(sqlite3_memory_used());
}

std::size_t HeapPeak::bytes() const {
  const auto sqlite = static_cast<std::size_t>(sqlite3_memory_highwater(0));
  return peak - new_before_ + (sqlite - sqlite_before_);
}

NoHeap::NoHeap() { none = true; }

NoHeap::~NoHeap() { none = false; }

}  // namespace hebb::test
