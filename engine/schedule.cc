#include "engine/schedule.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "engine/ascii.h"
#include "engine/ledger/canonical_json.h"
#include "engine/visible_text.h"

namespace hebb {

namespace {

constexpr std::size_t kSlugMax = 200;  // of the 253 that a name may have
constexpr std::size_t kHashDigitsShown = 10;

std::int32_t spread(double share) {
  return static_cast<std::int32_t>(std::lround(std::clamp(share, 0.0, 1.0) * kScheduleSpread));
}

// 0 for the first, larger with the distance to it; all different.
std::vector<std::int32_t> downwards(std::span<const PathRow> rows) {
  std::vector<std::int32_t> values;
  for (const PathRow& row : rows) {
    const std::int32_t wanted = spread(1 - row.relative);
    values.push_back(values.empty() ? wanted : std::max(wanted, values.back() + 1));
  }
  return values;
}

// Larger for tasks nearer to the first, at least 1; all different.
std::vector<std::int32_t> upwards(std::span<const PathRow> rows) {
  std::vector<std::int32_t> values(rows.size());
  std::int32_t least = 1;
  for (std::size_t i = rows.size(); i-- > 0;) {
    values[i] = std::max(least, spread(rows[i].relative));
    least = values[i] + 1;
  }
  return values;
}

// The numbers first, first + step … (`levels` of them): one per task if there are enough, else
// each number for an equal share of the tasks.
std::vector<std::int32_t> levelled(std::size_t count, std::size_t levels, std::int32_t first,
                                   std::int32_t step) {
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t level = count <= levels ? i : i * levels / count;
    values.push_back(first + step * static_cast<std::int32_t>(level));
  }
  return values;
}

}  // namespace

SchedulerRange range_of(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::slurm:
      return {0, 2'147'483'645};
    case Scheduler::airflow:
      return {2'147'483'647, 1};
    case Scheduler::celery_rabbitmq:
      return {9, 0};
    case Scheduler::celery_redis:
      return {0, 9};
    case Scheduler::temporal:
      return {1, 5};
    case Scheduler::kubernetes:
      return {1'000'000'000, 1};
  }
  assert(false);
  return {};
}

std::vector<std::int32_t> schedule(Scheduler scheduler, std::span<const PathRow> rows) {
  const auto [first, last] = range_of(scheduler);
  switch (scheduler) {
    case Scheduler::slurm:
      return downwards(rows);
    case Scheduler::airflow:
    case Scheduler::kubernetes:
      return upwards(rows);
    case Scheduler::celery_rabbitmq:
    case Scheduler::celery_redis:
    case Scheduler::temporal:
      break;
  }
  const auto levels = static_cast<std::size_t>(std::abs(last - first)) + 1;
  return levelled(rows.size(), levels, first, first < last ? 1 : -1);
}

std::string priority_class_name(std::string_view id) {
  std::string slug;
  for (const char c : id.substr(0, kSlugMax)) {
    const char lower = to_lower(c);
    const bool allowed = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    slug += allowed ? lower : '-';
  }
  slug.erase(slug.find_last_not_of('-') + 1);
  if (slug == id) return "hebb-" + slug;
  return fmt::format("hebb-{}{}{}", slug, slug.empty() ? "" : "-",
                     content_hash(id).substr(0, kHashDigitsShown));
}

std::string priority_class_manifests(std::span<const PathRow> rows) {
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
        "description: \"rank {} of the golden path\"\n",
        priority_class_name(rows[i].id), id, values[i], rows[i].rank);
  }
  return yaml;
}

}  // namespace hebb
