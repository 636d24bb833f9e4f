// The text of JSON, which may be cut anywhere: where its strings and values end, and what they say.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hebb::secrets {

std::size_t skip_space(std::string_view text, std::size_t i);

// The position after the string that opens at `i`; the end of the text if it does not close.
std::size_t skip_string(std::string_view text, std::size_t i);

// The position after the value of any kind that begins at `i`.
std::size_t skip_value(std::string_view text, std::size_t i);

// Whether the string that skip_string() skipped is closed: it ends with an unescaped quote.
bool is_closed_string(std::string_view quoted);

// What a string in quotes says; nothing if it is none.
std::optional<std::string> decode(std::string_view quoted);
std::string quote(std::string_view text);

// What stands in the place of a secret in a text: the mask, and as a string where the secret is a
// number of JSON.
std::string mask_for(std::string_view text, std::size_t from, std::size_t to);

// Whether a text may be JSON, as far as its beginning says.
bool holds_json(std::string_view text);

// The string in quotes with what it says changed. If nothing was changed, the same bytes. One that
// is not closed stays so, and an escape that was cut at its end is dropped.
std::string with_content(std::string_view quoted,
                         const std::function<std::string(std::string_view)>& change);

}  // namespace hebb::secrets
