// Claims: which agent works on which task, and until when.
//
// They are a function of the ledger in the order of its positions, whatever the times of the events
// are: a claim begins with a `claim` event, and ends with a `release` of it, any outcome of the
// task, or the task's deletion. A claim whose time is over has expired; nothing is written then.
// The position of the `claim` event is its token. Positions only grow, so an older claim of the
// same task always has a smaller token.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/ledger/ledger.h"

namespace hebb {

inline constexpr TimeMs kLongestLeaseMs = 7 * 24 * 3'600'000LL;

struct ClaimRow {
  std::string task, agent;
  std::int64_t token = 0;
  TimeMs claimed_at = 0, expires_at = 0;
  std::int64_t expiries = 0;       // how many claims of the task before this one expired in a row
  bool expiry_is_failure = false;  // of claims up to 0.3; not used any more
  auto operator<=>(const ClaimRow&) const = default;

  // A claim that would hold for longer than any lease is one by a clock that is far ahead.
  bool active(TimeMs now) const { return now < expires_at && expires_at - now <= kLongestLeaseMs; }
  // Too many agents have taken the task and were not heard of again.
  bool stuck(TimeMs now) const { return expiries + (active(now) ? 0 : 1) >= kStuckAfter; }
  static constexpr std::int64_t kStuckAfter = 3;  // expiries in a row
};

class Claims {
 public:
  Claims() = default;
  // As of a position. total: as total() was then.
  Claims(std::vector<ClaimRow> rows, std::int64_t total, std::int64_t position);
  // Without claims, before the first event: take_changes() will say that all rows may have changed.
  static Claims from_start();

  // Folds an event; one that is not after the position changes nothing.
  void take(const Event& e);
  // Why an event cannot be taken now: it claims a claimed task, or names a claim that has ended.
  std::optional<Refusal> refuse(const Event& e) const;

  std::int64_t position() const { return position_; }  // of the last event that was taken
  // Claims that have not ended, expired ones included, by task.
  const std::map<std::string, ClaimRow>& rows() const { return rows_; }
  std::vector<ClaimRow> list() const;            // the same
  std::int64_t total() const { return total_; }  // how many claims there ever were
  const ClaimRow* of_task(const std::string& task) const;
  const ClaimRow* of_token(std::int64_t token) const;  // O(claims)
  // The tasks whose rows have changed since the last call; nullopt: all may have.
  std::optional<std::set<std::string>> take_changes();

 private:
  void end(const std::string& task);

  std::map<std::string, ClaimRow> rows_;
  std::int64_t position_ = 0, total_ = 0;
  std::set<std::string> changed_;
  bool all_changed_ = false;
};

// Folds the ledger up to a position. O(events).
Claims claims_of(const Ledger& ledger, std::int64_t until);

}  // namespace hebb
