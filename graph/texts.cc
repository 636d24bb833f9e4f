#include "graph/texts.h"

#include <cassert>
#include <cstring>
#include <stdexcept>

namespace hebb::graph {

Texts::Texts(const Texts& other) : places_(other.size()) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < size(); ++i) bytes += other[i].size();
  packed_.reserve(bytes);
  for (std::size_t i = 0; i < size(); ++i) {
    places_[i] = (std::uint64_t{packed_.size()} << kSizeBits) | other[i].size();
    packed_.append(other[i]);
  }
}

void Texts::push_back(std::string_view text) { places_.push_back(store(text)); }

std::string_view Texts::operator[](std::size_t i) const {
  const std::uint64_t place = places_[i];
  const auto size = static_cast<std::size_t>(place & ((std::uint64_t{1} << kSizeBits) - 1));
  const auto begin = static_cast<std::size_t>(place >> kSizeBits);
  if (size == 0) return "";
  if (begin < packed_.size()) {
    const auto text = packed_.range(begin, size);
    return {text.data(), text.size()};
  }
  const std::size_t at = begin - packed_.size();
  if (at >= end_ || size > end_ - at) throw_damaged();
  const std::size_t block = at >> kBlockBits, more = ((at + size - 1) >> kBlockBits) - block;
  if (blocks_[block + more] != blocks_[block] + (more << kBlockBits)) throw_damaged();
  return {blocks_[block] + (at & (kBlockBytes - 1)), size};
}

std::uint64_t Texts::store(std::string_view text) {
  if (text.size() >> kSizeBits != 0) throw std::length_error("graph: an id of 16 MiB or more");
  if (end_ + text.size() > blocks_.size() << kBlockBits) {
    const std::size_t count = text.size() / kBlockBytes + 1;
    end_ = blocks_.size() << kBlockBits;
    memory_.push_back(std::make_unique_for_overwrite<char[]>(count << kBlockBits));
    for (std::size_t i = 0; i < count; ++i)
      blocks_.push_back(memory_.back().get() + (i << kBlockBits));
  }
  const std::size_t begin = end_;
  if (!text.empty()) {
    std::memcpy(blocks_[begin >> kBlockBits] + (begin & (kBlockBytes - 1)), text.data(),
                text.size());
  }
  end_ += text.size();
  return (std::uint64_t{packed_.size() + begin} << kSizeBits) | text.size();
}

void Texts::pack(Packing& packing) {
  assert(is_packed());
  packing.columns.insert(packing.columns.end(), {&places_, &packed_});
}

}  // namespace hebb::graph
