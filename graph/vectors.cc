#include "graph/vectors.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hebb::graph {

std::size_t Vectors::dimension() const { return dimension_; }

void Vectors::set(NodeId n, std::span<const float> row) {
  assert(!row.empty() && (dimension_ == 0 || row.size() == dimension_));
  dimension_ = row.size();
  if (n >= row_of_.size()) row_of_.resize(std::size_t{n} + 1, kNoRow);
  if (row_of_[n] == kNoRow && !free_.empty()) {
    row_of_[n] = free_.back();
    free_.pop_back();
  } else if (row_of_[n] == kNoRow) {
    row_of_[n] = static_cast<std::uint32_t>(values_.size() / dimension_);
    values_.append(row);
    return;
  }
  const auto begin = row_of_[n] * dimension_;
  if (values_.range(begin, dimension_).size() != row.size()) throw_damaged();
  std::copy(row.begin(), row.end(), values_.begin() + begin);
}

void Vectors::clear(NodeId n) {
  if (!has(n)) return;
  free_.push_back(row_of_[n]);
  row_of_[n] = kNoRow;
}

bool Vectors::has(NodeId n) const { return n < row_of_.size() && row_of_[n] != kNoRow; }

std::span<const float> Vectors::row(NodeId n) const {
  if (!has(n)) return {};
  return values_.range(row_of_[n] * dimension_, dimension_);
}

void Vectors::renumber(const std::vector<NodeId>& ids) {
  Vectors kept;
  kept.dimension_ = dimension_;
  kept.values_.reserve(size() * dimension_);
  for (NodeId n = 0; n < ids.size(); ++n) {
    if (has(n) && ids[n] != kNoNode) kept.set(ids[n], row(n));
  }
  *this = std::move(kept);
}

void Vectors::pack(Packing& packing) {
  packing.columns.insert(packing.columns.end(), {&row_of_, &values_, &free_});
  packing.counts.push_back(&dimension_);
}

std::size_t Vectors::size() const {
  return dimension_ == 0 ? 0 : values_.size() / dimension_ - free_.size();
}

}  // namespace hebb::graph
