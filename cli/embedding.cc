#include "cli/embedding.h"

#include <cmath>

#include <fmt/format.h>

#include "api/common.h"

namespace hebb::cli {

void add_embedder_options(CLI::App& command, std::string& embedder, std::string& model) {
  command.add_option(
      "--embedder", embedder,
      "Where vectors of names and texts come from: hashing (built in), or openai:URL");
  command.add_option("--model", model, "The model to ask an openai: embedder for");
}

std::unique_ptr<Embedder> embedder_of(const std::string& embedder, const std::string& model) {
  return api::embedder_of(embedder, model);
}

void note_missing_vectors(const Context& context, const MissingVectors& missing) {
  for (const auto& note : api::notes_of(missing)) context.note(note);
}

std::vector<float> read_vector(const std::string& file) {
  const Json json = Json::parse(read_file(file), nullptr, false);
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
