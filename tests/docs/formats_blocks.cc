// The blocks of docs/formats.md.
#include <algorithm>

#include <fmt/format.h>

#include "api/schedule.h"
#include "api/selectors.h"
#include "engine/input/input.h"
#include "engine/input/tracker.h"
#include "engine/values/limits.h"
#include "tests/docs/blocks.h"
#include "tests/support/reasons.h"

namespace hebb::test {

namespace {

Rows refusals() {
  Rows rows;
  for (const auto& [reason, meaning] : refusal::kReasons)
    rows.push_back({code(std::string(reason)), std::string(meaning)});
  return rows;
}

Rows limits() {
  const auto bytes = [](std::size_t n) { return size_text(n); };
  return {
      {"an id, type, state, agent or session", fmt::format("{} bytes", Limits::kIdBytes)},
      {"one item of input", bytes(Limits::kLineBytes)},
      {"a line of a log that `import` reads", bytes(Limits::kLogLineBytes)},
      {"what is kept of a longer item", bytes(Limits::kKeptBytes)},
      {"one input, unless `--max-size` says otherwise", bytes(Limits::kInputBytes)},
      {"an input that is held as a whole: a JSON array, issues, a JUnit report, anything with "
       "`--strict`",
       bytes(Limits::kDocumentBytes)},
      {"properties, as canonical JSON", fmt::format("{} KiB", Limits::kPropertiesBytes >> 10)},
      {"nesting of objects and arrays in an item", std::to_string(Limits::kDepth)},
      {"numbers in a vector", std::to_string(Limits::kVectorDimension)},
      {"`relatedNodes`", std::to_string(Limits::kRelatedNodes)},
      {"edge types, node types and states in a database", fmt::format("{} each", Limits::kNames)},
      {"a time", "the end of the year 9999"},
  };
}

Rows runners() {
  Rows rows;
  const auto command = [](std::string_view words) {
    return words.empty() ? std::string() : code(std::string(words));
  };
  for (const api::Runner& runner : api::runners())
    rows.push_back({fmt::format("{} {}", code(std::string(runner.name)), runner.tried),
                    command(runner.report), std::string(runner.unit), command(runner.run),
                    command(runner.skip)});
  return rows;
}

Rows schedulers() {
  struct Format {
    const char *format, *number;
    Scheduler scheduler;
  };
  constexpr Format kFormats[] = {
      {"slurm", "nice", Scheduler::slurm},
      {"airflow", "priority_weight", Scheduler::airflow},
      {"celery", "priority", Scheduler::celery_rabbitmq},
      {"celery --broker redis", "priority", Scheduler::celery_redis},
      {"temporal", "priority_key", Scheduler::temporal},
      {"k8s", "PriorityClass value", Scheduler::kubernetes},
  };
  Rows rows;
  for (const Format& f : kFormats) {
    const auto range = range_of(f.scheduler);
    rows.push_back(
        {code(f.format), f.number, std::to_string(range.first), std::to_string(range.last)});
  }
  return rows;
}

void add_once(std::vector<std::string>& all, std::string text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

// What the mapping files make of a tracker's tasks.
Rows trackers() {
  Rows rows;
  for (const auto& text : input::tracker_texts()) {
    const input::Mapping mapping = input::read_mapping(text);
    std::vector<std::string> labels, relations;
    for (const auto& edge : mapping.inner) {
      if (edge["node"]) add_once(labels, code(std::string(edge["to"].text())));
      for (const auto& kind : edge.inner) {
        for (const auto& relation : {kind["in"], kind["out"]}) {
          if (relation && !edge["node"]) add_once(relations, code(std::string(relation.text())));
        }
      }
    }
    const std::string id(mapping["id"].text()), before(mapping["number"].text());
    rows.push_back({code(mapping.name),
                    before.empty() ? code(id) : code(before) + " and " + code(id),
                    fmt::format("{}", fmt::join(labels, ", ")),
                    fmt::format("{}", fmt::join(relations, ", "))});
  }
  return rows;
}

}  // namespace

Generators formats_blocks() {
  return {{"refusals", table_block({"reason", "meaning"}, refusals)},
          {"limits", table_block({"of", "at most"}, limits)},
          {"trackers",
           table_block({"format", "ids of tasks", "labels and the like", "relations"}, trackers)},
          {"runners", table_block({"RUNNER, tried", "report", "unit",
                                   "runs what `hebb -q rank --format RUNNER` prints, `…`",
                                   "skips what `hebb -q list --flaky --format RUNNER` prints"},
                                  runners)},
          {"schedulers", table_block({"format", "number", "first", "last"}, schedulers)}};
}

}  // namespace hebb::test
