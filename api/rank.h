// rank: the golden path, what to do next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/order.h"
#include "reward/factors.h"

namespace hebb::api {

struct RankRequest : Order {
  std::int64_t limit = 10, offset = 0;
  std::optional<Time> as_of;
  bool claimed = false;
  bool why = false;
  std::string scheduler, runner, agent;
  static const Fields& fields();
};

struct RankedTask : reward::Factors {
  std::int64_t rank = 0;
  std::string id, name;
  double relative = 0;
  std::optional<double> change_proximity;  // a factor too, where files are changed
  bool pinned = false;
  std::optional<std::vector<std::string>> why;
  std::optional<std::int64_t> value;          // in the scheduler's own numbers
  std::optional<std::string> priority_class;  // its name in Kubernetes
  std::optional<double> seconds;              // what it is expected to take
  std::optional<std::string> selector;        // how a test runner names it
  static const Fields& fields();
};

struct RankResult {
  std::vector<RankedTask> tasks;
  std::int64_t total = 0, claimed = 0;
  Time as_of;                 // the time at which the numbers were computed
  bool recalibrated = false;  // as_of is the last recalibration's; else the latest event's
  std::vector<std::string> blocking_cycle;
  static const Fields& fields();
};

RankResult rank(Session& session, const RankRequest& request);
// Manifests of one PriorityClass for each task.
std::string kubernetes_manifests(const std::vector<RankedTask>& tasks);
Operation rank_operation();

}  // namespace hebb::api
