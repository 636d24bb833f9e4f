// Which rows of the mirror differ from those that a fold gives.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/mirror/mirror.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::string_view kStray = "is in the current tables, but not in the ledger";
constexpr std::string_view kLacking = "is in the ledger, but not in the current tables";

constexpr std::int64_t kTypesMax = 1 << 16;  // TypeIds have 16 bits
// Only gc removes rows, so a key far above their number is damaged, and must not size an array.
constexpr std::int64_t largest_key(std::size_t nodes) {
  return (std::int64_t{1} << 26) + 64 * static_cast<std::int64_t>(nodes);
}

std::string shown(std::string_view text) {
  return text.size() > 40 ? fmt::format("({} bytes)", text.size()) : std::string(text);
}

std::string shown(const sql::Statement& row, int column) {
  if (row.is_real(column)) return fmt::format("{}", row.real(column));
  return row.is_null(column) ? "NULL" : shown(row.text(column));
}

std::string shown(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return "NULL";
        } else if constexpr (std::is_same_v<Value, std::string_view>) {
          return shown(value);
        } else if constexpr (std::is_same_v<Value, std::span<const std::byte>>) {
          return fmt::format("({} bytes)", value.size());
        } else {
          return fmt::format("{}", value);
        }
      },
      cell);
}

// The lines that are told, up to kProblemsKept; name() is asked only where one is told.
class Report {
 public:
  explicit Report(std::vector<std::string>& problems) : problems_(problems) {}

  template <class Name>
  void tell(const Name& name, std::string_view problem) {
    if (problems_.size() < kProblemsKept)
      problems_.push_back(fmt::format("{} {}; `hebb rebuild` mends it", name(), problem));
  }
  // Whether the row has the cells from a column on. Tells which it has not.
  template <class Name>
  bool same(const sql::Statement& row, int first, std::span<const Cell> cells, const Name& name) {
    bool same = true;
    for (int column = first; const Cell& cell : cells) {
      const int at = column++;
      if (same_cell(row, at, cell)) continue;
      same = false;
      if (problems_.size() >= kProblemsKept) continue;
      problems_.push_back(fmt::format(
          "{}: {} is {} in the current tables, {} by the ledger; `hebb rebuild` mends it", name(),
          row.column_name(at), shown(row, at), shown(cell)));
    }
    return same;
  }

 private:
  std::vector<std::string>& problems_;
};

class Comparison {
 public:
  Comparison(sql::Database& db, RowKeys& keys, State& state, std::vector<std::string>& problems)
      : db_(db), keys_(keys), state_(state), g_(state.graph()), report_(problems) {}

  Differences run() {
    nodes();
    vectors();
    types();
    edges();
    return std::move(found_);
  }

 private:
  std::string name(NodeId n) const { return fmt::format("node {}", g_.id(n)); }
  std::string name(const EdgeKey& e) const {
    return fmt::format("edge {} {} {}", g_.id(e.source), g_.id(e.target),
                       g_.edge_types().name(e.type));
  }

  // Goes through the rows of a table. find(): what a row is of; nullopt for one that is not of the
  // fold, which it tells. cells(): what it holds from a column on, by the fold.
  template <class Id, class Find, class Cells>
  void each(sql::Statement& rows, int first, std::vector<Id>& differing, const Find& find,
            const Cells& cells) {
    const sql::Reset reset(rows);
    while (rows.step()) {
      const std::optional<Id> id = find(rows);
      if (id && !report_.same(rows, first, cells(*id), [&] { return name(*id); }))
        differing.push_back(*id);
    }
  }
  template <class Id>
  void lacks(const Id& id, std::vector<Id>& differing, std::string_view problem = kLacking) {
    differing.push_back(id);
    report_.tell([&] { return name(id); }, problem);
  }

  void nodes() {
    const auto most = largest_key(g_.node_bound());
    std::vector<bool> seen(g_.node_bound());
    NodeContent content;
    each(
        node_query(db_, sql::Query::mirror_nodes), 1, found_.nodes,
        [&](const sql::Statement& row) -> std::optional<NodeId> {
          const std::int64_t key = row.integer(0);
          const auto n = state_.find(row.text(1));
          if (!n || seen[*n] || key < 1 || key > most) {
            found_.stray_nodes.push_back(key);
            report_.tell([&] { return fmt::format("node {}", row.text(1)); },
                         n ? "has a key that cannot be right in the current tables" : kStray);
            return std::nullopt;
          }
          seen[*n] = true;
          keys_.set_node(*n, key);
          if (std::ssize(nodes_) <= key)
            nodes_.resize(static_cast<std::size_t>(key) + 1, graph::kNoNode);
          nodes_[static_cast<std::size_t>(key)] = *n;
          return n;
        },
        [&](NodeId n) {
          const auto& contents = state_.changes().content;
          const auto found = contents.find(n);
          content = filled(found == contents.end() ? NodeContent{} : found->second);
          return node_cells(state_, n, content);
        });
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      if (!seen[n] && g_.nodes().created_at[n] != graph::kNever) lacks(n, found_.nodes);
    }
  }

  NodeId node_of(std::int64_t key) const {
    return key < 0 || key >= std::ssize(nodes_) ? graph::kNoNode
                                                : nodes_[static_cast<std::size_t>(key)];
  }

  void vectors() {
    std::vector<bool> seen(g_.node_bound());
    each(
        db_.query(sql::Query::load_vectors), 1, found_.vectors,
        [&](const sql::Statement& row) -> std::optional<NodeId> {
          const std::int64_t key = row.integer(0);
          const NodeId n = node_of(key);
          if (n != graph::kNoNode && state_.vectors().has(n)) {
            seen[n] = true;
            return n;
          }
          found_.stray_vectors.push_back(key);
          report_.tell(
              [&] {
                return n == graph::kNoNode ? fmt::format("the vector of no node ({})", key)
                                           : name(n);
              },
              "has a vector in the current tables, but not in the ledger");
          return std::nullopt;
        },
        [&](NodeId n) { return std::array<Cell, 1>{std::as_bytes(state_.vectors().row(n))}; });
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      if (!seen[n] && state_.vectors().has(n))
        lacks(n, found_.vectors, "has a vector in the ledger, but not in the current tables");
    }
  }

  // A type that no event names any more may stay, but views read its policy.
  void types() {
    auto& rows = db_.query(sql::Query::mirror_edge_types);
    const sql::Reset reset(rows);
    while (rows.step()) {
      report_.same(rows, 1, type_cells(rows.text(1), state_.policy().type(rows.text(1))),
                   [&] { return fmt::format("edge type {}", rows.text(1)); });
      const auto type = g_.edge_types().find(rows.text(1));
      const std::int64_t key = rows.integer(0);
      if (!type || key < 1 || key >= kTypesMax) {
        found_.stray_types.push_back(key);
        continue;
      }
      keys_.set_type(*type, key);
      types_.resize(std::max(types_.size(), static_cast<std::size_t>(key) + 1));
      types_[static_cast<std::size_t>(key)] = *type;
    }
  }

  void edges() {
    std::vector<bool> seen(g_.edge_bound());
    EdgeId e = 0;  // of the row
    each(
        db_.query(sql::Query::mirror_edges), 3, found_.edges,
        [&](const sql::Statement& row) -> std::optional<EdgeKey> {
          const std::array keys{row.integer(0), row.integer(1), row.integer(2)};
          const auto type = static_cast<std::size_t>(keys[2]);
          const EdgeKey key{node_of(keys[0]), node_of(keys[1]),
                            type < types_.size() ? types_[type] : graph::TypeId{0}};
          const bool known =
              key.source != graph::kNoNode && key.target != graph::kNoNode && key.type != 0;
          const auto found = known ? g_.find_edge(key.source, key.target, key.type) : std::nullopt;
          if (found && !seen[*found]) {
            e = *found;
            seen[e] = true;
            return key;
          }
          found_.stray_edges.push_back(keys);
          report_.tell(
              [&] {  // or by the keys, of which at least one is not of the ledger
                return known
                           ? name(key)
                           : fmt::format("edge with the keys {} {} {}", keys[0], keys[1], keys[2]);
              },
              kStray);
          return std::nullopt;
        },
        [&](const EdgeKey& key) {
          const auto& properties = state_.changes().edge_properties;
          const auto found = properties.find(key);
          return edge_cells(
              g_, e,
              found == properties.end() ? std::string_view("{}") : std::string_view(found->second));
        });
    // Of a new mirror all edges are lacking: so many that room for more than these is a waste.
    const auto known = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
    found_.edges.reserve(found_.edges.size() + g_.num_edges() - known);
    for (e = 0; e < g_.edge_bound(); ++e) {
      if (!seen[e] && g_.is_live_edge(e))
        lacks(EdgeKey{g_.source(e), g_.target(e), g_.type(e)}, found_.edges);
    }
  }

  sql::Database& db_;
  RowKeys& keys_;
  State& state_;
  const graph::Graph& g_;
  Report report_;
  Differences found_;
  std::vector<NodeId> nodes_;         // by key
  std::vector<graph::TypeId> types_;  // by key; 0: none
};

}  // namespace

Differences differences(sql::Database& db, RowKeys& keys, State& state,
                        std::vector<std::string>& problems) {
  keys.forget();
  return Comparison(db, keys, state, problems).run();
}

void Mirror::compare(State& state, std::vector<std::string>& problems) {
  RowKeys keys(db_);  // by the NodeIds of this state
  differences(db_, keys, state, problems);

  Report report(problems);
  auto settings = policy_rows(state);
  auto& rows = db_.query(sql::Query::mirror_policy);
  const sql::Reset reset_rows(rows);
  while (rows.step()) {
    const auto name = [&] { return fmt::format("policy {}", rows.text(0)); };
    const auto found = settings.find(rows.text(0));
    if (found == settings.end()) {
      report.tell(name, kStray);
      continue;
    }
    report.same(rows, 1, std::array<Cell, 1>{found->second}, name);
    settings.erase(found);
  }
  for (const auto& row : settings)
    report.tell([&] { return fmt::format("policy {}", row.first); }, kLacking);

  const auto name = [] { return "the ranking"; };
  auto& there = db_.query(sql::Query::ranking_row);
  const sql::Reset reset(there);
  if (!there.step()) return report.tell(name, kLacking);
  const RankingRow row = ranking_row(state);
  report.same(there, 0, std::array<Cell, 4>{row.at, row.candidates, row.largest, row.tasks}, name);
}

}  // namespace hebb
