// A column: an array of plain values that is owned, or a view of memory that somebody else keeps,
// such as a packed file that is mapped. A view may have spare capacity; one that outgrows it moves
// to memory of its own. Writing to a value of a view changes the viewed memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace hebb::graph {

// The values of a packed graph do not fit one another: the file is damaged, or was made by hand.
// Checked where a value is used as an index, since nobody reads a whole mapped graph.
class Damaged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
[[noreturn]] void throw_damaged();  // Damaged

// The part of a column that does not depend on the type of its values.
class AnyColumn {
 public:
  explicit AnyColumn(std::size_t value_bytes) : value_bytes_(value_bytes) {}
  ~AnyColumn();
  AnyColumn(const AnyColumn& other);  // always owned
  AnyColumn(AnyColumn&& other) noexcept;
  AnyColumn& operator=(AnyColumn other) noexcept;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  void reserve(std::size_t capacity);  // to exactly that, if it is more than now
  void clear() { size_ = 0; }
  std::size_t value_bytes() const { return value_bytes_; }
  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), size_ * value_bytes_};
  }
  // Makes this a view of `size` values at `data`, which must be aligned for them, be writable and
  // have room for `capacity`. The caller keeps that memory as long as this is a view.
  void view(void* data, std::size_t size, std::size_t capacity);
  bool is_view() const { return data_ != nullptr && !owned_; }
  // Call it before writing to most of a view: has the system copy its pages in one go rather than
  // each at its first write, if it can.
  void prepare_to_write();

 protected:
  // Grows by a sixth rather than doubling: most of the memory is in columns.
  void grow() { reserve(size_ + size_ / 6 + 16); }

  void* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;

 private:
  std::size_t value_bytes_;
  bool owned_ = false;
};

template <class T>
class Column : public AnyColumn {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Column() : AnyColumn(sizeof(T)) {}
  explicit Column(std::size_t size, T value = {}) : Column() { resize(size, value); }

  T* data() { return static_cast<T*>(data_); }
  const T* data() const { return static_cast<const T*>(data_); }
  T& operator[](std::size_t i) {
    if (i >= size_) [[unlikely]]
      throw_damaged();
    return data()[i];
  }
  const T& operator[](std::size_t i) const {
    if (i >= size_) [[unlikely]]
      throw_damaged();
    return data()[i];
  }
  // The values [begin, begin + count), likewise checked.
  std::span<const T> range(std::size_t begin, std::size_t count) const {
    if (begin > size_ || count > size_ - begin) [[unlikely]]
      throw_damaged();
    return {data() + begin, count};
  }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) grow();
    data()[size_++] = value;
  }
  void pop_back() {
    if (size_ == 0) [[unlikely]]
      throw_damaged();
    --size_;
  }
  void resize(std::size_t size, T value = {}) {
    if (size > capacity_) reserve(std::max(size, capacity_ + capacity_ / 6));
    for (std::size_t i = size_; i < size; ++i) data()[i] = value;
    size_ = size;
  }
  void append(std::span<const T> values) {  // precondition: they are not of this column
    if (size_ + values.size() > capacity_) reserve((size_ + values.size()) * 7 / 6 + 16);
    for (const T& value : values) data()[size_++] = value;
  }

  friend bool operator==(const Column& a, const std::vector<T>& b) {
    return std::span<const T>(a).size() == b.size() && std::equal(b.begin(), b.end(), a.begin());
  }
};

// The columns and counts of an object, in a fixed order, for code that packs the object into one
// piece of memory or unpacks it from there.
struct Packing {
  std::vector<AnyColumn*> columns;
  std::vector<std::size_t*> counts;
  std::shared_ptr<void> kept;  // owns columns that were made for the packing only
};

}  // namespace hebb::graph
