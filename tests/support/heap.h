// Counts what a program has from the heap, so that a test can hold a bound on memory, or have none.
// Replaces the global operator new of a program that asks.
#pragma once

#include <cstddef>

namespace hebb::test {

// The most bytes that were held at once since this was made, by `new` and by SQLite, beyond what
// was held then. One at a time.
class HeapPeak {
 public:
  HeapPeak();
  std::size_t bytes() const;

 private:
  std::size_t new_before_, sqlite_before_;
};

// While it lives, `new` has no memory. One at a time.
class NoHeap {
 public:
  NoHeap();
  ~NoHeap();
};

}  // namespace hebb::test
