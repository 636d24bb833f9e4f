// Texts by number, in one packed piece of memory and blocks for those that came since. A text never
// moves while it is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "graph/column.h"
#include "graph/packing.h"

namespace hebb::graph {

class Texts {
 public:
  Texts() = default;
  Texts(const Texts& other);  // all of them packed
  Texts(Texts&& other) noexcept = default;
  Texts& operator=(const Texts& other) { return *this = Texts(other); }
  Texts& operator=(Texts&& other) noexcept = default;

  std::size_t size() const { return places_.size(); }
  void reserve(std::size_t count) { places_.reserve(count); }
  // Throws std::length_error for a text of 16 MiB or more.
  void push_back(std::string_view text);  // as the next one
  void set(std::size_t i, std::string_view text);
  void clear(std::size_t i) { places_[i] = kNone; }  // its memory stays, but for copies
  bool has(std::size_t i) const { return i < places_.size() && places_[i] != kNone; }
  std::string_view operator[](std::size_t i) const;  // precondition: has(i)
  bool is_packed() const { return blocks_.empty(); }
  void pack(Packing& packing);  // precondition: is_packed()

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  static constexpr unsigned kSizeBits = 24, kBlockBits = 16;
  static constexpr std::size_t kBlockBytes = std::size_t{1} << kBlockBits;

  std::uint64_t store(std::string_view text);

  Column<std::uint64_t> places_;  // where it begins, then kSizeBits bits of how long it is
  Column<char> packed_;
  // Texts behind packed_: block i holds those from packed_.size() + i * kBlockBytes. A text does
  // not go beyond its block; one that is longer than that has neighbouring blocks for itself.
  std::vector<char*> blocks_;
  std::vector<std::unique_ptr<char[]>> memory_;
  std::size_t end_ = 0;  // of what is used of the blocks
};

}  // namespace hebb::graph
