// next: the best task that nobody has claimed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/operation.h"
#include "api/order.h"
#include "engine/claims/claims.h"

namespace hebb::api {

struct Lease {
  Duration lease{15 * 60'000};
};
RECORD(Lease, FIELD(lease, "For how long: 15m, 2h; renew it before that is over",
                    {.unit = "ms", .min = 1000, .max = static_cast<double>(kLongestLeaseMs)}))

struct NextRequest : Order {
  std::int64_t limit = 1;
  bool claim = false;
  std::string agent;
  Lease lease;
  std::string request_id;
  bool spread = false;
};
RECORD(NextRequest, FIELD(limit, "How many", {.unit = "tasks", .min = 1, .max = 1000}),
       FIELD(claim, "Claim them, so that no other agent gets them"),
       FIELD(agent, kClaimingAgentWords), part(self.lease),
       FIELD(request_id,
             "Any text: the same one of the same agent again gives the same claims until they have "
             "ended",
             {.rare = true}),
       FIELD(spread, "Prefer tasks that share no label with what is being worked on",
             {.rare = true}),
       part<Order>(self))

struct NextTask {
  std::string id, name, description;
  double relative = 0;
  std::vector<std::string> why;
  std::optional<std::int64_t> token;
  std::optional<Time> expires_at;
  std::vector<ReportedOutcome> failures;
};
RECORD(NextTask, FIELD(id, "The node"), FIELD(name, "Its name"),
       FIELD(description, "More about it, where one task was asked for", {.may_be_absent = true}),
       FIELD(relative, "Its priority divided by the highest; 0 of a repeated request"),
       FIELD(why, "The reasons for its place, the strongest first"),
       FIELD(token, "Of the claim: give it with the outcome, to renew and to release"),
       FIELD(expires_at, "When the claim ends by itself"),
       FIELD(failures, "Its last failures since it last succeeded, at most three, and why",
             {.may_be_absent = true}))

struct NextResult {
  std::vector<NextTask> tasks;
  std::string why_none;
};
RECORD(NextResult, FIELD(tasks, "Best first; none if there is nothing to do"),
       FIELD(why_none, "Why there is none: what is claimed, stuck, or no task",
             {.may_be_absent = true}))

NextResult next(Session& session, const NextRequest& request);
// A task as it is handed out: its row of the ranking, its claim if there is one, and its last
// failures. alone: it is the only task of the answer, with its description.
NextTask handed_out(Engine& engine, RankRow row, const ClaimRow* claim, bool alone);

}  // namespace hebb::api
