// The batch job: section 5 of docs/semantics.md.
#include <algorithm>

#include <fmt/format.h>

#include "engine/engine_impl.h"
#include "engine/rankings.h"

namespace hebb {

using graph::EdgeId;

namespace {

EdgeName name_of(const graph::Graph& g, EdgeId e) {
  return {std::string(g.id(g.source(e))), std::string(g.id(g.target(e))),
          g.edge_types().name(g.type(e))};
}

// The recalibration before: when, and its top k.
struct Before {
  TimeMs at = graph::kNever;
  std::vector<std::string> top;
};

Before recalibration_before(EngineImpl& impl, TimeMs now) {
  Before before;
  impl.store.events_of_kind("recalibrate", [&](Event&& e) {
    if (impl.undone.contains(e.position) || e.at > now || e.at < before.at) return;
    before.at = e.at;
    before.top.clear();
    for (auto& g : std::get<Recalibration>(e.payload).guides)
      before.top.push_back(std::move(g.node));
  });
  return before;
}

void find_dormant(const State& s, TimeMs before, TimeMs now, RecalibrationReport& report) {
  const auto& g = s.graph();
  const auto view = s.view();
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || g.edges().touched_at[e] > before) continue;
    const auto& type = view.types[g.type(e)];
    const double w = g.edges().weight[e];
    const TimeMs t = g.edges().touched_at[e];
    if (!reward::dormant(type, w, t, before) && reward::dormant(type, w, t, now)) {
      report.became_dormant.push_back({name_of(g, e), reward::effective(type, w, t, now)});
    }
  }
}

// Edges that were dormant before and are not now can only have been strengthened since.
void find_woken(EngineImpl& impl, TimeMs before, TimeMs now, RecalibrationReport& report) {
  const State& s = *impl.loaded;
  const auto& g = s.graph();
  Scope scope;
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || g.edges().touched_at[e] <= before) continue;
    const auto& type = s.type_policy(g.type(e));
    const double w = g.edges().weight[e];
    if (type.is_protected || reward::dormant(type, w, g.edges().touched_at[e], now)) continue;
    // A weight cannot have been dormant before if even whole it came from a creation since.
    scope.edges.insert({g.source(e), g.target(e), g.type(e)});
  }
  if (scope.empty()) return;
  State then;
  for (const Event& e : impl.events_of(scope, before)) then.apply(e);
  for (const EdgeKey& key : scope.edges) {
    const auto e = g.find_edge(key.source, key.target, key.type);
    const EdgeName name = name_of(g, *e);
    const auto old = then.find_edge(name);
    if (!old) continue;
    const auto& type = s.type_policy(key.type);
    const auto& c = then.graph().edges();
    if (!reward::dormant(type, c.weight[*old], c.touched_at[*old], before)) continue;
    report.woke.push_back(
        {name, reward::effective(type, g.edges().weight[*e], g.edges().touched_at[*e], now)});
  }
  std::sort(report.woke.begin(), report.woke.end(),
            [](const EdgeChange& a, const EdgeChange& b) { return a.edge < b.edge; });
}

}  // namespace

RecalibrationReport Engine::recalibrate(TimeMs now) {
  EngineImpl::Batch batch(*impl_);
  RecalibrationReport report;
  report.at = now;
  Event e;
  e.at = now;
  e.subject = kFrontier;
  e.key = event_key(Recalibration{}, fmt::format("recalibrate/{}", now));
  report.repeated = impl_->store.position_of(e.key).has_value();
  const State& s = *impl_->loaded;
  const auto view = s.view();
  const auto ranked = reward::rank(view, reward::focus(view), now);
  report.candidates = ranked.size();
  Recalibration recalibration = guides(s, ranked);
  report.guides = recalibration.guides;
  if (!report.repeated) {
    const Before before = recalibration_before(*impl_, now);
    const auto in = [](const std::vector<std::string>& ids, const std::string& id) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    std::vector<std::string> top;
    for (const Guide& g : recalibration.guides) top.push_back(g.node);
    for (const auto& id : top) {
      if (!in(before.top, id)) report.entered.push_back(id);
    }
    for (const auto& id : before.top) {
      if (!in(top, id)) report.left.push_back(id);
    }
    if (before.at != graph::kNever) {
      find_dormant(s, before.at, now, report);
      find_woken(*impl_, before.at, now, report);
    }
    e.payload = std::move(recalibration);
    batch.add_own(e);
  }
  batch.commit();
  sync();
  return report;
}

}  // namespace hebb
