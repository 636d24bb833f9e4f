// A fold as rows of the mirror: the values of each row, in the order of its table's columns. The
// same functions give the rows to write and the rows that a verification compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/claims/claims.h"
#include "engine/fold/state.h"
#include "sql/database.h"

namespace hebb {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view,
                          std::span<const std::byte>>;  // the first: NULL

// The names of the rows of the table `mirror`. Stored; do not rename.
inline constexpr std::string_view kMirrorPosition = "position", kMirrorRules = "rules",
                                  kMirrorClaims = "claims";

// The id, the fields of the content, and the graph's columns of nodes. A field that the content
// lacks is NULL. The cells are views.
inline constexpr std::size_t kNodeCells = 6 + std::tuple_size_v<decltype(graph::kNodeColumns)>;
std::array<Cell, kNodeCells> node_cells(const State& state, graph::NodeId n,
                                        const NodeContent& content);
sql::Statement& put_node(sql::Database& db);  // with these cells as parameters
// weight, touched_at, gained, properties
std::array<Cell, 4> edge_cells(const graph::Graph& g, graph::EdgeId e, Cell properties);
// name, decay_per_day … context
std::array<Cell, 10> type_cells(std::string_view name, const reward::TypePolicy& policy);

// The rows of the table `policy`, by name.
std::map<std::string, std::string, std::less<>> policy_rows(const State& state);

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

// The content with its absent fields as they are in a new row.
NodeContent filled(NodeContent content);

void bind_cells(sql::Statement& statement, int first, std::span<const Cell> cells);
// Runs a statement with these values for its parameters.
template <class... Values>
void run(sql::Database& db, sql::Query query, const Values&... values) {
  sql::Statement& statement = db.query(query);
  bind_cells(statement, 1, std::array<Cell, sizeof...(Values)>{Cell(values)...});
  statement.run();
}
void put_claim(sql::Database& db, const ClaimRow& claim);

// The keys of the rows of nodes and edge types, by their numbers in a state. They are looked up
// when they are first needed, and hold for one state and one position of the mirror.
class RowKeys {
 public:
  explicit RowKeys(sql::Database& db) : db_(db) {}
  std::int64_t of_node(const State& state, graph::NodeId n);  // 0: it has no row
  std::int64_t of_type(const State& state, graph::TypeId type);
  // Writes the row of the type, which gets a key if it has none.
  std::int64_t put_type(const State& state, graph::TypeId type);
  void set_node(graph::NodeId n, std::int64_t key);
  void set_type(graph::TypeId type, std::int64_t key);
  void forget();

 private:
  sql::Database& db_;
  std::vector<std::int64_t> nodes_, types_;  // 0: not known yet
};

// Writes all rows of a state that was folded from the first event, but for the ranking's and those
// of claims. Precondition: changes() lists everything; the tables are empty, or scratch tables.
void write_all(sql::Database& db, RowKeys& keys, State& state);
// write_all() to scratch tables (sql/scratch_tables.h), in which rows have the keys that they have
// in the tables of the file.
void write_scratch(sql::Database& db, RowKeys& keys, State& state);

}  // namespace hebb
