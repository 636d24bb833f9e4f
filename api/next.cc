#include "api/next.h"

#include <utility>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operation.h"
#include "api/several.h"
#include "api/values.h"
#include "engine/rank/node_filter.h"
#include "skill/store/skill.h"

namespace hebb::api {

void tell_more(Engine& engine, NextTask& task, bool alone) {
  if (alone) task.description = engine.content(task.id).description.value_or("");
  constexpr std::size_t kShown = 3;
  const State& s = engine.state();
  const auto n = s.find(task.id);
  const auto& nodes = s.graph().nodes();
  if (n && nodes.failed[*n] > 0 && nodes.tried_at[*n] > nodes.completed_at[*n])
    task.failures = told_outcomes(engine, task.id, kShown, true);
}

namespace {

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
  query.now = ranked_at(session);
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

NextResult result_of(Session& session, const RankQuery& asked, std::vector<Found> found) {
  NextResult result;
  for (Found& one : found) {
    NextTask& task = result.tasks.emplace_back();
    task.id = std::move(one.row.id);
    task.database = database_name(session, *one.in);
    task.name = std::move(one.row.name);
    task.relative = one.row.relative;
    task.why = std::move(one.row.reasons);
    if (one.claim) {
      task.token = one.claim->token;
      task.expires_at = one.claim->expires_at;
    }
    tell_more(one.in->engine(Access::read), task, found.size() == 1);
  }
  if (!result.tasks.empty()) return result;
  std::vector<std::string> why;
  each_database(session, [&](Session& one) {
    RankQuery query = asked;
    keep_known(session, one, query.selection);
    std::string why_here = why_none(one, std::move(query));
    if (why_here.empty()) return;
    const std::string database = database_name(session, one);
    why.push_back(database.empty() ? why_here : fmt::format("{}: {}", database, why_here));
  });
  result.why_none = fmt::format("{}", fmt::join(why, "; "));
  return result;
}

// The first `count` of what each database has first, `asked.top` of each, without claiming
// anything.
std::vector<Found> best(Session& session, const RankQuery& asked, std::size_t count) {
  std::vector<Found> found;
  each_database(session, [&](Session& one) {
    RankQuery query = asked;
    query.took = room_for_rows(one);
    query.unclaimed_at = session.now();
    keep_known(session, one, query.selection);
    leave_out_stuck(one, query);
    for (PathRow& row : one.engine(Access::read).rank(query))
      found.push_back({&one, std::move(row)});
  });
  put_in_order(session, found, 0, count);
  return found;
}

std::vector<Found> claim_in(Session& session, const ClaimNext& next) {
  std::vector<Found> found;
  for (ClaimedTask& task : session.engine(Access::write).claim_next(next))
    found.push_back({&session, std::move(task.row), std::move(task.claim)});
  return found;
}

// Claims the best task of several databases, in one transaction of its own database, which claims
// nothing if the best of another one would go first by then. Then all are asked again, since
// another process must have claimed or changed the task that was seen: among n that claim one task
// each, that happens less than n times. The bound is for those that never stop claiming.
std::vector<Found> claim_best(Session& session, ClaimNext& next) {
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    RankQuery look = next.query;
    look.top = 1;
    look.agent = next.agent;
    look.now = next.query.now = session.now();
    look.stamp = next.query.stamp = common_stamp(session);
    std::vector<Found> seen = best(session, look, 2);
    if (seen.empty()) return {};
    next.rival.reset();
    if (seen.size() > 1) next.rival = seen[1].row;
    std::vector<Found> claimed;
    Session& one = *seen.front().in;
    in_database(session, one, [&] { claimed = claim_in(one, next); });
    if (!claimed.empty()) return claimed;
  }
  throw Problem(ProblemType::busy, "others claim what comes first each time; try again");
}

std::vector<Found> claim_of_several(Session& session, ClaimNext& next) {
  std::vector<Found> found;
  for (std::size_t more = std::exchange(next.n, 1); more > 0; --more) {
    std::vector<Found> claimed;
    try {
      claimed = claim_best(session, next);
    } catch (const Problem& problem) {
      if (found.empty()) throw;
      session.note(problem.what());  // what was claimed must be known
    }
    if (claimed.empty()) break;
    found.push_back(std::move(claimed.front()));
  }
  put_in_order(session, found, 0, found.size());
  return found;
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
  refuse_of_several(session, request);
  refuse_of_several(session, request.spread, "spread");
  refuse_of_several(session, !request.request_id.empty(), "request_id");
  OrderQuery asked = query_of(request);
  each_database(session, [&](Session& one) { note_unknown_labels(one, request); });
  if (request.type.empty() && !request.among)
    asked.query.which.not_types.assign(kNoWork.begin(), kNoWork.end());
  const auto limit = static_cast<std::size_t>(request.limit);
  if (!request.claim) {
    RankQuery query = asked.query;
    query.top = limit;
    query.reasons = true;
    query.now = ranked_at(session);
    query.stamp = common_stamp(session);
    return result_of(session, asked.query, best(session, query, limit));
  }
  require_name(request.agent, "agent");
  if (!request.request_id.empty()) require_name(request.request_id, "request_id");
  ClaimNext next;
  next.agent = request.agent;
  next.now = session.now();
  next.lease_ms = request.lease.lease.ms;
  next.n = limit;
  next.request = request.request_id;
  next.query = asked.query;
  next.spread = request.spread;
  next.expiry_is_failure = request.expiry_is_failure;
  return result_of(
      session, asked.query,
      asks_several(session) ? claim_of_several(session, next) : claim_in(session, next));
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
