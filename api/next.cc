#include "api/next.h"

#include <utility>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operation.h"
#include "api/values.h"
#include "engine/rank/node_filter.h"
#include "skill/store/skill.h"

namespace hebb::api {

NextTask handed_out(Engine& engine, RankRow row, const ClaimRow* claim, bool alone) {
  NextTask task;
  task.id = std::move(row.id);
  task.name = std::move(row.name);
  task.relative = row.relative;
  task.why = std::move(row.reasons);
  if (claim) {
    task.token = claim->token;
    task.expires_at = claim->expires_at;
  }
  if (alone) task.description = engine.content(task.id).description.value_or("");
  constexpr std::size_t kShown = 3;
  const State& s = engine.state();
  const auto n = s.find(task.id);
  const auto& nodes = s.graph().nodes();
  if (n && nodes.failed[*n] > 0 && nodes.tried_at[*n] > nodes.completed_at[*n])
    task.failures = last_outcomes(engine, task.id, kShown, true);
  return task;
}

namespace {

static_assert(kNoWork.front() == skill::kSkillType);

void leave_out_stuck(Session& session, RankQuery& query) {
  for (ClaimRow& claim : session.engine(Access::read).claims())
    if (claim.stuck(session.now())) query.selection.without.insert(std::move(claim.task));
}

// The tasks that fit the query but are not handed out.
std::string why_none(Session& session, RankQuery query, const NextRequest& request) {
  Engine& engine = session.engine(Access::read);
  query.top = 0;
  query.took = {};
  query.reasons = false;
  query.near.clear();  // the count does not need it, and an embedder may be slow
  query.vector.clear();
  query.unclaimed_at = session.now();
  query.now = ranked_at(session);
  leave_out_stuck(session, query);
  const auto summary_of = [&] {
    RankSummary summary;
    engine.rank(query, &summary);
    return summary;
  };
  std::vector<std::string> why;
  const auto add = [&](std::size_t count, const char* one, const char* many,
                       const std::string& more = "") {
    if (count > 0) why.push_back(counted(static_cast<std::int64_t>(count), one, many) + more);
  };
  add(summary_of().claimed, "task is claimed", "tasks are claimed");
  auto stuck = std::exchange(query.selection.without, {});
  add(summary_of().total, "task is ", "tasks are ", kStuck);
  query.selection.without = std::move(stuck);
  query.which.not_types = request.not_types;
  add(summary_of().total, "test or skill is given out only where its type is asked for",
      "tests or skills are given out only where their type is asked for");
  return fmt::format("{}", fmt::join(why, "; "));
}

void require_claim(const NextRequest& request) {
  if (!request.claim && !request.agent.empty())
    throw invalid("agent", "{} is for a claim: give {} as well", named("agent"), named("claim"));
  if (request.claim && !request.request_id.empty()) require_name(request.request_id, "request_id");
}

}  // namespace

NextResult next(Session& session, const NextRequest& request) {
  require_claim(request);
  const auto embedder = embedder_of(request.vectors);
  ClaimNext asked;
  if (request.claim) asked.agent = claiming_agent(session, request.agent);
  asked.now = session.now();
  asked.lease_ms = request.lease.lease.ms;
  asked.n = static_cast<std::size_t>(request.limit);
  asked.request = request.request_id;
  asked.spread = request.spread;
  asked.query = query_of(request, embedder.get());
  RankQuery& query = asked.query;
  note_unknown_labels(session, request);
  if (request.type.empty() && !request.among)
    query.which.not_types.insert(query.which.not_types.end(), kNoWork.begin(), kNoWork.end());
  NextResult result;
  if (request.claim) {
    Engine& engine = session.engine(Access::write);
    std::vector<ClaimedTask> claimed = engine.claim_next(asked);
    for (ClaimedTask& task : claimed) {
      result.tasks.push_back(
          handed_out(engine, std::move(task.row), &task.claim, claimed.size() == 1));
    }
  } else {
    query.top = asked.n;
    query.reasons = true;
    query.now = ranked_at(session);
    query.unclaimed_at = asked.now;
    query.took = room_for_rows(session);
    leave_out_stuck(session, query);
    Engine& engine = session.engine(Access::read);
    std::vector<RankRow> rows = engine.rank(query);
    for (RankRow& row : rows)
      result.tasks.push_back(handed_out(engine, std::move(row), nullptr, rows.size() == 1));
  }
  if (result.tasks.empty()) result.why_none = why_none(session, std::move(query), request);
  return result;
}

Operations next_operations() {
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
           .tool = Tool::core,
           .groupable = true},
          next),
  };
}

}  // namespace hebb::api
