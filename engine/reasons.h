// The golden path in words: for each task, up to three reasons for its place.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "reward/exact_sum.h"

namespace hebb {

// The mean of each part of a priority; the order makes no difference. O(1) for each that is added.
class MeanFactors {
 public:
  void add(const reward::Factors& factors);
  double semantic() const { return mean(semantic_); }
  double structural() const { return mean(structural_); }
  double log_recency() const { return mean(log_recency_); }
  double log_time_proximity() const { return mean(log_time_proximity_); }
  double log_order_proximity() const { return mean(log_order_proximity_); }

 private:
  double mean(const reward::ExactSum& sum) const { return count_ == 0 ? 0 : sum.value() / count_; }

  double count_ = 0;
  reward::ExactSum semantic_, structural_, log_recency_, log_time_proximity_, log_order_proximity_;
};

// Over all candidates that are no tests.
MeanFactors mean_of_tasks(const reward::View& view, std::span<const reward::Ranked> candidates);
MeanFactors mean_of_tasks(const reward::Standings& kept);

// For each of those chosen from a ranking, at most three reasons, the strongest first; none if none
// is strong enough. near_given: the focus was given and is not what was completed last. kept: the
// kept ranking of that time, or nullptr. O(edges into those chosen), without a kept ranking also
// into their contexts.
std::vector<std::vector<std::string>> reasons_of(const reward::View& view,
                                                 const reward::Focus& focus, TimeMs now,
                                                 const MeanFactors& mean,
                                                 std::span<const reward::Ranked* const> chosen,
                                                 bool near_given, const reward::Standings* kept);

// The rows of Engine::rank() with reasons, from the mirror if rank() would read it, else from the
// graph. The strength of a reward, of the contexts' outcomes and of the task's own failures is the
// factor with which they multiply its priority. The strength of nearness, links, recency,
// time_proximity and order_proximity is the priority with them, divided by that with the mean of
// all candidates. What changes the priority by less than a tenth is not a reason.
std::vector<PathRow> rank_with_reasons(Engine& engine, const RankQuery& query);
// How many tasks fit a query: those that its `top` leaves out among them, and how many others would
// if nobody had claimed them.
struct RankCounts {
  std::size_t total = 0, claimed = 0;
};
// The same, or without reasons, and these numbers; nullopt: there are more than the mirror keeps.
struct CountedRows {
  std::vector<PathRow> rows;
  std::optional<RankCounts> counts;
};
CountedRows rank_counted(Engine& engine, const RankQuery& query, bool with_reasons);
// The numbers from the graph. O(candidates).
RankCounts count_from_graph(Engine& engine, const RankQuery& query);
// Whether a claim holds now that the query leaves tasks out for.
bool leaves_out_claimed(Engine& engine, const RankQuery& query);
// Rows with reasons from the graph, whatever the mirror holds.
std::vector<PathRow> graph_with_reasons(Engine& engine, const RankQuery& query);

}  // namespace hebb
