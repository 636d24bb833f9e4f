#include "serve/idempotency.h"

#include <fmt/format.h>

#include "api/problem.h"

namespace hebb::serve {

void name_outcomes(api::Json& ingest, const std::string& key) {
  if (key.empty() || !ingest.contains("outcomes")) return;
  constexpr std::size_t kLongest = 255;
  if (key.size() > kLongest) {
    throw api::Problem(api::ProblemType::invalid_argument,
                       fmt::format("an Idempotency-Key has at most {} characters", kLongest));
  }
  std::size_t place = 0;
  for (api::Json& outcome : ingest["outcomes"]) {
    ++place;
    if (outcome.is_object() && !outcome.contains("id"))
      outcome["id"] = fmt::format("{}/{}", key, place);
  }
}

}  // namespace hebb::serve
