// Which rows of the mirror differ from those that a fold gives.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/mirror/mirror_rows.h"

namespace hebb {

// What has to be written and removed for the rows to be those of a state.
struct Differences {
  std::vector<graph::NodeId> nodes, vectors;
  std::vector<EdgeKey> edges;
  std::vector<std::int64_t> stray_nodes, stray_vectors, stray_types;  // keys
  std::vector<std::array<std::int64_t, 3>> stray_edges;               // source, target, type
};

// Of a state that was folded from the start: one pass over each table of nodes, vectors, types and
// edges. Adds a line for each row, up to kProblemsKept. Learns the keys of the rows that are of the
// fold.
Differences differences(sql::Database& db, RowKeys& keys, State& state,
                        std::vector<std::string>& problems);

}  // namespace hebb
