// The golden path in other schedulers' numbers: range, direction, order, and ties only where the
// range forces them.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include "api/schedule.h"

using namespace hebb;

namespace {

constexpr Scheduler kAll[] = {Scheduler::slurm,           Scheduler::airflow,
                              Scheduler::celery_rabbitmq, Scheduler::celery_redis,
                              Scheduler::temporal,        Scheduler::kubernetes};

// Priorities in any order of magnitude, with ties; sorted as a ranking is.
std::vector<RankRow> rows_of(std::vector<double> priorities) {
  std::sort(priorities.begin(), priorities.end(), std::greater<>());
  std::vector<RankRow> rows;
  for (const double p : priorities) {
    RankRow row;
    row.rank = static_cast<std::int64_t>(rows.size()) + 1;
    row.id = "task-" + std::to_string(row.rank);
    row.factors.priority = p;
    row.relative = priorities.front() > 0 ? p / priorities.front() : 0;
    rows.push_back(row);
  }
  return rows;
}

std::vector<RankRow> some(std::size_t count) {
  std::vector<double> priorities;
  for (std::size_t i = 0; i < count; ++i) priorities.push_back(10.0 / static_cast<double>(i + 1));
  return rows_of(priorities);
}

// Greater is more urgent.
std::int64_t urgency(Scheduler s, std::int32_t value) {
  const auto [first, last] = range_of(s);
  return first > last ? value : -std::int64_t{value};
}

}  // namespace

TEST_CASE("ranges and directions are the targets' own") {
  const auto range = [](Scheduler s) { return std::pair{range_of(s).first, range_of(s).last}; };
  CHECK(range(Scheduler::slurm) == std::pair{0, 2147483645});
  CHECK(range(Scheduler::airflow) == std::pair{2147483647, 1});
  CHECK(range(Scheduler::celery_rabbitmq) == std::pair{9, 0});
  CHECK(range(Scheduler::celery_redis) == std::pair{0, 9});
  CHECK(range(Scheduler::temporal) == std::pair{1, 5});
  CHECK(range(Scheduler::kubernetes) == std::pair{1000000000, 1});
}

TEST_CASE("whatever the priorities, the order is kept, the range too, and ties are forced ones") {
  CHECK(rc::check([] {
    const auto exponents = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-40, 40));
    std::vector<double> priorities;
    for (const int e : exponents) priorities.push_back(std::ldexp(1.0, e));
    const auto rows = rows_of(priorities);
    for (const Scheduler s : kAll) {
      const auto values = schedule(s, rows);
      RC_ASSERT(values.size() == rows.size());
      const auto [first, last] = range_of(s);
      for (std::size_t i = 0; i < values.size(); ++i) {
        RC_ASSERT(values[i] >= std::min(first, last) && values[i] <= std::max(first, last));
        if (i > 0) RC_ASSERT(urgency(s, values[i]) <= urgency(s, values[i - 1]));
      }
      const std::size_t distinct = std::set<std::int32_t>(values.begin(), values.end()).size();
      const auto width = static_cast<std::size_t>(std::abs(std::int64_t{first} - last)) + 1;
      RC_ASSERT(distinct == std::min(width, rows.size()));
    }
  }));
}

TEST_CASE("a narrow range gives the first its first number and shares the rest out evenly") {
  CHECK(schedule(Scheduler::temporal, some(3)) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(schedule(Scheduler::celery_redis, some(3)) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(schedule(Scheduler::celery_rabbitmq, some(3)) == std::vector<std::int32_t>{9, 8, 7});
  const auto many = schedule(Scheduler::temporal, some(10));
  CHECK(many == std::vector<std::int32_t>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
}

TEST_CASE("a wide range keeps the distances") {
  const auto rows = rows_of({8, 4, 2});
  CHECK(schedule(Scheduler::slurm, rows) == std::vector<std::int32_t>{0, 5000, 7500});
  CHECK(schedule(Scheduler::airflow, rows) == std::vector<std::int32_t>{10000, 5000, 2500});
  CHECK(schedule(Scheduler::kubernetes, rows) == std::vector<std::int32_t>{10000, 5000, 2500});
}

TEST_CASE("tasks of one priority get neighbouring numbers, in the order of the ranking") {
  const auto rows = rows_of({1, 1, 1});
  CHECK(schedule(Scheduler::slurm, rows) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(schedule(Scheduler::airflow, rows) == std::vector<std::int32_t>{10002, 10001, 10000});
}

TEST_CASE("nothing ranked, nothing scheduled") {
  for (const Scheduler s : kAll) CHECK(schedule(s, {}).empty());
  CHECK(priority_class_manifests({}).empty());
}

TEST_CASE("a PriorityClass has a DNS-1123 name of its own for every id") {
  const std::regex dns("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  std::set<std::string> names;
  const std::vector<std::string> ids{"task-7",
                                     "Task-7",
                                     "task 7",
                                     "task/7",
                                     "-",
                                     "7",
                                     "task-7-",
                                     "\xC3\xA9t\xC3\xA9",
                                     std::string(512, 'a'),
                                     std::string(511, 'a') + "b",
                                     "system-node-critical"};
  for (const auto& id : ids) {
    const std::string name = priority_class_name(id);
    INFO(id << " -> " << name);
    CHECK(std::regex_match(name, dns));
    CHECK(name.size() <= 253);
    CHECK_FALSE(name.starts_with("system-"));
    names.insert(name);
  }
  CHECK(names.size() == ids.size());
  CHECK(priority_class_name("task-7") == "hebb-task-7");
}

TEST_CASE("manifests preempt nothing and quote the id") {
  auto rows = some(1);
  rows[0].id = "a \"quoted\": id";
  const std::string yaml = priority_class_manifests(rows);
  CHECK(yaml.starts_with("---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"));
  CHECK(yaml.find("preemptionPolicy: Never\n") != std::string::npos);
  CHECK(yaml.find("hebb/task: \"a \\\"quoted\\\": id\"\n") != std::string::npos);
}
