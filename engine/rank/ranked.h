// The ranking of one state at one time by one policy: the one that the state keeps, or a new one.
// The one place that chooses between the two. And what a recalibration makes of a ranking.
#pragma once

#include <optional>
#include <span>

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "reward/ranking.h"

namespace hebb {

class RankedState {
 public:
  // Of the current state, which keeps a ranking by its policy with weights of facts().ranked_at().
  RankedState(State& state, reward::Times times, bool seed)
      : RankedState(state, times, seed, &state) {}
  // Of a state that is const, so that it is ranked anew.
  RankedState(const State& state, reward::Times times, bool seed)
      : RankedState(state, times, seed, nullptr) {}
  RankedState(const RankedState&) = delete;
  RankedState& operator=(const RankedState&) = delete;

  const reward::View& view() const { return view_; }
  const reward::Ranking& ranking() const { return kept_ != nullptr ? *kept_ : *made_; }
  reward::Times times() const { return times_; }
  TimeMs now() const { return times_.now; }
  bool is_kept() const { return kept_ != nullptr; }

 private:
  RankedState(const State& state, reward::Times times, bool seed, State* kept);

  std::optional<reward::Policy> seed_;
  std::optional<reward::TypeTable> seed_types_;
  const reward::View view_;
  const reward::Times times_;
  const reward::Ranking* kept_ = nullptr;
  std::optional<reward::Ranking> made_;
};

// An edge frontier -GUIDES-> task for each of the first policy.top_k of a ranking. Its strength is
// the task's priority divided by the first one's; in the profile `seed`, the priority itself.
Recalibration guides(const State& state, std::span<const reward::Ranked> ranked);

}  // namespace hebb
