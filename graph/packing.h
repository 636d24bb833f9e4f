// The columns and counts of an object, in a fixed order, for code that packs the object into one
// piece of memory or unpacks it from there.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph/column.h"

namespace hebb::graph {

struct Packing {
  std::vector<AnyColumn*> columns;
  std::vector<std::size_t*> counts;
  std::shared_ptr<void> kept;  // owns columns that were made for the packing only
};

}  // namespace hebb::graph
