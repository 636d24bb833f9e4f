#include "api/rank.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "api/common.h"
#include "api/runner_tests.h"
#include "api/schedule.h"
#include "engine/fold/blocking.h"
#include "reward/evidence.h"
#include "reward/order.h"

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

// Fields of NodeFacts: bytes_of() counts those with a value.
constexpr std::size_t kNodeFacts = 6;

void add_values(const std::string& scheduler, std::vector<RankedTask>& tasks) {
  for (const auto& [name, target] : kSchedulers) {
    if (name != scheduler) continue;
    const std::vector<RankRow> rows(tasks.begin(), tasks.end());
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

// The shard of "2/5".
std::optional<Shard> shard_of(const std::string& text) {
  constexpr std::int64_t kMost = 10'000;
  if (text.empty()) return std::nullopt;
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
  const auto of = std::from_chars(number.ptr + (has_slash ? 1 : 0), end, shard.of);
  if (!has_slash || of.ec != std::errc() || of.ptr != end || shard.number < 1 ||
      shard.of < shard.number || shard.of > kMost) {
    throw invalid("shard",
                  "{} is \"{}\"; it has to be NUMBER/OF, such as 2/5, with 1 <= NUMBER <= OF <= {}",
                  named("shard"), text, kMost);
  }
  return shard;
}

// A test that shares its name with another node is looked up by that name: see
// engine/input/junit.cc.
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

// Test runners and schedulers need the full list: they keep an old order for tasks that it lacks.
std::int64_t limit_of(const RankRequest& request) {
  constexpr std::int64_t kForPeople = 10;
  const bool all = request.among || request.budget || !request.shard.empty() ||
                   !request.runner.empty() || !request.scheduler.empty();
  return request.limit.value_or(all ? kAllTasks : kForPeople);
}

// --- several databases: each ranks its own, and the rows are merged ------------------------------

bool asks_several(const Session& session) { return !session.several().empty(); }

// Calls use() with a session of each database, in the order given; of a single database with this
// session. With several, it throws Problems that name the database.
void each_database(Session& session, const std::function<void(Session&)>& use) {
  if (!asks_several(session)) return use(session);
  for (Session* one : session.several()) {
    try {
      use(*one);
    } catch (...) {
      const Problem thrown = problem_of(std::current_exception());
      Problem problem(thrown.type, one->path() + ": " + thrown.marked, thrown.field);
      problem.reason = thrown.reason;
      problem.line = thrown.line;
      problem.retry_after_ms = thrown.retry_after_ms;
      throw problem;
    }
  }
}

// The time of the weights of several databases, the latest of theirs: priorities of different times
// cannot be compared. Absent for a single database.
std::optional<TimeMs> common_weights_time(Session& session) {
  std::optional<TimeMs> latest;
  if (!asks_several(session)) return latest;
  each_database(session, [&](Session& one) {
    const TimeMs own = one.engine(Access::read).state().facts().ranked_at();
    latest = std::max(latest.value_or(own), own);
  });
  return latest;
}

// Throws Problem for a field that needs one database, where there are several.
void refuse_of_several(Session& session, const RankRequest& request) {
  if (!asks_several(session)) return;
  const std::pair<const char*, bool> needs_one[] = {{"budget", request.budget.has_value()},
                                                    {"shard", !request.shard.empty()},
                                                    {"runner", !request.runner.empty()},
                                                    {"scheduler", request.scheduler == "k8s"}};
  for (const auto& [field, given] : needs_one) {
    if (given)
      throw invalid(field, "{} is for one database; {} were given", named(field),
                    session.several().size());
  }
  if (request.near.empty()) return;
  each_database(session, [&](Session& one) {  // the others would read the id as a text
    if (!one.engine(Access::read).state().find(request.near)) return;
    throw invalid("near", "{} names a node of this one; of several, give a text or {}",
                  named("near"), named("vector"));
  });
}

// The first rows of all databases, merged into one order: `limit` from `offset` on.
void merge(std::vector<RankedTask>& tasks, std::int64_t offset, std::int64_t limit) {
  std::stable_sort(tasks.begin(), tasks.end(), goes_before);
  if (std::ssize(tasks) > offset + limit) tasks.resize(static_cast<std::size_t>(offset + limit));
  reward::RelativePriority relative;
  for (const RankedTask& task : tasks) relative.add(task.factors.priority);
  std::int64_t place = 0;
  for (RankedTask& task : tasks) {
    task.rank = ++place;
    task.relative = relative.of(task.factors.priority);
  }
  tasks.erase(tasks.begin(), tasks.begin() + std::min(offset, std::ssize(tasks)));
}

}  // namespace

RankResult rank(Session& session, const RankRequest& request) {
  refuse_of_several(session, request);
  const bool several = asks_several(session);
  const std::int64_t limit = limit_of(request);
  const TimeMs at = ranked_at(session);
  const std::optional<TimeMs> weights_at = common_weights_time(session);
  const auto embedder = embedder_of(request.vectors);
  const std::optional<Shard> shard = shard_of(request.shard);
  const Runner* const runner = find_runner(request.runner);
  std::optional<RunnerTests> tests;
  RankResult result;
  each_database(session, [&](Session& one) {
    Engine& engine = one.engine(Access::read);
    RankQuery query = query_of(request, embedder.get());
    if (!request.runner.empty() && request.type.empty()) query.which.type = reward::kTestType;
    query.top = static_cast<std::size_t>(limit + (several ? request.offset : 0));
    query.took = room_for_rows(one, fields_of<RankedTask>().size() - kNodeFacts);
    query.offset = several ? 0 : static_cast<std::size_t>(request.offset);
    query.as_of = request.as_of;
    // With as_of, the ranking is evaluated at that time.
    if (!request.as_of) query.now = at;
    query.weights_at = weights_at;
    if (!request.claimed && !request.as_of) query.unclaimed_at = session.now();
    note_unknown_labels(one, request);
    if (query.selection.among) name_tests(engine, *query.selection.among);
    query.selection.shard = shard;
    if (runner != nullptr) {
      tests.emplace(engine, *runner, query.selection.among);
      query.selection.units = tests->units();
      // The others take up no place, time or shard.
      if (request.limit || request.budget || shard) query.selection.without = tests->others();
    }
    if (several && query.selection.among) {  // other databases may have the other ids
      std::erase_if(*query.selection.among,
                    [&](const std::string& id) { return !engine.state().exists(id); });
    }
    query.agent = request.agent;
    query.reasons = request.why && request.scheduler.empty();
    query.node_facts = request.scheduler.empty();
    RankSummary summary;
    for (RankRow& row : engine.rank(query, &summary))
      result.tasks.push_back({std::move(row), {}, {}, {}, several ? one.path() : ""});
    result.total += static_cast<std::int64_t>(summary.total);
    result.claimed += static_cast<std::int64_t>(summary.claimed);
    result.as_of = summary.at;
    if (!query.as_of && result.blocking_cycle.empty())
      result.blocking_cycle = blocking_cycle(engine, at);
  });
  if (several) merge(result.tasks, request.offset, limit);
  add_values(request.scheduler, result.tasks);
  if (tests) {
    for (RankedTask& task : result.tasks) task.selector = tests->selector_of(task.id);
    result.no_selector = tests->example_of_others();
  }
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

static std::string more_in_words() {
  std::string text = counts_in_words() + "\nWhat runs the tests that --format RUNNER chooses:";
  for (const Runner& runner : runners())
    text += fmt::format("\n  {:<12}{}", runner.name, runner.run);
  return text;
}

std::string kubernetes_manifests(const std::vector<RankedTask>& tasks) {
  return priority_class_manifests(std::vector<RankRow>(tasks.begin(), tasks.end()));
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
               "  hebb rank --limit 20 --format k8s | kubectl replace --force -f -\n"
               "  hebb rank --shard 2/5 --format pytest | xargs -d '\\n' pytest",
           .more = more_in_words,
           .route = "GET /rank",
           .tool = Tool::all,
           .cacheable = true},
          rank),
  };
}

}  // namespace hebb::api
