#include "api/rank.h"

#include <algorithm>

#include "api/common.h"
#include "api/room.h"
#include "api/schedule.h"
#include "api/selectors.h"
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

std::vector<std::string> scheduler_names() {
  std::vector<std::string> names;
  for (const auto& s : kSchedulers) names.emplace_back(s.name);
  return names;
}

void add_values(const std::string& scheduler, const std::vector<PathRow>& rows,
                std::vector<RankedTask>& tasks) {
  for (const auto& [name, target] : kSchedulers) {
    if (name != scheduler) continue;
    const auto values = schedule(target, rows);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].value = values[i];
      if (target == Scheduler::kubernetes)
        tasks[i].priority_class = priority_class_name(rows[i].id);
    }
  }
}

}  // namespace

namespace {

Fields request_fields() {
  using R = RankRequest;
  Fields fields = which_fields<R>("IN_PROGRESS, …", "tasks");
  const Fields order = order_fields<R>();
  const Fields others{
      field("as_of", &R::as_of, "As it was at that time; names and projects are those of today"),
      field("claimed", &R::claimed, "Tasks too that an agent has claimed"),
      field("agent", &R::agent,
            "For this agent: after its own last work, where that is among the last of all",
            {.option = "--for"}),
      field("why", &R::why, "With up to three reasons for each place", {.hidden = true}),
      field("runner", &R::runner, "With `selector`: how that test runner names each",
            {.choices = {"pytest", "ctest", "gtest"}, .option = "--format", .hidden = true}),
      field("scheduler", &R::scheduler, "With `value`: the order in that scheduler's numbers",
            {.choices = scheduler_names(), .option = "--format", .hidden = true}),
      embedder_field(member_of<R>(&Order::embedder)),
      model_field(member_of<R>(&Order::model)),
  };
  fields.insert(fields.end(), order.begin(), order.end());
  fields.insert(fields.end(), others.begin(), others.end());
  return with_presets<R>(std::move(fields));
}

}  // namespace

const Fields& RankRequest::fields() {
  static const Fields kFields = request_fields();
  return kFields;
}

namespace {

Fields task_fields() {
  using T = RankedTask;
  const auto own = [](auto member) { return member_of<T>(member); };
  Fields fields{
      field("rank", &T::rank, "Its place, from 1"),
      field("id", &T::id, "The node"),
      field("name", &T::name, "Its name"),
      field("priority", own(&T::priority), "The product of the factors"),
      field("relative", &T::relative,
            "Its priority divided by that of the first (of the largest, where some are pinned)"),
      field("base", own(&T::base), "Prior, nearness to recent work, and links"),
      field("semantic", own(&T::semantic),
            "How near its vector is to recent work: likeness of words (built in), or of meaning "
            "(where "
            "another embedder made it)"),
      field("structural", own(&T::structural), "What links to it"),
  };
  for (const reward::Factor& f : reward::factors())
    fields.push_back(field(f.name, own(f.value), f.meaning));
  const Fields others{
      field("change_proximity", &T::change_proximity,
            "Where files are `changed`: how strongly it is linked with them"),
      field("pinned", &T::pinned, "Above what is not, whatever its priority"),
      field("why", &T::why, "The reasons for its place, the strongest first"),
      field("value", &T::value, "Its place in the scheduler's own numbers"),
      field("priority_class", &T::priority_class, "The name of its PriorityClass in Kubernetes"),
      field("seconds", &T::seconds, "How long it is expected to take, where there is a budget"),
      field("selector", &T::selector,
            "How the test runner names it; absent if it cannot be one of that runner's tests"),
  };
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

}  // namespace

const Fields& RankedTask::fields() {
  static const Fields kFields = task_fields();
  return kFields;
}

const Fields& RankResult::fields() {
  using R = RankResult;
  static const Fields kFields{
      field("tasks", &R::tasks, "Best first"),
      field("total", &R::total, "How many there are, with those that the limit leaves out"),
      field("claimed", &R::claimed,
            "How many others are left out because agents have claimed them"),
      field("as_of", &R::as_of, "The time that the numbers are of"),
      field("recalibrated", &R::recalibrated,
            "True if as_of is the last recalibration's time; else it is the latest event's hour, "
            "or as asked"),
      field("blocking_cycle", &R::blocking_cycle,
            "Tasks that block one another in a ring: none of them can be ranked"),
  };
  return kFields;
}

namespace {

RankedTask task_of(const PathRow& row) {
  RankedTask task;
  static_cast<reward::Factors&>(task) = row.factors;
  task.rank = row.rank;
  task.id = row.id;
  task.name = row.name;
  task.relative = row.relative;
  task.pinned = row.pinned;
  return task;
}

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

}  // namespace

RankResult rank(Session& session, const RankRequest& request) {
  OrderQuery asked = query_of(request);
  RankQuery& query = asked.query;
  if (!request.runner.empty() && request.type.empty()) query.which.type = reward::kTestType;
  query.top = static_cast<std::size_t>(request.limit);
  query.took = room_for_rows(session, RankedTask::fields().size());
  query.offset = static_cast<std::size_t>(request.offset);
  if (request.as_of) query.as_of = request.as_of->ms;
  // With as_of, the ranking is evaluated at that time.
  if (!request.as_of) query.now = session.given_now();
  if (!request.claimed && !request.as_of) query.unclaimed_at = session.now();
  Engine& engine = session.engine(Access::read);
  RankResult result;
  if (query.selection.among) name_tests(engine, *query.selection.among);
  query.agent = request.agent;
  query.reasons = request.why && request.scheduler.empty();
  RankSummary summary;
  std::vector<PathRow> rows = engine.rank(query, &summary);
  for (PathRow& row : rows) {
    RankedTask& task = result.tasks.emplace_back(task_of(row));
    task.seconds = row.seconds;
    if (!query.selection.changed.empty()) task.change_proximity = row.change_proximity;
    if (request.why) task.why = std::move(row.reasons);
  }
  result.total = static_cast<std::int64_t>(summary.total);
  result.claimed = static_cast<std::int64_t>(summary.claimed);
  add_values(request.scheduler, rows, result.tasks);
  if (!request.runner.empty()) add_selectors(engine, request.runner, result.tasks);
  result.as_of.ms = summary.at;
  result.recalibrated = summary.recalibrated;
  if (!query.as_of) {
    result.blocking_cycle =
        query.now ? blocking_cycle(engine.state(), *query.now) : blocking_cycle(engine);
  }
  return result;
}

std::string kubernetes_manifests(const std::vector<RankedTask>& tasks) {
  std::vector<PathRow> rows;
  for (const auto& t : tasks) {
    PathRow row;
    row.id = t.id;
    row.name = t.name;
    row.relative = t.relative;
    row.factors.priority = t.priority;
    rows.push_back(std::move(row));
  }
  return priority_class_manifests(rows);
}

Operation rank_operation() {
  return operation<RankRequest, RankResult>(
      {.name = "rank",
       .command = "rank",
       .summary = "The golden path: what to do next, best first",
       .example = "  hebb rank\n"
                  "  hebb rank --limit 10 --label bug --json\n"
                  "  hebb rank --label ui --not-label wontfix --project web\n"
                  "  hebb rank --near \"login fails after an update\"\n"
                  "  hebb rank --limit 100 --format slurm | while IFS=$(printf '\\t') read -r id "
                  "nice; do\n"
                  "    scontrol update JobName=\"$id\" Nice=\"$nice\"; done\n"
                  "  hebb rank --limit 20 --format k8s | kubectl replace --force -f -",
       .effect = Effect::reads,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/path"},
      rank);
}

}  // namespace hebb::api
