// Vectors for named nodes, and for a text to rank near to.
#include <stdexcept>

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

std::string text_of(EngineImpl& impl, const Event& e, const NodeUpsert& upsert) {
  NodeContent held;
  if (!upsert.name || !upsert.description) {
    held = impl.store.content(e.subject);
    const auto n = impl.loaded->graph().find_node(e.subject);
    const auto& unsaved = impl.loaded->changes().content;
    if (const auto it = n ? unsaved.find(*n) : unsaved.end(); it != unsaved.end()) {
      if (it->second.name) held.name = it->second.name;
      if (it->second.description) held.description = it->second.description;
    }
  }
  const std::string name = upsert.name.value_or(held.name.value_or(""));
  const std::string description = upsert.description.value_or(held.description.value_or(""));
  if (name.empty() || description.empty()) return name + description;
  return name + "\n" + description;
}

}  // namespace

std::int64_t embed_nodes(EngineImpl& impl, std::span<Event*> events, Embedder* given) {
  State& state = impl.state();
  Embedder* const embedder = choose(state, given);
  std::vector<NodeUpsert*> nodes;
  std::vector<std::string> texts;
  for (Event* e : events) {
    auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    if (!upsert || !upsert->vector.empty()) continue;
    if (!upsert->name && !upsert->description) continue;
    std::string text = text_of(impl, *e, *upsert);
    if (text.empty()) continue;
    nodes.push_back(upsert);
    texts.push_back(std::move(text));
  }
  if (nodes.empty()) return 0;
  // A file that brings vectors of its own for other nodes makes this an external database.
  const bool external = state.embedder().empty() && !given &&
                        std::any_of(events.begin(), events.end(), [](const Event* e) {
                          const auto* upsert = std::get_if<NodeUpsert>(&e->payload);
                          return upsert && !upsert->vector.empty();
                        });
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
  return embedder->embed(texts).front();
}

}  // namespace hebb
