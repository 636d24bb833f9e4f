#include "engine/mirror/mirror_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

constexpr int kContentCells = 6;  // before those of the graph: the id and the cells of the content

// The text of a query with the graph's columns in the places that it leaves open for them.
std::string with_columns(sql::Query query) {
  std::string names, values, changes;
  int parameter = kContentCells;
  const auto add = [&](std::string_view name) {
    names += fmt::format(", {}", name);
    values += fmt::format(", ?{}", ++parameter);
    changes += fmt::format(", {0} = excluded.{0}", name);
  };
  std::apply([&](const auto&... column) { (add(column.name), ...); }, graph::kNodeColumns);
  std::string text(sql::text(query));
  for (const auto& [place, list] : {std::pair<std::string_view, std::string>{"/*, names*/", names},
                                    {"/*, values*/", values},
                                    {"/*, changes*/", changes}}) {
    if (const auto at = text.find(place); at != text.npos) text.replace(at, place.size(), list);
  }
  return text;
}

Cell text_cell(const std::optional<std::string>& text) {
  if (!text) return {};
  return std::string_view(*text);
}

// NULL: a default that is not 0, which is no value.
template <class T>
Cell column_cell(const graph::Graph& g, const graph::NodeColumn<T>& column, NodeId n) {
  const T value = (g.nodes().*column.values)[n];
  if constexpr (std::is_same_v<T, graph::TypeId>) {
    const bool is_type = column.values == &graph::NodeColumns::type;
    return std::string_view((is_type ? g.node_types() : g.states()).name(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    if (value == column.initial && column.initial != 0) return {};
    return std::int64_t{value};
  }
}

}  // namespace

sql::Statement& put_node(sql::Database& db) {
  static const std::string kPut = with_columns(sql::Query::put_node);
  return db.query(sql::Query::put_node, kPut);
}

std::array<Cell, kNodeCells> node_cells(const State& state, NodeId n, const NodeContent& content) {
  const auto& g = state.graph();
  return std::apply(
      [&](const auto&... column) {
        return std::array<Cell, kNodeCells>{g.id(n),
                                            text_cell(content.name),
                                            text_cell(content.description),
                                            text_cell(content.project),
                                            text_cell(content.scope),
                                            text_cell(content.properties),
                                            column_cell(g, column, n)...};
      },
      graph::kNodeColumns);
}

std::array<Cell, 4> edge_cells(const graph::Graph& g, graph::EdgeId e, Cell properties) {
  const auto& c = g.edges();
  return {c.weight[e], c.touched_at[e], c.gained[e], properties};
}

std::array<Cell, 10> type_cells(std::string_view name, const reward::TypePolicy& p) {
  Cell gain;
  if (std::isfinite(p.max_gain_per_day)) gain = p.max_gain_per_day;
  return {name,
          p.decay_per_day,
          p.floor,
          p.dormant_below,
          p.rate,
          p.cap,
          gain,
          std::int64_t{p.is_protected},
          std::int64_t{p.structural},
          std::int64_t{p.context}};
}

std::map<std::string, std::string, std::less<>> policy_rows(const State& state) {
  std::map<std::string, std::string, std::less<>> rows;
  for (const auto& [key, value] : reward::settings(state.policy())) rows[key] = value;
  return rows;
}

RankingRow ranking_row(State& state) {
  const reward::Ranking& ranking = state.ranking(state.facts().ranked_at());
  const auto& g = state.graph();
  const auto wanted = static_cast<std::size_t>(state.policy().mirrored);
  reward::RelativePriority relative;
  RankingRow row;
  row.at = state.facts().ranked_at();
  row.candidates = static_cast<std::int64_t>(ranking.candidates());
  row.tasks = "[";
  for (const reward::Ranked& r : ranking.first(g, std::min(wanted, kMirroredMost))) {
    relative.add(r.factors.priority);
    row.tasks += row.tasks.size() > 1 ? ",[" : "[";
    append_json_string(row.tasks, g.id(r.node));
    fmt::format_to(std::back_inserter(row.tasks), ",{}", r.factors.priority);
    row.tasks += g.nodes().pinned[r.node] != 0 ? ",1]" : "]";
  }
  row.tasks += ']';
  row.largest = relative.largest();
  // A row that is as long as the one before is written over it, and only its pages that differ.
  constexpr std::size_t kStep = 1024;
  row.tasks.resize((row.tasks.size() + kStep - 1) / kStep * kStep, ' ');
  return row;
}

NodeContent filled(NodeContent content) {
  for (auto* field : {&content.name, &content.description, &content.project, &content.scope}) {
    if (!*field) *field = "";
  }
  if (!content.properties) content.properties = "{}";
  return content;
}

void bind_cells(sql::Statement& statement, int first, std::span<const Cell> cells) {
  for (const Cell& cell : cells) {
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
            statement.bind_null(first);
          } else {
            statement.bind(first, value);
          }
        },
        cell);
    ++first;
  }
}

// --- keys ----------------------------------------------------------------------------------------

namespace {

void set(std::vector<std::int64_t>& keys, std::size_t i, std::int64_t key) {
  if (keys.size() <= i) keys.resize(i + 1);
  keys[i] = key;
}

}  // namespace

void RowKeys::set_node(graph::NodeId n, std::int64_t key) { set(nodes_, n, key); }
void RowKeys::set_type(graph::TypeId type, std::int64_t key) { set(types_, type, key); }

std::int64_t RowKeys::of_node(const State& state, graph::NodeId n) {
  if (nodes_.size() <= n) nodes_.resize(state.graph().node_bound());
  if (nodes_[n] == 0)
    nodes_[n] = db_.integer(sql::Query::node_key, state.graph().id(n)).value_or(0);
  return nodes_[n];
}

std::int64_t RowKeys::of_type(const State& state, graph::TypeId type) {
  return type < types_.size() && types_[type] != 0 ? types_[type] : put_type(state, type);
}

std::int64_t RowKeys::put_type(const State& state, graph::TypeId type) {
  auto& q = db_.query(sql::Query::put_edge_type);
  const sql::Reset reset(q);
  bind_cells(q, 1, type_cells(state.graph().edge_types().name(type), type_policy(state, type)));
  q.step();
  set_type(type, q.integer(0));
  return types_[type];
}

void RowKeys::forget() {
  nodes_.clear();
  types_.clear();
}

}  // namespace hebb
