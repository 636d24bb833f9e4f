// explain, explain_edge: why a task has its place, and how an edge got its weight.
#include "engine/rank/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/operations.h"
#include "api/room.h"
#include "reward/weight.h"

namespace hebb::api {

RECORD(Cause, FIELD(event, "Its position in the ledger"), TIME_FIELD(at, "When it happened"),
       FIELD(what, "What it was: \"success of task-3\", …"))
RECORD(Ground, FIELD(what, "The edge, or the fact"), FIELD(value, "What it adds"),
       FIELD(causes, "The events behind it, the oldest first; the last few where there are many"),
       FIELD(cause_count, "How many these are in all"))
RECORD(FactorLine, FIELD(name, "recency, reward, …"), FIELD(value, "What it is"),
       FIELD(formula, "What it is made from, with the numbers in it"),
       FIELD(grounds, "What these numbers come from"))

// --- a task --------------------------------------------------------------------------------------

struct ExplainRequest {
  std::string id, against;
  std::optional<Time> as_of;
};
RECORD(ExplainRequest,
       NODE_FIELD(id, "The task", {.required = true, .positional = true, .option = "TASK"}),
       FIELD(as_of, "As it was at that time", {.back = true}),
       NODE_FIELD(against, "A second task: factor by factor, and which of them decides"))

struct FactorAgainst {
  std::string name;
  double mine = 0, theirs = 0;
  double ratio = 0;  // mine / theirs
};
RECORD(FactorAgainst, FIELD(name, "recency, reward, …"), FIELD(mine, "Of the task"),
       FIELD(theirs, "Of the other"), FIELD(ratio, "The first to the second"))

struct Against {
  std::string id, name;
  std::optional<std::int64_t> rank;
  double priority = 0;
  bool pinned = false;
  std::string winner;   // the id of the one that goes first
  std::string decides;  // the factor that speaks for it most; or "pinned", "why_not", …
  std::vector<FactorAgainst> factors;
};
RECORD(Against, FIELD(id, "The other task"), FIELD(name, "Its name"),
       FIELD(rank, "Its place, from 1; absent: it is not ranked"),
       FIELD(priority, "The product of its factors"), FIELD(pinned, "Above what is not"),
       FIELD(winner, "The id of the one that goes first"),
       FIELD(decides,
             "The factor that speaks for it most; ranked or pinned, where the other is "
             "not; tie, where the priorities are equal"),
       FIELD(factors, "Factor by factor, what decides most first"))

struct ExplainResult : TaskExplanation {
  std::optional<Against> against;  // if it was asked for
};
constexpr std::string_view kPriorityWords =
    "The product of the factors; of what is not ranked, if it were";
RECORD(ExplainResult, FIELD(id, "The task"), FIELD(name, "Its name"), FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       TIME_FIELD(at, "The time that the numbers are of"),
       FIELD(ranked, "It is on the golden path"),
       FIELD(why_not, "Why it is not ranked", {.may_be_absent = true}),
       FIELD(blockers, "What it waits for: nodes that block it and are not finished"),
       FIELD(pinned, "Above everything that is not pinned, whatever its priority"),
       FIELD(rank, "Its place, from 1", {.may_be_absent = true}),
       FIELD(candidates, "Of how many", {.may_be_absent = true}),
       FIELD(relative, "Its priority divided by that of the first", {.may_be_absent = true}),
       FIELD_WITHIN(factors, field("priority", &reward::Factors::priority, kPriorityWords)),
       NAMED_FIELD("factors", lines,
                   "Each factor, and what the factor base is made from: semantic and structural"),
       FIELD(history,
             "Of a node without a state: what made and changed it, and the last links "
             "from it"),
       FIELD(against, "The other task, where one was given"))

namespace {

std::optional<TimeMs> ms_of(const std::optional<Time>& time) {
  return time ? std::optional(time->ms) : std::nullopt;
}

// The time at which weights and factors are evaluated: with as_of, that time.
std::optional<TimeMs> evaluated_at(const Session& session, const std::optional<Time>& as_of) {
  return as_of ? as_of->ms : session.given_now();
}

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

static ExplainResult explain(Session& session, const ExplainRequest& request) {
  ExplainResult result{explained(session, request.id, request.as_of, "id"), {}};
  Room room(session);
  for (const Cause& cause : result.history) room.take(3, cause.what);
  if (request.against == request.id) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{} cannot be compared with itself; name another task as {}",
                              request.id, named("against")),
                  "against");
  }
  if (!request.against.empty()) {
    result.against = against(result, explained(session, request.against, request.as_of, "against"));
  }
  return result;
}

// --- an edge -------------------------------------------------------------------------------------

struct ExplainEdgeRequest : EdgeName {
  std::optional<Time> as_of;
  std::optional<std::int64_t> points;
};
RECORD(ExplainEdgeRequest, FIELDS_OF_BASE(EdgeName),
       FIELD(as_of, "As it was at that time", {.back = true}),
       FIELD(points, "Its weight over time, to be drawn: about so many, besides those of events",
             {.min = 2, .max = 5000, .hidden = true}))

RECORD(EdgeStep, FIELDS_OF(cause), FIELD(rule, "What it did to the edge: \"reinforce 0.8\", …"),
       FIELD(before, "The weight just before; absent: the edge was not there"),
       FIELD(after, "The weight just after; absent: the edge is gone"))

struct CurvePoint {
  TimeMs at = 0;
  double weight = 0;
};
RECORD(CurvePoint, TIME_FIELD(at, "The time"),
       FIELD(weight, "The effective weight then; 0 where there is no edge"))

struct ExplainEdgeResult : EdgeExplanation {
  std::optional<double> cap, dormant_below, half_life_days;
  std::optional<std::vector<CurvePoint>> points;
};
RECORD(ExplainEdgeResult, FIELDS_OF(edge), TIME_FIELD(at, "The time that the numbers are of"),
       FIELD(exists, "False: it does not exist now"), FIELD(weight, "Its weight now, after decay"),
       FIELD(stored_weight, "Its weight when it was last touched"),
       TIME_FIELD(touched_at, "When that was; absent: the edge is gone", {.may_be_absent = true}),
       FIELD(dormant, "Too weak to count"),
       JSON_FIELD(properties, "Its properties, as they were given"),
       NAMED_FIELD("history", steps, "What made its weight, the oldest first"),
       FIELD(cap, "With points: what a weight of this type is at most"),
       FIELD(dormant_below, "With points: a weight below this does not count"),
       FIELD(half_life_days,
             "With points: after so many days half is left; absent: this type does "
             "not fade",
             {.unit = "days"}),
       FIELD(points, "By time; at an event two, just before and just after it"))

namespace {

// What an edge of weight `w` at `from` fades to until `to`, as points.
void add_fading(const reward::TypePolicy& type, double w, TimeMs from, TimeMs to,
                std::int64_t count, std::vector<CurvePoint>& points) {
  for (std::int64_t i = 1; i < count; ++i) {
    const auto at = from + static_cast<TimeMs>(std::llround(static_cast<double>(to - from) *
                                                            static_cast<double>(i) /
                                                            static_cast<double>(count)));
    points.push_back({at, reward::effective(type, w, from, at)});
  }
}

void add_curve(const reward::TypePolicy& type, std::int64_t about, TimeMs now,
               ExplainEdgeResult& x) {
  x.cap = type.cap;
  x.dormant_below = type.is_protected ? 0 : type.dormant_below;
  if (!type.is_protected && type.decay_per_day < 1)
    x.half_life_days = std::log(0.5) / std::log(type.decay_per_day);
  auto& points = x.points.emplace();
  if (x.steps.empty()) return;
  const TimeMs begin = x.steps.front().cause.at, end = std::max(now, x.steps.back().cause.at);
  if (x.exists) {
    x.weight = reward::effective(type, x.stored_weight, x.touched_at, end);
    x.dormant = reward::dormant(type, x.stored_weight, x.touched_at, end);
  }
  const auto total = static_cast<double>(std::max<TimeMs>(end - begin, 1));
  for (std::size_t i = 0; i < x.steps.size(); ++i) {
    const EdgeStep& step = x.steps[i];
    const TimeMs at = step.cause.at, to = i + 1 < x.steps.size() ? x.steps[i + 1].cause.at : end;
    const double w = step.after.value_or(0);
    points.push_back({at, step.before.value_or(0)});
    points.push_back({at, w});
    const auto count =
        std::llround(static_cast<double>(about) * static_cast<double>(to - at) / total);
    if (step.after && to > at)
      add_fading(type, w, at, to, std::max<std::int64_t>(2, count), points);
  }
  if (end > x.steps.back().cause.at) points.push_back({end, x.weight});
}

}  // namespace

static ExplainEdgeResult explain_edge(Session& session, const ExplainEdgeRequest& request) {
  require_edge_names(request);
  Engine& engine = session.engine(Access::read);
  ExplainEdgeResult x{hebb::explain(engine, static_cast<const EdgeName&>(request),
                                    ms_of(request.as_of), evaluated_at(session, request.as_of)),
                      {},
                      {},
                      {},
                      {}};
  if (!x.exists && x.steps.empty()) {
    throw Problem(ProblemType::not_found,
                  fmt::format("there is no edge {} -{}-> {}{}, and nothing that counts made one; "
                              "`hebb neighbors {} --dormant` lists those there are",
                              request.source, request.type, request.target,
                              request.as_of ? " at that time" : "", request.source));
  }
  if (!x.exists) x.touched_at = graph::kNever;
  if (x.properties.empty()) x.properties = "{}";
  Room room(session);
  for (const EdgeStep& step : x.steps) room.take(6, step.cause.what, step.rule);
  if (request.points)
    add_curve(engine.state().policy().type(request.type), *request.points, session.now(), x);
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
                 .tool = true,
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
