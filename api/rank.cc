#include "api/rank.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/common.h"
#include "api/schedule.h"
#include "api/selectors.h"
#include "api/several.h"
#include "engine/fold/blocking.h"
#include "reward/evidence.h"

namespace hebb::api {

namespace {

struct SchedulerName {
  std::string_view name;
  Scheduler scheduler;
};
constexpr SchedulerName kSchedulers[] = {
    {"slurm", Scheduler::slurm},
    {"airflow", Scheduler::airflow},
    {"celery", Scheduler::celery_rabbitmq},
    {"celery_redis", Scheduler::celery_redis},
    {"temporal", Scheduler::temporal},
    {"k8s", Scheduler::kubernetes},
};

// Fields of NodeFacts: bytes_of() counts those that are there.
constexpr std::size_t kSaid = 6;

void add_values(const std::string& scheduler, std::vector<RankedTask>& tasks) {
  for (const auto& [name, target] : kSchedulers) {
    if (name != scheduler) continue;
    const std::vector<PathRow> rows(tasks.begin(), tasks.end());
    const auto values = schedule(target, rows);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].value = values[i];
      if (target == Scheduler::kubernetes)
        tasks[i].priority_class = priority_class_name(tasks[i].id);
    }
  }
}

}  // namespace

std::vector<std::string> scheduler_names() { return names_of(kSchedulers); }

namespace {

std::optional<std::string> selector_of(Engine& engine, const std::string& runner,
                                       const std::string& id) {
  const std::string properties = engine.content(id).properties.value_or("{}");
  if (runner == "gtest") return gtest_selector(id, properties);
  if (runner == "ctest") return ctest_selector(id, properties);
  return pytest_selector(id, properties);
}

// Of what the graph knows, only tests: a runner finds no others. What --among names and the graph
// does not know may be a test that has not run yet.
void add_selectors(Engine& engine, const std::string& runner, std::vector<RankedTask>& tasks) {
  const graph::Graph& g = engine.state().graph();
  for (RankedTask& task : tasks) {
    const auto n = g.find_node(task.id);
    const bool is_test = !n || g.node_types().name(g.nodes().type[*n]) == reward::kTestType;
    if (is_test) task.selector = selector_of(engine, runner, task.id);
  }
}

// The tests that the runner cannot name, which are another's.
void leave_out_others(Engine& engine, const std::string& runner,
                      std::set<std::string, std::less<>>& without) {
  const graph::Graph& g = engine.state().graph();
  for (graph::NodeId n = 0; n < g.node_bound(); ++n) {
    const std::string id(g.id(n));
    const bool is_test = g.node_types().name(g.nodes().type[n]) == reward::kTestType;
    if (is_test && engine.state().exists(id) && !selector_of(engine, runner, id))
      without.insert(id);
  }
}

// A test whose name another node has is asked for by its name: see engine/input/junit.cc.
void name_tests(Engine& engine, std::vector<std::string>& ids) {
  const graph::Graph& g = engine.state().graph();
  const auto is_test = [&](const std::string& id) {
    const auto n = g.find_node(id);
    return n && g.node_types().name(g.nodes().type[*n]) == reward::kTestType;
  };
  for (std::string& id : ids) {
    if (g.find_node(id) && !is_test(id) && is_test("test:" + id)) id.insert(0, "test:");
  }
}

// Test runners and schedulers run what they are given, and keep an old order of what is left out.
std::int64_t limit_of(const RankRequest& request) {
  constexpr std::int64_t kForPeople = 10;
  const bool all =
      request.among || request.budget || !request.runner.empty() || !request.scheduler.empty();
  return request.limit.value_or(all ? kAllTasks : kForPeople);
}

}  // namespace

RankResult rank(Session& session, const RankRequest& request) {
  refuse_of_several(session, request);
  refuse_of_several(session, !request.runner.empty(), "runner");
  refuse_of_several(session, request.scheduler == "k8s", "scheduler");
  const bool several = asks_several(session);
  const std::int64_t limit = limit_of(request);
  RankResult result;
  std::vector<Found> found;
  const TimeMs at = ranked_at(session);
  const std::optional<TimeMs> stamp = common_stamp(session);
  each_database(session, [&](Session& one) {
    OrderQuery asked = query_of(request);
    RankQuery& query = asked.query;
    if (!request.runner.empty() && request.type.empty()) query.which.type = reward::kTestType;
    query.top = static_cast<std::size_t>(limit + (several ? request.offset : 0));
    query.took = room_for_rows(one, fields_of<RankedTask>().size() - kSaid);
    query.offset = several ? 0 : static_cast<std::size_t>(request.offset);
    query.as_of = request.as_of;
    // With as_of, the ranking is evaluated at that time.
    if (!request.as_of) query.now = at;
    query.stamp = stamp;
    if (!request.claimed && !request.as_of) query.unclaimed_at = session.now();
    Engine& engine = one.engine(Access::read);
    note_unknown_labels(one, request);
    if (query.selection.among) name_tests(engine, *query.selection.among);
    if (!request.runner.empty() && (request.limit || request.budget))
      leave_out_others(engine, request.runner, query.selection.without);
    keep_known(session, one, query.selection);
    query.agent = request.agent;
    query.reasons = request.why && request.scheduler.empty();
    query.said = request.scheduler.empty();
    RankSummary summary;
    for (PathRow& row : engine.rank(query, &summary)) found.push_back({&one, std::move(row)});
    result.total += static_cast<std::int64_t>(summary.total);
    result.claimed += static_cast<std::int64_t>(summary.claimed);
    result.as_of = summary.at;
    if (!query.as_of && result.blocking_cycle.empty())
      result.blocking_cycle = blocking_cycle(engine, at);
  });
  put_in_order(session, found, static_cast<std::size_t>(request.offset),
               static_cast<std::size_t>(limit));
  for (Found& one : found)
    result.tasks.push_back({std::move(one.row), {}, {}, {}, database_name(session, *one.in)});
  add_values(request.scheduler, result.tasks);
  if (!request.runner.empty())
    add_selectors(session.engine(Access::read), request.runner, result.tasks);
  return result;
}

std::span<const WhatCounts> what_counts() {
  static constexpr WhatCounts kEffects[] = {
      {"you pin it", "stands above all that is not pinned"},
      {"it is P0, or has no time left",
       "stands above what is neither, P0 first, for 14 days; not within a day of a failure"},
      {"you set a priority",
       "P0 times 2.9, P1 1.7, P3 0.59, P4 0.35; less where nobody keeps to them"},
      {"it is due", "up to 9 times, the less time is left"},
      {"it takes an hour", "86 times what takes a day"},
      {"others wait for it", "as urgent as the most urgent of them, or more"},
      {"tasks with its labels succeed, or fail", "up to 4 times, down to a quarter"},
      {"it fails", "times 0.44 at once, 0.82 after an hour, 0.48 on the day after five"},
      {"a related task succeeds", "up to 1.65 times, for about a day"},
      {"it resembles tasks completed last", "several times, most in the first hours"},
      {"other nodes link to it", "rises with the weights of the links"},
      {"nothing happens to it", "sinks"},
      {"it is blocked, snoozed or put off", "held back, whatever its priority"},
  };
  return kEffects;
}

static std::string counts_in_words() {
  std::string text = "What beats what:";
  for (const auto& [what, effect] : what_counts())
    text += fmt::format("\n  {:<40}{}", what, effect);
  return text;
}

std::string kubernetes_manifests(const std::vector<RankedTask>& tasks) {
  return priority_class_manifests(std::vector<PathRow>(tasks.begin(), tasks.end()));
}

Operations rank_operations() {
  return {
      operation(
          {.name = "rank",
           .summary = "The open tasks, best first, with the reasons",
           .example =
               "  hebb rank\n"
               "  hebb rank --limit 10 --label bug --json\n"
               "  hebb rank --label ui --not-label wontfix --project web\n"
               "  hebb rank --near \"login fails after an update\"\n"
               "  hebb rank --limit 100 --format slurm | while IFS=$(printf '\\t') read -r id "
               "nice; do\n"
               "    scontrol update JobName=\"$id\" Nice=\"$nice\"; done\n"
               "  hebb rank --limit 20 --format k8s | kubectl replace --force -f -",
           .more = counts_in_words,
           .route = "GET /rank",
           .tool = Tool::all,
           .answer_kept = true},
          rank),
  };
}

}  // namespace hebb::api
