// The batch job: docs/ranking.md, Recommendations.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/current/events.h"
#include "engine/rank/ranked.h"
#include "engine/values/refusals.h"
#include "engine/values/times.h"

namespace hebb {

using graph::EdgeId;

namespace {

std::vector<std::string> nodes_of(const Recalibration& recalibration) {
  std::vector<std::string> nodes;
  for (const Guide& guide : recalibration.guides) nodes.push_back(guide.node);
  return nodes;
}

// The ids of `ids` that are not among `others`.
std::vector<std::string> without(const std::vector<std::string>& ids,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> left;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(left), [&](const std::string& id) {
    return std::find(others.begin(), others.end(), id) == others.end();
  });
  return left;
}

// The edges of the scope as they were at an earlier time.
State state_before(EngineImpl& impl, Scope scope, TimeMs before) {
  State then = state_with_policies(impl.folded, before);
  for (const Event& e : events_of(impl.folded, scope, before)) then.apply(e);
  return then;
}

// Which edges became dormant and which stopped being dormant since `before`. If an edge was not
// touched since, its weight then follows from the edge; the others are folded as of then. An edge
// made since counts as not dormant then.
void find_dormancy(EngineImpl& impl, TimeMs before, TimeMs now, RecalibrationReport& report) {
  const State& s = *impl.folded.loaded();
  const auto& g = s.graph();
  const auto& c = g.edges();
  const auto is_dormant = [&](EdgeId e, TimeMs at) {
    return reward::dormant(type_policy(s, g.type(e)), c.weight[e], c.touched_at[e], at);
  };
  const auto change = [&](EdgeId e) {
    return EdgeChange{edge_name(g, e), reward::effective(type_policy(s, g.type(e)), c.weight[e],
                                                         c.touched_at[e], now)};
  };
  Scope touched;
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || type_policy(s, g.type(e)).is_protected) continue;
    if (c.touched_at[e] > before) {
      touched.edges.insert({g.source(e), g.target(e), g.type(e)});
    } else if (!is_dormant(e, before) && is_dormant(e, now)) {
      report.became_dormant.push_back(change(e));
    }
  }
  if (!touched.empty()) {
    const State then = state_before(impl, touched, before);
    for (const EdgeKey& key : touched.edges) {
      const EdgeId e = *g.find_edge(key.source, key.target, key.type);
      const auto old = then.find_edge(edge_name(g, e));
      const auto& o = then.graph().edges();
      const bool slept = old && reward::dormant(type_policy(s, key.type), o.weight[*old],
                                                o.touched_at[*old], before);
      if (slept != is_dormant(e, now)) {
        (slept ? report.woke : report.became_dormant).push_back(change(e));
      }
    }
  }
  for (auto* list : {&report.became_dormant, &report.woke})
    std::ranges::sort(*list, {}, &EdgeChange::edge);
}

// The last recalibration that nobody has undone, dated up to `until`.
std::optional<Event> last_recalibration(EngineImpl& impl, TimeMs until) {
  return impl.ledger.latest_of_kind("recalibrate", until, [&](std::int64_t position) {
    return !impl.folded.undone().contains(position);
  });
}

// Rankings are as of the last recalibration, so one that is dated before it would have no effect.
void refuse_past(EngineImpl& impl, TimeMs now) {
  const auto last = last_recalibration(impl, kEndOfTime);
  if (!last || last->at <= now) return;
  throw Refused(
      {std::string(refusal::kOutOfRange),
       fmt::format("the last recalibration, event {}, is of {}, which is after {}: rankings stay "
                   "as of the last one; recalibrate as of a later time, or, if its time is wrong, "
                   "take it back first (`hebb undo {}`)",
                   last->position, format_rfc3339(last->at), format_rfc3339(now), last->position)});
}

void refuse_undone(std::int64_t position, TimeMs now) {
  throw Refused({std::string(refusal::kConflict),
                 fmt::format("event {}, the recalibration of {}, is undone, and there can be one "
                             "of each time; recalibrate as of another time, or undo that undo",
                             position, format_rfc3339(now))});
}

}  // namespace

RecalibrationReport Engine::recalibrate(TimeMs now) {
  Batch batch(*impl_);
  RecalibrationReport report;
  report.at = now;
  Event e;
  e.at = now;
  e.subject = kFrontier;
  e.key = recalibration_key(now);
  const auto same = impl_->ledger.position_of(e.key);
  report.repeated = same.has_value();
  State& s = *impl_->folded.loaded();
  if (same && impl_->folded.undone().contains(*same)) refuse_undone(*same, now);
  if (!report.repeated) refuse_past(*impl_, now);
  const reward::Ranking& ranking = s.ranking(now);
  report.candidates = ranking.candidates();
  Recalibration recalibration =
      guides(s, ranking.first(s.graph(), static_cast<std::size_t>(s.policy().top_k)));
  report.guides = recalibration.guides;
  if (!report.repeated) {
    const auto before = last_recalibration(*impl_, now);
    const auto top = nodes_of(recalibration);
    const auto top_before =
        before ? nodes_of(std::get<Recalibration>(before->payload)) : std::vector<std::string>();
    report.entered = without(top, top_before);
    report.left = without(top_before, top);
    if (before) find_dormancy(*impl_, before->at, now, report);
    e.payload = std::move(recalibration);
    batch.add_own(e);
  }
  batch.commit();
  impl_->graph_cache.write_if_due(*impl_->folded.loaded(), impl_->folded.position(),
                                  GraphCacheKeeper::Due::when_behind);
  return report;
}

}  // namespace hebb
