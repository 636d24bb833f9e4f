#include "engine/mirror/mirror_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "engine/ledger/canonical_json.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

Cell time_cell(TimeMs t) {
  if (t == kNever) return {};
  return t;
}

Cell text_cell(const std::optional<std::string>& text) {
  if (!text) return {};
  return std::string_view(*text);
}

}  // namespace

std::array<Cell, 22> node_cells(const State& state, NodeId n, const NodeContent& content) {
  const auto& g = state.graph();
  const auto& c = g.nodes();
  Cell priority;
  if (c.priority[n] != graph::kNoPriority) priority = std::int64_t{c.priority[n]};
  return {g.id(n),
          std::string_view(g.node_types().name(c.type[n])),
          std::string_view(g.states().name(c.state[n])),
          text_cell(content.name),
          text_cell(content.description),
          text_cell(content.project),
          text_cell(content.scope),
          text_cell(content.properties),
          time_cell(c.created_at[n]),
          time_cell(c.updated_at[n]),
          time_cell(c.reopened_at[n]),
          time_cell(c.outcome_at[n]),
          time_cell(c.completed_at[n]),
          time_cell(c.deleted_at[n]),
          c.successes[n],
          c.failures[n],
          time_cell(c.tried_at[n]),
          priority,
          time_cell(c.due_at[n]),
          time_cell(c.snoozed_until[n]),
          std::int64_t{c.pinned[n]},
          std::int64_t{c.failed[n]}};
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

Named policy_rows(const State& state) {
  Named rows;
  for (const auto& [key, value] : reward::settings(state.policy())) rows[key] = value;
  return rows;
}

RankingRow ranking_row(State& state) {
  const reward::Ranking& ranking = state.ranking(state.stamp());
  const auto& g = state.graph();
  const auto wanted = static_cast<std::size_t>(state.policy().mirrored);
  RankingRow row;
  row.at = state.stamp();
  row.candidates = static_cast<std::int64_t>(ranking.candidates());
  row.tasks = "[";
  for (const reward::Ranked& r : ranking.first(g, std::min(wanted, kMirroredMost))) {
    row.largest = std::max(row.largest, r.factors.priority);
    row.tasks += row.tasks.size() > 1 ? ",[" : "[";
    append_json_string(row.tasks, g.id(r.node));
    fmt::format_to(std::back_inserter(row.tasks), ",{}", r.factors.priority);
    row.tasks += g.nodes().pinned[r.node] != 0 ? ",1]" : "]";
  }
  row.tasks += ']';
  return row;
}

NodeContent filled(NodeContent content) {
  for (auto* field : {&content.name, &content.description, &content.project, &content.scope}) {
    if (!*field) *field = "";
  }
  if (!content.properties) content.properties = "{}";
  return content;
}

Cell cell_of(const std::variant<std::int64_t, std::string>& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  return std::string_view(std::get<std::string>(value));
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

bool same_cell(const sql::Statement& row, int column, const Cell& cell) {
  using Type = sql::Statement::Type;
  switch (row.type(column)) {
    case Type::null:
      return std::holds_alternative<std::monostate>(cell);
    case Type::integer: {
      const auto* value = std::get_if<std::int64_t>(&cell);
      return value && *value == row.integer(column);
    }
    case Type::real: {
      const auto* value = std::get_if<double>(&cell);
      return value && *value == row.real(column);
    }
    case Type::text: {
      const auto* value = std::get_if<std::string_view>(&cell);
      return value && *value == row.text(column);
    }
    case Type::blob: {
      const auto* value = std::get_if<std::span<const std::byte>>(&cell);
      const auto bytes = row.blob(column);
      return value && std::equal(value->begin(), value->end(), bytes.begin(), bytes.end());
    }
  }
  return false;
}

}  // namespace hebb
