// The words of a node, from which its vector is made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hebb {

std::string words_of(std::string_view name, std::string_view description);

// Never 0. Stored with a vector that was made of such words: do not change.
std::uint64_t hash_of_words(std::string_view name, std::string_view description);

}  // namespace hebb
