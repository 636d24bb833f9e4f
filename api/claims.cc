#include "api/claims.h"

#include <fmt/format.h>

#include "api/common.h"
#include "api/ingest.h"
#include "api/room.h"
#include "engine/rank/node_filter.h"
#include "skill/store/skill.h"

namespace hebb::api {

namespace {

template <class R>
Field lease_field() {
  return field("lease", &R::lease, "For how long: 15m, 2h; renew it before that is over",
               {.unit = "ms", .min = 1000, .max = static_cast<double>(kLongestLeaseMs)});
}
template <class R>
Field token_field() {
  return field("token", &R::token, "The claim's token, as `next` gave it",
               {.min = 1, .required = true, .positional = true});
}

ClaimRecord record_of(const ClaimRow& row, TimeMs now) {
  const std::string status = row.active(now) ? "active" : row.stuck(now) ? "stuck" : "expired";
  return {row.task, row.agent,   row.token, Time{row.claimed_at}, Time{row.expires_at},
          status,   row.expiries};
}

}  // namespace

// --- next ----------------------------------------------------------------------------------------

const Fields& NextRequest::fields() {
  using R = NextRequest;
  Fields fields{
      field("limit", &R::limit, "How many", {.unit = "tasks", .min = 1, .max = 1000, .was = "n"}),
      field("claim", &R::claim, "Claim them, so that no other agent gets them"),
      field("agent", &R::agent, "Who claims"),
      lease_field<R>(),
      field("request_id", &R::request_id,
            "Any text: the same one of the same agent again gives the same claims"),
      field("spread", &R::spread, "Prefer tasks that share no label with what is being worked on"),
      field("expiry_is_failure", &R::expiry_is_failure,
            "If a claim expires, count a failure of its task"),
  };
  const Fields which = filter_fields<R>(), order = order_fields<R>();
  fields.insert(fields.end(), which.begin(), which.end());
  fields.insert(fields.end(), order.begin(), order.end());
  fields.push_back(embedder_field(member_of<R>(&Order::embedder)));
  fields.push_back(model_field(member_of<R>(&Order::model)));
  static const Fields kFields = with_presets<R>(std::move(fields));
  return kFields;
}

const Fields& NextTask::fields() {
  using T = NextTask;
  static const Fields kFields{
      field("id", &T::id, "The node"),
      field("name", &T::name, "Its name"),
      field("relative", &T::relative,
            "Its priority divided by that of the first; 0 of a repeated request"),
      field("why", &T::why, "The reasons for its place, the strongest first"),
      field("token", &T::token, "Of the claim: give it with the outcome, to renew and to release"),
      field("expires_at", &T::expires_at, "When the claim ends by itself"),
  };
  return kFields;
}

const Fields& NextResult::fields() {
  static const Fields kFields{
      field("tasks", &NextResult::tasks, "Best first; none if there is nothing to do")};
  return kFields;
}

namespace {

static_assert(kNoWork.front() == skill::kSkillType);

// Without claiming anything.
NextResult best(Session& session, const NextRequest& request, RankQuery& query) {
  query.top = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session);
  query.now = session.given_now();
  query.unclaimed_at = session.now();
  query.reasons = true;
  Engine& engine = session.engine(Access::read);
  for (ClaimRow& claim : engine.claims()) {
    if (claim.stuck(session.now())) query.selection.without.insert(std::move(claim.task));
  }
  NextResult result;
  for (PathRow& row : engine.rank(query)) {
    result.tasks.push_back(
        {row.id, row.name, row.relative, std::move(row.reasons), std::nullopt, std::nullopt});
  }
  return result;
}

}  // namespace

NextResult next(Session& session, const NextRequest& request) {
  if (request.claim == request.agent.empty()) {
    throw Problem(ProblemType::invalid_argument,
                  request.claim ? fmt::format("a claim needs {}: who claims", named("agent"))
                                : fmt::format("{} is for a claim: give {} as well", named("agent"),
                                              named("claim")),
                  "agent");
  }
  OrderQuery asked = query_of(request);
  if (request.type.empty() && !request.among)
    asked.query.which.not_types.assign(kNoWork.begin(), kNoWork.end());
  if (!request.claim) return best(session, request, asked.query);
  NextResult result;
  require_name(request.agent, "agent");
  if (!request.request_id.empty()) require_name(request.request_id, "request_id");
  ClaimNext next;
  next.agent = request.agent;
  next.now = session.now();
  next.lease_ms = request.lease.ms;
  next.n = static_cast<std::size_t>(request.limit);
  next.request = request.request_id;
  next.query = std::move(asked.query);
  next.spread = request.spread;
  next.expiry_is_failure = request.expiry_is_failure;
  Engine& engine = session.engine(Access::write);
  for (ClaimedTask& task : engine.claim_next(next)) {
    result.tasks.push_back({task.row.id, task.row.name, task.row.relative,
                            std::move(task.row.reasons), task.claim.token,
                            Time{task.claim.expires_at}});
  }
  return result;
}

Operation next_operation() {
  return operation<NextRequest, NextResult>(
      {.name = "next",
       .command = "next",
       .summary = "The best task that nobody has claimed; with --claim it is yours for a while",
       .example = "  hebb next\n"
                  "  hebb next --claim --agent worker-1 --lease 30m\n"
                  "  hebb next --claim --agent worker-1 --project web --not-label blocked-by-us\n"
                  "  hebb next --claim --agent worker-1 --near \"login fails\"\n"
                  "  hebb next --claim --agent worker-1 --limit 3 --request-id $JOB --json",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/next",
       .problems = {ProblemType::read_only}},
      next);
}

// --- claim renew, release, list ------------------------------------------------------------------

const Fields& ClaimRecord::fields() {
  using C = ClaimRecord;
  static const Fields kFields{
      field("task", &C::task, "The node"),
      field("agent", &C::agent, "Who claimed it"),
      field("token", &C::token, "The position of the claim in the ledger"),
      field("claimed_at", &C::claimed_at, "When"),
      field("expires_at", &C::expires_at, "When it ends, or ended, by itself"),
      field("status", &C::status, "active, expired, stuck (three claims expired), or released"),
      field("expiries", &C::expiries, "How many claims of the task before it expired in a row"),
  };
  return kFields;
}

const Fields& ClaimResult::fields() {
  static const Fields kFields{field("claim", &ClaimResult::claim, "The claim")};
  return kFields;
}

const Fields& ClaimRenewRequest::fields() {
  static const Fields kFields = with_presets<ClaimRenewRequest>(
      {token_field<ClaimRenewRequest>(), lease_field<ClaimRenewRequest>()});
  return kFields;
}

ClaimResult claim_renew(Session& session, const ClaimRenewRequest& request) {
  Engine& engine = session.engine(Access::write);
  const ClaimRow row = renew_claim(engine, request.token, session.now(), request.lease.ms);
  return {record_of(row, session.now())};
}

Operation claim_renew_operation() {
  return operation<ClaimRenewRequest, ClaimResult>(
      {.name = "claim_renew",
       .command = "claim renew",
       .summary = "Keep a claim for longer, from now on",
       .example = "  hebb claim renew 4711 --lease 30m",
       .effect = Effect::writes,
       .path = "/claims/renew",
       .problems = {ProblemType::refused, ProblemType::conflict, ProblemType::read_only}},
      claim_renew);
}

const Fields& ClaimReleaseRequest::fields() {
  static const Fields kFields{token_field<ClaimReleaseRequest>()};
  return kFields;
}

ClaimResult claim_release(Session& session, const ClaimReleaseRequest& request) {
  Engine& engine = session.engine(Access::write);
  ClaimResult result{record_of(release_claim(engine, request.token, session.now()), session.now())};
  result.claim.status = "released";
  return result;
}

Operation claim_release_operation() {
  return operation<ClaimReleaseRequest, ClaimResult>(
      {.name = "claim_release",
       .command = "claim release",
       .summary = "Give a task back without an outcome",
       .example = "  hebb claim release 4711",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/claims/release",
       .problems = {ProblemType::refused, ProblemType::conflict, ProblemType::read_only}},
      claim_release);
}

const Fields& ClaimListRequest::fields() {
  using R = ClaimListRequest;
  static const Fields kFields = with_presets<R>({
      field("agent", &R::agent, "Only those of this agent"),
      field("status", &R::status, "Only these", {.choices = {"active", "expired", "stuck"}}),
  });
  return kFields;
}

const Fields& ClaimListResult::fields() {
  static const Fields kFields{
      field("claims", &ClaimListResult::claims, "Those that no outcome and no release has ended")};
  return kFields;
}

ClaimListResult claim_list(Session& session, const ClaimListRequest& request) {
  Engine& engine = session.engine(Access::read);
  ClaimListResult result;
  Room room(session);
  for (const ClaimRow& row : engine.claims()) {
    ClaimRecord record = record_of(row, session.now());
    if (!request.agent.empty() && record.agent != request.agent) continue;
    if (!request.status.empty() && record.status != request.status) continue;
    room.take(7, record.task, record.agent);
    result.claims.push_back(std::move(record));
  }
  return result;
}

Operation claim_list_operation() {
  return operation<ClaimListRequest, ClaimListResult>(
      {.name = "claim_list",
       .command = "claim list",
       .summary = "Who works on what, and what got stuck",
       .example = "  hebb claim list\n  hebb claim list --status stuck --json",
       .effect = Effect::reads,
       .path = "/claims"},
      claim_list);
}

// --- outcome -------------------------------------------------------------------------------------

const Fields& OutcomeRequest::fields() {
  using R = OutcomeRequest;
  static const Fields kFields = with_presets<R>({
      field("id", &R::id, "The task", {.required = true, .positional = true}),
      field("outcome", &R::outcome, "How it came out",
            {.choices = {"success", "partial", "failure"}, .required = true, .positional = true}),
      field("score", &R::score, "Of a success: above 0, at most 1", {.min = 0, .max = 1}),
      field("token", &R::token,
            "Of the claim under which it was done; refused (stale_lease) if that has ended",
            {.min = 1}),
      field("agent", &R::agent, "Who did it"),
      field("outcome_id", &R::outcome_id, "An id of its own: sent again, it counts once"),
  });
  return kFields;
}

const Fields& OutcomeResult::fields() {
  using R = OutcomeResult;
  static const Fields kFields{
      field("id", &R::id, "The task"),
      field("outcome", &R::outcome, "As it was given"),
      field("repeated", &R::repeated, "It was known already, and counts once"),
  };
  return kFields;
}

OutcomeResult outcome(Session& session, const OutcomeRequest& request) {
  require_name(request.id, "id");
  if (!request.agent.empty()) require_name(request.agent, "agent");
  if (!request.outcome_id.empty()) require_name(request.outcome_id, "outcome_id");
  Json line{{"taskId", request.id}, {"outcome", request.outcome}};
  if (request.score) line["score"] = *request.score;
  if (request.token) line["token"] = *request.token;
  if (!request.agent.empty()) line["agentId"] = request.agent;
  if (!request.outcome_id.empty()) line["id"] = request.outcome_id;
  IngestRequest ingested;
  ingested.outcomes.push_back(std::move(line));
  const IngestResult result = ingest(session, ingested);
  if (result.refused > 0) {
    session.engine(Access::write).forget_inputs();  // the same said again is another outcome
    const IngestRefusal& refusal = result.refusals.front();
    throw Refused({refusal.reason, refusal.detail});
  }
  return {request.id, request.outcome, result.duplicates > 0};
}

Operation outcome_operation() {
  return operation<OutcomeRequest, OutcomeResult>(
      {.name = "outcome",
       .command = "outcome",
       .summary = "Say how a task came out",
       .example = "  hebb outcome task-7 success\n"
                  "  hebb outcome task-7 failure --token 4711 --agent worker-1",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/tasks/{id}/outcome",
       .problems = {ProblemType::refused, ProblemType::read_only}},
      outcome);
}

}  // namespace hebb::api
