// A fold as rows of the mirror: the values of each row, in the order of its table's columns. The
// same functions give what is written and what a verification compares with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/fold/state.h"
#include "sql/database.h"

namespace hebb {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view,
                          std::span<const std::byte>>;  // the first: NULL

// The id, what is of the content, and the graph's columns of nodes. What is absent from the content
// is NULL. The cells are views.
inline constexpr std::size_t kNodeCells = 6 + std::tuple_size_v<decltype(graph::kNodeColumns)>;
std::array<Cell, kNodeCells> node_cells(const State& state, graph::NodeId n,
                                        const NodeContent& content);
// put_node or mirror_nodes, with the columns of these cells: as parameters, or after the key.
sql::Statement& node_query(sql::Database& db, sql::Query query);
// weight, touched_at, gained, properties
std::array<Cell, 4> edge_cells(const graph::Graph& g, graph::EdgeId e, Cell properties);
// name, decay_per_day … context
std::array<Cell, 10> type_cells(std::string_view name, const reward::TypePolicy& policy);

// What the table `policy` holds, by name.
using Named = std::map<std::string, std::variant<std::int64_t, std::string>, std::less<>>;
Named policy_rows(const State& state);

// The row of the table `ranking`: the first of the ranking, as many as `mirrored` in the policy
// says, but no more than kMirroredMost.
struct RankingRow {
  std::int64_t at = 0, candidates = 0;
  double largest = 0;  // of the priorities
  // JSON: [[id, priority] or [id, priority, 1] where it is pinned, …], and blanks up to whole KiB
  std::string tasks;
};
inline constexpr std::size_t kMirroredMost = 10'000;
RankingRow ranking_row(State& state);

// The content with what is absent as it is in a new row.
NodeContent filled(NodeContent content);

Cell cell_of(const std::variant<std::int64_t, std::string>& value);
void bind_cells(sql::Statement& statement, int first, std::span<const Cell> cells);
bool same_cell(const sql::Statement& row, int column, const Cell& cell);

}  // namespace hebb
