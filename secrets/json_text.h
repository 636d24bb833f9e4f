// The text of JSON, which may be cut anywhere: where its strings and values end, and their content.
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

// The content of a quoted string; nullopt: it is no string.
std::optional<std::string> decode(std::string_view quoted);
std::string quote(std::string_view text);

// The replacement of a secret in a text: the mask, as a string where the secret is a number of
// JSON.
std::string mask_for(std::string_view text, std::size_t from, std::size_t to);

// Whether a text may be JSON, by its beginning.
bool holds_json(std::string_view text);

// The quoted string with changed content; the same bytes if nothing changed. An unclosed string
// stays unclosed, and an escape that was cut at its end is dropped.
std::string with_content(std::string_view quoted,
                         const std::function<std::string(std::string_view)>& change);

}  // namespace hebb::secrets
