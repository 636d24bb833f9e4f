// hebb rank
#include "api/rank.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/operation_command.h"
#include "cli/order_options.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

using api::RankedTask, api::RankRequest, api::RankResult;

// What only a terminal has: how the rows are printed, and files.
struct RankOptions {
  std::string format = "table", broker = "rabbitmq";
  OrderFiles files;
  bool factors = false;
  std::vector<const CLI::Option*> limits;  // whether one was given
};

bool names_runner(const std::string& format) {
  return format == "pytest" || format == "ctest" || format == "gtest";
}

bool names_scheduler(const std::string& format) {
  return format != "table" && format != "json" && format != "ids" && !names_runner(format);
}

// What these name is to be ranked as a whole, unless it is said how many.
constexpr std::int64_t kAll = 1'000'000'000;

void prepare_rank(const Context& context, const RankOptions& o, RankRequest& request) {
  const bool limited =
      std::ranges::any_of(o.limits, [](auto* option) { return option->count() > 0; });
  read_order(o.files, request);
  if ((request.among || request.budget) && !limited) request.limit = kAll;
  if (names_runner(o.format)) request.runner = o.format;
  request.why = o.format == "table" && !o.factors && !context.json;
  if (!names_scheduler(o.format)) return;
  const bool redis = o.format == "celery" && o.broker == "redis";
  request.scheduler = redis ? "celery_redis" : o.format;
}

void print_factors(const Context& context, const std::vector<RankedTask>& tasks) {
  std::vector<Column> columns{{"rank", true}, {"id"}, {"name", false, true}, {"%", true}};
  for (const auto* heading : {"priority", "base", "semantic", "structural"})
    columns.push_back({heading, true});
  for (const auto& factor : reward::factors()) columns.push_back({std::string(factor.name), true});
  const bool changed = !tasks.empty() && tasks.front().change_proximity;
  if (changed) columns.push_back({"change_proximity", true});
  std::vector<std::vector<std::string>> cells;
  for (const auto& t : tasks) {
    std::vector<std::string> line{std::to_string(t.rank), t.id, shortened(t.name),
                                  fmt::format("{:.1f}", t.relative * 100)};
    const auto add = [&](double value) { line.push_back(fmt::format("{:.4g}", value)); };
    for (const double value : {t.priority, t.base, t.semantic, t.structural}) add(value);
    for (const auto& factor : reward::factors()) add(t.*factor.value);
    if (changed) add(t.change_proximity.value_or(1));
    cells.push_back(std::move(line));
  }
  context.table(columns, cells);
}

void print_reasons(const Context& context, const std::vector<RankedTask>& tasks) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& t : tasks) {
    cells.push_back(
        {std::to_string(t.rank), t.id, shortened(t.name), fmt::format("{:.1f}", t.relative * 100),
         fmt::format("{}", fmt::join(t.why.value_or(std::vector<std::string>()), ", "))});
  }
  context.table({{"rank", true},
                 {"id", false, true},
                 {"name", false, true},
                 {"%", true},
                 {"why", false, true}},
                cells);
}

// A regular expression for `ctest -R`: these names and no others.
std::string ctest_pattern(const std::vector<std::string>& names) {
  std::string pattern = "^(";
  for (const auto& name : names) {
    if (&name != &names.front()) pattern += '|';
    for (const char c : name) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")$";
}

// pytest runs nothing at all where it does not find one of its arguments.
void note_missing_files(const Context& context, const std::vector<std::string>& names) {
  std::size_t missing = 0;
  std::string first;
  for (const auto& name : names) {
    const std::string file = name.substr(0, name.find("::"));
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) continue;
    if (++missing == 1) first = file;
  }
  if (missing == 0) return;
  context.note(fmt::format(
      "{} of {} in a file that is not here, such as {}: pytest ends with \"not found\" and runs "
      "none. Run it where the files are, or give the tests that there are with --among",
      missing, counted(std::ssize(names), "test is", missing == 1 ? "tests is" : "tests are"),
      first));
}

void print_selectors(const Context& context, const std::string& runner,
                     const std::vector<RankedTask>& tasks) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;  // subtests are the same to the runner
  std::size_t others = 0;
  for (const auto& t : tasks) {
    others += t.selector ? 0 : 1;
    if (t.selector && seen.insert(*t.selector).second) names.push_back(*t.selector);
  }
  if (names.empty()) {
    throw api::Problem(
        api::ProblemType::not_found,
        fmt::format("no test is chosen for {0}: {1}. An empty choice would run all "
                    "of {0}'s tests or none, so nothing is printed",
                    runner,
                    others == 0
                        ? "no candidate fits the filters"
                        : fmt::format("none of {} can be one of its tests",
                                      counted(static_cast<std::int64_t>(others), "candidate"))),
        "format");
  }
  if (others > 0)
    context.note(fmt::format(
        "{} of {}",
        counted(static_cast<std::int64_t>(others), "candidate is left out: it can be no test",
                "candidates are left out: they can be no tests"),
        runner));
  if (runner == "pytest") note_missing_files(context, names);
  if (runner == "ctest") return context.data(ctest_pattern(names) + "\n");
  context.data(fmt::format("{}\n", fmt::join(names, runner == "gtest" ? ":" : "\n")));
}

void print_tasks(const Context& context, const RankOptions& o, const RankResult& result) {
  const auto& tasks = result.tasks;
  if (o.format == "json") {
    context.print_json(api::write_record(RankResult::fields(), &result));
  } else if (o.format == "k8s") {
    context.data(api::kubernetes_manifests(tasks));
  } else if (names_runner(o.format)) {
    print_selectors(context, o.format, tasks);
  } else if (o.format == "ids") {
    for (const auto& t : tasks) context.data(t.id + "\n");
  } else if (names_scheduler(o.format)) {
    for (const auto& t : tasks) context.data(fmt::format("{}\t{}\n", t.id, t.value.value_or(0)));
  } else if (!tasks.empty()) {
    o.factors ? print_factors(context, tasks) : print_reasons(context, tasks);
  }
}

// What the numbers are as of, and what to do where there are none.
std::string when_text(const Context& context, const RankRequest& request,
                      const RankResult& result) {
  if (result.tasks.empty()) {
    const bool filtered = !request.is_all() || request.offset > 0;
    return filtered
               ? "no task that can be done now fits the filters; try without them"
               : "no task can be done now. `hebb import` brings tasks in, `hebb node set ID --type "
                 "TASK --state OPEN` makes one, `hebb list` shows those that are open, `hebb "
                 "explain ID` says what holds one back";
  }
  const std::string when = format_time(result.as_of.ms);
  if (request.as_of) return fmt::format("priorities as of {}", when);
  if (context.now_option) return fmt::format("priorities as of {} (--now)", when);
  if (result.recalibrated) return fmt::format("priorities as of {}, the last recalibration", when);
  return fmt::format(
      "priorities as of {}, the hour of the latest event; `hebb recalibrate` brings them to now",
      when);
}

// How many come after those that are printed.
void note_others(const Context& context, const RankRequest& request, const RankResult& result) {
  const auto more = result.total - request.offset - std::ssize(result.tasks);
  if (result.tasks.empty() || more <= 0) return;
  context.note(fmt::format("{} more; --limit {} shows all", more, result.total));
}

void note_claimed(const Context& context, const RankResult& result) {
  if (result.claimed == 0) return;
  context.note(counted(result.claimed,
                       "task is left out, since agents work on it; --claimed shows it too",
                       "tasks are left out, since agents work on them; --claimed shows them too"));
}

void add_format_options(CLI::App& command, RankOptions& o) {
  add_order_options(command, o.files);
  command.add_flag("--factors", o.factors, "All factors of the priority, rather than the reasons");
  command
      .add_option("--format", o.format,
                  "table, json, ids, or in a scheduler's own numbers: slurm (nice), airflow "
                  "(priority_weight), celery (0-9), temporal (1-5), k8s (PriorityClass "
                  "manifests), or as test runners take them: pytest, ctest (-R), gtest "
                  "(--gtest_filter)")
      ->check(one_of({"table", "json", "ids", "slurm", "airflow", "celery", "temporal", "k8s",
                      "pytest", "ctest", "gtest"}))
      ->capture_default_str();
  command
      .add_option("--broker", o.broker,
                  "With --format celery: rabbitmq (9 is first) or redis (0 is first)")
      ->check(one_of({"rabbitmq", "redis"}))
      ->capture_default_str();
}

}  // namespace

void add_rank(CLI::App& app, Context& context) {
  const auto o = std::make_shared<RankOptions>();
  auto* command = add_operation<RankRequest, RankResult>(
      app, context,
      {"rank", api::rank,
       [o](const Context& c, const RankRequest& request, const RankResult& result) {
         print_tasks(c, *o, result);
         note_others(c, request, result);
         note_claimed(c, result);
         c.note(when_text(c, request, result));
         note_blocking_cycle(c, result.blocking_cycle);
       },
       [o](const Context& c, RankRequest& request) { prepare_rank(c, *o, request); }});
  o->limits = {command->get_option("--limit"), command->get_option("--top")};
  add_format_options(*command, *o);
}

}  // namespace hebb::cli
