// Vectors for named nodes, and for a text to rank near to.
#include "engine/current/embed_nodes.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/values/canonical_json.h"
#include "engine/values/counted.h"

namespace hebb {

namespace {

Embedder& built_in() {
  static const std::unique_ptr<Embedder> hashing = make_hashing_embedder();
  return *hashing;
}

std::vector<float> embed_one(Embedder& embedder, const std::string& text) {
  const std::vector<std::string> texts{text};
  return std::move(embedder.embed(texts).front());
}

// The embedder to use, or none: a database takes vectors of one embedder only.
Embedder* choose(const State& state, Embedder* given) {
  const std::string& holds = state.facts().embedder;
  if (given) {
    if (!holds.empty() && holds != given->name()) {
      throw std::invalid_argument(fmt::format(
          "this database holds vectors from \"{}\" ({} each), not from \"{}\"; "
          "vectors of two "
          "embedders are not mixed: use the same one, or a new database",
          holds, counted(static_cast<std::int64_t>(state.vectors().dimension()), "number"),
          given->name()));
    }
    return given;
  }
  return holds.empty() || holds == built_in().name() ? &built_in() : nullptr;
}

}  // namespace

bool brings_vectors(std::span<Event* const> events) {
  return std::any_of(events.begin(), events.end(), [](const Event* e) {
    const auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    return upsert && !upsert->vector.empty();
  });
}

Unembedded::Hashes Unembedded::hashes_of(Folded& folded, const std::string& id) {
  const State& state = folded.state();
  const auto n = state.find(id);
  if (!n) return {};
  const NodeContent held = content_of(folded, id);
  Hashes hashes;
  hashes.words = content_hash(words_of(held.name.value_or(""), held.description.value_or("")));
  if (!state.vectors().has(*n)) return hashes;
  const auto row = std::as_bytes(state.vectors().row(*n));
  hashes.vector = content_hash({reinterpret_cast<const char*>(row.data()), row.size()});
  return hashes;
}

void Unembedded::note(Folded& folded, const std::string& id) {
  if (!before_.contains(id)) before_.emplace(id, hashes_of(folded, id));
}

MissingVectors Unembedded::count(Folded& folded) const {
  MissingVectors missing;
  for (const auto& [id, before] : before_) {
    if (!folded.state().exists(id)) continue;  // the event that would have made it was refused
    const Hashes now = hashes_of(folded, id);
    if (now.vector.empty()) {
      ++missing.none;
    } else if (now.vector == before.vector && now.words != before.words) {
      ++missing.outdated;
    }
  }
  return missing;
}

void embed_nodes(Folded& folded, std::span<Event* const> events, Embedder* given, bool has_vectors,
                 Unembedded& unembedded) {
  State& state = folded.state();
  Embedder* const embedder = choose(state, given);
  // If the input itself brings vectors, they will be the database's, and none is made here.
  const bool external = state.facts().embedder.empty() && !given && has_vectors;
  const bool can = embedder && !external;
  struct Words {
    std::string name, description;
  };
  std::unordered_map<std::string, Words> words;  // of nodes, after the events so far
  std::vector<NodeUpsert*> nodes;
  std::vector<std::string> texts;
  for (Event* e : events) {
    auto* upsert = std::get_if<NodeUpsert>(&e->payload);
    if (!upsert || (!upsert->name && !upsert->description)) continue;
    if (!e->key.empty() && folded.storage().ledger().position_of(e->key)) continue;
    const auto [entry, is_new] = words.try_emplace(e->subject);
    Words& node = entry->second;
    if (is_new && (!upsert->name || !upsert->description)) {
      const NodeContent held = content_of(folded, e->subject);
      node = {held.name.value_or(""), held.description.value_or("")};
    }
    if (upsert->name) node.name = *upsert->name;
    if (upsert->description) node.description = *upsert->description;
    std::string text = words_of(node.name, node.description);
    if (!upsert->vector.empty() || e->resolved) continue;
    if (!can) {
      if (!text.empty()) unembedded.note(folded, e->subject);
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

std::vector<float> embed(Folded& folded, const std::string& text, Embedder* given) {
  const State& state = folded.state();
  Embedder* const embedder = choose(state, given);
  if (!embedder) {
    throw std::invalid_argument(
        fmt::format("this database's vectors are from \"{}\" ({} each), so a text cannot "
                    "be compared with "
                    "them here; name a node, give --vector FILE, or the same --embedder",
                    state.facts().embedder,
                    counted(static_cast<std::int64_t>(state.vectors().dimension()), "number")));
  }
  auto vector = embed_one(*embedder, text);
  if (vector.empty()) {
    throw std::invalid_argument(
        fmt::format("\"{}\" holds no word to compare by; name a node or give words", text));
  }
  return vector;
}

}  // namespace hebb
