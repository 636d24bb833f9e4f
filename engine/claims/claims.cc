#include "engine/claims/claims.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/values/refusals.h"

namespace hebb {

Claims::Claims(std::vector<ClaimRow> rows, std::int64_t total, std::int64_t position)
    : position_(position), total_(total) {
  for (ClaimRow& row : rows) {
    std::string task = row.task;
    rows_.emplace(std::move(task), std::move(row));
  }
}

Claims Claims::from_start() {
  Claims claims;
  claims.all_changed_ = true;
  return claims;
}

void Claims::end(const std::string& task) {
  if (rows_.erase(task) > 0) changed_.insert(task);
}

void Claims::take(const Event& e) {
  if (e.position <= position_) return;
  position_ = e.position;
  if (const auto* claim = std::get_if<Claim>(&e.payload)) {
    ++total_;
    const ClaimRow* before = of_task(e.subject);
    rows_[e.subject] = {e.subject,
                        claim->agent,
                        e.position,
                        e.at,
                        claim->expires_at,
                        before ? before->expiries + 1 : 0,
                        claim->expiry_is_failure};
    changed_.insert(e.subject);
  } else if (const auto* renew = std::get_if<Renew>(&e.payload)) {
    const auto it = rows_.find(e.subject);
    if (it == rows_.end() || it->second.token != renew->token) return;
    it->second.expires_at = renew->expires_at;
    changed_.insert(e.subject);
  } else if (const auto* release = std::get_if<Release>(&e.payload)) {
    const ClaimRow* claimed = of_task(e.subject);
    if (claimed && claimed->token == release->token) end(e.subject);
  } else if (std::holds_alternative<OutcomeSignal>(e.payload) ||
             std::holds_alternative<NodeDelete>(e.payload)) {
    end(e.subject);
  }
}

std::optional<Refusal> Claims::refuse(const Event& e) const {
  if (std::holds_alternative<Claim>(e.payload)) {
    const ClaimRow* claimed = of_task(e.subject);
    if (!claimed || !claimed->active(e.at)) return std::nullopt;
    return Refusal{std::string(refusal::kClaimed),
                   fmt::format("{} has claimed {} until {}", claimed->agent, e.subject,
                               format_rfc3339(claimed->expires_at))};
  }
  std::int64_t token = 0;
  if (const auto* outcome = std::get_if<OutcomeSignal>(&e.payload)) token = outcome->token;
  if (const auto* renew = std::get_if<Renew>(&e.payload)) token = renew->token;
  if (const auto* release = std::get_if<Release>(&e.payload)) token = release->token;
  if (token == 0) return std::nullopt;
  const ClaimRow* claimed = of_task(e.subject);
  if (claimed && claimed->token == token) return std::nullopt;
  if (const ClaimRow* other = of_token(token)) {
    return Refusal{std::string(refusal::kStaleLease),
                   fmt::format("the token {} is of the claim of {}, not of {}", token, other->task,
                               e.subject)};
  }
  return Refusal{
      std::string(refusal::kStaleLease),
      claimed ? fmt::format("{} is not the token of the claim of {}: {} has it until {}", token,
                            e.subject, claimed->agent, format_rfc3339(claimed->expires_at))
              : fmt::format("{} has no claim {}: an outcome or a release ended it, or it never was",
                            e.subject, token)};
}

const ClaimRow* Claims::of_task(const std::string& task) const {
  const auto it = rows_.find(task);
  return it == rows_.end() ? nullptr : &it->second;
}

const ClaimRow* Claims::of_token(std::int64_t token) const {
  const auto it = std::find_if(rows_.begin(), rows_.end(),
                               [&](const auto& row) { return row.second.token == token; });
  return it == rows_.end() ? nullptr : &it->second;
}

std::vector<ClaimRow> Claims::list() const {
  std::vector<ClaimRow> rows;
  for (const auto& [task, claim] : rows_) rows.push_back(claim);
  return rows;
}

std::optional<std::set<std::string>> Claims::take_changes() {
  auto changed = std::exchange(changed_, {});
  if (std::exchange(all_changed_, false)) return std::nullopt;
  return changed;
}

Claims claims_of(const Ledger& ledger, std::int64_t until) {
  Claims claims = Claims::from_start();
  ledger.events_after(0, [&](Event&& e) {
    if (e.position <= until) claims.take(e);
  });
  return claims;
}

}  // namespace hebb
