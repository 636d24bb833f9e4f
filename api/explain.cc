// explain, explain_edge: why a task has its place, and how an edge got its weight.
#include "engine/rank/explain.h"

#include <optional>
#include <string>

#include "api/common.h"
#include "api/operation.h"
#include "api/order.h"

namespace hebb {

RECORD(Cause, FIELD(event, "Its position in the ledger"), FIELD_AS(Time, at, "When it happened"),
       FIELD(what, "What it was: \"success of task-3\", …"))

RECORD(Ground, FIELD(what, "The edge, or the fact"), FIELD(value, "What it adds"),
       FIELD(causes, "The events behind it, the oldest first; the last few where there are many"),
       FIELD(cause_count, "How many these are in all"))

RECORD(FactorLine, FIELD(name, "recency, reward, …"), FIELD(value, "What it is"),
       FIELD(formula, "How it is computed, with the numbers"),
       FIELD(grounds, "What these numbers come from"))

RECORD(FactorAgainst, FIELD(name, "recency, reward, …"), FIELD(mine, "The factor of the task"),
       FIELD(theirs, "The factor of the other task"),
       FIELD(ratio, "The first divided by the second"))

RECORD(Against, FIELD(id, "The other task"), FIELD(name, "Its name"),
       FIELD(rank, "Its place, from 1; absent: it is not ranked"),
       FIELD(priority, "The product of its factors"),
       FIELD(tier, api::kTierWords, {.may_be_absent = true}),
       FIELD(winner, "The id of the one that goes first"),
       FIELD(decides,
             "The factor that speaks for it most; ranked or a tier, where the other is not in it; "
             "tie, where the priorities are equal"),
       FIELD(factors, "Factor by factor, what decides most first"))

RECORD(EdgeStep, part(self.cause), FIELD(rule, "What it did to the edge: \"reinforce 0.8\", …"),
       FIELD(before, "The weight just before; absent: the edge was not there"),
       FIELD(after, "The weight just after; absent: the edge is gone"))

RECORD(CurvePoint, FIELD_AS(Time, at, "The time"),
       FIELD(weight, "The effective weight then; 0 where there is no edge"))

RECORD(EdgeCurve, FIELD(cap, "With points: what a weight of this type is at most"),
       FIELD(dormant_below, "With points: an edge below this weight is dormant"),
       FIELD(half_life_days,
             "With points: after so many days half is left; absent: this type does not fade",
             {.unit = "days"}),
       FIELD(points, "By time; at an event two, just before and just after it"))

}  // namespace hebb

namespace hebb::api {

// --- a task --------------------------------------------------------------------------------------

struct ExplainRequest {
  NodeId id;
  std::optional<Time> as_of;
  NodeId against;
};
RECORD(ExplainRequest,
       FIELD(id, "The task", {.required = true, .positional = true, .option = "TASK"}),
       FIELD(as_of, "As it was at that time", {.past = true}),
       FIELD(against, "A second task: factor by factor, and which of them decides"))

struct ExplainResult : TaskExplanation {
  std::optional<Against> against = {};  // if the request asks for it
  std::string because = {};             // why_snoozed()
};
constexpr std::string_view kPriorityWords =
    "The product of the factors; of what is not ranked, if it were";
RECORD(ExplainResult, FIELD(id, "The task"), FIELD(name, "Its name"), FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       FIELD_AS(Time, at, "The time for which the numbers hold"),
       FIELD(ranked, "It is one of those that are ranked"),
       FIELD(why_not, "Why it is not ranked", {.may_be_absent = true}),
       FIELD(because, "Why it is snoozed", {.may_be_absent = true}),
       FIELD(blockers, "What it waits for: nodes that block it and are not finished"),
       FIELD(tier, kTierWords, {.may_be_absent = true}),
       FIELD(rank, "Its place, from 1", {.may_be_absent = true}),
       FIELD(candidates, "Of how many", {.may_be_absent = true}),
       FIELD(relative, "Its priority divided by the highest", {.may_be_absent = true}),
       FIELD(sentence, "Its place and why, in a sentence", {.may_be_absent = true}),
       field("why", self.reasons, "The reasons for its place, the strongest first",
             {.may_be_absent = true}),
       field("priority", self.factors.priority, kPriorityWords),
       field("factors", self.lines, "Each factor; `semantic` and `structural` are parts of `base`"),
       FIELD(history,
             "Of a node without a state: what created and changed it, and the last links from it"),
       FIELD(against, "The other task, where one was given"))

namespace {

TaskExplanation explained(Session& session, const std::string& id, std::optional<TimeMs> as_of,
                          const char* field) {
  TaskExplanation x =
      explain(session.engine(Access::read), id, as_of, as_of ? *as_of : ranked_at(session));
  if (!x.lines.empty()) return x;
  if (!as_of) throw no_node(session.engine(Access::read).state(), id, field);
  throw problem(ProblemType::not_found, field, "there was no node \"{}\" at {}", id,
                time_text(*as_of));
}

}  // namespace

static ExplainResult explain(Session& session, const ExplainRequest& request) {
  ExplainResult result{explained(session, request.id, request.as_of, "id")};
  if (!result.ranked) {
    result.because = why_snoozed(session.engine(Access::read), result.id, result.at,
                                 request.as_of.value_or(kEndOfTime));
  }
  Room room(session);
  for (const Cause& cause : result.history) room.take(3, cause.what);
  if (request.against == request.id) {
    throw invalid("against", "{} cannot be compared with itself; name another task as {}",
                  request.id, named("against"));
  }
  if (!request.against.empty()) {
    result.against = compare(result, explained(session, request.against, request.as_of, "against"));
  }
  return result;
}

// --- an edge -------------------------------------------------------------------------------------

struct ExplainEdgeRequest : EdgeName {
  std::optional<Time> as_of;
  std::optional<std::int64_t> points;
};
RECORD(ExplainEdgeRequest, part<EdgeName>(self),
       FIELD(as_of, "As it was at that time", {.past = true}),
       FIELD(points, "Its weight over time, to be drawn: about so many",
             {.min = 2, .max = 5000, .hidden = true}))

struct ExplainEdgeResult : EdgeExplanation {
  EdgeCurve curve;
};
RECORD(ExplainEdgeResult, part(self.edge),
       FIELD_AS(Time, at, "The time for which the numbers hold"),
       FIELD(exists, "False: it does not exist now"), FIELD(weight, "Its weight now, after decay"),
       FIELD(stored_weight, "Its weight when it was last updated"),
       FIELD_AS(Time, touched_at, "When its weight was last updated; absent: the edge is gone",
                {.may_be_absent = true}),
       FIELD(dormant, "Too weak to count until it is reinforced"),
       FIELD_AS(ObjectText, properties, "Its properties, as they were given",
                {.may_be_absent = true}),
       field("history", self.steps, "What set its weight, the oldest first"), part(self.curve))

static ExplainEdgeResult explain_edge(Session& session, const ExplainEdgeRequest& request) {
  require_edge_names(request);
  Engine& engine = session.engine(Access::read);
  ExplainEdgeResult x{hebb::explain(engine, static_cast<const EdgeName&>(request), request.as_of,
                                    request.as_of.value_or(session.now())),
                      {}};
  if (!x.exists && x.steps.empty()) {
    throw problem(ProblemType::not_found, "",
                  "there is no edge {} -{}-> {}{}, and no event created one; `hebb neighbors {} "
                  "--dormant` lists those there are",
                  request.source, request.type, request.target,
                  request.as_of ? " at that time" : "", request.source);
  }
  Room room(session);
  for (const EdgeStep& step : x.steps) room.take(6, step.cause.what, step.rule);
  if (request.points)
    x.curve = curve_of(x, engine.state().policy().type(request.type), *request.points);
  return x;
}

Operations explain_operations() {
  return {
      operation({.name = "explain",
                 .summary = "Why a task has its place in the ranking",
                 .example = "  hebb explain task-7\n"
                            "  hebb explain task-7 --as-of 1769781359000\n"
                            "  hebb explain task-7 --against task-8",
                 .route = "GET /tasks/{id}/explanation",
                 .tool = Tool::core,
                 .problems = {ProblemType::not_found}},
                explain),
      operation({.name = "explain_edge",
                 .command = "explain",
                 .summary = "How an edge got its weight",
                 .example = "  hebb explain frontier task-7 GUIDES",
                 .route = "GET /edges/explanation",
                 .problems = {ProblemType::not_found}},
                explain_edge),
  };
}

}  // namespace hebb::api
