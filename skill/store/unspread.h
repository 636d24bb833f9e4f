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

// Parts of a text, as [from, to), that are read one after the other.
using Track = std::vector<std::pair<std::size_t, std::size_t>>;

// The text of a document, and each attribute's values.
std::vector<Track> html_tracks(std::string_view html);

// The text with every secret that `secrets` have filled in replaced by its slot, where it stands
// and where a track has its characters with blanks or nothing between them; and scrubbed. Case and
// escapes make no difference. nullopt: it still says one, with other signs between its letters.
std::optional<std::string> without_secrets(const std::string& text, std::vector<Track> tracks,
                                           const SecretValues& secrets);

// Whether one of them can be read in a text.
bool tells_secret(const std::string& text, const SecretValues& secrets);

}  // namespace hebb::skill
