// Removes secrets that are spread over a text: over the elements of a document, the words of a
// line, the lines of a list.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "skill/store/secrets.h"

namespace hebb::skill {

// Parts of a text, as [from, to), in reading order.
using Track = std::vector<std::pair<std::size_t, std::size_t>>;

// The text of a document, and each attribute's values.
std::vector<Track> html_tracks(std::string_view html);

// The text, scrubbed, with every secret that `secrets` filled in replaced by its slot, also where a
// track has its characters with blanks or nothing between them. Case and escapes make no
// difference. nullopt: a secret can still be read, with other signs between its letters.
std::optional<std::string> without_secrets(const std::string& text, std::vector<Track> tracks,
                                           const SecretValues& secrets);

// Whether one of the secrets can be read in a text.
bool tells_secret(const std::string& text, const SecretValues& secrets);

}  // namespace hebb::skill
