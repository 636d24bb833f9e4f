// What an object is made of, for whoever packs it into one piece of memory or unpacks it: columns
// and counts, in an order that follows from the class alone.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph/column.h"

namespace hebb::graph {

struct Packing {
  std::vector<AnyColumn*> columns;
  std::vector<std::size_t*> counts;
  std::shared_ptr<void> kept;  // what was made for the packing alone
};

}  // namespace hebb::graph
