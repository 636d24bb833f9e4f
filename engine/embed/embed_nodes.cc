// Vectors for named nodes, and for a text to rank near to.
#include "engine/embed/embed_nodes.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/ledger/canonical_json.h"

namespace hebb {

namespace {

Embedder& built_in() {
  static const std::unique_ptr<Embedder> hashing = make_embedder("hashing", "");
  return *hashing;
}

// The embedder to use, or none: a database takes vectors of one embedder only.
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

std::string words_of(const std::string& name, const std::string& description) {
  if (name.empty() || description.empty()) return name + description;
  return name + "\n" + description;
}

// Name and description of nodes as they will be after the events that were passed to after().
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
    return words_of(name, description);
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

Unembedded::Hashes Unembedded::of(EngineImpl& impl, const std::string& id) {
  const State& state = impl.state();
  const auto n = state.find(id);
  if (!n) return {};
  const NodeContent held = impl.content(id);
  Hashes hashes;
  hashes.words = content_hash(words_of(held.name.value_or(""), held.description.value_or("")));
  if (!state.vectors().has(*n)) return hashes;
  const auto row = std::as_bytes(state.vectors().row(*n));
  hashes.vector = content_hash({reinterpret_cast<const char*>(row.data()), row.size()});
  return hashes;
}

void Unembedded::note(EngineImpl& impl, const std::string& id) {
  if (!before_.contains(id)) before_.emplace(id, of(impl, id));
}

MissingVectors Unembedded::count(EngineImpl& impl) const {
  MissingVectors missing;
  for (const auto& [id, before] : before_) {
    if (!impl.state().exists(id)) continue;  // the event that would have made it was refused
    const Hashes now = of(impl, id);
    if (now.vector.empty()) {
      ++missing.none;
    } else if (now.vector == before.vector && now.words != before.words) {
      ++missing.outdated;
    }
  }
  return missing;
}

void embed_nodes(EngineImpl& impl, std::span<Event* const> events, Embedder* given,
                 bool has_vectors, Unembedded& unembedded) {
  State& state = impl.state();
  Embedder* const embedder = choose(state, given);
  // If the input itself brings vectors, they will be the database's, and none is made here.
  const bool external = state.embedder().empty() && !given && has_vectors;
  const bool can = embedder && !external;
  Words words(impl);
  std::vector<NodeUpsert*> nodes;
  std::vector<std::string> texts;
  for (Event* e : events) {
    auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    if (!upsert || (!upsert->name && !upsert->description)) continue;
    if (!e->key.empty() && impl.ledger.position_of(e->key)) continue;
    std::string text = words.after(e->subject, *upsert);
    if (!upsert->vector.empty() || e->resolved) continue;
    if (!can) {
      if (!text.empty()) unembedded.note(impl, e->subject);
      continue;
    }
    nodes.push_back(upsert);
    texts.push_back(std::move(text));
  }
  if (nodes.empty()) return;
  auto vectors = embedder->embed(texts);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->vector = std::move(vectors[i]);
    nodes[i]->embedder = embedder->name();
  }
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
