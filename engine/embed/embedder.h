// Texts to vectors: what an embedder is, and the built-in one, which needs no model and no network.
// One that asks a server is in api/embedder.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hebb {

// The server cannot be reached or did not answer as it must; says which URL, what came, what to do.
class EmbedderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Embedder {
 public:
  virtual ~Embedder() = default;
  // One vector per text, in order; all of one dimension, except that a text of nothing but blanks
  // and punctuation may get an empty one: there is nothing to embed. Throws EmbedderError.
  virtual std::vector<std::vector<float>> embed(std::span<const std::string> texts) = 0;
  virtual std::string name() const = 0;  // as events store it: "hashing", "openai:MODEL"
};

// Lower-cased words and character 3- to 5-grams (of the words, with a blank at either side), signed
// feature hashing (Weinberger et al. 2009) by XXH3 into 256 dimensions, term weight 1 + ln(tf),
// L2-normalised. Only ASCII is lower-cased. Same text, same bits.
std::unique_ptr<Embedder> make_hashing_embedder();

// The words of a node, from which its vector is made.
std::string words_of(std::string_view name, std::string_view description);

// Nodes of an input for which no vector could be made from their words, because the database's
// vectors come from an embedder that was not given.
struct MissingVectors {
  std::int64_t none = 0;      // nodes without a vector now
  std::int64_t outdated = 0;  // nodes whose vector is that of the words they had before
};

}  // namespace hebb
