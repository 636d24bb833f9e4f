#include "skill/replay/result.h"

namespace hebb::skill {

Json result_json(const ReplayResult& r) {
  Json out{{"ok", r.ok}, {"steps_executed", r.executed}, {"steps_total", r.total}};
  if (r.failure) {
    out["failure"] = {{"code", r.failure->code},
                      {"step_index", r.failure->step_index},
                      {"detail", r.failure->detail}};
    if (!r.failure->evidence.empty()) out["failure"]["evidence_bundle_path"] = r.failure->evidence;
  }
  Json steps = Json::array();
  for (const StepResult& s : r.steps) {
    steps.push_back({{"index", s.index},
                     {"resolved_via",
                      s.resolved_via ? Json(selector_type_name(*s.resolved_via)) : Json(nullptr)},
                     {"selector_attempts", s.selector_attempts},
                     {"elapsed_ms", s.elapsed_ms}});
  }
  out["step_results"] = std::move(steps);
  return out;
}

ReplayResult refused(std::string_view code, std::string detail) {
  ReplayResult result;
  result.failure = Failure{std::string(code), 0, std::move(detail), ""};
  return result;
}

}  // namespace hebb::skill
