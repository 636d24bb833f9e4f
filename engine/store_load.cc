// Mirror rows into a graph.
#include <cstring>

#include "engine/store.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

TimeMs time_or_never(const sql::Statement& row, int column) {
  return row.is_null(column) ? kNever : row.integer(column);
}

template <class T>
void put(std::vector<T>& by_id, std::size_t i, T value) {
  if (by_id.size() <= i) by_id.resize(i + 1);
  by_id[i] = value;
}

using KeyMap = std::vector<NodeId>;  // by row key; keys are dense

KeyMap load_nodes(sql::Database& db, graph::Graph& g, std::vector<std::int64_t>& node_keys) {
  KeyMap by_key;
  auto& rows = db.query(sql::Query::load_nodes);
  while (rows.step()) {
    const auto found = g.find_node(rows.text(1));
    const NodeId n = found ? *found : g.add_node(rows.text(1));
    const auto key = static_cast<std::size_t>(rows.integer(0));
    if (by_key.size() <= key) by_key.resize(key + 1, graph::kNoNode);
    by_key[key] = n;
    put(node_keys, n, rows.integer(0));
    auto& c = g.nodes();
    c.type[n] = g.node_types().intern(rows.text(2));
    c.state[n] = g.states().intern(rows.text(3));
    c.created_at[n] = time_or_never(rows, 4);
    c.updated_at[n] = time_or_never(rows, 5);
    c.reopened_at[n] = time_or_never(rows, 6);
    c.outcome_at[n] = time_or_never(rows, 7);
    c.completed_at[n] = time_or_never(rows, 8);
    c.deleted_at[n] = time_or_never(rows, 9);
  }
  rows.reset();
  return by_key;
}

void load_edges(sql::Database& db, graph::Graph& g, const KeyMap& nodes,
                const std::vector<graph::TypeId>& types) {
  auto& rows = db.query(sql::Query::load_edges);
  while (rows.step()) {
    const auto e = g.add_edge(nodes[static_cast<std::size_t>(rows.integer(0))],
                              nodes[static_cast<std::size_t>(rows.integer(1))],
                              types[static_cast<std::size_t>(rows.integer(2))]);
    g.edges().weight[e] = rows.real(3);
    g.edges().touched_at[e] = rows.integer(4);
    g.edges().gained[e] = rows.real(5);
  }
  rows.reset();
}

}  // namespace

std::int64_t Store::mirror_position() {
  auto& q = db_.query(sql::Query::mirror_get);
  q.bind(1, std::string_view("position"));
  const std::int64_t position = q.step() ? q.integer(0) : 0;
  q.reset();
  return position;
}

void Store::load(State& state) {
  auto& g = state.load_graph();
  const KeyMap nodes = load_nodes(db_, g, node_keys_);
  auto& vectors = db_.query(sql::Query::load_vectors);
  while (vectors.step()) {
    const auto blob = vectors.blob(1);
    std::vector<float> row(blob.size() / sizeof(float));
    std::memcpy(row.data(), blob.data(), row.size() * sizeof(float));
    state.load_vectors().set(nodes[static_cast<std::size_t>(vectors.integer(0))], row);
  }
  vectors.reset();

  std::vector<graph::TypeId> types;
  auto& rows = db_.query(sql::Query::load_edge_types);
  while (rows.step()) {
    const auto type = g.edge_types().intern(rows.text(1));
    put(types, static_cast<std::size_t>(rows.integer(0)), type);
    put(type_keys_, type, rows.integer(0));
  }
  rows.reset();
  load_edges(db_, g, nodes, types);

  Stamp latest;
  TimeMs recalibrated_at = kNever;
  std::string embedder;
  auto& mark = db_.query(sql::Query::mirror_get);
  const auto read = [&](std::string_view name, auto&& take) {
    mark.reset().bind(1, name);
    if (mark.step()) take();
    mark.reset();
  };
  read("latest_at", [&] { latest.at = mark.integer(0); });
  read("latest_key", [&] { latest.key = mark.text(0); });
  read("recalibrated_at", [&] { recalibrated_at = mark.integer(0); });
  read("embedder", [&] { embedder = mark.text(0); });
  state.load_marks(std::move(latest), recalibrated_at, std::move(embedder));
}

NodeContent Store::content(std::string_view id) {
  NodeContent content;
  auto& q = db_.query(sql::Query::node_content);
  q.bind(1, id);
  if (q.step()) {
    content.name = q.text(0);
    content.description = q.text(1);
    content.project = q.text(2);
    content.scope = q.text(3);
    content.properties = q.text(4);
  }
  q.reset();
  return content;
}

std::string Store::edge_properties(const EdgeName& edge) {
  auto& q = db_.query(sql::Query::edge_properties);
  q.bind(1, std::string_view(edge.source)).bind(2, std::string_view(edge.target));
  q.bind(3, std::string_view(edge.type));
  std::string properties = q.step() ? std::string(q.text(0)) : "{}";
  q.reset();
  return properties;
}

}  // namespace hebb
