// Percent-encoding (RFC 3986), as paths, queries and URIs have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hebb::serve {

// Nothing for a "%" without two hexadecimal digits, and for a byte 0 or text that is not UTF-8.
// plus_is_blank: as in a query.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank = false);

}  // namespace hebb::serve
