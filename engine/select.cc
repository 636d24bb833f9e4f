#include "engine/select.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/fold/edge_rules.h"
#include "engine/input/json.h"
#include "engine/rank_graph.h"
#include "engine/reasons.h"
#include "reward/evidence.h"

namespace hebb {

using graph::NodeId;

namespace {

constexpr std::size_t kDurations = 20;

// The mean of the last durations that outcomes of the task gave, in seconds.
std::optional<double> mean_seconds(Engine& engine, const std::string& id) {
  input::JsonReader reader;
  std::vector<double> seen;
  for (const Event& e : engine.events_of_node(id, std::numeric_limits<TimeMs>::max())) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (!outcome || e.subject != id || outcome->input.empty()) continue;
    const auto metrics = input::find(reader.parse_object(outcome->input), "metrics");
    if (!metrics || !metrics->is_object()) continue;
    double ms = 0;
    const auto value = input::find(metrics->get_object(), "executionTimeMs");
    if (value && value->get(ms) == simdjson::SUCCESS) seen.push_back(ms);
  }
  if (seen.empty()) return std::nullopt;
  const std::size_t from = seen.size() - std::min(seen.size(), kDurations);
  double sum = 0;
  for (std::size_t i = from; i < seen.size(); ++i) sum += seen[i];
  return sum / static_cast<double>(seen.size() - from) / 1000;
}

struct Concerned {
  double factor = 1;
  std::vector<std::string> files;
};

Concerned concerned(const GraphRanking& ranking, NodeId n,
                    const std::unordered_set<std::string>& changed) {
  Concerned by;
  if (changed.empty()) return by;
  const graph::Graph& g = ranking.view.graph;
  for (const auto e : g.out_edges(n)) {
    const std::string id(g.id(g.target(e)));
    if (!changed.contains(id)) continue;
    const double w = reward::counting_weight(ranking.view, e, ranking.now);
    // Rewards say how a task came out, not what it is about.
    const auto type = g.edge_types().name(g.type(e));
    if (w == 0 || type == kRewardPositive || type == kRewardNegative) continue;
    by.factor += w;
    by.files.push_back(id);
  }
  std::sort(by.files.begin(), by.files.end());
  return by;
}

class Selector {
 public:
  Selector(Engine& engine, const Selection& selection)
      : engine_(engine),
        selection_(selection),
        changed_(selection.changed.begin(), selection.changed.end()) {
    if (selection.among) among_.insert(selection.among->begin(), selection.among->end());
  }

  void take(GraphRanking& ranking, bool near_given) {
    for (const NodeId n : ranking.claimed) claimed_ += asks_for(ranking.view.graph.id(n));
    std::vector<const reward::Ranked*> known;
    for (auto& [row, ranked] : ranking.chosen) {
      if (!asks_for(row.id)) continue;
      known.push_back(ranked);
      rows_.push_back({std::move(row), std::nullopt});
    }
    const MeanFactors mean = mean_of_tasks(ranking.view, ranking.rows);
    const reward::Kinds kinds(ranking.view.graph);
    const bool all_tests = std::all_of(known.begin(), known.end(), [&](const reward::Ranked* r) {
      return reward::is_test(ranking.view, kinds, r->node);
    });
    const auto reasons =
        reasons_of(ranking.view, ranking.focus, ranking.now, mean, known, near_given, ranking.kept);
    for (std::size_t i = 0; i < known.size(); ++i) {
      PathRow& row = rows_[i].row;
      row.reasons = reasons[i];
      const Concerned by = concerned(ranking, known[i]->node, changed_);
      row.factors.priority *= by.factor;
      rows_[i].change_proximity = by.factor;
      if (by.files.empty()) continue;
      row.reasons.insert(row.reasons.begin(), fmt::format("{} changed", by.files.front()));
      row.reasons.resize(std::min<std::size_t>(row.reasons.size(), 3));
    }
    add_new(ranking, all_tests);
    std::stable_sort(rows_.begin(), rows_.end(), [](const SelectedRow& a, const SelectedRow& b) {
      if (a.row.pinned != b.row.pinned) return a.row.pinned;
      return a.row.factors.priority > b.row.factors.priority;
    });
  }

  std::vector<SelectedRow> first(std::size_t top, RankCounts* counts) {
    if (selection_.budget_seconds) keep_within(*selection_.budget_seconds);
    if (counts) *counts = {rows_.size(), claimed_};
    if (rows_.size() > top) rows_.resize(top);
    double best = 0;  // the first's, but for pinned ones
    for (const SelectedRow& r : rows_) best = std::max(best, r.row.factors.priority);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      PathRow& row = rows_[i].row;
      row.rank = static_cast<std::int64_t>(i) + 1;
      row.relative = best > 0 ? row.factors.priority / best : 0;
    }
    return std::move(rows_);
  }

 private:
  bool asks_for(std::string_view id) const {
    return (!selection_.among || among_.contains(std::string(id))) &&
           !selection_.without.contains(id);
  }

  // Those asked for that are no node. Among tests they are tests.
  void add_new(const GraphRanking& ranking, bool are_tests) {
    for (const std::string& id : std::set<std::string>(among_.begin(), among_.end())) {
      if (engine_.has_node(id) || selection_.without.contains(id)) continue;
      PathRow row;
      row.id = id;
      row.factors = reward::factors_of_new(ranking.view, ranking.focus, ranking.now, are_tests);
      row.reasons = {"new"};
      rows_.push_back({std::move(row), std::nullopt});
    }
  }

  void keep_within(double budget) {
    double sum = 0, count = 0;
    for (SelectedRow& row : rows_) {
      row.seconds = mean_seconds(engine_, row.row.id);
      if (!row.seconds) continue;
      sum += *row.seconds;
      ++count;
    }
    const double mean = count > 0 ? sum / count : 0;
    double used = 0;
    std::erase_if(rows_, [&](SelectedRow& row) {
      if (!row.seconds) row.seconds = mean;
      if (used + *row.seconds > budget) return true;
      used += *row.seconds;
      return false;
    });
  }

  Engine& engine_;
  const Selection& selection_;
  std::unordered_set<std::string> among_, changed_;
  std::vector<SelectedRow> rows_;
  std::size_t claimed_ = 0;  // of those asked for
};

}  // namespace

std::vector<SelectedRow> rank_selected(Engine& engine, const RankQuery& query,
                                       const Selection& selection, RankCounts* counts) {
  RankQuery all = query;
  all.top = std::numeric_limits<std::size_t>::max();
  Selector selector(engine, selection);
  rank_from_graph(engine, all, [&](GraphRanking& ranking) {
    selector.take(ranking, !query.near.empty() || !query.vector.empty());
  });
  return selector.first(query.top, counts);
}

}  // namespace hebb
