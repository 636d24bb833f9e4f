#include "cli/embedding.h"

#include <cmath>

#include <fmt/format.h>

#include "api/files.h"

namespace hebb::cli {

std::vector<float> read_vector(const std::string& file) {
  const Json json = Json::parse(api::read_file(file), nullptr, false);
  const auto wrong = [&](std::string_view why) {
    return UnreadableInput(
        fmt::format("{}: {}; it must be a JSON array of numbers, such as [0.1, -0.2]", file, why));
  };
  if (json.is_discarded()) throw wrong("not JSON");
  if (!json.is_array() || json.empty()) throw wrong("not an array with numbers in it");
  std::vector<float> vector;
  for (const auto& number : json) {
    if (!number.is_number()) throw wrong(fmt::format("{} is no number", number.dump()));
    vector.push_back(number.get<float>());
    if (!std::isfinite(vector.back())) throw wrong(fmt::format("{} is too large", number.dump()));
  }
  return vector;
}

}  // namespace hebb::cli
