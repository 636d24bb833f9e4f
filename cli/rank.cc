// hebb rank
#include "api/rank.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/output.h"
#include "cli/selectors.h"

namespace hebb::cli {

namespace {

using api::RankedTask, api::RankRequest, api::RankResult;

bool names_runner(const std::string& format) { return api::find_runner(format) != nullptr; }

bool names_scheduler(const std::string& format) {
  return format != "table" && format != "json" && format != "ids" && !names_runner(format);
}

// Options of the command line alone: how the rows are printed.
struct Shown {
  std::string broker = "rabbitmq";
  bool factors = false;
};
Shown& shown() {
  static Shown kShown;
  return kShown;
}

void prepare_rank(const Context& context, Json& request) {
  const std::string& format = context.format;
  // A program that reads ids would not notice a limit.
  if (format == "ids" && !has(request, "limit")) request["limit"] = api::kAllTasks;
  if (names_runner(format)) request["runner"] = format;
  request["why"] = format == "table" && !shown().factors && !context.json;
  if (!names_scheduler(format)) return;
  const bool redis = format == "celery" && shown().broker == "redis";
  request["scheduler"] = redis ? "celery_redis" : format;
}

// A line for programs; it has a last column, the database, only if there are several.
std::string with_database(const std::string& line, const RankedTask& task) {
  return task.database.empty() ? line : line + "\t" + task.database;
}

// A table for people, also with that column. `columns` and `cells` begin with the place and the id.
void print_rows(const Context& context, const std::vector<RankedTask>& tasks,
                std::vector<Column> columns, std::vector<std::vector<std::string>> cells) {
  const bool several = !tasks.empty() && !tasks.front().database.empty();
  if (several) columns.insert(columns.begin() + 2, {"database", false, true});
  for (std::size_t i = 0; several && i < cells.size(); ++i)
    cells[i].insert(cells[i].begin() + 2, tasks[i].database);
  context.table(columns, cells);
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
    const reward::Factors& f = t.factors;
    for (const double value : {f.priority, f.base, f.semantic, f.structural}) add(value);
    for (const auto& factor : reward::factors()) add(f.*factor.value);
    if (changed) add(t.change_proximity.value_or(1));
    cells.push_back(std::move(line));
  }
  print_rows(context, tasks, std::move(columns), std::move(cells));
}

void print_reasons(const Context& context, const std::vector<RankedTask>& tasks) {
  std::vector<Column> columns{{"rank", true},
                              {"id", false, true},
                              {"name", false, true},
                              {"%", true},
                              {"why", false, true}};
  const bool has_urls = std::ranges::any_of(tasks, [](const auto& t) { return !t.url.empty(); });
  if (has_urls) columns.push_back({"url", false, true});
  std::vector<std::vector<std::string>> cells;
  for (const auto& t : tasks) {
    cells.push_back({std::to_string(t.rank), t.id, shortened(t.name),
                     t.tier.empty() ? fmt::format("{:.1f}", t.relative * 100) : t.tier,
                     fmt::format("{}", fmt::join(t.reasons, ", "))});
    if (has_urls) cells.back().push_back(t.url);
  }
  print_rows(context, tasks, std::move(columns), std::move(cells));
}

// pytest runs nothing at all if one of its arguments does not exist.
void note_missing_files(const Context& context, const std::vector<std::string>& selectors) {
  std::int64_t missing = 0;
  std::string first;
  for (const auto& selector : selectors) {
    const std::string file = selector.substr(0, selector.find("::"));
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) continue;
    if (++missing == 1) first = file;
  }
  if (missing == 0) return;
  context.note(fmt::format(
      "{} of {} in a file that is not here, such as {}: pytest ends with \"not found\" and runs "
      "none. Run it where the files are, or give the tests that there are with --among",
      missing, counted(std::ssize(selectors), "test is", missing == 1 ? "tests is" : "tests are"),
      first));
}

void print_selectors(const Context& context, const RankRequest& request, const RankResult& result) {
  const std::string& format = context.format;
  std::vector<std::string> selectors;
  std::set<std::string_view> seen;  // tests that are run together have the same
  std::int64_t others = 0;
  for (const auto& t : result.tasks) {
    others += t.selector ? 0 : 1;
    if (t.selector && seen.insert(*t.selector).second) selectors.push_back(*t.selector);
  }
  const std::string example =
      result.no_selector.empty() ? "" : fmt::format(" ({})", result.no_selector);
  const bool is_empty_shard =
      result.tasks.empty() && result.no_selector.empty() && !request.shard.empty();
  if (selectors.empty() && !is_empty_shard) {
    throw api::Problem(
        api::ProblemType::not_found,
        fmt::format("no test is chosen for {0}: {1}{2}. An empty choice would run all "
                    "of {0}'s tests or none, so nothing is printed",
                    format,
                    others == 0 ? "no task fits the filters and can be one of its tests"
                                : fmt::format("none of {} can be one of its tests",
                                              counted(others, "task")),
                    example),
        "format");
  }
  if (others > 0)
    context.note(fmt::format("{} of {}{}",
                             counted(others, "task is left out: it can be no test",
                                     "tasks are left out: they can be no tests"),
                             format, example));
  if (format == "pytest") note_missing_files(context, selectors);
  print_for_runner(context, format, selectors, "--limit or --budget");
}

constexpr std::size_t kPiece = 64 << 10;  // bytes of JSON that are written at once

// Prints the same bytes as print_json(), one task at a time, since there may be many.
void print_as_json(const RankResult& result, const Json& understood) {
  const api::Fields& fields = api::fields_of<RankResult>();
  const Json rest = api::answer_of(
      api::write_record(fields, &result, api::find_field(fields, "tasks")), understood);
  const auto lines = [](const Json& value, int indent) {
    std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos;
         i += 1 + static_cast<std::size_t>(indent))
      text.insert(i + 1, static_cast<std::size_t>(indent), ' ');
    return text;
  };
  std::string out = "{\n  \"tasks\": [";
  for (const RankedTask& task : result.tasks) {
    out += &task == &result.tasks.front() ? "\n    " : ",\n    ";
    out += lines(api::write_record(api::fields_of<RankedTask>(), &task), 4);
    if (out.size() < kPiece) continue;
    write_json_part(out);
    out.clear();
  }
  out += result.tasks.empty() ? "]," : "\n  ],";
  write_json(out + lines(rest, 0).substr(1));
}

void print_tasks(const Context& context, const RankRequest& request, const RankResult& result,
                 const Json& understood) {
  const auto& tasks = result.tasks;
  const std::string& format = context.format;
  if (context.json || format == "json") {
    print_as_json(result, understood);
  } else if (format == "k8s") {
    context.data(api::kubernetes_manifests(tasks));
  } else if (names_runner(format)) {
    print_selectors(context, request, result);
  } else if (format == "ids") {
    for (const auto& t : tasks) context.data(with_database(t.id, t) + "\n");
  } else if (names_scheduler(format)) {
    for (const auto& t : tasks)
      context.data(with_database(fmt::format("{}\t{}", t.id, t.value.value_or(0)), t) + "\n");
  } else if (!tasks.empty()) {
    shown().factors ? print_factors(context, tasks) : print_reasons(context, tasks);
  }
}

// Advice for an empty result.
std::string advice(const RankRequest& request) {
  if (!request.shard.empty())
    return "the shard is empty: there are fewer tasks than shards, or none fits";
  const bool filtered = !(request.WhichNodes::operator==({})) || request.offset > 0;
  return filtered
             ? "no task that can be done now fits the filters; try without them"
             : "no task can be done now. `hebb import` brings tasks in, `hebb add` creates one, "
               "`hebb list` shows those that are unfinished, `hebb explain ID` says what holds one "
               "back";
}

// Notes how many rows follow the printed ones.
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

void run_rank(const Context& context, api::Session& session, const Json& asked) {
  RankRequest request;
  const auto& fields = api::fields_of<RankRequest>();
  const Json understood = api::read_request(fields, asked, &request, session, api::Access::read);
  const RankResult result = api::rank(session, request);
  print_tasks(context, request, result, understood);
  if (context.json) return;
  note_understood(session, fields, asked, understood);
  note_others(context, request, result);
  note_claimed(context, result);
  if (result.tasks.empty()) context.note(advice(request));
  note_blocking_cycle(context, result.blocking_cycle);
}

void add_rank_options(CLI::App& command, Context& context) {
  command.add_flag("--factors", shown().factors,
                   "All factors of the priority, rather than the reasons");
  std::vector<std::string> formats{"table",   "json",   "ids",      "slurm",
                                   "airflow", "celery", "temporal", "k8s"};
  for (const std::string& runner : api::runner_names()) formats.push_back(runner);
  add_format(command, context, "table", formats,
             fmt::format("table, json, ids, or in a scheduler's own numbers: slurm (nice), airflow "
                         "(priority_weight), celery (0-9), temporal (1-5), k8s (PriorityClass "
                         "manifests), or as a test runner takes them: {}. Only table and json stop "
                         "at 10 tasks by themselves",
                         fmt::join(api::runner_names(), ", ")));
  command
      .add_option("--broker", shown().broker,
                  "With --format celery: rabbitmq (9 is first) or redis (0 is first)")
      ->check(one_of({"rabbitmq", "redis"}))
      ->capture_default_str();
}

}  // namespace

Views rank_views() {
  return {
      {.operation = "rank",
       .prepare = prepare_rank,
       .run = run_rank,
       .several = true,
       .options = add_rank_options},
  };
}

}  // namespace hebb::cli
