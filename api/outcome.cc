// outcome: how one task came out.
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operation.h"
#include "engine/fold/done_once.h"
#include "engine/fold/states.h"
#include "engine/input/input.h"

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

// The event that the object is as an item of an input. Throws Refused.
static Event event_of(const Json& object, TimeMs now) {
  const std::string text = object.dump();
  Input input(text);
  ReadOptions options;
  options.now = now;
  std::optional<Event> event;
  read_outcomes(input, options, [&](Item item) {
    if (auto* refusal = std::get_if<Refusal>(&item.parsed)) throw Refused(std::move(*refusal));
    event = std::get<Event>(std::move(item.parsed));
  });
  return *std::move(event);
}

static OutcomeResult outcome(Session& session, const OutcomeRequest& request) {
  require_name(request.id, "id");
  if (!request.agent.empty()) require_name(request.agent, "agent");
  if (!request.outcome_id.empty()) require_name(request.outcome_id, "outcome_id");
  bool was_closed = false, was_done = false;
  const OutcomeResult result = write(session, [&](Engine& engine) {
    require_node(engine.state(), request.id);
    OutcomeResult counted{request.id, request.outcome, false, {}};
    std::string agent = request.agent;
    if (const auto claim = claim_of(engine, request.id)) {
      if (request.token && agent.empty() && claim->token == *request.token) agent = claim->agent;
      if (!request.token && claim->active(session.now()) && claim->agent != agent)
        counted.ended_claim_of = claim->agent;
    }
    const State& s = engine.state();
    const auto n = s.find(request.id);
    was_closed = n && s.graph().states().name(s.graph().nodes().state[*n]) == kClosed;
    was_done = n && is_done(s.graph(), s.policy(), *n);
    Json object{{"taskId", request.id}, {"outcome", request.outcome}};
    if (request.score) object["score"] = *request.score;
    if (request.token) object["token"] = *request.token;
    if (!agent.empty()) object["agentId"] = agent;
    if (!request.because.empty()) object["because"] = request.because;
    if (!request.outcome_id.empty()) object["id"] = request.outcome_id;
    counted.repeated = engine.append(event_of(object, session.now())) == Applied::duplicate;
    if (counted.repeated) counted.ended_claim_of.clear();
    return counted;
  });
  if (was_closed && !result.repeated) {
    session.note(
        fmt::format("{0} was CLOSED already, and {1}; `hebb edit {0} --state OPEN` "
                    "opens it again",
                    request.id, was_done ? "this outcome counts nothing" : "stays so"));
  }
  return result;
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
                 .problems = {ProblemType::refused, ProblemType::not_found},
                 .brief = true,
                 .once_by = "outcome_id"},
                outcome),
  };
}

}  // namespace hebb::api
