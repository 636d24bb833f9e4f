// outcome: how a task, or several, came out.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operation.h"
#include "engine/fold/done_once.h"
#include "engine/fold/states.h"
#include "engine/input/outcome_report.h"

namespace hebb::api {

struct OutcomeRequest {
  NodeId id;
  std::string outcome;
  std::vector<NodeId> also;
  std::optional<double> score;
  std::optional<std::int64_t> token;
  std::string agent, because, outcome_id;
};
RECORD(OutcomeRequest, FIELD(id, "The task", {.required = true, .positional = true}),
       FIELD(outcome,
             "How it came out; what could not be tried (CI is down) is no failure: snooze it, and "
             "say why",
             {.choices = {"success", "partial", "failure"}, .required = true, .positional = true}),
       FIELD(also, "Another task that came out so; all of them are taken, or none"),
       FIELD(score, "Of a success: above 0, at most 1", {.min = 0, .max = 1}),
       FIELD(token, "Of the claim under which it was done; refused (stale_lease) if that has ended",
             {.min = 1}),
       FIELD(agent, kAgentWords), FIELD(because, "Why it came out so, for who tries next"),
       FIELD(outcome_id, "An id of its own: sent again, it counts once", {.rare = true}))

// The result of the outcome of one of several tasks.
struct TakenOutcome {
  std::string id;
  bool repeated = false;
  std::string ended_claim_of;
};
RECORD(TakenOutcome, FIELD(id, "The task"), FIELD(repeated, "As of the first"),
       FIELD(ended_claim_of, "As of the first", {.may_be_absent = true}))

struct OutcomeResult {
  std::string id, outcome;
  bool repeated = false;
  std::string ended_claim_of;
  std::vector<TakenOutcome> also;
};
RECORD(OutcomeResult, FIELD(id, "The task"), FIELD(outcome, "As it was given"),
       FIELD(repeated, "It was known already, and counts once"),
       FIELD(ended_claim_of,
             "Another agent that was working on it: no token was given, and its claim has ended",
             {.may_be_absent = true}),
       FIELD(also, "The other tasks, in their order", {.may_be_absent = true}))

namespace {

struct OneTask {
  TakenOutcome taken;
  bool was_closed = false, was_done = false;  // before
};

// The state of a task before the outcome. `agent`: who did it according to the request; where it
// names nobody, the holder of the claim whose token it has, else the session's own.
OneTask before_outcome(Session& session, Engine& engine, const OutcomeRequest& request,
                       const std::string& id, TimeMs now, std::string& agent) {
  OneTask one;
  one.taken.id = id;
  const auto claim = claim_of(engine, id);
  if (request.token && agent.empty() && claim && claim->token == *request.token)
    agent = claim->agent;
  if (agent.empty()) agent = session.own_agent();
  if (claim) {
    if (!request.token && claim->active(now) && claim->agent != agent)
      one.taken.ended_claim_of = claim->agent;
  }
  const State& s = engine.state();
  const auto n = s.find(id);
  one.was_closed = n && s.graph().states().name(s.graph().nodes().state[*n]) == kClosed;
  one.was_done = n && is_done(s.graph(), s.policy(), *n);
  return one;
}

// Throws Refused.
Event event_of_task(const OutcomeRequest& request, const std::string& outcome_id,
                    const std::string& id, const std::string& agent, TimeMs now) {
  OutcomeReport report;
  report.task = id;
  report.outcome = *outcome_named(request.outcome);
  report.score = request.score;
  report.token = request.token;
  if (!agent.empty()) report.agent = agent;
  if (!request.because.empty()) report.because = request.because;
  if (!outcome_id.empty())
    report.id = id == request.id ? outcome_id : fmt::format("{}/{}", outcome_id, id);
  Parsed parsed = event_of(std::move(report), now);
  if (auto* refusal = std::get_if<Refusal>(&parsed)) throw Refused(std::move(*refusal));
  return std::get<Event>(std::move(parsed));
}

}  // namespace

// Throws Problem if there is no such node. Most texts with a blank are no names but reasons.
static void require_task(const State& s, const OutcomeRequest& request, const std::string& id) {
  if (id != request.id && !s.find(id) && id.find(' ') != id.npos) {
    const Problem none = no_node(s, id, "also");
    throw Problem(none.type, none.marked + fmt::format("; a reason goes with {}", named("because")),
                  none.field);
  }
  require_node(s, id, id == request.id ? "id" : "also");
}

static OutcomeResult outcome(Session& session, const OutcomeRequest& request) {
  const std::vector<std::string> ids =
      ids_of({request.id, request.also}, request.token ? "token" : "");
  if (!request.agent.empty()) require_name(request.agent, "agent");
  if (!request.outcome_id.empty()) require_name(request.outcome_id, "outcome_id");
  const std::string& key = session.attached.key;
  const std::string outcome_id =
      request.outcome_id.empty() && !key.empty() ? id_from_key(key, 1) : request.outcome_id;
  const auto tasks = write(session, [&](Engine& engine) {
    for (const std::string& id : ids) require_task(engine.state(), request, id);
    const TimeMs now = session.now();
    std::vector<OneTask> all;
    std::vector<Event> events;
    for (const std::string& id : ids) {
      std::string agent = request.agent;
      all.push_back(before_outcome(session, engine, request, id, now, agent));
      events.push_back(event_of_task(request, outcome_id, id, agent, now));
    }
    const auto applied = engine.append(std::move(events));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].taken.repeated = applied[i] == Applied::duplicate;
      if (all[i].taken.repeated) all[i].taken.ended_claim_of.clear();
    }
    return all;
  });
  const TakenOutcome& first = tasks.front().taken;
  OutcomeResult result{first.id, request.outcome, first.repeated, first.ended_claim_of, {}};
  for (const auto& [taken, was_closed, was_done] : tasks) {
    if (taken.id != first.id) result.also.push_back(taken);
    if (!was_closed || taken.repeated) continue;
    session.note(
        fmt::format("{0} was CLOSED already, and {1}; `hebb edit {0} --state OPEN` "
                    "opens it again",
                    taken.id, was_done ? "this outcome counts nothing" : "stays so"));
  }
  return result;
}

Operations outcome_operations() {
  return {
      operation({.name = "outcome",
                 .summary = "Say how a task came out",
                 .example = "  hebb outcome task-7 success\n"
                            "  hebb outcome task-7 failure --token 4711 --agent worker-1\n"
                            "  hebb outcome task-7 failure --because \"the login page changed\"\n"
                            "  hebb outcome task-7 success --also task-8 --also task-9",
                 .route = "POST /tasks/{id}/outcome",
                 .tool = Tool::core,
                 .problems = {ProblemType::refused, ProblemType::not_found},
                 .groupable = true},
                outcome),
  };
}

}  // namespace hebb::api
