// The golden path as rows: from the mirror if it holds what the query asks for,
// else from the graph.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "engine/node_filter.h"
#include "engine/rank_graph.h"
#include "reward/evidence.h"

namespace hebb {

using graph::NodeId;

namespace {

bool is_open_state(std::string_view state) { return state.empty() || same_name(state, kOpen); }

// What is in a state that is not OPEN is no candidate; it is ranked as if it were, blocked or not.
std::vector<reward::Ranked> rank_in_state(const reward::View& view, const reward::Focus& focus,
                                          TimeMs now, std::string_view state) {
  const auto& g = view.graph;
  std::vector<reward::Ranked> ranked;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || n == view.frontier || !reward::exists(view, n)) continue;
    if (!same_name(g.states().name(g.nodes().state[n]), state)) continue;
    ranked.push_back({n, reward::factors(view, focus, n, now)});
  }
  std::sort(ranked.begin(), ranked.end(),
            [&](const auto& a, const auto& b) { return reward::better(g, a, b); });
  return ranked;
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
  const NodeFilter filter(engine, s, view, q.which);
  const reward::Focus focus = focus_of(engine, s, view, q, now);
  const std::vector<reward::Ranked> ranked = is_open_state(q.which.state)
                                                 ? reward::rank(view, focus, now)
                                                 : rank_in_state(view, focus, now, q.which.state);
  GraphRanking ranking{view, focus, now, ranked, {}};
  double largest = 0;
  for (const auto& r : ranked) {
    if (ranking.chosen.size() == q.top) break;
    if (!filter.takes(r.node)) continue;
    largest = std::max(largest, r.factors.priority);
    PathRow row;
    row.rank = static_cast<std::int64_t>(ranking.chosen.size()) + 1;
    row.id = s.graph().id(r.node);
    row.name = engine.content(row.id).name.value_or("");
    row.factors = r.factors;
    row.pinned = s.graph().nodes().pinned[r.node] != 0;
    ranking.chosen.emplace_back(std::move(row), &r);
  }
  for (auto& [row, ranked_row] : ranking.chosen)
    row.relative = largest > 0 ? row.factors.priority / largest : 0;
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

std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& q) {
  engine.try_sync();
  if (q.as_of || q.seed || !q.near.empty() || !q.vector.empty() || q.now ||
      !is_open_state(q.which.state))
    return std::nullopt;
  const auto snapshot = engine.one_moment();
  const Mirror& mirror = storage_of(engine).mirror();
  if (mirror.position() != engine.ledger().last_position())
    return std::nullopt;  // the mirror is behind, and try_sync() could not write it
  return mirror.golden_path({q.top, q.which});
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
    const auto position = mirror.position();
    if (position != 0 && position == ledger().last_position()) return mirror.priority_time();
  }
  const State& s = state();
  return {s.stamp(), s.recalibrated()};
}

NodeContent Engine::content(std::string_view id) { return impl_->content(id); }

}  // namespace hebb
