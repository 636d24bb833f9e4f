// Vectors for named nodes, and for a text to rank near to.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/engine_impl.h"

namespace hebb {

namespace {

Embedder& built_in() {
  static const std::unique_ptr<Embedder> hashing = make_embedder("hashing", "");
  return *hashing;
}

// Whose vectors this database holds decides who may add to them.
Embedder* choose(const State& state, Embedder* given) {
  const std::string& holds = state.embedder();
  if (given) {
    if (!holds.empty() && holds != given->name()) {
      throw std::invalid_argument(
          fmt::format("this database holds vectors from \"{}\" ({} numbers each), not from \"{}\"; "
                      "vectors of two "
                      "embedders are not mixed: use the same one, or a new database",
                      holds, state.vectors().dimension(), given->name()));
    }
    return given;
  }
  return holds.empty() || holds == built_in().name() ? &built_in() : nullptr;
}

// The words of nodes as they will be once the events before this one are folded.
class Words {
 public:
  explicit Words(EngineImpl& impl) : impl_(impl) {}

  std::string after(const std::string& id, const NodeUpsert& upsert) {
    const auto [entry, is_new] = of_.try_emplace(id);
    auto& [name, description] = entry->second;
    if (is_new && (!upsert.name || !upsert.description)) {
      const NodeContent held = impl_.content(id);
      name = held.name.value_or("");
      description = held.description.value_or("");
    }
    if (upsert.name) name = *upsert.name;
    if (upsert.description) description = *upsert.description;
    if (name.empty() || description.empty()) return name + description;
    return name + "\n" + description;
  }

 private:
  EngineImpl& impl_;
  std::unordered_map<std::string, std::pair<std::string, std::string>> of_;
};

}  // namespace

bool brings_vectors(std::span<Event* const> events) {
  return std::any_of(events.begin(), events.end(), [](const Event* e) {
    const auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    return upsert && !upsert->vector.empty();
  });
}

std::int64_t embed_nodes(EngineImpl& impl, std::span<Event* const> events, Embedder* given,
                         bool has_vectors) {
  State& state = impl.state();
  Embedder* const embedder = choose(state, given);
  Words words(impl);
  std::vector<NodeUpsert*> nodes;
  std::vector<std::string> texts;
  for (Event* e : events) {
    auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    if (!upsert || !upsert->vector.empty()) continue;
    if (!upsert->name && !upsert->description) continue;
    std::string text = words.after(e->subject, *upsert);
    if (text.empty()) continue;
    nodes.push_back(upsert);
    texts.push_back(std::move(text));
  }
  if (nodes.empty()) return 0;
  // Input that brings vectors of its own for other nodes makes this an external database.
  const bool external = state.embedder().empty() && !given && has_vectors;
  if (!embedder || external) return static_cast<std::int64_t>(nodes.size());
  auto vectors = embedder->embed(texts);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->vector = std::move(vectors[i]);
    nodes[i]->embedder = embedder->name();
  }
  return 0;
}

std::vector<float> Engine::embed(const std::string& text, Embedder* given) {
  const State& state = impl_->state();
  Embedder* const embedder = choose(state, given);
  if (!embedder) {
    throw std::invalid_argument(
        fmt::format("this database's vectors are from \"{}\" ({} numbers each), so a text cannot "
                    "be compared with "
                    "them here; name a node, give --vector FILE, or the same --embedder",
                    state.embedder(), state.vectors().dimension()));
  }
  const std::vector<std::string> texts{text};
  auto vector = std::move(embedder->embed(texts).front());
  if (vector.empty()) {
    throw std::invalid_argument(
        fmt::format("\"{}\" holds no word to compare by; name a node or give words", text));
  }
  return vector;
}

}  // namespace hebb
