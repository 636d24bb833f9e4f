// A ranking in words: for each task, up to three reasons for its place. Only for engine/.
//
// The strength of a reason is the factor with which it multiplies the priority. For nearness, links
// and the factors with `against_mean`, it is the priority with them divided by the priority with
// the mean of all candidates. A change by less than a tenth is no reason; but a test without
// reasons gets the one that decides among tests of equal priority.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/rank/node_facts.h"
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
  double log(std::size_t factor) const { return mean(logs_[factor]); }  // if against_mean

 private:
  double mean(const reward::ExactSum& sum) const { return count_ == 0 ? 0 : sum.value() / count_; }

  double count_ = 0;
  reward::ExactSum semantic_, structural_;
  std::vector<reward::ExactSum> logs_;
};

// Why a task has its place.
struct PlaceReason {
  double strength = 0;  // logarithm of what it multiplies the priority with
  std::string words;    // "due in 40 h"; empty: it says nothing
};

// At most three, the strongest first; none if none is strong enough. mean: over all candidates that
// are no tests. near_given: the focus was given, rather than made from the tasks completed last.
// facts: gives the names of labels. O(edges into the node).
std::vector<PlaceReason> reasons_for(const reward::View& view, const reward::Ranking& ranking,
                                     const reward::Focus& focus, const MeanFactors& mean,
                                     bool near_given, graph::NodeId n,
                                     const reward::Factors& factors, FactsOf& facts);

// "2nd of 3, because it failed 2x, although it is due in 40 h".
std::string place_in_words(std::int64_t rank, std::int64_t candidates,
                           const std::vector<PlaceReason>& reasons);

}  // namespace hebb
