#include "cli/embedding.h"

#include <cmath>

#include <fmt/format.h>

namespace hebb::cli {

void add_embedder_options(CLI::App& command, std::string& embedder, std::string& model) {
  command.add_option(
      "--embedder", embedder,
      "Where vectors of names and texts come from: hashing (built in), or openai:URL");
  command.add_option("--model", model, "The model to ask an openai: embedder for");
}

std::unique_ptr<Embedder> embedder_of(const std::string& embedder, const std::string& model) {
  if (embedder.empty()) return nullptr;
  try {
    return make_embedder(embedder, model);
  } catch (const std::invalid_argument& e) {
    throw Stop(kUsage, e.what());
  }
}

void note_missing_vectors(const Context& context, const MissingVectors& missing) {
  const auto note = [&](std::int64_t n, std::string_view one, std::string_view more) {
    if (n == 0) return;
    context.note(fmt::format(
        "{} {}: this database's vectors come from elsewhere; give their vectors in the input, or "
        "the --embedder they are from",
        n, n == 1 ? one : more));
  };
  note(missing.none, "named node has no vector", "named nodes have no vector");
  note(missing.outdated, "node keeps the vector of its old name",
       "nodes keep the vector of their old name");
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
