// Percent-encoding (RFC 3986) of paths, queries and URIs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hebb::serve {

// nullopt for a "%" without two hexadecimal digits, a byte 0, or text that is not UTF-8.
// plus_is_blank: decode "+" as a blank, as in queries.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank = false);

}  // namespace hebb::serve
