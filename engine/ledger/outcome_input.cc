#include "engine/ledger/outcome_input.h"

#include "engine/values/json.h"

namespace hebb {

std::optional<double> execution_time_ms(const OutcomeSignal& outcome) {
  // The text is canonical: within a string the quotes would have backslashes before them.
  if (outcome.input.find("\"executionTimeMs\":") == std::string::npos) return std::nullopt;
  static thread_local input::JsonReader reader;
  const auto metrics = input::find(reader.parse_object(outcome.input), "metrics");
  if (!metrics || !metrics->is_object()) return std::nullopt;
  const auto value = input::find(metrics->get_object(), "executionTimeMs");
  double ms = 0;
  if (!value || value->get(ms) != simdjson::SUCCESS) return std::nullopt;
  return ms;
}

}  // namespace hebb
