// A graph into mirror rows: those that changed, in key order.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/mirror/mirror.h"
#include "sql/scratch_tables.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

// The types in the table that no event names: keys and names.
std::vector<std::pair<std::int64_t, std::string>> unused_types(sql::Database& db,
                                                               const graph::Graph& g) {
  std::vector<std::pair<std::int64_t, std::string>> unused;
  auto& rows = db.query(sql::Query::mirror_edge_types);
  const sql::Reset reset(rows);
  while (rows.step()) {
    if (!g.edge_types().find(rows.text(1))) unused.emplace_back(rows.integer(0), rows.text(1));
  }
  return unused;
}

class Writer {
 public:
  // all: every row, else those that changed.
  Writer(sql::Database& db, RowKeys& keys, State& state, bool all)
      : db_(db),
        keys_(keys),
        state_(state),
        g_(state.graph()),
        changes_(state.changes()),
        all_(all),
        nodes_(all ? all_nodes() : changes_.nodes),
        edges_(all ? all_edges() : changes_.edges) {}

  void run() {
    if (all_ || changes_.policy) policy();
    sort_unique(nodes_);
    for (const NodeId n : nodes_) {
      if (!is_made(n)) continue;
      if (!all_ && key(n) == 0) add_edges_of(n);
      node(n);
    }
    if (all_) hebb::run(db_, sql::Query::delete_unmade_nodes);
    edges();
    for (const NodeId n : nodes_) {
      if (is_made(n)) continue;
      hebb::run(db_, sql::Query::delete_node, key(n));
      keys_.set_node(n, 0);
    }
  }

 private:
  bool is_made(NodeId n) const { return g_.nodes().created_at[n] != kNever; }
  std::int64_t key(NodeId n) { return keys_.of_node(state_, n); }

  std::vector<NodeId> all_nodes() const {
    std::vector<NodeId> nodes;
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      if (is_made(n)) nodes.push_back(n);
    }
    return nodes;
  }
  std::vector<EdgeKey> all_edges() const {
    std::vector<EdgeKey> edges;
    edges.reserve(g_.num_edges());
    for (graph::EdgeId e = 0; e < g_.edge_bound(); ++e) {
      if (g_.is_live_edge(e)) edges.push_back({g_.source(e), g_.target(e), g_.type(e)});
    }
    return edges;
  }

  // For a node that gets a row now: its edges may be older, and have no rows without it.
  void add_edges_of(NodeId n) {
    for (const auto& of_node : {g_.out_edges(n), g_.in_edges(n)}) {
      for (const graph::EdgeId e : of_node)
        edges_.push_back({g_.source(e), g_.target(e), g_.type(e)});
    }
  }

  void policy() {
    hebb::run(db_, sql::Query::clear_policy);
    for (const auto& [key, value] : policy_rows(state_))
      hebb::run(db_, sql::Query::put_policy, key, value);
    for (std::size_t type = 1; type < g_.edge_types().size(); ++type)
      keys_.put_type(state_, static_cast<graph::TypeId>(type));
    // Also writes the types that stayed though no event names them any more.
    for (const auto& [key, name] : unused_types(db_, g_)) {
      auto& q = db_.query(sql::Query::put_edge_type);
      bind_cells(q, 1, type_cells(name, state_.policy().type(name)));
      q.run();
    }
  }

  void node(NodeId n) {
    const auto found = changes_.content.find(n);
    NodeContent content = found == changes_.content.end() ? NodeContent{} : found->second;
    if (content.reset || all_) content = filled(std::move(content));
    auto& q = put_node(db_);
    const sql::Reset reset(q);
    bind_cells(q, 1, node_cells(state_, n, content));
    q.step();
    keys_.set_node(n, q.integer(0));
    q.run();  // to its end: a reset in the middle may not write the search index (DEFENSIVE)
  }

  void edges() {
    sort_unique(edges_);
    // In key order of the rows, so that neighbouring rows are written one after the other.
    std::ranges::sort(edges_, [&](const EdgeKey& a, const EdgeKey& b) {
      const auto sa = key(a.source), sb = key(b.source);
      if (sa != sb) return sa < sb;
      return std::pair(key(a.target), a.type) < std::pair(key(b.target), b.type);
    });
    for (const EdgeKey& edge : edges_) {
      const auto source = key(edge.source), target = key(edge.target);
      const auto e = g_.find_edge(edge.source, edge.target, edge.type);
      // Not made: by an event that an older hebb has set aside (Undo::damage).
      if (e && is_made(edge.source) && is_made(edge.target)) {
        if (source == 0 || target == 0) {
          throw sql::Error(sql::kCorrupt,
                           fmt::format("the current tables lack the node \"{}\"; `hebb rebuild` "
                                       "mends it",
                                       g_.id(source == 0 ? edge.source : edge.target)));
        }
        const auto [weight, touched_at, gained, properties] =
            edge_cells(g_, *e, properties_of(edge));
        hebb::run(db_, sql::Query::put_edge, source, target, keys_.of_type(state_, edge.type),
                  weight, touched_at, gained, properties);
      } else if (source != 0 && target != 0) {
        hebb::run(db_, sql::Query::delete_edge, source, target, keys_.of_type(state_, edge.type));
      }
    }
  }

  // NULL: as they are in the row.
  Cell properties_of(const EdgeKey& edge) const {
    const auto found = changes_.edge_properties.find(edge);
    if (found != changes_.edge_properties.end()) return std::string_view(found->second);
    return all_ ? Cell(std::string_view("{}")) : Cell();
  }

  sql::Database& db_;
  RowKeys& keys_;
  State& state_;
  const graph::Graph& g_;
  const Changes& changes_;
  const bool all_;
  std::vector<NodeId> nodes_;
  std::vector<EdgeKey> edges_;
};

}  // namespace

void write_all(sql::Database& db, RowKeys& keys, State& state) {
  Writer(db, keys, state, true).run();
}

void write_scratch(sql::Database& db, RowKeys& keys, State& state) {
  run(db, sql::Query::scratch_node_keys);
  run(db, sql::Query::scratch_edge_types);
  write_all(db, keys, state);
}

// Writes only the rows that differ, so that nodes keep their keys, by which other tables know them.
void Mirror::write_whole(State& state) {
  static constexpr std::array<std::string_view, 4> kTables{"node", "edge_type", "edge", "policy"};
  forget_keys();
  if (db_.integer(sql::Query::has_nodes_or_edges) == 0) return write_all(db_, keys_, state);
  {
    sql::ScratchTables scratch(db_, kTables);
    write_scratch(db_, keys_, state);
    scratch.write_differences();
    scratch.drop();
  }
  for (const auto& [key, name] : unused_types(db_, state.graph()))
    run(db_, sql::Query::delete_edge_type, key);
  run(db_, sql::Query::clear_marks);
}

void Mirror::write(State& state, std::int64_t position) {
  const auto before = this->position();
  const auto version = db_.integer(sql::Query::data_version);
  if (before != keys_as_of_ || version != data_version_) forget_keys();
  data_version_ = version;
  if (state.changes().everything) {
    write_whole(state);
  } else {
    Writer(db_, keys_, state, false).run();
  }
  if (state.changes().everything || before == 0)
    run(db_, sql::Query::mirror_set, kMirrorRules, fold_rules());
  run(db_, sql::Query::mirror_set, kMirrorPosition, position);
  keys_as_of_ = position;
  state.changes() = Changes{};
  if (state.drop_nodes_without_event(false)) forget_keys();
  const RankingRow row = ranking_row(state);
  run(db_, sql::Query::put_ranking, row.at, row.candidates, row.largest, row.tasks);
}

}  // namespace hebb
