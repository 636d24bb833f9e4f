// Strict JSON of a request.
#include <fmt/format.h>

#include "api/field.h"
#include "api/problem.h"
#include "engine/engine.h"
#include "engine/values/read_json.h"

namespace hebb::api {

namespace {
constexpr std::size_t kMostKeys = 10'000;  // of an object; properties of 64 KiB can have no more
}

Json parse_json(std::string_view text, const std::string& field) {
  auto read = read_json(text, kMostKeys);
  if (auto* json = std::get_if<Json>(&read)) return std::move(*json);
  auto& refusal = std::get<Refusal>(read);
  if (refusal.reason == refusal::kNotJson)
    throw invalid(field, "\"{}\" is not JSON: {}", field, refusal.detail);
  refusal.detail = fmt::format("{}: {}", field, refusal.detail);
  throw Refused(std::move(refusal));
}

}  // namespace hebb::api
