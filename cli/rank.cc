// hebb rank
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/embedding.h"
#include "cli/found_nodes.h"
#include "cli/time_option.h"
#include "engine/fold/blocking.h"
#include "engine/reasons.h"
#include "engine/schedule.h"

namespace hebb::cli {

namespace {

struct Options {
  std::size_t top = 3;
  std::string type, label, profile = "learned", near, vector, format = "table", broker = "rabbitmq",
                           embedder, model;
  std::optional<TimeMs> as_of;
  bool factors = false;
};

// What a scheduler calls the number.
struct Target {
  std::string_view format, field;
  Scheduler scheduler;
};
constexpr Target kTargets[] = {
    {"slurm", "nice", Scheduler::slurm},
    {"airflow", "priority_weight", Scheduler::airflow},
    {"celery", "priority", Scheduler::celery_rabbitmq},
    {"temporal", "priority_key", Scheduler::temporal},
    {"k8s", "value", Scheduler::kubernetes},
};

const Target* target_of(const std::string& format) {
  const auto* it = std::find_if(std::begin(kTargets), std::end(kTargets),
                                [&](const Target& t) { return t.format == format; });
  return it == std::end(kTargets) ? nullptr : it;
}

Json row_json(const PathRow& row) {
  const auto& f = row.factors;
  return {{"rank", row.rank},
          {"id", row.id},
          {"name", row.name},
          {"priority", f.priority},
          {"relative", row.relative},
          {"base", f.base},
          {"semantic", f.semantic},
          {"structural", f.structural},
          {"recency", f.recency},
          {"time_proximity", f.time_proximity},
          {"reward", f.reward},
          {"success_rate", f.success_rate},
          {"failure_penalty", f.failure_penalty}};
}

void print_factors(const Context& context, const std::vector<PathRow>& rows) {
  std::vector<Column> columns{{"rank", true}, {"id"}, {"name", false, true}, {"%", true}};
  for (const auto* heading : {"priority", "base", "semantic", "structural", "recency",
                              "time_proximity", "reward", "success_rate", "failure_penalty"}) {
    columns.push_back({heading, true});
  }
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) {
    const auto& f = row.factors;
    std::vector<std::string> line{std::to_string(row.rank), row.id, shortened(row.name),
                                  fmt::format("{:.1f}", row.relative * 100)};
    for (const double value : {f.priority, f.base, f.semantic, f.structural, f.recency,
                               f.time_proximity, f.reward, f.success_rate, f.failure_penalty}) {
      line.push_back(fmt::format("{:.4g}", value));
    }
    cells.push_back(std::move(line));
  }
  context.table(columns, cells);
}

void print_reasons(const Context& context, const std::vector<ReasonedRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& [row, reasons] : rows) {
    cells.push_back({std::to_string(row.rank), row.id, shortened(row.name),
                     fmt::format("{:.1f}", row.relative * 100),
                     fmt::format("{}", fmt::join(reasons, ", "))});
  }
  context.table({{"rank", true},
                 {"id", false, true},
                 {"name", false, true},
                 {"%", true},
                 {"why", false, true}},
                cells);
}

void print_schedule(const Context& context, const std::vector<PathRow>& rows, const Target& target,
                    const Options& o) {
  const bool redis = target.scheduler == Scheduler::celery_rabbitmq && o.broker == "redis";
  const auto values = schedule(redis ? Scheduler::celery_redis : target.scheduler, rows);
  if (context.json) {
    Json out = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Json row{{"rank", rows[i].rank}, {"id", rows[i].id}};
      if (target.scheduler == Scheduler::kubernetes) row["name"] = priority_class_name(rows[i].id);
      row[std::string(target.field)] = values[i];
      out.push_back(std::move(row));
    }
    return context.print_json(out);
  }
  if (target.scheduler == Scheduler::kubernetes) {
    return context.data(priority_class_manifests(rows));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    context.data(fmt::format("{}\t{}\n", rows[i].id, values[i]));
  }
}

void print_rows(const Context& context, const std::vector<PathRow>& rows, const Options& o) {
  if (const Target* target = target_of(o.format)) {
    print_schedule(context, rows, *target, o);
  } else if (o.format == "ids") {
    Json ids = Json::array();
    for (const auto& row : rows) ids.push_back(row.id);
    if (context.json) return context.print_json(ids);
    for (const auto& row : rows) context.data(row.id + "\n");
  } else if (context.json || o.format == "json") {
    Json out = Json::array();
    for (const auto& row : rows) out.push_back(row_json(row));
    context.print_json(out);
  } else if (!rows.empty()) {
    print_factors(context, rows);
  }
}

// What the numbers are as of, and what to do where there are none.
void say_when(const Context& context, Engine& engine, const Options& o, bool empty) {
  if (empty) {
    const bool filtered = !o.type.empty() || !o.label.empty();
    context.note(
        filtered ? "no task of that type or label is open and unblocked; try without the filter"
                 : "no candidates: no task is OPEN and unblocked. `hebb import` brings tasks in, "
                   "`hebb node set ID --type TASK --state OPEN` makes one, `hebb explain ID` says "
                   "what holds "
                   "one back");
    return;
  }
  if (o.as_of) {
    return context.note(fmt::format("priorities as of {}", format_time(*o.as_of)));
  }
  if (context.now_option) {
    return context.note(
        fmt::format("priorities as of {} (--now)", format_time(*context.now_option)));
  }
  const State& s = engine.state();
  context.note(
      s.recalibrated()
          ? fmt::format("priorities as of {}, the last recalibration", format_time(s.stamp()))
          : fmt::format(
                "priorities as of {}, the latest event; `hebb recalibrate` brings them to now",
                format_time(s.stamp())));
}

void rank(const Context& context, const Options& o) {
  const auto embedder = embedder_of(o.embedder, o.model);
  RankQuery query;
  query.top = o.top;
  query.type = o.type;
  query.label = o.label;
  query.seed = o.profile == "seed";
  query.near = o.near;
  if (!o.vector.empty()) query.vector = read_vector(o.vector);
  query.as_of = o.as_of;
  if (!o.as_of) query.now = context.now_option;  // what was at a time is seen from that time
  query.embedder = embedder.get();
  Engine engine = context.open(Context::Access::read);
  if (o.format == "table" && !o.factors && !context.json) {
    const auto rows = rank_with_reasons(engine, query);
    if (!rows.empty()) print_reasons(context, rows);
    say_when(context, engine, o, rows.empty());
  } else {
    const auto rows = engine.rank(query);
    print_rows(context, rows, o);
    say_when(context, engine, o, rows.empty());
  }
  if (o.as_of) return;
  note_blocking_cycle(context, context.now_option
                                   ? blocking_cycle(engine.state(), *context.now_option)
                                   : engine.store().blocking_cycle());
}

}  // namespace

void add_rank(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(
      app, context, "rank", "The golden path: what to do next, best first",
      "  hebb rank\n"
      "  hebb rank --top 10 --label bug --json\n"
      "  hebb rank --near \"login fails after an update\"\n"
      "  hebb rank --top 100 --format slurm | while IFS=$(printf '\\t') read -r id nice; do\n"
      "    scontrol update JobName=\"$id\" Nice=\"$nice\"; done\n"
      "  hebb rank --top 20 --format k8s | kubectl replace --force -f -",
      [&context, o] { rank(context, *o); });
  command->add_option("--top", o->top, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--type", o->type, "Only nodes of this type");
  command->add_option("--label", o->label,
                      "Only nodes with this label (or category, or assignee): its id or name");
  command
      ->add_option("--profile", o->profile, "learned, or seed: the published formula, to compare")
      ->check(CLI::IsMember({"learned", "seed"}))
      ->capture_default_str();
  auto* near = command->add_option(
      "--near", o->near, "Rank by nearness to this node or text, not to what was completed last");
  command
      ->add_option("--vector", o->vector,
                   "The same, to the vector in FILE: a JSON array of numbers")
      ->excludes(near);
  command->add_flag("--factors", o->factors,
                    "All factors of the priority, rather than the reasons");
  add_time_option(*command, "--as-of", o->as_of, "As it was at that time");
  command
      ->add_option("--format", o->format,
                   "table, json, ids, or in a scheduler's own numbers: slurm (nice), airflow "
                   "(priority_weight), celery (0-9), temporal (1-5), k8s (PriorityClass manifests)")
      ->check(
          CLI::IsMember({"table", "json", "ids", "slurm", "airflow", "celery", "temporal", "k8s"}))
      ->capture_default_str();
  command
      ->add_option("--broker", o->broker,
                   "With --format celery: rabbitmq (9 is first) or redis (0 is first)")
      ->check(CLI::IsMember({"rabbitmq", "redis"}))
      ->capture_default_str();
  add_embedder_options(*command, o->embedder, o->model);
}

}  // namespace hebb::cli
