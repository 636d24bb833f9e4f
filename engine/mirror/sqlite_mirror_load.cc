// Mirror rows into a graph.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "engine/fold/rules.h"
#include "engine/ledger/canonical_json.h"
#include "engine/ledger/vector_bytes.h"
#include "engine/mirror/sqlite_mirror.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

TimeMs time_or_never(const sql::Statement& row, int column) {
  return row.is_null(column) ? kNever : row.integer(column);
}

// For rows that can be read, but cannot be right.
[[noreturn]] void damaged(const sql::Database& db, std::string_view what) {
  throw sql::Error(sql::kCorrupt,
                   fmt::format("load the mirror on {}: {} is damaged; `hebb rebuild` makes it anew "
                               "from the ledger",
                               db.path(), what));
}

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

// Its own outcomes, and what people say.
void load_said(const sql::Database& db, const sql::Statement& row, NodeId n,
               graph::NodeColumns& c) {
  c.successes[n] = row.real(10);
  c.failures[n] = row.real(11);
  if (!(std::abs(c.successes[n]) <= kWeightMax) || !(std::abs(c.failures[n]) <= kWeightMax))
    damaged(db, "the outcomes of a node");
  c.tried_at[n] = time_or_never(row, 12);
  if (!row.is_null(13)) {
    if (row.integer(13) < 0 || row.integer(13) > kLastPriority)
      damaged(db, "the priority of a node");
    c.priority[n] = static_cast<std::int8_t>(row.integer(13));
  }
  c.due_at[n] = time_or_never(row, 14);
  c.snoozed_until[n] = time_or_never(row, 15);
  c.pinned[n] = row.integer(16) != 0;
  if (row.integer(17) < 0 || row.integer(17) > std::numeric_limits<std::uint32_t>::max())
    damaged(db, "the failures of a node");
  c.failed[n] = static_cast<std::uint32_t>(row.integer(17));
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
    if (n < node_keys.size() && node_keys[n] != 0) damaged(db, "the id of a node");
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
    load_said(db, rows, n, c);
  }
  if (last_key > largest_key(node_keys.size())) damaged(db, "the key of a node");
  KeyMap by_key(static_cast<std::size_t>(last_key) + 1, graph::kNoNode);
  for (NodeId n = 0; n < node_keys.size(); ++n) {
    if (node_keys[n] != 0) by_key[static_cast<std::size_t>(node_keys[n])] = n;
  }
  return by_key;
}

void load_edges(sql::Database& db, graph::Graph& g, const KeyMap& nodes,
                const std::vector<graph::TypeId>& types, std::size_t count, Steps& steps) {
  graph::Column<NodeId> sources, targets;
  graph::Column<graph::TypeId> edge_types;
  graph::EdgeColumns values;
  for (auto* ids : {&sources, &targets}) ids->reserve(count);
  edge_types.reserve(count);
  values.weight.reserve(count);
  values.touched_at.reserve(count);
  values.gained.reserve(count);
  auto& rows = db.query(sql::Query::load_edges);
  const sql::Reset reset(rows);
  // Rows come in the order of (source, target, type), so a duplicate would follow its equal.
  std::array<std::int64_t, 3> before{};
  while (rows.step()) {
    steps.step();
    const NodeId source = node_of(nodes, rows.integer(0)), target = node_of(nodes, rows.integer(1));
    const auto type = static_cast<std::size_t>(rows.integer(2));
    const double weight = rows.real(3), gained = rows.real(5);
    const bool known = source != graph::kNoNode && target != graph::kNoNode &&
                       type < types.size() && types[type] != 0;
    const std::array key{rows.integer(0), rows.integer(1), rows.integer(2)};
    if (!known || !(before < key)) damaged(db, "the ends of an edge");
    before = key;
    if (!(std::abs(weight) <= kWeightMax) || !(std::abs(gained) <= kWeightMax))
      damaged(db, "the weight of an edge");
    sources.push_back(source);
    targets.push_back(target);
    edge_types.push_back(types[type]);
    values.weight.push_back(weight);
    values.touched_at.push_back(rows.integer(4));
    values.gained.push_back(gained);
  }
  g.add_edges(std::move(sources), std::move(targets), std::move(edge_types), std::move(values));
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

std::optional<std::int64_t> SqliteMirror::mark(std::string_view name) const {
  auto& q = db_.query(sql::Query::mirror_get);
  const sql::Reset reset(q);
  q.bind(1, name);
  if (!q.step()) return std::nullopt;
  return q.integer(0);
}

// Of a mirror that was folded by other rules nothing counts: as if it had not been written.
std::int64_t SqliteMirror::position() const {
  return mark("rules") == fold_rules() ? mark("position").value_or(0) : 0;
}

PriorityTime SqliteMirror::priority_time() const {
  return {mark("stamp").value_or(kNever), mark("recalibrated_at").value_or(kNever) != kNever};
}

void SqliteMirror::load(State& state, const Progress& progress) {
  forget_keys();
  keys_as_of_ = position();
  auto& g = state.load_graph();
  const auto [node_count, edge_count] = count_rows(db_);
  g.reserve(node_count, 0);
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
    if (type < type_keys_.size() && type_keys_[type] != 0) damaged(db_, "the name of an edge type");
    put(types, static_cast<std::size_t>(rows.integer(0)), type);
    put(type_keys_, type, rows.integer(0));
  }
  load_edges(db_, g, nodes, types, edge_count, steps);
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

NodeContent SqliteMirror::content(std::string_view id) const {
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

std::vector<std::string> SqliteMirror::ids_by_name(std::string_view name) const {
  std::vector<std::string> ids;
  auto& rows = db_.query(sql::Query::node_ids_by_name);
  const sql::Reset reset(rows);
  rows.bind(1, name);
  while (rows.step()) ids.emplace_back(rows.text(0));
  return ids;
}

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

// Empty where there are no texts.
std::string json_array(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string array;
  for (const auto& text : texts) {
    array += array.empty() ? '[' : ',';
    append_json_string(array, text);
  }
  return array + ']';
}

std::int64_t count_priorities(sql::Database& db) {
  auto& q = db.query(sql::Query::count_priorities);
  const sql::Reset reset(q);
  return q.step() ? q.integer(0) : 0;
}

}  // namespace

std::optional<std::vector<PathRow>> SqliteMirror::golden_path(const PathFilter& filter) const {
  auto& r = db_.query(sql::Query::golden_path);
  const sql::Reset reset(r);
  constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::size_t left_out = filter.without.size();
  const bool limited = filter.top < kMost - left_out;
  r.bind(1, static_cast<std::int64_t>(limited ? filter.top + left_out : kMost));
  const auto bind = [&r](int i, const std::string& text) {
    if (!text.empty()) r.bind(i, std::string_view(text));
  };
  const std::string labels = json_array(filter.which.labels),
                    not_labels = json_array(filter.which.not_labels),
                    not_types = json_array(filter.which.not_types);
  bind(2, filter.which.type);
  bind(3, labels);
  bind(4, not_labels);
  bind(5, filter.which.project);
  bind(6, filter.which.assignee);
  bind(7, not_types);
  double largest = 0;
  std::vector<PathRow> rows;
  while (rows.size() < filter.top && r.step()) {
    if (r.is_null(15)) return std::nullopt;  // of an older program, which gave no reasons
    if (filter.without.contains(r.text(0))) continue;
    PathRow row;
    row.rank = static_cast<std::int64_t>(rows.size()) + 1;
    row.id = r.text(0);
    row.name = r.text(1);
    if (filter.took) filter.took(row.id.size() + row.name.size());
    row.factors = {r.real(2), r.real(3), r.real(4),  r.real(5),  r.real(6),  r.real(7),
                   r.real(8), r.real(9), r.real(10), r.real(11), r.real(12), r.real(13)};
    row.pinned = r.integer(14) != 0;
    row.reasons = lines_of(r.text(15));
    largest = std::max(largest, row.factors.priority);
    rows.push_back(std::move(row));
  }
  for (PathRow& row : rows) row.relative = largest > 0 ? row.factors.priority / largest : 0;
  // The stored rows are the first ones: complete if they fill the query or if all are stored.
  const bool all = rows.size() >= filter.top || mark("candidates") == count_priorities(db_);
  if (!all) return std::nullopt;
  return rows;
}

}  // namespace hebb
