#include "engine/untold.h"

#include "engine/input/input.h"
#include "engine/values/canonical_json.h"
#include "engine/values/refusals.h"

namespace hebb {

DeadLetter untold(const Event& outcome) {
  const auto& said = std::get<OutcomeSignal>(outcome.payload);
  std::string json = "{\"task\":";
  append_json_string(json, outcome.subject);
  json += ",\"outcome\":";
  append_json_string(json, outcome_name(said.outcome));
  json += ",\"score\":";
  append_json_number(json, said.score);
  json += ",\"at\":";
  append_json_string(json, format_rfc3339(outcome.at));
  json += ",\"event\":" + std::to_string(outcome.position);
  json += ",\"given\":" + (said.input.empty() ? "{}" : said.input) + "}";
  DeadLetter letter;
  letter.at = outcome.at;
  letter.format = letter.file = kToldFormat;
  letter.reason = refusal::kNotTold;
  letter.detail = "its command has not run yet, or hebb ended before it was done";
  letter.line = outcome.position;
  letter.text = std::move(json);
  return letter;
}

}  // namespace hebb
