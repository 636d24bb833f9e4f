#include "api/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "api/common.h"
#include "api/room.h"
#include "engine/rank/explain.h"

namespace hebb::api {

namespace {

CauseLine cause_line(const Cause& cause) { return {cause.event, Time{cause.at}, cause.what}; }

// The time at which weights and factors are evaluated: with as_of, that time.
std::optional<TimeMs> evaluated_at(const Session& session, const std::optional<Time>& as_of) {
  return as_of ? as_of->ms : session.given_now();
}

std::optional<TimeMs> ms_of(const std::optional<Time>& time) {
  if (!time) return std::nullopt;
  return time->ms;
}

}  // namespace

const Fields& CauseLine::fields() {
  static const Fields kFields{
      field("event", &CauseLine::event, "Its position in the ledger"),
      field("at", &CauseLine::at, "When it happened"),
      field("what", &CauseLine::what, "What it was: \"success of task-3\", …"),
  };
  return kFields;
}

const Fields& GroundLine::fields() {
  static const Fields kFields{
      field("what", &GroundLine::what, "The edge, or the fact"),
      field("value", &GroundLine::value, "What it adds"),
      field("causes", &GroundLine::causes,
            "The events behind it, the oldest first; the last few where there are many"),
      field("cause_count", &GroundLine::cause_count, "How many these are in all"),
  };
  return kFields;
}

const Fields& FactorExplained::fields() {
  static const Fields kFields{
      field("name", &FactorExplained::name, "recency, reward, …"),
      field("value", &FactorExplained::value, "What it is"),
      field("formula", &FactorExplained::formula, "What it is made from, with the numbers in it"),
      field("grounds", &FactorExplained::grounds, "What these numbers come from"),
  };
  return kFields;
}

// --- a task --------------------------------------------------------------------------------------

const Fields& ExplainRequest::fields() {
  static const Fields kFields{
      field("id", &ExplainRequest::id, "The task",
            {.required = true, .positional = true, .option = "TASK"}),
      field("as_of", &ExplainRequest::as_of, "As it was at that time"),
      field("against", &ExplainRequest::against,
            "A second task: factor by factor, and which of them decides"),
  };
  return kFields;
}

const Fields& FactorAgainst::fields() {
  using F = FactorAgainst;
  static const Fields kFields{
      field("name", &F::name, "recency, reward, …"),
      field("mine", &F::mine, "Of the task"),
      field("theirs", &F::theirs, "Of the other"),
      field("ratio", &F::ratio, "The first to the second"),
  };
  return kFields;
}

const Fields& Against::fields() {
  using A = Against;
  static const Fields kFields{
      field("id", &A::id, "The other task"),
      field("name", &A::name, "Its name"),
      field("rank", &A::rank, "Its place, from 1; absent: it is not ranked"),
      field("priority", &A::priority, "The product of its factors"),
      field("pinned", &A::pinned, "Above what is not"),
      field("winner", &A::winner, "The id of the one that goes first"),
      field("decides", &A::decides,
            "The factor that speaks for it most; ranked or pinned, where the other is not; tie, "
            "where the priorities are equal"),
      field("factors", &A::factors, "Factor by factor, what decides most first"),
  };
  return kFields;
}

const Fields& ExplainResult::fields() {
  using R = ExplainResult;
  static const Fields kFields{
      field("id", &R::id, "The task"),
      field("name", &R::name, "Its name"),
      field("type", &R::type, "TASK, LABEL, …"),
      field("state", &R::state, "OPEN is a task to be ranked"),
      field("at", &R::at, "The time that the numbers are of"),
      field("ranked", &R::ranked, "It is on the golden path"),
      field("why_not", &R::why_not, "Why it is not ranked"),
      field("blockers", &R::blockers,
            "What it waits for: nodes that block it and are not finished"),
      field("pinned", &R::pinned, "Above everything that is not pinned, whatever its priority"),
      field("rank", &R::rank, "Its place, from 1"),
      field("candidates", &R::candidates, "Of how many"),
      field("relative", &R::relative, "Its priority divided by that of the first"),
      field("priority", &R::priority,
            "The product of the factors; of what is not ranked, if it were"),
      field("factors", &R::factors,
            "Each factor, and what the factor base is made from: semantic and structural"),
      field("history", &R::history,
            "Of a node without a state: what made and changed it, and the last links from it"),
      field("against", &R::against, "The other task, where one was given"),
  };
  return kFields;
}

namespace {

TaskExplanation explained(Session& session, const std::string& id, const std::optional<Time>& as_of,
                          const char* field) {
  TaskExplanation x =
      explain(session.engine(Access::read), id, ms_of(as_of), evaluated_at(session, as_of));
  if (!x.lines.empty()) return x;
  throw Problem(
      ProblemType::not_found,
      as_of ? fmt::format("there was no node \"{}\" at {}", id, time_text(as_of->ms))
            : fmt::format("there is no node \"{}\"; `hebb search` finds nodes by their text", id),
      field);
}

// How strongly a factor speaks for one of two, on either side alike.
double strength(const FactorAgainst& f) {
  return f.ratio > 0 ? std::abs(std::log(f.ratio)) : std::numeric_limits<double>::infinity();
}

// Who goes first, and why.
void decide(const TaskExplanation& mine, const TaskExplanation& theirs, Against& against) {
  const auto better = [&](bool first, std::string_view why) {
    against.winner = first ? mine.id : theirs.id;
    against.decides = why;
  };
  if (mine.ranked != theirs.ranked) return better(mine.ranked, "ranked");
  if (mine.pinned != theirs.pinned) return better(mine.pinned, "pinned");
  const double a = mine.factors.priority, b = theirs.factors.priority;
  if (a == b) return better(mine.rank <= theirs.rank, "tie");
  for (const FactorAgainst& f : against.factors) {
    if ((f.mine > f.theirs) == (a > b) && f.mine != f.theirs) return better(a > b, f.name);
  }
  better(a > b, "tie");  // each rounds to the other's
}

Against against(const TaskExplanation& mine, const TaskExplanation& theirs) {
  Against out;
  out.id = theirs.id;
  out.name = theirs.name;
  if (theirs.ranked) out.rank = theirs.rank;
  out.priority = theirs.factors.priority;
  out.pinned = theirs.pinned;
  for (std::size_t i = 0; i < mine.lines.size(); ++i) {
    const FactorLine &a = mine.lines[i], &b = theirs.lines[i];
    if (a.name == "semantic" || a.name == "structural") continue;  // parts of base
    out.factors.push_back({a.name, a.value, b.value, b.value > 0 ? a.value / b.value : 0});
  }
  std::stable_sort(out.factors.begin(), out.factors.end(),
                   [](const auto& a, const auto& b) { return strength(a) > strength(b); });
  decide(mine, theirs, out);
  return out;
}

}  // namespace

ExplainResult explain(Session& session, const ExplainRequest& request) {
  const TaskExplanation x = explained(session, request.id, request.as_of, "id");
  ExplainResult result;
  result.id = x.id;
  result.name = x.name;
  result.type = x.type;
  result.state = x.state;
  result.at.ms = x.at;
  result.ranked = x.ranked;
  result.blockers = x.blockers;
  result.pinned = x.pinned;
  if (x.ranked) {
    result.rank = x.rank;
    result.candidates = x.candidates;
    result.relative = x.relative;
  } else {
    result.why_not = x.why_not;
  }
  result.priority = x.factors.priority;
  for (const FactorLine& line : x.lines) {
    FactorExplained factor{line.name, line.value, line.formula, {}};
    for (const Ground& ground : line.grounds) {
      factor.grounds.push_back(
          {ground.what, ground.value, {}, static_cast<std::int64_t>(ground.cause_count)});
      for (const Cause& cause : ground.causes)
        factor.grounds.back().causes.push_back(cause_line(cause));
    }
    result.factors.push_back(std::move(factor));
  }
  Room room(session);
  for (const Cause& cause : x.history) {
    room.take(3, cause.what);
    result.history.push_back(cause_line(cause));
  }
  if (request.against == request.id) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{} cannot be compared with itself; name another task as {}",
                              request.id, named("against")),
                  "against");
  }
  if (!request.against.empty()) {
    result.against = against(x, explained(session, request.against, request.as_of, "against"));
  }
  return result;
}

Operation explain_operation() {
  return operation<ExplainRequest, ExplainResult>(
      {.name = "explain",
       .command = "explain",
       .summary = "Why a task has its place in the ranking",
       .example = "  hebb explain task-7\n"
                  "  hebb explain task-7 --as-of 1769781359000\n"
                  "  hebb explain task-7 --against task-8",
       .effect = Effect::reads,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/tasks/{id}/explanation",
       .problems = {ProblemType::not_found}},
      explain);
}

// --- an edge -------------------------------------------------------------------------------------

const Fields& ExplainEdgeRequest::fields() {
  using R = ExplainEdgeRequest;
  static const Fields kFields{
      field("source", &R::source, "The node it goes out from",
            {.required = true, .positional = true}),
      field("target", &R::target, "The node it leads to", {.required = true, .positional = true}),
      field("type", &R::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …",
            {.required = true, .positional = true}),
      field("as_of", &R::as_of, "As it was at that time"),
  };
  return kFields;
}

const Fields& EdgeStepLine::fields() {
  using L = EdgeStepLine;
  static const Fields kFields{
      field("event", &L::event, "The event's position in the ledger"),
      field("at", &L::at, "When it happened"),
      field("what", &L::what, "What it was: \"success of task-3\", …"),
      field("rule", &L::rule, "What it did to the edge: \"reinforce 0.8\", …"),
      field("before", &L::before, "The weight just before; absent: the edge was not there"),
      field("after", &L::after, "The weight just after; absent: the edge is gone"),
  };
  return kFields;
}

const Fields& ExplainEdgeResult::fields() {
  using R = ExplainEdgeResult;
  static const Fields kFields{
      field("source", &R::source, "The node it goes out from"),
      field("target", &R::target, "The node it leads to"),
      field("type", &R::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
      field("at", &R::at, "The time that the numbers are of"),
      field("exists", &R::exists, "False: it does not exist now"),
      field("weight", &R::weight, "Its weight now, after decay"),
      field("stored_weight", &R::stored_weight, "Its weight when it was last touched"),
      field("touched_at", &R::touched_at, "When that was; absent: the edge is gone"),
      field("dormant", &R::dormant, "Too weak to count"),
      object_field("properties", &R::properties, "Its properties, as they were given"),
      field("history", &R::history, "What made its weight, the oldest first"),
  };
  return kFields;
}

ExplainEdgeResult explain_edge(Session& session, const ExplainEdgeRequest& request) {
  const EdgeName edge{request.source, request.target, request.type};
  const EdgeExplanation x = explain(session.engine(Access::read), edge, ms_of(request.as_of),
                                    evaluated_at(session, request.as_of));
  if (!x.exists && x.steps.empty()) {
    throw Problem(ProblemType::not_found,
                  fmt::format("there is no edge {} -{}-> {}{}, and nothing that counts made one; "
                              "`hebb neighbors {} --dormant` lists those there are",
                              edge.source, edge.type, edge.target,
                              request.as_of ? " at that time" : "", edge.source));
  }
  ExplainEdgeResult result;
  result.source = edge.source;
  result.target = edge.target;
  result.type = edge.type;
  result.at.ms = x.at;
  result.exists = x.exists;
  result.weight = x.weight;
  result.stored_weight = x.stored_weight;
  if (x.exists) result.touched_at = Time{x.touched_at};
  result.dormant = x.dormant;
  if (!x.properties.empty()) result.properties = Json::parse(x.properties);
  Room room(session);
  for (const EdgeStep& step : x.steps) {
    room.take(6, step.cause.what, step.rule);
    result.history.push_back({step.cause.event, Time{step.cause.at}, step.cause.what, step.rule,
                              step.before, step.after});
  }
  return result;
}

Operation explain_edge_operation() {
  return operation<ExplainEdgeRequest, ExplainEdgeResult>(
      {.name = "explain_edge",
       .command = "explain",
       .summary = "How an edge got its weight",
       .example = "  hebb explain frontier task-7 GUIDES",
       .effect = Effect::reads,
       .path = "/edges/explanation",
       .problems = {ProblemType::not_found}},
      explain_edge);
}

}  // namespace hebb::api
