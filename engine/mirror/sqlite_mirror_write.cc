// A graph into mirror rows: those that changed, in key order.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "engine/fold/blocking.h"
#include "engine/fold/rules.h"
#include "engine/mirror/sqlite_mirror.h"
#include "engine/reasons.h"

namespace hebb {

using graph::kNever;
using graph::NodeId;

namespace {

constexpr std::string_view kBlockingCycle = "blocking_cycle";
constexpr std::string_view kImageSeal = "image";

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

std::optional<std::int64_t> stored_time(TimeMs t) {
  if (t == kNever) return std::nullopt;
  return t;
}

}  // namespace

std::int64_t SqliteMirror::node_key(const State& state, NodeId n) {
  if (node_keys_.size() <= n) node_keys_.resize(state.graph().node_bound());
  if (node_keys_[n] == 0) {
    auto& q = db_.query(sql::Query::node_key);
    q.bind(1, state.graph().id(n));
    if (q.step()) node_keys_[n] = q.integer(0);
    q.reset();
  }
  return node_keys_[n];
}

std::int64_t SqliteMirror::put_type(const State& state, graph::TypeId type) {
  const std::string& name = state.graph().edge_types().name(type);
  const auto& p = state.type_policy(type);
  auto& q = db_.query(sql::Query::put_edge_type);
  q.bind(1, std::string_view(name)).bind(2, p.decay_per_day).bind(3, p.floor);
  q.bind(4, p.dormant_below).bind(5, p.rate).bind(6, p.cap);
  if (std::isfinite(p.max_gain_per_day)) q.bind(7, p.max_gain_per_day);
  q.bind(8, std::int64_t{p.is_protected}).bind(9, std::int64_t{p.structural});
  q.bind(10, std::int64_t{p.context});
  q.step();
  const auto key = q.integer(0);
  q.reset();
  if (type_keys_.size() <= type) type_keys_.resize(type + std::size_t{1});
  type_keys_[type] = key;
  return key;
}

std::int64_t SqliteMirror::type_key(const State& state, graph::TypeId type) {
  if (type < type_keys_.size() && type_keys_[type] != 0) return type_keys_[type];
  return put_type(state, type);
}

// Before the whole mirror is written: removes rows that would otherwise stay.
void SqliteMirror::clear_what_stays() {
  for (const auto q :
       {sql::Query::clear_edges, sql::Query::clear_edge_types, sql::Query::clear_marks}) {
    db_.query(q).run();
  }
}

void SqliteMirror::write_policy(const State& state) {
  db_.query(sql::Query::clear_policy).run();
  for (const auto& [key, value] : reward::settings(state.policy())) {
    db_.query(sql::Query::put_policy)
        .bind(1, std::string_view(key))
        .bind(2, std::string_view(value))
        .run();
  }
  for (std::size_t type = 1; type < state.graph().edge_types().size(); ++type) {
    put_type(state, static_cast<graph::TypeId>(type));
  }
}

void SqliteMirror::write_node(State& state, NodeId n) {
  const auto& g = state.graph();
  const auto& c = g.nodes();
  if (c.created_at[n] == kNever) return;  // see drop_nodes
  const auto found = state.changes().content.find(n);
  NodeContent content = found == state.changes().content.end() ? NodeContent{} : found->second;
  if (content.reset) {
    for (auto* field : {&content.name, &content.description, &content.project, &content.scope}) {
      *field = field->value_or("");
    }
    content.properties = content.properties.value_or("{}");
  }
  auto& q = db_.query(sql::Query::put_node);
  const auto text = [&](int i, const std::optional<std::string>& t) {
    if (t) q.bind(i, std::string_view(*t));
  };
  q.bind(1, g.id(n)).bind(2, std::string_view(g.node_types().name(c.type[n])));
  q.bind(3, std::string_view(g.states().name(c.state[n])));
  text(4, content.name);
  text(5, content.description);
  text(6, content.project);
  text(7, content.scope);
  text(8, content.properties);
  q.bind(9, stored_time(c.created_at[n])).bind(10, stored_time(c.updated_at[n]));
  q.bind(11, stored_time(c.reopened_at[n])).bind(12, stored_time(c.outcome_at[n]));
  q.bind(13, stored_time(c.completed_at[n])).bind(14, stored_time(c.deleted_at[n]));
  q.bind(15, c.successes[n]).bind(16, c.failures[n]).bind(17, stored_time(c.tried_at[n]));
  if (c.priority[n] != graph::kNoPriority) q.bind(18, std::int64_t{c.priority[n]});
  q.bind(19, stored_time(c.due_at[n])).bind(20, stored_time(c.snoozed_until[n]));
  q.bind(21, std::int64_t{c.pinned[n]});
  q.step();
  if (node_keys_.size() <= n) node_keys_.resize(g.node_bound());
  node_keys_[n] = q.integer(0);
  q.reset();
}

void SqliteMirror::write_nodes(State& state) {
  const auto& g = state.graph();
  auto& changes = state.changes();
  if (changes.everything) {
    for (NodeId n = 0; n < g.node_bound(); ++n) {
      if (!g.is_live_node(n)) continue;
      changes.nodes.push_back(n);
      changes.vectors.push_back(n);
      changes.content[n].reset = true;
    }
  }
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

void SqliteMirror::write_edge(const State& state, const EdgeKey& key, graph::EdgeId e,
                              const std::string* properties) {
  const auto& c = state.graph().edges();
  auto& q = db_.query(sql::Query::put_edge);
  q.bind(1, node_key(state, key.source)).bind(2, node_key(state, key.target));
  q.bind(3, type_key(state, key.type)).bind(4, c.weight[e]).bind(5, c.touched_at[e]);
  q.bind(6, c.gained[e]);
  if (properties) q.bind(7, std::string_view(*properties));
  q.run();
}

void SqliteMirror::write_edges(State& state) {
  const auto& g = state.graph();
  auto& changes = state.changes();
  if (changes.everything) {
    for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
      if (g.is_live_edge(e)) changes.edges.push_back({g.source(e), g.target(e), g.type(e)});
    }
  }
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
      const auto found = changes.edge_properties.find(key);
      write_edge(state, key, *e, found == changes.edge_properties.end() ? nullptr : &found->second);
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

void SqliteMirror::drop_nodes(State& state) {
  const auto& c = state.graph().nodes();
  for (const NodeId n : state.changes().nodes) {
    if (c.created_at[n] != kNever) continue;
    db_.query(sql::Query::delete_node).bind(1, state.graph().id(n)).run();
    if (n < node_keys_.size()) node_keys_[n] = 0;
    priorities_.reset();  // its row went too, and its key may be used again
  }
  if (!state.changes().everything) return;
  std::vector<std::string> gone;
  auto& rows = db_.query(sql::Query::list_node_ids);
  while (rows.step()) {
    if (!state.find(rows.text(0))) gone.emplace_back(rows.text(0));
  }
  rows.reset();
  for (const auto& id : gone)
    db_.query(sql::Query::delete_node).bind(1, std::string_view(id)).run();
}

void SqliteMirror::write_priorities(State& state) {
  Priorities now;
  const auto view = state.view();
  const reward::Standings& standings = state.standings(state.stamp());
  candidates_ = static_cast<std::int64_t>(standings.candidates());
  MeanFactors mean;
  for (const reward::Standing& row : standings.open()) {
    if (row.is_blocked == 0) mean.add(row.factors);
  }
  const auto first =
      standings.first(state.graph(), static_cast<std::size_t>(state.policy().mirrored));
  std::vector<const reward::Ranked*> kept;
  for (const auto& r : first) kept.push_back(&r);
  const auto reasons =
      reasons_of(view, standings.focus(), state.stamp(), mean, kept, false, &standings);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& f = kept[i]->factors;
    now[node_key(state, kept[i]->node)] = {
        {f.priority, f.base, f.semantic, f.structural, f.recency, f.time_proximity,
         f.order_proximity, f.context_overlap, f.reward, f.success_rate, f.failure_penalty,
         f.urgency, static_cast<double>(state.graph().nodes().pinned[kept[i]->node])},
        fmt::format("{}", fmt::join(reasons[i], "\n"))};
  }
  const Priorities before = priorities_ ? *std::exchange(priorities_, {}) : load_priorities();
  for (const auto& [key, row] : before) {
    if (!now.contains(key)) db_.query(sql::Query::delete_priority).bind(1, key).run();
  }
  for (const auto& [key, row] : now) {
    const auto found = before.find(key);
    if (found != before.end() && found->second == row) continue;
    auto& q = db_.query(sql::Query::put_priority);
    q.bind(1, key);
    for (std::size_t i = 0; i < row.first.size(); ++i)
      q.bind(static_cast<int>(i) + 2, row.first[i]);
    q.bind(static_cast<int>(row.first.size()) + 2, std::string_view(row.second));
    q.run();
  }
  priorities_ = std::move(now);
}

SqliteMirror::Priorities SqliteMirror::load_priorities() {
  Priorities there;
  auto& rows = db_.query(sql::Query::load_priorities);
  const sql::Reset reset(rows);
  while (rows.step()) {
    auto& row = there[rows.integer(0)];
    for (std::size_t i = 0; i < row.first.size(); ++i)
      row.first[i] = rows.real(static_cast<int>(i) + 1);
    // An older program gave no reasons: such a row is like no other.
    const auto reasons = static_cast<int>(row.first.size()) + 1;
    row.second = rows.is_null(reasons) ? std::string(1, '\0') : std::string(rows.text(reasons));
  }
  return there;
}

void SqliteMirror::write_marks(State& state, std::int64_t position) {
  const auto set = [&](std::string_view name, auto value) {
    db_.query(sql::Query::mirror_set).bind(1, name).bind(2, value).run();
  };
  set("rules", fold_rules());
  set("position", position);
  set("stamp", state.stamp());
  set("candidates", candidates_);
  set("recalibrated_at", state.recalibrated() ? state.stamp() : kNever);
  if (state.latest().at != kNever) {
    set("latest_at", state.latest().at);
    set("latest_key", std::string_view(state.latest().key));
  }
  set("embedder", std::string_view(state.embedder()));
  set("dimension", static_cast<std::int64_t>(state.dimension()));
  std::vector<NodeId> blocked;
  for (const reward::Standing& row : state.standings(state.stamp()).open()) {
    if (row.is_blocked != 0) blocked.push_back(row.node);
  }
  const auto cycle = hebb::blocking_cycle(state, state.stamp(), std::move(blocked));
  if (cycle.empty()) {
    db_.query(sql::Query::mirror_unset).bind(1, kBlockingCycle).run();
  } else {
    set(kBlockingCycle, std::string_view(fmt::format("{}", fmt::join(cycle, "\n"))));
  }
}

std::vector<std::string> SqliteMirror::blocking_cycle() const {
  auto& mark = db_.query(sql::Query::mirror_get);
  const sql::Reset reset(mark);
  mark.bind(1, kBlockingCycle);
  std::vector<std::string> ids;
  if (!mark.step()) return ids;
  std::istringstream lines{std::string(mark.text(0))};
  for (std::string id; std::getline(lines, id);) ids.push_back(std::move(id));
  return ids;
}

void SqliteMirror::forget_keys() {
  node_keys_.clear();
  type_keys_.clear();
  priorities_.reset();
}

void SqliteMirror::begin_without_load() {
  forget_keys();
  keys_as_of_ = position();
}

void SqliteMirror::set_image_seal(std::string_view seal) {
  db_.query(sql::Query::mirror_set).bind(1, kImageSeal).bind(2, seal).run();
}

std::string SqliteMirror::image_seal() const {
  auto& mark = db_.query(sql::Query::mirror_get);
  const sql::Reset reset(mark);
  mark.bind(1, kImageSeal);
  return mark.step() ? std::string(mark.text(0)) : std::string();
}

void SqliteMirror::write(State& state, std::int64_t position) {
  if (state.changes().everything || this->position() != keys_as_of_) forget_keys();
  if (state.changes().everything) clear_what_stays();
  if (state.changes().policy || state.changes().everything) write_policy(state);
  write_nodes(state);
  write_edges(state);
  drop_nodes(state);
  write_priorities(state);
  write_marks(state, position);
  keys_as_of_ = position;
  state.changes() = Changes{};
}

void SqliteMirror::rewrite(State& state, std::int64_t position) {
  state.changes().everything = true;
  write(state, position);
  db_.query(sql::Query::search_rebuild).run();
}

}  // namespace hebb
