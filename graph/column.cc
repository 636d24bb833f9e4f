#include "graph/column.h"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace hebb::graph {

void throw_damaged() {
  throw Damaged(
      "the graph cache is damaged: remove the file DATABASE-image; the ledger has all that it "
      "holds");
}

AnyColumn::~AnyColumn() {
  if (owned_) std::free(data_);
}

AnyColumn::AnyColumn(const AnyColumn& other) : value_bytes_(other.value_bytes_) {
  reserve(other.size_);
  if (other.size_ != 0) std::memcpy(data_, other.data_, other.size_ * value_bytes_);
  size_ = other.size_;
}

AnyColumn::AnyColumn(AnyColumn&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      value_bytes_(other.value_bytes_),
      owned_(std::exchange(other.owned_, false)) {}

AnyColumn& AnyColumn::operator=(AnyColumn other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(owned_, other.owned_);
  return *this;
}

// A large block that is owned grows without a copy: realloc() moves its pages.
void AnyColumn::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  if (capacity > SIZE_MAX / value_bytes_) throw std::bad_alloc();
  void* const wider = std::realloc(owned_ ? data_ : nullptr, capacity * value_bytes_);
  if (wider == nullptr) throw std::bad_alloc();
  if (!owned_ && size_ != 0) std::memcpy(wider, data_, size_ * value_bytes_);
  data_ = wider;
  capacity_ = capacity;
  owned_ = true;
}

void AnyColumn::view(void* data, std::size_t size, std::size_t capacity) {
  assert(size <= capacity);
  if (owned_) std::free(data_);
  data_ = data;
  size_ = size;
  capacity_ = capacity;
  owned_ = false;
}

void AnyColumn::prepare_to_write() {
#ifdef MADV_POPULATE_WRITE
  if (!is_view()) return;
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(data_) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(data_) + size_ * value_bytes_;
  // Where it fails, the pages are copied as they are written to.
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE));
#endif
}

}  // namespace hebb::graph
