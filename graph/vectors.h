// One optional float32 vector per node, all of one dimension, in one dense array of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hebb::graph {

class Vectors {
 public:
  std::size_t dimension() const;                   // 0 until the first set(), then fixed
  void set(NodeId n, std::span<const float> row);  // precondition: size is dimension(), or it is
                                                   // the first and not empty
  void clear(NodeId n);                            // no effect if n has none
  bool has(NodeId n) const;
  std::span<const float> row(NodeId n) const;  // empty if n has none; valid until the next set
  std::size_t size() const;                    // how many nodes have one
  // After Graph::remove_nodes(), which returned `ids`. Removed nodes must have none.
  void renumber(const std::vector<NodeId>& ids);
  void pack(Packing& packing);

 private:
  static constexpr std::uint32_t kNoRow = kNoNode;

  std::size_t dimension_ = 0;
  Column<std::uint32_t> row_of_;  // by NodeId; shorter than the graph if the rest has none
  Column<float> values_;          // dimension_ to a row
  Column<std::uint32_t> free_;    // rows without a node
};

}  // namespace hebb::graph
