#include "engine/embed/words.h"

#include <xxhash.h>

namespace hebb {

std::string words_of(std::string_view name, std::string_view description) {
  std::string words(name);
  if (!name.empty() && !description.empty()) words += '\n';
  return words.append(description);
}

std::uint64_t hash_of_words(std::string_view name, std::string_view description) {
  const auto of_name = XXH3_64bits(name.data(), name.size());
  return XXH3_64bits_withSeed(description.data(), description.size(), of_name) | 1;
}

}  // namespace hebb
