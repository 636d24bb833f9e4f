// recalibrate: ranks all tasks, writes the guides, and reports what changed.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct RecalibrateRequest {
  bool no_wait = false;
  static const Fields& fields();
};

struct GuideNow {
  std::string id;
  double weight = 0;
  static const Fields& fields();
};
struct ChangedEdge {
  std::string source, target, type;
  double weight = 0;
  static const Fields& fields();
};

struct RecalibrateResult {
  Time at;
  bool repeated = false;
  std::int64_t candidates = 0;
  std::vector<GuideNow> guides;
  std::vector<std::string> entered, left;
  std::vector<ChangedEdge> became_dormant, woke;
  static const Fields& fields();
};
RecalibrateResult recalibrate(Session& session, const RecalibrateRequest& request);
Operation recalibrate_operation();

}  // namespace hebb::api
