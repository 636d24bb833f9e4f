// outcome: how one task came out.
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/common.h"
#include "api/ingest.h"
#include "api/operation.h"
#include "engine/fold/counts.h"

namespace hebb::api {

struct OutcomeRequest {
  NODE_MEMBER(std::string, id, "The task", {.required = true, .positional = true});
  MEMBER(std::string, outcome, "How it came out",
         {.choices = {"success", "partial", "failure"}, .required = true, .positional = true});
  MEMBER(std::optional<double>, score, "Of a success: above 0, at most 1", {.min = 0, .max = 1});
  MEMBER(std::optional<std::int64_t>, token, "Of the claim under which it was done; refused "
         "(stale_lease) if that has ended", {.min = 1});
  MEMBER(std::string, agent, "Who did it");
  MEMBER(std::string, because, "Why it came out so, for who tries next");
  MEMBER(std::string, outcome_id, "An id of its own: sent again, it counts once", {.seldom = true});
};

struct OutcomeResult {
  MEMBER(std::string, id, "The task");
  MEMBER(std::string, outcome, "As it was given");
  MEMBER(bool, repeated, "It was known already, and counts once");
  MEMBER(std::string, ended_claim_of, "Another agent that was working on it: no token was given, "
         "and its claim has ended", {.may_be_absent = true});
};

static OutcomeResult outcome(Session& session, const OutcomeRequest& request) {
  require_name(request.id, "id");
  if (!request.agent.empty()) require_name(request.agent, "agent");
  if (!request.outcome_id.empty()) require_name(request.outcome_id, "outcome_id");
  Json line{{"taskId", request.id}, {"outcome", request.outcome}};
  if (request.score) line["score"] = *request.score;
  if (request.token) line["token"] = *request.token;
  Engine& engine = session.engine(Access::write);
  OutcomeResult said{request.id, request.outcome, false, {}};
  std::string agent = request.agent;
  if (const auto claim = claim_of(engine, request.id)) {
    if (request.token && agent.empty() && claim->token == *request.token) agent = claim->agent;
    if (!request.token && claim->active(session.now()) && claim->agent != agent)
      said.ended_claim_of = claim->agent;
  }
  if (!agent.empty()) line["agentId"] = agent;
  const State& s = engine.state();
  const auto n = s.find(request.id);
  const bool was_closed = n && s.graph().states().name(s.graph().nodes().state[*n]) == "CLOSED";
  const bool was_done = n && is_done(s.graph(), s.policy(), *n);
  if (!request.because.empty()) line["because"] = request.because;
  if (!request.outcome_id.empty()) line["id"] = request.outcome_id;
  IngestRequest ingested;
  ingested.outcomes.push_back(std::move(line));
  const IngestResult result = ingest(session, ingested);
  if (result.refused > 0) {
    engine.forget_inputs();  // the same said again is another outcome
    throw Refused(result.refusals.front().refusal);
  }
  said.repeated = result.duplicates > 0;
  if (said.repeated) said.ended_claim_of.clear();
  if (was_closed && !said.repeated) {
    session.note(
        fmt::format("{0} was CLOSED already, and {1}; `hebb edit {0} --state OPEN` "
                    "opens it again",
                    request.id, was_done ? "this outcome counts nothing" : "stays so"));
  }
  return said;
}

Operations outcome_operations() {
  return {
      operation({.name = "outcome",
                 .summary = "Say how a task came out",
                 .example = "  hebb outcome task-7 success\n"
                            "  hebb outcome task-7 failure --token 4711 --agent worker-1\n"
                            "  hebb outcome task-7 failure --because \"the login page changed\"",
                 .route = "POST /tasks/{id}/outcome",
                 .tool = Tool::core,
                 .problems = {ProblemType::refused},
                 .brief = true,
                 .once_by = "outcome_id"},
                outcome),
  };
}

}  // namespace hebb::api
