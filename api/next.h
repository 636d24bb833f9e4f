// next: the best task that nobody has claimed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/order.h"
#include "api/common.h"
#include "engine/claims/claims.h"

namespace hebb::api {

struct Lease {
  PRESET_MEMBER(Duration, lease, {15 * 60'000},
                "For how long: 15m, 2h; renew it before that is over",
                {.unit = "ms", .min = 1000, .max = static_cast<double>(kLongestLeaseMs)});
};

struct NextRequest : Order {
  PRESET_MEMBER(std::int64_t, limit, 1, "How many", {.unit = "tasks", .min = 1, .max = 1000});
  MEMBER(bool, claim, "Claim them, so that no other agent gets them");
  MEMBER(std::string, agent, "Who claims");
  PART(Lease, lease);
  MEMBER(std::string, request_id,
         "Any text: the same one of the same agent again gives the same claims until they have "
         "ended", {.seldom = true});
  MEMBER(bool, spread,
         "Prefer tasks that share no label with what is being worked on", {.seldom = true});
  BASE(Order);
};

struct NextTask {
  MEMBER(std::string, id, "The node");
  MEMBER(std::string, name, "Its name");
  MEMBER(std::string, description,
         "More about it, where one task was asked for", {.may_be_absent = true});
  MEMBER(double, relative, "Its priority divided by the highest; 0 of a repeated request");
  MEMBER(std::vector<std::string>, why, "The reasons for its place, the strongest first");
  MEMBER(std::optional<std::int64_t>, token,
         "Of the claim: give it with the outcome, to renew and to release");
  TIME_MEMBER(std::optional<TimeMs>, expires_at, "When the claim ends by itself");
  MEMBER(std::vector<ToldOutcome>, failures, "Its last failures since it last succeeded, at most "
         "three, and why", {.may_be_absent = true});
};

struct NextResult {
  MEMBER(std::vector<NextTask>, tasks, "Best first; none if there is nothing to do");
  MEMBER(std::string, why_none,
         "Why there is none: what is claimed, stuck, or no task", {.may_be_absent = true});
};

NextResult next(Session& session, const NextRequest& request);
// A task as it is handed out: its row of the ranking, its claim if there is one, and its last
// failures. alone: with its description.
NextTask handed_out(Engine& engine, PathRow row, const ClaimRow* claim, bool alone);

}  // namespace hebb::api
