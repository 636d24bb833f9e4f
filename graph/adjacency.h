// For every node a list of edge ids, in order of adding, in two words per node plus one pool.
//
// A list of one lies in the node's own words; a longer one is a block of the pool, whose capacity
// follows from its length alone (2, 3, 4, 6, 8, 12, 16 …). A list that outgrows its block moves to
// the end of the pool; when the end is reached, live blocks are copied, in node order, to a new
// pool with a quarter to spare. So the pool is never more than a quarter larger than what was
// live at the last copy, whatever the order in which the lists grew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/column.h"

namespace hebb::graph {

class Adjacency {
 public:
  void reserve(std::size_t nodes, std::size_t edges);
  void add_node();                                      // with an empty list
  void append(std::uint32_t node, std::uint32_t edge);  // O(1) amortised
  void remove(std::uint32_t node, std::uint32_t edge);  // O(degree); precondition: present
  std::span<const std::uint32_t> list(std::uint32_t node) const {  // valid until the next change
    const Row& row = rows_[node];
    if (row.size < 2) return {&row.first, row.size};
    return pool_.range(row.first, row.size);
  }
  std::size_t memory_bytes() const;
  void pack(Packing& packing);

 private:
  struct Row {
    std::uint32_t first = 0;  // size 1: the edge itself; above: where the block starts in pool_
    std::uint32_t size = 0;
  };

  std::uint32_t allocate(std::uint32_t capacity);
  void compact(std::size_t room);

  Column<Row> rows_;
  Column<std::uint32_t> pool_;
  std::size_t live_ = 0;  // words of pool_ that belong to a list
};

}  // namespace hebb::graph
