// A ranking in words: for each task, up to three reasons for its place. Only for engine/.
//
// The strength of a reason is the factor with which it multiplies the priority. That of nearness
// and links, and of the factors that are told against the mean, is the priority with them, divided
// by that with the mean of all candidates. What changes the priority by less than a tenth is not a
// reason.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reward/exact_sum.h"
#include "reward/ranking.h"

namespace hebb {

// The mean of each part of a priority; the order makes no difference. O(factors) for each that is
// added.
class MeanFactors {
 public:
  MeanFactors() : logs_(reward::factors().size()) {}
  void add(const reward::Factors& factors);
  double semantic() const { return mean(semantic_); }
  double structural() const { return mean(structural_); }
  double log(std::size_t factor) const { return mean(logs_[factor]); }  // of those told against it

 private:
  double mean(const reward::ExactSum& sum) const { return count_ == 0 ? 0 : sum.value() / count_; }

  double count_ = 0;
  reward::ExactSum semantic_, structural_;
  std::vector<reward::ExactSum> logs_;
};

class Reasons {
 public:
  // mean: over all candidates that are no tests. near_given: the focus was given and is not what
  // was completed last. All but `mean` have to live as long as this.
  Reasons(const reward::View& view, const reward::Ranking& ranking, const reward::Focus& focus,
          const MeanFactors& mean, bool near_given);

  // At most three, the strongest first; none if none is strong enough. O(edges into the node).
  std::vector<std::string> of(graph::NodeId n, const reward::Factors& factors);

 private:
  struct Reason {
    double strength = 0;  // logarithm of what it multiplies the priority with
    std::string words;
  };
  // Of the node that of() was asked about. Empty words: it says nothing.
  Reason semantic() const;
  Reason structural() const;
  Reason of_factor(std::size_t factor) const;  // of one that says it by itself
  Reason rewarded() const;
  Reason contexts();
  Reason own_outcomes() const;
  Reason failures_of_test() const;

  double lift(double weight, double part, double mean) const;
  double own_rate() const;
  Reason failed(double strength, double held) const;
  const std::pair<double, double>& evidence_of(graph::NodeId context);

  const reward::View& view_;
  const reward::Ranking& ranking_;
  const reward::Focus& focus_;
  const MeanFactors mean_;
  const graph::TimeMs now_;
  const bool near_given_;
  const reward::Kinds kinds_;
  graph::NodeId n_ = graph::kNoNode;
  reward::Factors f_;
  reward::Evidence seen_;
  std::unordered_map<graph::NodeId, std::pair<double, double>> evidence_;  // successes, failures
};

}  // namespace hebb
