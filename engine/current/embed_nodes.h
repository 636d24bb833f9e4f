// Vectors for nodes, made from their names and descriptions as these are on arrival: an event that
// comes late gives the vector of the words that the node has then.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/current/folded.h"
#include "engine/embed/embedder.h"

namespace hebb {

// The nodes of an input that had words but no vector, and for which no vector could be made.
class Unembedded {
 public:
  void note(Folded& folded, const std::string& id);  // before the event changes it
  // Call it once the events are folded. Counts the nodes that have no vector now, and those whose
  // vector was made from other words. O(noted).
  MissingVectors count(Folded& folded) const;

 private:
  struct Hashes {
    std::string words, vector;  // no vector: empty
    bool operator==(const Hashes&) const = default;
  };
  static Hashes hashes_of(Folded& folded, const std::string& id);
  std::unordered_map<std::string, Hashes> before_;
};

bool brings_vectors(std::span<Event* const> events);

// Makes a vector for each node that has words but no vector, if the database's embedder can, and
// notes the other nodes. Events that are in the ledger already are left alone. has_vectors: the
// input, of which these events may be a part, brings vectors. May ask a server, so do not call it
// while holding the write lock.
void embed_nodes(Folded& folded, std::span<Event* const> events, Embedder* embedder,
                 bool has_vectors, Unembedded& unembedded);

// The vector of a text by the database's embedder (or the one given). Throws std::invalid_argument.
std::vector<float> embed(Folded& folded, const std::string& text, Embedder* given);

}  // namespace hebb
