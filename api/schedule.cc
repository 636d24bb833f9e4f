#include "api/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "api/visible_text.h"
#include "engine/values/canonical_json.h"
#include "text/ascii.h"

namespace hebb {

namespace {

constexpr std::size_t kSlugMax = 200;  // a name may have 253
constexpr std::size_t kHashDigitsShown = 10;

std::int32_t spread(double share) {
  return static_cast<std::int32_t>(std::lround(std::clamp(share, 0.0, 1.0) * kScheduleSpread));
}

// 0 for the first task, larger with the distance from it; all different.
std::vector<std::int32_t> downwards(std::span<const RankRow> rows) {
  std::vector<std::int32_t> values;
  for (const RankRow& row : rows) {
    const std::int32_t wanted = spread(1 - row.relative);
    values.push_back(values.empty() ? wanted : std::max(wanted, values.back() + 1));
  }
  return values;
}

// Larger for tasks nearer to the first, at least 1; all different.
std::vector<std::int32_t> upwards(std::span<const RankRow> rows) {
  std::vector<std::int32_t> values(rows.size());
  std::int32_t least = 1;
  for (std::size_t i = rows.size(); i-- > 0;) {
    values[i] = std::max(least, spread(rows[i].relative));
    least = values[i] + 1;
  }
  return values;
}

// The numbers of the range: one per task if there are enough, else one for each equal share of the
// tasks.
std::vector<std::int32_t> levelled(std::size_t count, SchedulerRange range) {
  const auto levels = static_cast<std::size_t>(std::abs(range.last - range.first)) + 1;
  const int step = range.first < range.last ? 1 : -1;
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t level = count <= levels ? i : i * levels / count;
    values.push_back(range.first + step * static_cast<std::int32_t>(level));
  }
  return values;
}

// How each scheduler's numbers are made; nullptr: its range is so small that tasks share numbers.
struct Row {
  SchedulerRange range;
  std::vector<std::int32_t> (*by)(std::span<const RankRow>);
};
constexpr auto kRows = std::to_array<Row>({
    {{0, 2'147'483'645}, downwards},  // slurm
    {{2'147'483'647, 1}, upwards},    // airflow
    {{9, 0}, nullptr},                // celery_rabbitmq
    {{0, 9}, nullptr},                // celery_redis
    {{1, 5}, nullptr},                // temporal
    {{1'000'000'000, 1}, upwards},    // kubernetes
});

const Row& row_of(Scheduler scheduler) { return kRows.at(static_cast<std::size_t>(scheduler)); }

}  // namespace

SchedulerRange range_of(Scheduler scheduler) { return row_of(scheduler).range; }

std::vector<std::int32_t> schedule(Scheduler scheduler, std::span<const RankRow> rows) {
  const auto& [range, by] = row_of(scheduler);
  return by ? by(rows) : levelled(rows.size(), range);
}

std::string priority_class_name(std::string_view id) {
  std::string slug;
  for (const char c : id.substr(0, kSlugMax)) {
    const char lower = to_lower(c);
    const bool allowed = is_alnum(lower);
    slug += allowed ? lower : '-';
  }
  slug.erase(slug.find_last_not_of('-') + 1);
  if (slug == id) return "hebb-" + slug;
  return fmt::format("hebb-{}{}{}", slug, slug.empty() ? "" : "-",
                     content_hash(id).substr(0, kHashDigitsShown));
}

std::string priority_class_manifests(std::span<const RankRow> rows) {
  const auto values = schedule(Scheduler::kubernetes, rows);
  std::string yaml;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string id;
    append_json_string(id, rows[i].id);
    id = visible_text(
        id, Notation::yaml);  // a JSON string is a YAML string, except that YAML escapes more
    yaml += fmt::format(
        "---\n"
        "apiVersion: scheduling.k8s.io/v1\n"
        "kind: PriorityClass\n"
        "metadata:\n"
        "  name: {}\n"
        "  annotations:\n"
        "    hebb/task: {}\n"
        "value: {}\n"
        "globalDefault: false\n"
        "preemptionPolicy: Never\n"
        "description: \"rank {} of the open tasks\"\n",
        priority_class_name(rows[i].id), id, values[i], rows[i].rank);
  }
  return yaml;
}

}  // namespace hebb
