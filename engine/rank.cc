// The golden path as rows: from the mirror if it holds what the query asks for,
// else from the graph.
#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "engine/rank_graph.h"

namespace hebb {

using graph::NodeId;

namespace {

// The tasks that the query leaves out.
std::set<std::string, std::less<>> claimed_tasks(Engine& engine, const RankQuery& q) {
  std::set<std::string, std::less<>> tasks;
  if (!q.unclaimed_at || q.as_of) return tasks;
  for (const ClaimRow& claim : engine.claims()) {
    if (claim.active(*q.unclaimed_at)) tasks.insert(claim.task);
  }
  return tasks;
}

bool has_label(const reward::View& view, NodeId n, const std::unordered_set<NodeId>& labels) {
  for (const auto e : view.graph.out_edges(n)) {
    if (labels.contains(view.graph.target(e)) && view.types[view.graph.type(e)].context)
      return true;
  }
  return false;
}

// The nodes that a label means, given by id or name, as in the query
// golden_path; several may share a name.
std::unordered_set<NodeId> labels_of(Engine& engine, const State& s, const std::string& label) {
  std::unordered_set<NodeId> labels;
  if (const auto n = s.graph().find_node(label)) labels.insert(*n);
  for (const std::string& id : storage_of(engine).mirror().ids_by_name(label)) {
    if (const auto n = s.graph().find_node(id)) labels.insert(*n);
  }
  return labels;
}

reward::Focus focus_of(Engine& engine, const State& s, const reward::View& view, const RankQuery& q,
                       TimeMs now) {
  reward::Focus focus = reward::focus(view, now);
  std::vector<float> v = q.vector;
  if (!q.near.empty()) {
    if (const auto n = s.find(q.near)) {
      const auto row = s.vectors().row(*n);
      if (row.empty()) {
        throw std::invalid_argument(
            fmt::format("the node \"{}\" has no vector to be near to", q.near));
      }
      v.assign(row.begin(), row.end());
    } else {
      v = engine.embed(q.near, q.embedder);
    }
  }
  if (v.empty()) return focus;
  if (const auto d = s.vectors().dimension(); d != 0 && v.size() != d) {
    throw std::invalid_argument(
        fmt::format("the vector has {} numbers, this database's have {}", v.size(), d));
  }
  focus.vector.assign(v.begin(), v.end());
  return focus;
}

void rank_state(Engine& engine, const State& s, const RankQuery& q, TimeMs now,
                const std::function<void(GraphRanking&)>& use) {
  std::optional<reward::Policy> seed;
  std::optional<reward::TypeTable> seed_types;
  const reward::View in_force = s.view();
  if (q.seed) {
    seed = reward::Policy::seed();
    seed_types.emplace(*seed, s.graph().edge_types());
  }
  const reward::View view{s.graph(), s.vectors(), seed ? *seed : in_force.policy,
                          seed_types ? *seed_types : in_force.types, s.frontier()};
  std::unordered_set<NodeId> labels;
  if (!q.label.empty()) labels = labels_of(engine, s, q.label);
  const reward::Focus focus = focus_of(engine, s, view, q, now);
  const std::vector<reward::Ranked> ranked = reward::rank(view, focus, now);
  GraphRanking ranking{view, focus, now, ranked, {}};
  double first = 0;
  const auto claimed = claimed_tasks(engine, q);
  std::size_t place = 0;
  for (const auto& r : ranked) {
    if (ranking.chosen.size() == q.top) break;
    if (claimed.contains(s.graph().id(r.node))) continue;
    if (!q.type.empty() && s.graph().node_types().name(s.graph().nodes().type[r.node]) != q.type)
      continue;
    if (!q.label.empty() && !has_label(view, r.node, labels)) continue;
    const std::string id(s.graph().id(r.node));
    std::optional<NodeContent> content;  // read only where it is needed
    if (!q.project.empty()) {
      content = engine.content(id);
      if (content->project.value_or("") != q.project) continue;
    }
    if (place++ == 0) first = r.factors.priority;
    if (place <= q.offset) continue;
    if (!content) content = engine.content(id);
    ranking.chosen.emplace_back(
        PathRow{static_cast<std::int64_t>(place), id, content->name.value_or(""),
                first > 0 ? r.factors.priority / first : 0, r.factors},
        &r);
  }
  use(ranking);
}

}  // namespace

void rank_from_graph(Engine& engine, const RankQuery& q,
                     const std::function<void(GraphRanking&)>& use) {
  if (!q.as_of) {
    const State& s = engine.state();
    return rank_state(engine, s, q, q.now.value_or(s.stamp()), use);
  }
  const State then = engine.state_as_of(*q.as_of);
  rank_state(engine, then, q, q.now.value_or(*q.as_of), use);
}

// Whether ranks may be read from the mirror. Precondition: inside a snapshot.
bool mirror_will_do(const Engine& engine) {
  const EngineImpl& impl = *engine.impl_;
  const auto position = impl.mirror.position();
  if (impl.options.mirror_later && position != 0) return true;
  const auto last = impl.ledger.last_position();
  // Claims change no priority.
  return position == last ||
         (impl.loaded && impl.position == last && position != 0 && position >= impl.changed_at);
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& q) {
  engine.try_sync();
  return rank_as_mirrored(engine, q);
}

std::optional<std::vector<PathRow>> rank_as_mirrored(Engine& engine, const RankQuery& q) {
  if (q.as_of || q.seed || !q.near.empty() || !q.vector.empty() || q.now) return std::nullopt;
  const auto snapshot = engine.one_moment();
  const Mirror& mirror = storage_of(engine).mirror();
  if (!mirror_will_do(engine)) return std::nullopt;
  const auto claimed = claimed_tasks(engine, q);
  const std::size_t beyond = q.offset + claimed.size();
  const std::size_t wanted = q.top > kAll - beyond ? kAll : q.top + beyond;
  auto rows = mirror.golden_path({wanted, q.type, q.label, q.project});
  if (!rows) return rows;
  if (!claimed.empty()) {
    std::erase_if(*rows, [&](const PathRow& row) { return claimed.contains(row.id); });
    std::int64_t rank = 0;
    for (PathRow& row : *rows) {
      row.rank = ++rank;
      const double first = rows->front().factors.priority;
      row.relative = first > 0 ? row.factors.priority / first : 0;
    }
  }
  const auto left_out = static_cast<std::ptrdiff_t>(std::min(q.offset, rows->size()));
  rows->erase(rows->begin(), rows->begin() + left_out);
  if (rows->size() > q.top) rows->resize(q.top);
  return rows;
}

std::vector<PathRow> Engine::rank(const RankQuery& q) {
  if (auto rows = rank_from_mirror(*this, q)) return std::move(*rows);
  std::vector<PathRow> rows;
  rank_from_graph(*this, q, [&](GraphRanking& ranking) {
    for (auto& [row, ranked] : ranking.chosen) rows.push_back(std::move(row));
  });
  return rows;
}

PriorityTime Engine::priority_time() {
  try_sync();
  {
    const auto snapshot = one_moment();
    const Mirror& mirror = impl_->mirror;
    if (mirror.position() != 0 && mirror_will_do(*this)) return mirror.priority_time();
  }
  const State& s = state();
  return {s.stamp(), s.recalibrated()};
}

NodeContent Engine::content(std::string_view id) { return impl_->content(id); }

}  // namespace hebb
