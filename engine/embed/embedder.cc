#include "engine/embed/embedder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <xxhash.h>

#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb {

namespace {

constexpr std::size_t kDimension = 256;
constexpr std::size_t kShortestGram = 3;
constexpr std::size_t kLongestGram = 5;
static_assert((kDimension & (kDimension - 1)) == 0, "the low bits of a hash choose the dimension");

// A word and a gram with the same letters are different features.
enum class Feature : XXH64_hash_t { word = 1, gram = 2 };

std::uint64_t hash(std::string_view text, Feature kind) {
  return XXH3_64bits_withSeed(text.data(), text.size(), static_cast<XXH64_hash_t>(kind));
}

// Letters and digits; every character beyond ASCII counts as a letter.
bool in_word(char c) { return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80; }

void add_grams(std::string_view padded, std::vector<std::uint64_t>& features) {
  std::vector<std::size_t> starts;  // of the characters, and the end
  for (std::size_t i = 0; i < padded.size(); ++i) {
    if (!is_continuation(padded[i]) || i == 0) starts.push_back(i);
  }
  starts.push_back(padded.size());
  const std::size_t characters = starts.size() - 1;
  for (std::size_t n = kShortestGram; n <= std::min(kLongestGram, characters); ++n) {
    for (std::size_t i = 0; i + n <= characters; ++i) {
      const auto gram = padded.substr(starts[i], starts[i + n] - starts[i]);
      features.push_back(hash(gram, Feature::gram));
    }
  }
}

std::vector<std::uint64_t> features_of(std::string_view text) {
  std::vector<std::uint64_t> features;
  std::string padded;
  for (std::size_t i = 0; i < text.size();) {
    if (!in_word(text[i])) {
      ++i;
      continue;
    }
    padded = ' ';
    for (; i < text.size() && in_word(text[i]); ++i) padded += to_lower(text[i]);
    padded += ' ';
    features.push_back(hash(std::string_view(padded).substr(1, padded.size() - 2), Feature::word));
    add_grams(padded, features);
  }
  return features;
}

std::vector<float> embed_text(std::string_view text) {
  std::vector<std::uint64_t> features = features_of(text);
  std::sort(features.begin(), features.end());  // equal ones adjoin; sums have one fixed order
  std::array<double, kDimension> sums{};
  for (auto run = features.begin(); run != features.end();) {
    const auto end = std::upper_bound(run, features.end(), *run);
    const double weight = 1 + std::log(static_cast<double>(end - run));
    sums[*run % kDimension] += *run >> 63 ? weight : -weight;
    run = end;
  }
  double squares = 0;
  for (const double sum : sums) squares += sum * sum;
  if (squares == 0) return {};
  const double norm = std::sqrt(squares);
  std::vector<float> vector(kDimension);
  std::transform(sums.begin(), sums.end(), vector.begin(),
                 [norm](double sum) { return static_cast<float>(sum / norm); });
  return vector;
}

class HashingEmbedder final : public Embedder {
 public:
  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override {
    std::vector<std::vector<float>> vectors;
    vectors.reserve(texts.size());
    for (const std::string& text : texts) vectors.push_back(embed_text(text));
    return vectors;
  }
  std::string name() const override { return "hashing"; }
};

}  // namespace

std::unique_ptr<Embedder> make_hashing_embedder() { return std::make_unique<HashingEmbedder>(); }

std::string words_of(std::string_view name, std::string_view description) {
  std::string words(name);
  if (!name.empty() && !description.empty()) words += '\n';
  return words.append(description);
}

}  // namespace hebb
