// Strict JSON of a request, and JSON of an answer.
#include <fmt/format.h>

#include "api/field.h"
#include "api/problem.h"
#include "engine/engine.h"
#include "engine/values/members.h"
#include "engine/values/read_json.h"
#include "text/ascii.h"

namespace hebb::api {

namespace {
constexpr std::size_t kMostKeys = 10'000;  // of an object; properties of 64 KiB can have no more
}

Json name_in_text(std::string_view object, std::string_view member) {
  object = trim(object);
  if (!object.starts_with('{')) return nullptr;
  Members members(object);
  while (members.next()) {
    const std::string_view key = members.key();
    if (key.substr(1, key.size() - 2) != member) continue;
    const Json name = Json::parse(members.value(), nullptr, false);
    return name.is_string() || name.is_number_integer() ? name : Json();
  }
  return nullptr;
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

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hebb::api
