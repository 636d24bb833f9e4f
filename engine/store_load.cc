// Mirror rows into a graph.
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "engine/store.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

TimeMs time_or_never(const sql::Statement& row, int column) {
  return row.is_null(column) ? kNever : row.integer(column);
}

// A file can be damaged and still be readable.
[[noreturn]] void damaged(const sql::Database& db, std::string_view what) {
  throw sql::Error(kCorrupt,
                   fmt::format("load the mirror on {}: {} is damaged; `hebb rebuild` makes it anew "
                               "from the ledger",
                               db.path(), what));
}

constexpr std::int64_t kTypesMax = 1 << 16;  // TypeIds have 16 bits
constexpr std::int64_t kDimensionMax = 1 << 20;
constexpr double kWeightMax = 1e6;  // far above the largest cap

template <class T>
void put(std::vector<T>& by_id, std::size_t i, T value) {
  if (by_id.size() <= i) by_id.resize(i + 1);
  by_id[i] = value;
}

using KeyMap = std::vector<NodeId>;  // by row key; keys are dense

NodeId node_of(const KeyMap& nodes, std::int64_t key) {
  return key < 0 || key >= std::ssize(nodes) ? graph::kNoNode
                                             : nodes[static_cast<std::size_t>(key)];
}

// Tells progress every few rows.
class Steps {
 public:
  Steps(const Progress& progress, std::size_t total) : progress_(progress), total_(total) {}
  void step() {
    if (++done_ % 4096 == 0 && progress_) progress_(done_, total_);
  }
  void finish() {
    if (progress_) progress_(total_, total_);
  }

 private:
  const Progress& progress_;
  std::size_t total_, done_ = 0;
};

std::pair<std::size_t, std::size_t> count_rows(sql::Database& db) {
  auto& counts = db.query(sql::Query::count_rows);
  const sql::Reset reset(counts);
  counts.step();
  return {static_cast<std::size_t>(counts.integer(0)), static_cast<std::size_t>(counts.integer(1))};
}

KeyMap load_nodes(sql::Database& db, graph::Graph& g, std::vector<std::int64_t>& node_keys,
                  Steps& steps) {
  std::int64_t last_key = 0;
  auto& rows = db.query(sql::Query::load_nodes);
  const sql::Reset reset(rows);
  while (rows.step()) {
    steps.step();
    const auto found = g.find_node(rows.text(1));
    const NodeId n = found ? *found : g.add_node(rows.text(1));
    if (rows.integer(0) < 1) damaged(db, "the key of a node");
    if (rows.is_null(4)) damaged(db, "a node that was not created");
    put(node_keys, n, rows.integer(0));
    last_key = rows.integer(0);
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
  // Rows go only by gc, so a key far above their number is damage, and no size for an array.
  if (last_key > (std::int64_t{1} << 26) + 64 * std::ssize(node_keys))
    damaged(db, "the key of a node");
  KeyMap by_key(static_cast<std::size_t>(last_key) + 1, graph::kNoNode);
  for (NodeId n = 0; n < node_keys.size(); ++n) {
    if (node_keys[n] != 0) by_key[static_cast<std::size_t>(node_keys[n])] = n;
  }
  return by_key;
}

void load_edges(sql::Database& db, graph::Graph& g, const KeyMap& nodes,
                const std::vector<graph::TypeId>& types, Steps& steps) {
  auto& rows = db.query(sql::Query::load_edges);
  const sql::Reset reset(rows);
  while (rows.step()) {
    steps.step();
    const NodeId source = node_of(nodes, rows.integer(0)), target = node_of(nodes, rows.integer(1));
    const auto type = static_cast<std::size_t>(rows.integer(2));
    const double weight = rows.real(3), gained = rows.real(5);
    const bool known = source != graph::kNoNode && target != graph::kNoNode &&
                       type < types.size() && types[type] != 0;
    if (!known || g.find_edge(source, target, types[type])) damaged(db, "the ends of an edge");
    if (!(std::abs(weight) <= kWeightMax) || !(std::abs(gained) <= kWeightMax))
      damaged(db, "the weight of an edge");
    const auto e = g.add_edge(source, target, types[type]);
    g.edges().weight[e] = weight;
    g.edges().touched_at[e] = rows.integer(4);
    g.edges().gained[e] = gained;
  }
}

void load_vectors(sql::Database& db, graph::Vectors& vectors, const KeyMap& nodes) {
  auto& rows = db.query(sql::Query::load_vectors);
  const sql::Reset reset(rows);
  while (rows.step()) {
    const auto row = read_floats(rows.blob(1));
    const NodeId n = node_of(nodes, rows.integer(0));
    const auto d = vectors.dimension();
    if (n == graph::kNoNode || !row || row->empty() || (d != 0 && d != row->size()))
      damaged(db, "the vector of a node");
    vectors.set(n, *row);
  }
}

}  // namespace

std::int64_t Store::mirror_position() {
  auto& q = db_.query(sql::Query::mirror_get);
  q.bind(1, std::string_view("position"));
  const std::int64_t position = q.step() ? q.integer(0) : 0;
  q.reset();
  return position;
}

void Store::load(State& state, const Progress& progress) {
  forget_keys();
  keys_as_of_ = mirror_position();
  auto& g = state.load_graph();
  const auto [node_count, edge_count] = count_rows(db_);
  g.reserve(node_count, edge_count);
  Steps steps(progress, node_count + edge_count);
  const KeyMap nodes = load_nodes(db_, g, node_keys_, steps);
  hebb::load_vectors(db_, state.load_vectors(), nodes);

  std::vector<graph::TypeId> types;
  auto& rows = db_.query(sql::Query::load_edge_types);
  const sql::Reset reset(rows);
  while (rows.step()) {
    if (rows.integer(0) < 1 || rows.integer(0) >= kTypesMax)
      damaged(db_, "the key of an edge type");
    const auto type = g.edge_types().intern(rows.text(1));
    put(types, static_cast<std::size_t>(rows.integer(0)), type);
    put(type_keys_, type, rows.integer(0));
  }
  load_edges(db_, g, nodes, types, steps);
  steps.finish();

  Stamp latest;
  TimeMs recalibrated_at = kNever;
  std::string embedder;
  auto dimension = static_cast<std::int64_t>(state.vectors().dimension());
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
  read("dimension", [&] { dimension = mark.integer(0); });
  if (dimension < 0 || dimension > kDimensionMax) damaged(db_, "the dimension of the vectors");
  state.load_marks(std::move(latest), recalibrated_at, std::move(embedder),
                   static_cast<std::size_t>(dimension));
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

}  // namespace hebb
