#include "graph/adjacency.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace hebb::graph {
namespace {

// The smallest 2^k or 3 * 2^k that is at least `size`; below two no block is needed.
std::uint32_t capacity_for(std::uint32_t size) {
  if (size < 2) return 0;
  const std::uint32_t power = std::bit_ceil(size);
  const std::uint32_t three_quarters = power / 2 + power / 4;
  return size <= three_quarters ? three_quarters : power;
}

}  // namespace

void Adjacency::reserve(std::size_t nodes, std::size_t edges) {
  rows_.reserve(nodes);
  if (edges + edges / 4 > pool_.capacity()) compact(edges + edges / 4 - live_);
}

void Adjacency::add_node() {
  if (rows_.size() == rows_.capacity()) rows_.reserve(rows_.size() + rows_.size() / 4 + 16);
  rows_.push_back({});
}

void Adjacency::append(std::uint32_t node, std::uint32_t edge) {
  const auto size = static_cast<std::uint32_t>(list(node).size());  // checks where they are
  if (size == 0) {
    rows_[node] = {edge, 1};
    return;
  }
  const std::uint32_t capacity = capacity_for(size);
  if (size == std::max<std::uint32_t>(capacity, 1)) {
    const std::uint32_t wider = capacity_for(size + 1);
    const std::uint32_t block = allocate(wider);
    const auto old = list(node);  // read after allocate(), which may have moved it
    std::copy(old.begin(), old.end(), pool_.begin() + block);
    rows_[node].first = block;
    live_ += wider - capacity;
  }
  pool_[rows_[node].first + size] = edge;
  rows_[node].size = size + 1;
}

void Adjacency::remove(std::uint32_t node, std::uint32_t edge) {
  Row& row = rows_[node];
  const auto edges = list(node);  // checks where they are
  if (std::find(edges.begin(), edges.end(), edge) == edges.end()) throw_damaged();
  if (row.size == 1) {
    row = {};
    return;
  }
  const auto begin = pool_.begin() + row.first;
  const auto end = begin + row.size;
  const auto at = std::find(begin, end, edge);
  std::copy(at + 1, end, at);
  live_ -= capacity_for(row.size) - capacity_for(row.size - 1);
  --row.size;
  if (row.size == 1) row.first = *begin;
}

std::size_t Adjacency::memory_bytes() const {
  return rows_.capacity() * sizeof(Row) + pool_.capacity() * sizeof(std::uint32_t);
}

void Adjacency::pack(Packing& packing) {
  packing.columns.insert(packing.columns.end(), {&rows_, &pool_});
  packing.counts.push_back(&live_);
}

std::uint32_t Adjacency::allocate(std::uint32_t capacity) {
  if (pool_.size() + capacity > pool_.capacity()) {
    // Copying looks at every row, so with many rows it has to happen less often.
    compact(std::max({live_ / 4, rows_.size() / 8, std::size_t{64}}) + capacity);
  }
  const std::size_t block = pool_.size();
  if (block + capacity > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("graph: more edges than 32-bit offsets can address");
  pool_.resize(block + capacity);
  return static_cast<std::uint32_t>(block);
}

void Adjacency::compact(std::size_t room) {
  Column<std::uint32_t> next;
  next.reserve(live_ + room);
  next.resize(live_);
  std::uint32_t block = 0;
  for (Row& row : rows_) {
    if (row.size < 2) continue;
    const auto edges = pool_.range(row.first, row.size);
    if (edges.size() > next.size() - std::min<std::size_t>(block, next.size())) throw_damaged();
    std::copy(edges.begin(), edges.end(), next.begin() + block);
    row.first = block;
    block += capacity_for(row.size);
  }
  pool_ = std::move(next);
}

}  // namespace hebb::graph
