// Which rows of the mirror differ from those that a fold gives: one pass over each table.
#include <algorithm>

#include <fmt/format.h>

#include "engine/mirror/mirror.h"
#include "engine/mirror/mirror_rows.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::string_view kStray = "is in the mirror, but not in the ledger";
constexpr std::string_view kLacking = "is in the ledger, but not in the mirror";

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

// Whether the row has the cells from a column on. Says which it has not.
template <class Name>
bool same_row(const sql::Statement& row, int first, std::span<const Cell> cells, const Name& name,
              std::vector<std::string>& problems) {
  bool same = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int column = first + static_cast<int>(i);
    if (same_cell(row, column, cells[i])) continue;
    same = false;
    if (problems.size() >= kProblemsKept) continue;
    problems.push_back(
        fmt::format("{}: {} is {} in the mirror, {} by the ledger; `hebb rebuild` mends it", name(),
                    row.column_name(column), shown(row, column), shown(cells[i])));
  }
  return same;
}

template <class Name>
void report(const Name& name, std::string_view problem, std::vector<std::string>& problems) {
  if (problems.size() < kProblemsKept)
    problems.push_back(fmt::format("{} {}; `hebb rebuild` mends it", name(), problem));
}

void compare_named(std::string_view what, sql::Statement& rows, Named want,
                   std::vector<std::string>& problems) {
  const sql::Reset reset(rows);
  while (rows.step()) {
    const auto name = [&] { return fmt::format("{} {}", what, rows.text(0)); };
    const auto found = want.find(rows.text(0));
    if (found == want.end()) {
      report(name, kStray, problems);
      continue;
    }
    const std::array cells{cell_of(found->second)};
    same_row(rows, 1, cells, name, problems);
    want.erase(found);
  }
  for (const auto& row : want)
    report([&] { return fmt::format("{} {}", what, row.first); }, kLacking, problems);
}

}  // namespace

// A pass over each table that has a row for a node, an edge or a type of edges.
class Mirror::Comparison {
 public:
  Comparison(Mirror& mirror, const State& state, std::vector<std::string>& problems)
      : mirror_(mirror), db_(mirror.db_), state_(state), g_(state.graph()), problems_(problems) {}

  Differences run() {
    nodes();
    vectors();
    types();
    edges();
    return std::move(found_);
  }

 private:
  std::string node_name(NodeId n) const { return fmt::format("node {}", g_.id(n)); }
  std::string edge_name(NodeId source, NodeId target, graph::TypeId type) const {
    return fmt::format("edge {} {} {}", g_.id(source), g_.id(target), g_.edge_types().name(type));
  }
  NodeId node_of(std::int64_t key) const {
    return key < 0 || key >= std::ssize(nodes_) ? graph::kNoNode
                                                : nodes_[static_cast<std::size_t>(key)];
  }

  void nodes() {
    auto& keys = mirror_.node_keys_;
    keys.assign(g_.node_bound(), 0);
    auto& rows = node_query(db_, sql::Query::mirror_nodes);
    const sql::Reset reset(rows);
    while (rows.step()) {
      const std::int64_t key = rows.integer(0);
      const auto n = state_.find(rows.text(1));
      if (!n || keys[*n] != 0 || key < 1 || key > largest_key(keys.size())) {
        found_.stray_nodes.push_back(key);
        report([&] { return fmt::format("node {}", rows.text(1)); },
               n ? "has a key that cannot be right in the mirror" : kStray, problems_);
        continue;
      }
      keys[*n] = key;
      if (std::ssize(nodes_) <= key)
        nodes_.resize(static_cast<std::size_t>(key) + 1, graph::kNoNode);
      nodes_[static_cast<std::size_t>(key)] = *n;
      const NodeContent content = content_of(*n);
      const auto cells = node_cells(state_, *n, content);
      if (!same_row(
              rows, 1, cells, [&] { return node_name(*n); }, problems_))
        found_.nodes.push_back(*n);
    }
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      if (keys[n] != 0 || !g_.is_live_node(n) || g_.nodes().created_at[n] == graph::kNever)
        continue;
      found_.nodes.push_back(n);
      report([&] { return node_name(n); }, kLacking, problems_);
    }
  }

  NodeContent content_of(NodeId n) const {
    const auto& contents = state_.changes().content;
    const auto found = contents.find(n);
    return filled(found == contents.end() ? NodeContent{} : found->second);
  }

  void vectors() {
    std::vector<bool> seen(g_.node_bound());
    auto& rows = db_.query(sql::Query::load_vectors);
    const sql::Reset reset(rows);
    while (rows.step()) {
      const NodeId n = node_of(rows.integer(0));
      const auto vector = n == graph::kNoNode ? std::span<const float>() : state_.vectors().row(n);
      const auto name = [&] {
        return n == graph::kNoNode ? fmt::format("the vector of no node ({})", rows.integer(0))
                                   : node_name(n);
      };
      if (vector.empty()) {
        found_.stray_vectors.push_back(rows.integer(0));
        report(name, "has a vector in the mirror, but not in the ledger", problems_);
        continue;
      }
      seen[n] = true;
      const std::array<Cell, 1> cells{std::as_bytes(vector)};
      if (!same_row(rows, 1, cells, name, problems_)) found_.vectors.push_back(n);
    }
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      if (seen[n] || !state_.vectors().has(n)) continue;
      found_.vectors.push_back(n);
      report([&] { return node_name(n); }, "has a vector in the ledger, but not in the mirror",
             problems_);
    }
  }

  // A type that no event names any more may stay, but views read its policy.
  void types() {
    auto& rows = db_.query(sql::Query::mirror_edge_types);
    const sql::Reset reset(rows);
    while (rows.step()) {
      const auto cells = type_cells(rows.text(1), state_.policy().type(rows.text(1)));
      same_row(
          rows, 1, cells, [&] { return fmt::format("edge type {}", rows.text(1)); }, problems_);
      const auto type = g_.edge_types().find(rows.text(1));
      const std::int64_t key = rows.integer(0);
      if (!type || key < 1 || key >= kTypesMax) {
        found_.stray_types.push_back(key);
        continue;
      }
      mirror_.put_type_key(*type, key);
      types_.resize(std::max(types_.size(), static_cast<std::size_t>(key) + 1));
      types_[static_cast<std::size_t>(key)] = *type;
    }
  }

  void edges() {
    std::vector<bool> seen(g_.edge_bound());
    auto& rows = db_.query(sql::Query::mirror_edges);
    const sql::Reset reset(rows);
    while (rows.step()) {
      const NodeId source = node_of(rows.integer(0)), target = node_of(rows.integer(1));
      const auto key = static_cast<std::size_t>(rows.integer(2));
      const graph::TypeId type = key < types_.size() ? types_[key] : graph::TypeId{0};
      const bool known = source != graph::kNoNode && target != graph::kNoNode && type != 0;
      const auto e = known ? g_.find_edge(source, target, type) : std::nullopt;
      if (!e || seen[*e]) {
        found_.stray_edges.push_back({rows.integer(0), rows.integer(1), rows.integer(2)});
        report([&] { return known ? edge_name(source, target, type) : stray_edge_name(rows); },
               kStray, problems_);
        continue;
      }
      seen[*e] = true;
      const auto cells = edge_cells(g_, *e, properties_of({source, target, type}));
      if (!same_row(
              rows, 3, cells, [&] { return edge_name(source, target, type); }, problems_))
        found_.edges.push_back({source, target, type});
    }
    // Of a new mirror all edges are lacking: so many that room for more than these is a waste.
    const auto known = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
    found_.edges.reserve(found_.edges.size() + g_.num_edges() - known);
    for (EdgeId e = 0; e < g_.edge_bound(); ++e) {
      if (seen[e] || !g_.is_live_edge(e)) continue;
      found_.edges.push_back({g_.source(e), g_.target(e), g_.type(e)});
      report([&] { return edge_name(g_.source(e), g_.target(e), g_.type(e)); }, kLacking,
             problems_);
    }
  }

  // Its ends and its type by the keys of their rows, of which at least one is not of the ledger.
  static std::string stray_edge_name(const sql::Statement& row) {
    return fmt::format("edge with the keys {} {} {}", row.integer(0), row.integer(1),
                       row.integer(2));
  }

  Cell properties_of(const EdgeKey& key) const {
    const auto& properties = state_.changes().edge_properties;
    const auto found = properties.find(key);
    return found == properties.end() ? std::string_view("{}") : std::string_view(found->second);
  }

  Mirror& mirror_;
  sql::Database& db_;
  const State& state_;
  const graph::Graph& g_;
  std::vector<std::string>& problems_;
  Differences found_;
  std::vector<NodeId> nodes_;         // by key
  std::vector<graph::TypeId> types_;  // by key; 0: none
};

Mirror::Differences Mirror::differences(const State& state, std::vector<std::string>& problems) {
  forget_keys();
  return Comparison(*this, state, problems).run();
}

void Mirror::compare(State& state, std::vector<std::string>& problems) {
  Mirror other(db_);  // knows keys by the NodeIds of this state
  other.differences(state, problems);
  compare_named("policy", db_.query(sql::Query::mirror_policy), policy_rows(state), problems);
  const auto name = [] { return std::string("the ranking"); };
  auto& there = db_.query(sql::Query::ranking_row);
  const sql::Reset reset(there);
  if (!there.step()) return report(name, kLacking, problems);
  const RankingRow row = ranking_row(state);
  const std::array<Cell, 4> cells{row.at, row.candidates, row.largest, std::string_view(row.tasks)};
  same_row(there, 0, cells, name, problems);
}

}  // namespace hebb
