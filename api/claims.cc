// claim, claim_renew, claim_release, claim_list: working on tasks beside others.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/next.h"
#include "api/operation.h"
#include "engine/rank/explain.h"

namespace hebb::api {

struct ClaimNow : ClaimRow {
  std::string status, name;
};
RECORD(ClaimNow, FIELD(task, "The node"), FIELD(name, "Its name", {.may_be_absent = true}),
       FIELD(agent, "Who claimed it"), FIELD(token, "The position of the claim in the ledger"),
       FIELD_AS(Time, claimed_at, "When"),
       FIELD_AS(Time, expires_at, "When it ends, or ended, by itself"),
       FIELD(status, "active, expired, stuck (three claims expired), or released"),
       FIELD(expiries, "How many claims of the task before it expired in a row"))

static ClaimNow claim_now(Engine& engine, const ClaimRow& row, TimeMs now) {
  return {row,
          row.active(now)  ? "active"
          : row.stuck(now) ? "stuck"
                           : "expired",
          engine.content(row.task).name.value_or("")};
}

// --- claim ---------------------------------------------------------------------------------------

struct ClaimRequest : EachTask {
  std::string agent;
  Lease lease;
  bool give_back = false;
  std::optional<Time> snoozed_until;
  std::string because;
};
RECORD(ClaimRequest, part<EachTask>(self), FIELD(agent, kClaimingAgentWords), part(self.lease),
       FIELD(give_back, "End this agent's claim, without an outcome", {.hidden = true}),
       FIELD(snoozed_until, "With give_back: not ranked before that time", {.hidden = true}),
       FIELD(because, "With that: why you could not try it", {.hidden = true}))

// Ends the claim and, where the request asks for it, snoozes its task. Within a write transaction.
static ClaimRow release(Session& session, Engine& engine, std::int64_t token, const PutOff& off) {
  NodeUpsert upsert;
  put_off(off, upsert);
  const ClaimRow row = release_claim(engine, token, session.now());
  if (upsert.snoozed_until || upsert.because) append_now(session, row.task, std::move(upsert));
  return row;
}

// Why the task was not given to the agent that asked for it.
static std::string why_not_claimed(Session& session, Engine& engine, const std::string& id) {
  if (const auto claim = claim_of(engine, id)) {
    if (claim->active(session.now()))
      return fmt::format("{} works on it until {}", claim->agent,
                         format_rfc3339(claim->expires_at));
    if (claim->stuck(session.now())) return kStuck;
  }
  const std::string why = explain(engine, id, std::nullopt, ranked_at(session)).why_not;
  return why.empty() ? "it is not ranked" : why;
}

// Claims the task for the agent, or gives it back; adds to the result. Within a write transaction.
static void claim_one(Session& session, Engine& engine, const ClaimRequest& request,
                      const std::string& agent, const std::string& id, NextResult& result) {
  const char* field = field_of(request, id);
  require_node(engine.state(), id, field);
  const bool alone = request.also.empty();
  const auto has = claim_of(engine, id);
  if (request.give_back) {
    if (!has || has->agent != agent)
      throw problem(ProblemType::conflict, field, "{} has no claim of {}", agent, id);
    release(session, engine, has->token, {request.snoozed_until, request.because});
    if (!result.why_none.empty()) result.why_none += "; ";
    result.why_none += fmt::format("{} has given {} back", agent, id);
    return;
  }
  if (has && has->agent == agent && has->active(session.now())) {
    // The agent has this claim already: it gets the same token, and the later expiry.
    const TimeMs left = has->expires_at - session.now();
    const ClaimRow kept = renew_claim(engine, has->token, session.now(),
                                      std::max<TimeMs>(request.lease.lease.ms, left));
    RankRow row;
    row.id = id;
    row.name = engine.content(id).name.value_or("");
    result.tasks.push_back(handed_out(engine, std::move(row), &kept, alone));
    return;
  }
  NextRequest next_request;
  next_request.claim = true;
  next_request.agent = agent;
  next_request.lease = request.lease;
  next_request.among = {{id}};
  NextResult claimed = next(session, next_request);
  if (claimed.tasks.empty()) {
    throw problem(ProblemType::conflict, field, "{} cannot be claimed: {}", id,
                  why_not_claimed(session, engine, id));
  }
  if (!alone) claimed.tasks.front().description.clear();
  result.tasks.push_back(std::move(claimed.tasks.front()));
}

static NextResult claim(Session& session, const ClaimRequest& request) {
  const std::vector<std::string> ids = ids_of(request);
  const std::string agent = claiming_agent(session, request.agent);
  if (!request.give_back && (request.snoozed_until || !request.because.empty())) {
    const char* field = request.snoozed_until ? "snoozed_until" : "because";
    throw invalid(field, "{} goes with {}", named(field), named("give_back"));
  }
  return write(session, [&](Engine& engine) {
    NextResult result;
    for (const std::string& id : ids) claim_one(session, engine, request, agent, id, result);
    return result;
  });
}

// --- claim renew, release, list ------------------------------------------------------------------

struct ClaimResult {
  ClaimNow claim;
};
RECORD(ClaimResult, FIELD(claim, "The claim"))

struct TokenRequest {
  std::int64_t token = 0;
};
RECORD(TokenRequest, FIELD(token, "The claim's token, as `next` gave it",
                           {.min = 1, .required = true, .positional = true}))

struct ClaimRenewRequest : TokenRequest {
  Lease lease;
};
RECORD(ClaimRenewRequest, part<TokenRequest>(self), part(self.lease))

static ClaimResult claim_renew(Session& session, const ClaimRenewRequest& request) {
  Engine& engine = session.engine(Access::write);
  const ClaimRow row = renew_claim(engine, request.token, session.now(), request.lease.lease.ms);
  return {claim_now(engine, row, session.now())};
}

struct ClaimReleaseRequest : TokenRequest {
  PutOff off;
};
RECORD(ClaimReleaseRequest, part<TokenRequest>(self), part(self.off))

static ClaimResult claim_release(Session& session, const ClaimReleaseRequest& request) {
  return write(session, [&](Engine& engine) {
    const ClaimRow row = release(session, engine, request.token, request.off);
    ClaimResult result{claim_now(engine, row, session.now())};
    result.claim.status = "released";
    return result;
  });
}

struct ClaimListRequest {
  std::string agent, status;
};
RECORD(ClaimListRequest, FIELD(agent, "Only those of this agent"),
       FIELD(status, "Only these", {.choices = {"active", "expired", "stuck"}}))

struct ClaimListResult {
  std::vector<ClaimNow> claims;
};
RECORD(ClaimListResult, FIELD(claims, "Those that no outcome and no release has ended"))

static ClaimListResult claim_list(Session& session, const ClaimListRequest& request) {
  Engine& engine = session.engine(Access::read);
  ClaimListResult result;
  Room room(session);
  for (const ClaimRow& row : engine.claims()) {
    if (!request.agent.empty() && row.agent != request.agent) continue;
    ClaimNow record = claim_now(engine, row, session.now());
    if (!request.status.empty() && record.status != request.status) continue;
    room.take(8, record.task, record.name, record.agent);
    result.claims.push_back(std::move(record));
  }
  return result;
}

Operations claims_operations() {
  return {
      operation({.name = "claim",
                 .command = "claim take",
                 .summary = "Claim tasks, so that nobody else gets them for a while",
                 .example = "  hebb claim take k3f9 --agent worker-1 --lease 1h\n"
                            "  hebb claim take k3f9 vjf6",
                 .route = "POST /tasks/{id}/claim",
                 .tool = Tool::core,
                 .problems = {ProblemType::not_found, ProblemType::conflict},
                 .groupable = true},
                claim),
      operation({.name = "claim_renew",
                 .summary = "Keep a claim for longer, from now on",
                 .example = "  hebb claim renew 4711 --lease 30m",
                 .route = "POST /claims/renew",
                 .problems = {ProblemType::refused, ProblemType::conflict},
                 .groupable = true},
                claim_renew),
      operation({.name = "claim_release",
                 .summary = "Give a task back without an outcome: that is no failure",
                 .example = "  hebb claim release 4711\n"
                            "  hebb claim release 4711 --snooze 2h --because \"CI is down\"",
                 .route = "POST /claims/release",
                 .tool = Tool::all,
                 .problems = {ProblemType::refused, ProblemType::conflict},
                 .groupable = true},
                claim_release),
      operation({.name = "claim_list",
                 .summary = "Who works on what, and what got stuck",
                 .example = "  hebb claim list\n  hebb claim list --status stuck --json",
                 .route = "GET /claims"},
                claim_list),
  };
}

}  // namespace hebb::api
