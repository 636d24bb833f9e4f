// The ranking as priority numbers of other schedulers.
//
// Each has a range and a direction of its own; the order is kept in all of them, and two tasks get
// the same number only where the range has fewer numbers than there are tasks. Where the range is
// wide, distances are kept too: a task at 50 % of the first stands half of kScheduleSpread from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace hebb {

enum class Scheduler : std::uint8_t {  // in the order of the table in schedule.cc
  // sbatch --nice, scontrol update Nice=: ±2147483645, lower is more urgent; only privileged
  // users may go below 0, so the first task gets 0 (Slurm: sbatch(1)).
  slurm,
  // priority_weight: an integer, larger is sooner; the total, which by default sums those of all
  // tasks downstream, must stay within 32 bits, so weights stay small (Airflow: Priority Weights).
  airflow,
  // apply_async(priority=): 0 to 9 in a queue with x-max-priority 9, 9 is first (RabbitMQ: Priority
  // Queue Support).
  celery_rabbitmq,
  // The same on Redis, where 0 is first; the transport keeps 4 of the 10 steps apart unless
  // broker_transport_options has priority_steps = list(range(10)) (Celery: Routing Tasks).
  celery_redis,
  // priority_key: 1 to 5, 1 is first, 3 if none is given (Temporal: Task Queue Priority).
  temporal,
  // PriorityClass value: -2147483648 to 1000000000, larger is sooner; what is above is the system's
  // (Kubernetes: Pod Priority and Preemption).
  kubernetes,
};

struct SchedulerRange {
  std::int32_t first, last;  // for the most and the least urgent task
};
SchedulerRange range_of(Scheduler scheduler);

inline constexpr std::int32_t kScheduleSpread = 10'000;

// One number per row, in the order of the rows. The rows must be sorted as by Engine::rank(), best
// first.
std::vector<std::int32_t> schedule(Scheduler scheduler, std::span<const RankRow> rows);

// A name for a task's PriorityClass: a DNS-1123 subdomain that starts with "hebb-". If the id has
// to be changed for that, its hash is appended, so that different ids have different names.
std::string priority_class_name(std::string_view id);

// A YAML document per row. The classes order waiting pods and do not preempt running ones.
std::string priority_class_manifests(std::span<const RankRow> rows);

}  // namespace hebb
