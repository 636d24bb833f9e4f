// Vectors for nodes, made from their names and descriptions when they arrive.
#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include "engine/engine_impl.h"

namespace hebb {

// The nodes of an input that came with words and without a vector where none could be made.
class Unembedded {
 public:
  void note(EngineImpl& impl, const std::string& id);  // before the event changes it
  // Once the events are folded: those that are without a vector now, and those that have the one of
  // other words. O(noted).
  MissingVectors count(EngineImpl& impl) const;

 private:
  struct Hashes {
    std::string words, vector;  // no vector: empty
    bool operator==(const Hashes&) const = default;
  };
  static Hashes of(EngineImpl& impl, const std::string& id);
  std::unordered_map<std::string, Hashes> before_;
};

bool brings_vectors(std::span<Event* const> events);

// Gives nodes that come with words and without a vector one, where the database's vectors allow it,
// and notes the others. What the ledger has already is left as it is. has_vectors: all of the
// input, of which these events may be a part, brings some. May ask a server: not to be called while
// holding the write lock.
void embed_nodes(EngineImpl& impl, std::span<Event* const> events, Embedder* embedder,
                 bool has_vectors, Unembedded& unembedded);

}  // namespace hebb
