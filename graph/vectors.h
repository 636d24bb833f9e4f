// One optional float32 vector per node, all of one dimension, in one dense array of rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hebb::graph {

class Vectors {
 public:
  std::size_t dimension() const;                    // 0 until the first set()
  void set(NodeId n, std::span<const float> row);   // precondition: size is dimension(), or it is the first
  void clear(NodeId n);
  bool has(NodeId n) const;
  std::span<const float> row(NodeId n) const;       // empty if n has none

 private:
};

}  // namespace hebb::graph
