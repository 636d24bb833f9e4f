// next, claim, claim_renew, claim_release, claim_list: working on tasks beside others.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/counted.h"
#include "api/operations.h"
#include "api/order.h"
#include "api/room.h"
#include "api/said.h"
#include "engine/rank/explain.h"
#include "engine/rank/node_filter.h"
#include "skill/store/skill.h"

namespace hebb::api {

struct ClaimNow : ClaimRow {
  std::string status;
};
RECORD(ClaimNow,
       FIELD(task, "The node"),
       FIELD(agent, "Who claimed it"),
       FIELD(token, "The position of the claim in the ledger"),
       TIME_FIELD(claimed_at, "When"),
       TIME_FIELD(expires_at, "When it ends, or ended, by itself"),
       FIELD(status, "active, expired, stuck (three claims expired), or released"),
       FIELD(expiries, "How many claims of the task before it expired in a row"))

static ClaimNow as_of(const ClaimRow& row, TimeMs now) {
  return {row, row.active(now) ? "active" : row.stuck(now) ? "stuck" : "expired"};
}

// --- next ----------------------------------------------------------------------------------------

struct Lease {
  Duration lease{15 * 60'000};
};
RECORD(Lease,
       FIELD(lease, "For how long: 15m, 2h; renew it before that is over",
             {.unit = "ms", .min = 1000, .max = static_cast<double>(kLongestLeaseMs)}))

struct NextRequest : Order {
  std::int64_t limit = 1;
  bool claim = false;
  std::string agent;
  Lease lease;
  std::string request_id;
  bool spread = false, expiry_is_failure = false;
};
RECORD(NextRequest,
       FIELD(limit, "How many", {.unit = "tasks", .min = 1, .max = 1000}),
       FIELD(claim, "Claim them, so that no other agent gets them"),
       FIELD(agent, "Who claims"),
       FIELDS_OF(lease),
       FIELD(request_id, "Any text: the same one of the same agent again gives the same claims",
             {.seldom = true}),
       FIELD(spread, "Prefer tasks that share no label with what is being worked on",
             {.seldom = true}),
       FIELD(expiry_is_failure, "If a claim expires, count a failure of its task",
             {.seldom = true}),
       FIELDS_OF_BASE(Order))

struct NextTask {
  std::string id, name, description;
  double relative = 0;
  std::vector<std::string> why;
  std::optional<std::int64_t> token;
  std::optional<Time> expires_at;
  std::vector<ToldOutcome> failures;
};
RECORD(NextTask,
       FIELD(id, "The node"),
       FIELD(name, "Its name"),
       FIELD(description, "More about it, where one task was asked for", {.may_be_absent = true}),
       FIELD(relative, "Its priority divided by that of the first; 0 of a repeated request"),
       FIELD(why, "The reasons for its place, the strongest first"),
       FIELD(token, "Of the claim: give it with the outcome, to renew and to release"),
       FIELD(expires_at, "When the claim ends by itself"),
       FIELD(failures, "Its last failures since it last succeeded, at most three, and why",
             {.may_be_absent = true}))

struct NextResult {
  std::vector<NextTask> tasks;
  std::string why_none;
};
RECORD(NextResult,
       FIELD(tasks, "Best first; none if there is nothing to do"),
       FIELD(why_none, "Why there is none: what is claimed, stuck, or no task",
             {.may_be_absent = true}))

namespace {

// What whoever takes it should know: what those who tried before say of it, and, of one, all of it.
void tell_more(Engine& engine, NextTask& task, bool alone) {
  if (alone) task.description = engine.content(task.id).description.value_or("");
  constexpr std::size_t kShown = 3;
  const State& s = engine.state();
  const auto n = s.find(task.id);
  const auto& nodes = s.graph().nodes();
  if (n && nodes.failed[*n] > 0 && nodes.tried_at[*n] > nodes.completed_at[*n])
    task.failures = told_outcomes(engine, task.id, kShown, true);
}

static_assert(kNoWork.front() == skill::kSkillType);

void leave_out_stuck(Session& session, RankQuery& query) {
  for (ClaimRow& claim : session.engine(Access::read).claims())
    if (claim.stuck(session.now())) query.selection.without.insert(std::move(claim.task));
}

// What fits the query, and is not handed out.
std::string why_none(Session& session, RankQuery query) {
  Engine& engine = session.engine(Access::read);
  query.top = 0;
  query.took = {};
  query.reasons = false;
  query.near.clear();  // how near it is makes no difference, and may have to be asked for elsewhere
  query.vector.clear();
  query.unclaimed_at = session.now();
  leave_out_stuck(session, query);
  const auto summary_of = [&] {
    RankSummary summary;
    engine.rank(query, &summary);
    return summary;
  };
  std::vector<std::string> why;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) why.push_back(counted(static_cast<std::int64_t>(count), one, many));
  };
  add(summary_of().claimed, "task is claimed", "tasks are claimed");
  auto stuck = std::exchange(query.selection.without, {});
  add(summary_of().total,
      "task is stuck, since three claims expired: an outcome or a release ends that",
      "tasks are stuck, since three claims expired: an outcome or a release ends that");
  query.selection.without = std::move(stuck);
  query.which.not_types.clear();
  add(summary_of().total, "test or skill is given out only where its type is asked for",
      "tests or skills are given out only where their type is asked for");
  return fmt::format("{}", fmt::join(why, "; "));
}

void finish(Session& session, const RankQuery& query, NextResult& result) {
  Engine& engine = session.engine(Access::read);
  for (NextTask& task : result.tasks) tell_more(engine, task, result.tasks.size() == 1);
  if (result.tasks.empty()) result.why_none = why_none(session, query);
}

// Without claiming anything.
NextResult best(Session& session, const NextRequest& request, RankQuery& query) {
  query.top = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  query.now = session.given_now();
  query.unclaimed_at = session.now();
  query.reasons = true;
  Engine& engine = session.engine(Access::read);
  leave_out_stuck(session, query);
  RankSummary summary;
  std::vector<PathRow> rows = engine.rank(query, &summary);
  if (!query.now && !rows.empty()) note_old_ranking(session, summary.at);
  NextResult result;
  for (PathRow& row : rows) {
    result.tasks.push_back(
        {row.id, row.name, {}, row.relative, std::move(row.reasons), {}, {}, {}});
  }
  finish(session, query, result);
  return result;
}

}  // namespace

static NextResult next(Session& session, const NextRequest& request) {
  if (request.claim == request.agent.empty()) {
    throw Problem(ProblemType::invalid_argument,
                  request.claim ? fmt::format("a claim needs {}: who claims", named("agent"))
                                : fmt::format("{} is for a claim: give {} as well", named("agent"),
                                              named("claim")),
                  "agent");
  }
  OrderQuery asked = query_of(request);
  note_unknown_labels(session, request);
  if (request.type.empty() && !request.among)
    asked.query.which.not_types.assign(kNoWork.begin(), kNoWork.end());
  if (!request.claim) return best(session, request, asked.query);
  NextResult result;
  require_name(request.agent, "agent");
  if (!request.request_id.empty()) require_name(request.request_id, "request_id");
  ClaimNext next;
  next.agent = request.agent;
  next.now = session.now();
  next.lease_ms = request.lease.lease.ms;
  next.n = static_cast<std::size_t>(request.limit);
  next.request = request.request_id;
  next.query = asked.query;
  next.spread = request.spread;
  next.expiry_is_failure = request.expiry_is_failure;
  Engine& engine = session.engine(Access::write);
  for (ClaimedTask& task : engine.claim_next(next)) {
    result.tasks.push_back({task.row.id,
                            task.row.name,
                            {},
                            task.row.relative,
                            std::move(task.row.reasons),
                            task.claim.token,
                            Time{task.claim.expires_at},
                            {}});
  }
  asked.query.unclaimed_at = session.now();
  finish(session, asked.query, result);
  return result;
}

// --- claim ---------------------------------------------------------------------------------------

struct ClaimRequest {
  std::string id, agent;
  Lease lease;
};
RECORD(ClaimRequest,
       NODE_FIELD(id, "The task", {.required = true, .positional = true}),
       FIELD(agent, "Who claims it", {.required = true}),
       FIELDS_OF(lease))

// Why it was not given to this one.
static std::string why_not_claimed(Session& session, const std::string& id) {
  Engine& engine = session.engine(Access::write);
  if (const auto claim = claim_of(engine, id)) {
    if (claim->active(session.now()))
      return fmt::format("{} works on it until {}", claim->agent,
                         format_rfc3339(claim->expires_at));
    if (claim->stuck(session.now())) return kStuck;
  }
  const std::string why = explain(engine, id, std::nullopt, session.now()).why_not;
  return why.empty() ? "another process took it" : why;
}

static NextResult claim(Session& session, const ClaimRequest& request) {
  require_name(request.agent, "agent");
  Engine& engine = session.engine(Access::write);
  require_node(engine.state(), request.id);
  const auto has = claim_of(engine, request.id);
  if (has && has->agent == request.agent && has->active(session.now())) {
    // It has it: asked again, it gets its token again, and the time anew.
    const ClaimRow kept = renew_claim(engine, has->token, session.now(), request.lease.lease.ms);
    const std::string name = engine.content(request.id).name.value_or("");
    NextResult result;
    result.tasks.push_back({request.id, name, {}, 0, {}, kept.token, Time{kept.expires_at}, {}});
    tell_more(engine, result.tasks.back(), true);
    return result;
  }
  NextRequest next_request;
  next_request.claim = true;
  next_request.agent = request.agent;
  next_request.lease = request.lease;
  next_request.among = {{request.id}};
  NextResult result = next(session, next_request);
  if (!result.tasks.empty()) return result;
  throw Problem(
      ProblemType::conflict,
      fmt::format("{} cannot be claimed: {}", request.id, why_not_claimed(session, request.id)),
      "id");
}

// --- claim renew, release, list ------------------------------------------------------------------

struct ClaimResult {
  ClaimNow claim;
};
RECORD(ClaimResult,
       FIELD(claim, "The claim"))

struct TokenRequest {
  std::int64_t token = 0;
};
RECORD(TokenRequest,
       FIELD(token, "The claim's token, as `next` gave it",
             {.min = 1, .required = true, .positional = true}))

struct ClaimRenewRequest : TokenRequest {
  Lease lease;
};
RECORD(ClaimRenewRequest,
       FIELDS_OF_BASE(TokenRequest),
       FIELDS_OF(lease))

static ClaimResult claim_renew(Session& session, const ClaimRenewRequest& request) {
  Engine& engine = session.engine(Access::write);
  const ClaimRow row = renew_claim(engine, request.token, session.now(), request.lease.lease.ms);
  return {as_of(row, session.now())};
}

static ClaimResult claim_release(Session& session, const TokenRequest& request) {
  Engine& engine = session.engine(Access::write);
  ClaimResult result{as_of(release_claim(engine, request.token, session.now()), session.now())};
  result.claim.status = "released";
  return result;
}

struct ClaimListRequest {
  std::string agent, status;
};
RECORD(ClaimListRequest,
       FIELD(agent, "Only those of this agent"),
       FIELD(status, "Only these", {.choices = {"active", "expired", "stuck"}}))

struct ClaimListResult {
  std::vector<ClaimNow> claims;
};
RECORD(ClaimListResult,
       FIELD(claims, "Those that no outcome and no release has ended"))

static ClaimListResult claim_list(Session& session, const ClaimListRequest& request) {
  Engine& engine = session.engine(Access::read);
  ClaimListResult result;
  Room room(session);
  for (const ClaimRow& row : engine.claims()) {
    ClaimNow record = as_of(row, session.now());
    if (!request.agent.empty() && record.agent != request.agent) continue;
    if (!request.status.empty() && record.status != request.status) continue;
    room.take(7, record.task, record.agent);
    result.claims.push_back(std::move(record));
  }
  return result;
}

Operations claims_operations() {
  return {
      operation(
          {.name = "next",
           .summary = "The best task that nobody has claimed; can claim it for you",
           .example =
               "  hebb next\n"
               "  hebb next --claim --agent worker-1 --lease 30m\n"
               "  hebb next --claim --agent worker-1 --project web --not-label blocked-by-us\n"
               "  hebb next --claim --agent worker-1 --near \"login fails\"\n"
               "  hebb next --claim --agent worker-1 --limit 3 --request-id $JOB --json",
           .route = "POST /next",
           .tool = Tool::core},
          next),
      operation({.name = "claim",
                 .command = "claim take",
                 .summary = "Claim one task, so that nobody else gets it for a while",
                 .example = "  hebb claim take k3f9 --agent worker-1 --lease 1h",
                 .route = "POST /tasks/{id}/claim",
                 .tool = Tool::core,
                 .problems = {ProblemType::not_found, ProblemType::conflict}},
                claim),
      operation({.name = "claim_renew",
                 .summary = "Keep a claim for longer, from now on",
                 .example = "  hebb claim renew 4711 --lease 30m",
                 .route = "POST /claims/renew",
                 .problems = {ProblemType::refused, ProblemType::conflict}},
                claim_renew),
      operation({.name = "claim_release",
                 .summary = "Give a task back without an outcome",
                 .example = "  hebb claim release 4711",
                 .route = "POST /claims/release",
                 .tool = Tool::all,
                 .problems = {ProblemType::refused, ProblemType::conflict}},
                claim_release),
      operation({.name = "claim_list",
                 .summary = "Who works on what, and what got stuck",
                 .example = "  hebb claim list\n  hebb claim list --status stuck --json",
                 .route = "GET /claims"},
                claim_list),
  };
}

}  // namespace hebb::api
