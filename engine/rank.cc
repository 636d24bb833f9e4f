// The golden path as rows: from the mirror if it holds what the query asks for,
// else from the graph.
#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/counted.h"
#include "engine/engine_impl.h"
#include "engine/node_filter.h"
#include "engine/rank_graph.h"
#include "reward/evidence.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// The tasks that the query leaves out.
std::set<std::string, std::less<>> claimed_tasks(Engine& engine, const RankQuery& q) {
  std::set<std::string, std::less<>> tasks;
  if (!q.unclaimed_at || q.as_of) return tasks;
  for (ClaimRow& claim : engine.claims()) {
    if (claim.active(*q.unclaimed_at)) tasks.insert(std::move(claim.task));
  }
  return tasks;
}

bool is_open_state(std::string_view state) { return state.empty() || kept_state(state) == kOpen; }

// What is in a state that is not OPEN is no candidate; it is ranked as if it were, blocked or not.
std::vector<reward::Ranked> score_in_state(const reward::View& view, const reward::Focus& focus,
                                           TimeMs now, std::string_view state) {
  const auto& g = view.graph;
  std::vector<reward::Ranked> ranked;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || n == view.frontier || !reward::exists(view, n)) continue;
    if (!same_name(g.states().name(g.nodes().state[n]), kept_state(state))) continue;
    ranked.push_back({n, reward::factors(view, focus, n, now)});
  }
  return ranked;
}

}  // namespace

std::vector<float> vector_near(Engine& engine, const State& s, const RankQuery& q) {
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
  if (const auto d = s.vectors().dimension(); d != 0 && !v.empty() && v.size() != d) {
    throw std::invalid_argument(fmt::format("the vector has {}, this database's have {}",
                                            counted(static_cast<std::int64_t>(v.size()), "number"),
                                            d));
  }
  return v;
}

namespace {

// kept: as of `now`, if there is one.
void rank_state(Engine& engine, const State& s, const reward::Standings* kept, const RankQuery& q,
                TimeMs now, const std::function<void(GraphRanking&)>& use) {
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
  const bool keeps = kept != nullptr && !q.seed;
  reward::Focus focus = keeps ? kept->focus() : reward::focus(view, now);
  const std::vector<float> near = vector_near(engine, s, q);
  if (!near.empty()) focus.vector.assign(near.begin(), near.end());
  std::vector<reward::Ranked> scored;
  if (!is_open_state(q.which.state)) {
    focus.general = reward::general_rate(view, focus, now);
    scored = score_in_state(view, focus, now, q.which.state);
  } else if (keeps) {
    scored = kept->score(view, focus);
  } else {
    reward::Ranker().score(view, focus, now, scored);
  }
  const auto claimed = claimed_tasks(engine, q);
  std::vector<const reward::Ranked*> chosen;
  std::vector<NodeId> left_out;
  for (const auto& r : scored) {
    if (!filter.takes(r.node)) continue;
    if (claimed.contains(s.graph().id(r.node))) {
      left_out.push_back(r.node);
    } else {
      chosen.push_back(&r);
    }
  }
  const std::size_t total = chosen.size();
  const std::size_t wanted = q.top > kAll - q.offset ? kAll : q.top + q.offset;
  const auto count = static_cast<std::ptrdiff_t>(std::min(wanted, total));
  std::partial_sort(chosen.begin(), chosen.begin() + count, chosen.end(),
                    [&](const reward::Ranked* a, const reward::Ranked* b) {
                      return reward::better(s.graph(), *a, *b);
                    });
  chosen.resize(static_cast<std::size_t>(count));
  double largest = 0;  // the first's, but for pinned ones
  for (const reward::Ranked* r : chosen) largest = std::max(largest, r->factors.priority);
  GraphRanking ranking{
      view, focus, now, scored, {}, keeps ? kept : nullptr, total, std::move(left_out)};
  for (std::size_t i = q.offset; i < chosen.size(); ++i) {
    const reward::Ranked& r = *chosen[i];
    PathRow row;
    row.rank = static_cast<std::int64_t>(i) + 1;
    row.id = s.graph().id(r.node);
    row.name = engine.content(row.id).name.value_or("");
    if (q.took) q.took(row.id.size() + row.name.size());
    row.factors = r.factors;
    row.pinned = s.graph().nodes().pinned[r.node] != 0;
    row.relative = largest > 0 ? r.factors.priority / largest : 0;
    ranking.chosen.emplace_back(std::move(row), &r);
  }
  use(ranking);
}

}  // namespace

const reward::Standings* standings_at(Engine& engine, TimeMs now) {
  return engine.impl_->standings_at(now);
}

void rank_from_graph(Engine& engine, const RankQuery& q,
                     const std::function<void(GraphRanking&)>& use) {
  if (!q.as_of) {
    const State& s = engine.state();
    const TimeMs now = q.now.value_or(s.stamp());
    return rank_state(engine, s, standings_at(engine, now), q, now, use);
  }
  const State then = engine.state_as_of(*q.as_of);
  rank_state(engine, then, nullptr, q, q.now.value_or(*q.as_of), use);
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

std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& q) {
  engine.try_sync();
  return rank_as_mirrored(engine, q);
}

std::optional<std::vector<PathRow>> rank_as_mirrored(Engine& engine, const RankQuery& q) {
  if (q.as_of || q.seed || !q.near.empty() || !q.vector.empty() || q.now ||
      !is_open_state(q.which.state))
    return std::nullopt;
  const auto snapshot = engine.one_moment();
  const Mirror& mirror = storage_of(engine).mirror();
  if (!mirror_will_do(engine)) return std::nullopt;
  const std::size_t wanted = q.top > kAll - q.offset ? kAll : q.top + q.offset;
  auto rows = mirror.golden_path({wanted, q.which, claimed_tasks(engine, q), q.took});
  if (!rows) return rows;
  const auto left_out = static_cast<std::ptrdiff_t>(std::min(q.offset, rows->size()));
  rows->erase(rows->begin(), rows->begin() + left_out);
  return rows;
}

std::vector<PathRow> rows_from_graph(Engine& engine, const RankQuery& q) {
  std::vector<PathRow> rows;
  rank_from_graph(engine, q, [&](GraphRanking& ranking) {
    for (auto& [row, ranked] : ranking.chosen) rows.push_back(std::move(row));
  });
  return rows;
}

std::vector<PathRow> Engine::rank(const RankQuery& q) {
  if (auto rows = rank_from_mirror(*this, q)) return std::move(*rows);
  return rows_from_graph(*this, q);
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
