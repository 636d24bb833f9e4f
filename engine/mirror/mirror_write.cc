// A graph into mirror rows: those that changed, in key order.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/mirror/mirror.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

class Writer {
 public:
  Writer(sql::Database& db, RowKeys& keys, State& state)
      : db_(db), keys_(keys), state_(state), g_(state.graph()), changes_(state.changes()) {}

  void run() {
    if (changes_.everything) take_differences();
    if (changes_.everything || changes_.policy) policy();
    sort_unique(changes_.nodes);
    for (const NodeId n : changes_.nodes) {
      if (is_made(n)) node(n);
    }
    sort_unique(changes_.vectors);
    for (const NodeId n : changes_.vectors) vector(n);
    edges();
    for (const NodeId n : changes_.nodes) {
      if (is_made(n)) continue;
      hebb::run(db_, sql::Query::delete_node, key(n));
      keys_.set_node(n, 0);
    }
  }

 private:
  bool is_made(NodeId n) const { return g_.nodes().created_at[n] != kNever; }
  std::int64_t key(NodeId n) { return keys_.of_node(state_, n); }

  // From "everything" to what of it differs from the rows that are there. Removes the rows that are
  // not of the fold.
  void take_differences() {
    std::vector<std::string> unread;
    Differences found = differences(db_, keys_, state_, unread);
    for (const auto& [source, target, type] : found.stray_edges)
      hebb::run(db_, sql::Query::delete_edge, source, target, type);
    for (const auto key : found.stray_vectors) hebb::run(db_, sql::Query::delete_vector, key);
    for (const auto key : found.stray_nodes) hebb::run(db_, sql::Query::delete_node, key);
    for (const auto key : found.stray_types) hebb::run(db_, sql::Query::delete_edge_type, key);
    hebb::run(db_, sql::Query::clear_marks);
    changes_.nodes = std::move(found.nodes);
    changes_.vectors = std::move(found.vectors);
    changes_.edges = std::move(found.edges);
  }

  void policy() {
    hebb::run(db_, sql::Query::clear_policy);
    for (const auto& [key, value] : policy_rows(state_))
      hebb::run(db_, sql::Query::put_policy, key, value);
    for (std::size_t type = 1; type < g_.edge_types().size(); ++type)
      keys_.put_type(state_, static_cast<graph::TypeId>(type));
    // And of the types that stayed though no event names them any more.
    std::vector<std::string> others;
    auto& rows = db_.query(sql::Query::mirror_edge_types);
    while (rows.step()) {
      if (!g_.edge_types().find(rows.text(1))) others.emplace_back(rows.text(1));
    }
    rows.reset();
    for (const auto& name : others) {
      auto& q = db_.query(sql::Query::put_edge_type);
      bind_cells(q, 1, type_cells(name, state_.policy().type(name)));
      q.run();
    }
  }

  void node(NodeId n) {
    const auto found = changes_.content.find(n);
    NodeContent content = found == changes_.content.end() ? NodeContent{} : found->second;
    if (content.reset || changes_.everything) content = filled(std::move(content));
    auto& q = node_query(db_, sql::Query::put_node);
    const sql::Reset reset(q);
    bind_cells(q, 1, node_cells(state_, n, content));
    q.step();
    keys_.set_node(n, q.integer(0));
    q.run();  // to its end: a reset in the middle may not write the search index (DEFENSIVE)
  }

  void vector(NodeId n) {
    if (key(n) == 0) return;
    const auto row = state_.vectors().row(n);
    if (row.empty()) {
      hebb::run(db_, sql::Query::delete_vector, key(n));
    } else {
      hebb::run(db_, sql::Query::put_vector, key(n), std::as_bytes(row));
    }
  }

  void edges() {
    sort_unique(changes_.edges);
    // In key order of the rows, so that neighbouring rows are written one after the other.
    std::ranges::sort(changes_.edges, [&](const EdgeKey& a, const EdgeKey& b) {
      const auto sa = key(a.source), sb = key(b.source);
      if (sa != sb) return sa < sb;
      return std::pair(key(a.target), a.type) < std::pair(key(b.target), b.type);
    });
    for (const EdgeKey& edge : changes_.edges) {
      const auto source = key(edge.source), target = key(edge.target);
      if (const auto e = g_.find_edge(edge.source, edge.target, edge.type)) {
        if (source == 0 || target == 0) {
          throw sql::Error(sql::kCorrupt,
                           fmt::format("an event names the node \"{}\", and no event makes it; "
                                       "`hebb verify` finds the damage",
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
    return changes_.everything ? Cell(std::string_view("{}")) : Cell();
  }

  sql::Database& db_;
  RowKeys& keys_;
  State& state_;
  const graph::Graph& g_;
  Changes& changes_;
};

}  // namespace

void Mirror::write(State& state, std::int64_t position) {
  const auto before = this->position();
  const auto version = db_.integer(sql::Query::data_version);
  if (before != keys_as_of_ || version != data_version_) forget_keys();
  data_version_ = version;
  Writer(db_, keys_, state).run();
  if (state.changes().everything || before == 0)
    run(db_, sql::Query::mirror_set, kRulesMark, fold_rules());
  run(db_, sql::Query::mirror_set, kPositionMark, position);
  keys_as_of_ = position;
  state.changes() = Changes{};
  if (state.drop_nodes_without_event(false)) forget_keys();
  const RankingRow row = ranking_row(state);
  run(db_, sql::Query::put_ranking, row.at, row.candidates, row.largest, row.tasks);
}

}  // namespace hebb
