// The golden path as rows: from the mirror if it holds what the query asks for,
// else from the graph.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "engine/rank_graph.h"

namespace hebb {

using graph::NodeId;

namespace {

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

// `focus`, but near to what the query gives, if it does.
reward::Focus focus_of(Engine& engine, const State& s, const RankQuery& q, reward::Focus focus) {
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
  std::unordered_set<NodeId> labels;
  if (!q.label.empty()) labels = labels_of(engine, s, q.label);
  const bool keeps = kept != nullptr && !q.seed;
  const reward::Focus focus =
      focus_of(engine, s, q, keeps ? kept->focus() : reward::focus(view, now));
  std::vector<reward::Ranked> scored;
  if (keeps) {
    scored = kept->score(view, focus);
  } else {
    reward::Ranker().score(view, focus, now, scored);
  }
  std::vector<const reward::Ranked*> chosen;
  for (const auto& r : scored) {
    if (!q.type.empty() && s.graph().node_types().name(s.graph().nodes().type[r.node]) != q.type)
      continue;
    if (q.label.empty() || has_label(view, r.node, labels)) chosen.push_back(&r);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(q.top, chosen.size()));
  std::partial_sort(chosen.begin(), chosen.begin() + count, chosen.end(),
                    [&](const reward::Ranked* a, const reward::Ranked* b) {
                      return reward::better(s.graph(), *a, *b);
                    });
  chosen.resize(static_cast<std::size_t>(count));
  GraphRanking ranking{view, focus, now, scored, {}, keeps ? kept : nullptr};
  for (const reward::Ranked* r : chosen) {
    const std::string id(s.graph().id(r->node));
    const double first = chosen.front()->factors.priority;
    ranking.chosen.emplace_back(PathRow{static_cast<std::int64_t>(ranking.chosen.size()) + 1, id,
                                        engine.content(id).name.value_or(""),
                                        first > 0 ? r->factors.priority / first : 0, r->factors},
                                r);
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

std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& q) {
  engine.try_sync();
  if (q.as_of || q.seed || !q.near.empty() || !q.vector.empty() || q.now) return std::nullopt;
  const auto snapshot = engine.one_moment();
  const Mirror& mirror = storage_of(engine).mirror();
  if (mirror.position() != engine.ledger().last_position())
    return std::nullopt;  // the mirror is behind, and try_sync() could not write it
  return mirror.golden_path({q.top, q.type, q.label});
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
