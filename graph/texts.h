// Texts by number. The packed ones are in one piece of memory, those added later in blocks. A text
// never moves as long as it is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "graph/column.h"

namespace hebb::graph {

class Texts {
 public:
  Texts() = default;
  Texts(const Texts& other);  // the copy is packed
  Texts(Texts&& other) noexcept = default;
  Texts& operator=(const Texts& other) { return *this = Texts(other); }
  Texts& operator=(Texts&& other) noexcept = default;

  std::size_t size() const { return places_.size(); }
  void reserve(std::size_t count) { places_.reserve(count); }
  // Throws std::length_error for a text of 16 MiB or more.
  void push_back(std::string_view text);  // with the next number
  std::string_view operator[](std::size_t i) const;
  bool is_packed() const { return blocks_.empty(); }
  void pack(Packing& packing);  // precondition: is_packed()

 private:
  static constexpr unsigned kSizeBits = 24, kBlockBits = 16;
  static constexpr std::size_t kBlockBytes = std::size_t{1} << kBlockBits;

  std::uint64_t store(std::string_view text);

  Column<std::uint64_t> places_;  // its offset, then kSizeBits bits with its length
  Column<char> packed_;
  // Texts not in packed_: block i holds offsets from packed_.size() + i * kBlockBytes. A text does
  // not cross the end of its block; a longer one gets adjacent blocks of its own.
  std::vector<char*> blocks_;
  std::vector<std::unique_ptr<char[]>> memory_;
  std::size_t end_ = 0;  // of the used part of the blocks
};

}  // namespace hebb::graph
