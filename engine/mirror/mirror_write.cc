// A graph into mirror rows: those that changed, in key order.
#include <algorithm>

#include "engine/fold/rules.h"
#include "engine/mirror/mirror.h"
#include "engine/mirror/mirror_rows.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

constexpr std::string_view kImageSeal = "image";

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

std::int64_t Mirror::node_key(const State& state, NodeId n) {
  if (node_keys_.size() <= n) node_keys_.resize(state.graph().node_bound());
  if (node_keys_[n] == 0) {
    auto& q = db_.query(sql::Query::node_key);
    q.bind(1, state.graph().id(n));
    if (q.step()) node_keys_[n] = q.integer(0);
    q.reset();
  }
  return node_keys_[n];
}

void Mirror::put_type_key(graph::TypeId type, std::int64_t key) {
  if (type_keys_.size() <= type) type_keys_.resize(type + std::size_t{1});
  type_keys_[type] = key;
}

std::int64_t Mirror::put_type(const State& state, graph::TypeId type) {
  auto& q = db_.query(sql::Query::put_edge_type);
  const sql::Reset reset(q);
  bind_cells(q, 1, type_cells(state.graph().edge_types().name(type), state.type_policy(type)));
  q.step();
  put_type_key(type, q.integer(0));
  return type_keys_[type];
}

std::int64_t Mirror::type_key(const State& state, graph::TypeId type) {
  if (type < type_keys_.size() && type_keys_[type] != 0) return type_keys_[type];
  return put_type(state, type);
}

// From "everything" to what of it differs from the rows that are there. Removes the rows that are
// not of the fold.
void Mirror::take_differences(State& state) {
  std::vector<std::string> unread;
  Differences found = differences(state, unread);
  for (const auto& [source, target, type] : found.stray_edges)
    db_.query(sql::Query::delete_edge).bind(1, source).bind(2, target).bind(3, type).run();
  for (const auto key : found.stray_vectors)
    db_.query(sql::Query::delete_vector).bind(1, key).run();
  for (const auto key : found.stray_nodes) db_.query(sql::Query::delete_node).bind(1, key).run();
  for (const auto key : found.stray_types)
    db_.query(sql::Query::delete_edge_type).bind(1, key).run();
  db_.query(sql::Query::clear_marks).run();
  auto& changes = state.changes();
  changes.nodes = std::move(found.nodes);
  changes.vectors = std::move(found.vectors);
  changes.edges = std::move(found.edges);
}

void Mirror::write_policy(const State& state) {
  db_.query(sql::Query::clear_policy).run();
  for (const auto& [key, value] : policy_rows(state)) {
    auto& q = db_.query(sql::Query::put_policy).bind(1, std::string_view(key));
    bind_cells(q, 2, std::array{cell_of(value)});
    q.run();
  }
  for (std::size_t type = 1; type < state.graph().edge_types().size(); ++type) {
    put_type(state, static_cast<graph::TypeId>(type));
  }
  // And of the types that stayed though no event names them any more.
  std::vector<std::string> others;
  auto& rows = db_.query(sql::Query::mirror_edge_types);
  while (rows.step()) {
    if (!state.graph().edge_types().find(rows.text(1))) others.emplace_back(rows.text(1));
  }
  rows.reset();
  for (const auto& name : others) {
    auto& q = db_.query(sql::Query::put_edge_type);
    bind_cells(q, 1, type_cells(name, state.policy().type(name)));
    q.run();
  }
}

void Mirror::write_node(State& state, NodeId n) {
  if (state.graph().nodes().created_at[n] == kNever) return;  // see drop_nodes
  const auto& changes = state.changes();
  const auto found = changes.content.find(n);
  NodeContent content = found == changes.content.end() ? NodeContent{} : found->second;
  if (content.reset || changes.everything) content = filled(std::move(content));
  auto& q = node_query(db_, sql::Query::put_node);
  bind_cells(q, 1, node_cells(state, n, content));
  q.step();
  if (node_keys_.size() <= n) node_keys_.resize(state.graph().node_bound());
  node_keys_[n] = q.integer(0);
  q.reset();
}

void Mirror::write_nodes(State& state) {
  auto& changes = state.changes();
  sort_unique(changes.nodes);
  for (const NodeId n : changes.nodes) write_node(state, n);
  sort_unique(changes.vectors);
  for (const NodeId n : changes.vectors) {
    const auto key = node_key(state, n);
    if (key == 0) continue;
    const auto row = state.vectors().row(n);
    if (row.empty()) {
      db_.query(sql::Query::delete_vector).bind(1, key).run();
    } else {
      db_.query(sql::Query::put_vector).bind(1, key).bind(2, std::as_bytes(row)).run();
    }
  }
}

void Mirror::write_edge(const State& state, const EdgeKey& key, graph::EdgeId e) {
  const auto& changes = state.changes();
  const auto found = changes.edge_properties.find(key);
  Cell properties;
  if (changes.everything) properties = std::string_view("{}");
  if (found != changes.edge_properties.end()) properties = std::string_view(found->second);
  auto& q = db_.query(sql::Query::put_edge);
  q.bind(1, node_key(state, key.source)).bind(2, node_key(state, key.target));
  q.bind(3, type_key(state, key.type));
  bind_cells(q, 4, edge_cells(state.graph(), e, properties));
  q.run();
}

void Mirror::write_edges(State& state) {
  const auto& g = state.graph();
  auto& changes = state.changes();
  sort_unique(changes.edges);
  // In key order of the rows, so that neighbouring rows are written one after the other.
  std::sort(changes.edges.begin(), changes.edges.end(), [&](const EdgeKey& a, const EdgeKey& b) {
    const auto sa = node_key(state, a.source), sb = node_key(state, b.source);
    if (sa != sb) return sa < sb;
    const auto ta = node_key(state, a.target), tb = node_key(state, b.target);
    return ta != tb ? ta < tb : a.type < b.type;
  });
  for (const EdgeKey& key : changes.edges) {
    if (const auto e = g.find_edge(key.source, key.target, key.type)) {
      write_edge(state, key, *e);
    } else if (const auto s = node_key(state, key.source), t = node_key(state, key.target);
               s && t) {
      db_.query(sql::Query::delete_edge)
          .bind(1, s)
          .bind(2, t)
          .bind(3, type_key(state, key.type))
          .run();
    }
  }
}

void Mirror::drop_nodes(State& state) {
  const auto& c = state.graph().nodes();
  for (const NodeId n : state.changes().nodes) {
    if (c.created_at[n] != kNever) continue;
    db_.query(sql::Query::delete_node).bind(1, node_key(state, n)).run();
    node_keys_[n] = 0;
  }
}

void Mirror::write_ranking(State& state) {
  const RankingRow row = ranking_row(state);
  db_.query(sql::Query::put_ranking)
      .bind(1, row.at)
      .bind(2, row.candidates)
      .bind(3, row.largest)
      .bind(4, std::string_view(row.tasks))
      .run();
}

void Mirror::write_position(std::int64_t position) {
  db_.query(sql::Query::mirror_set).bind(1, std::string_view("position")).bind(2, position).run();
}

void Mirror::forget_keys() {
  node_keys_.clear();
  type_keys_.clear();
}

void Mirror::set_image_seal(std::string_view seal) {
  db_.query(sql::Query::mirror_set).bind(1, kImageSeal).bind(2, seal).run();
}

std::string Mirror::image_seal() const {
  auto& mark = db_.query(sql::Query::mirror_get);
  const sql::Reset reset(mark);
  mark.bind(1, kImageSeal);
  return mark.step() ? std::string(mark.text(0)) : std::string();
}

void Mirror::write(State& state, std::int64_t position) {
  const auto before = this->position();
  const bool everything = state.changes().everything;
  auto& version = db_.query(sql::Query::data_version);
  version.step();
  if (before != keys_as_of_ || version.integer(0) != data_version_) forget_keys();
  data_version_ = version.integer(0);
  version.reset();
  if (everything) take_differences(state);
  if (everything || state.changes().policy) write_policy(state);
  write_nodes(state);
  write_edges(state);
  drop_nodes(state);
  write_ranking(state);
  if (everything || before == 0) {
    db_.query(sql::Query::mirror_set)
        .bind(1, std::string_view("rules"))
        .bind(2, fold_rules())
        .run();
  }
  write_position(position);
  keys_as_of_ = position;
  state.changes() = Changes{};
}

void Mirror::renew_index_of_words() { db_.query(sql::Query::search_rebuild).run(); }

}  // namespace hebb
