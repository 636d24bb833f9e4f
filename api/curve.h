// curve: the weight of an edge over time, to be drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/explain.h"
#include "api/operation.h"

namespace hebb::api {

struct CurveRequest {
  std::string source, target, type;
  std::int64_t points = 200;
  static const Fields& fields();
};
struct CurvePoint {
  Time at;
  double weight = 0;
  static const Fields& fields();
};
struct CurveResult {
  std::string source, target, type;
  bool exists = false;  // false: it was there once
  double weight = 0;    // at the end
  bool dormant = false;
  double cap = 0, dormant_below = 0;
  std::optional<double> half_life_days;  // absent: it does not fade
  std::vector<CurvePoint> points;        // by time; at an event two, just before and just after
  std::vector<EdgeStepLine> events;
  static const Fields& fields();
};
CurveResult curve(Session& session, const CurveRequest& request);
Operation curve_operation();

}  // namespace hebb::api
