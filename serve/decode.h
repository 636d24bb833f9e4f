// Texts as headers, paths, queries and URIs encode them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::serve {

// The parts between the characters `at`; there is at least one.
std::vector<std::string_view> split(std::string_view text, char at);

// Percent-encoding (RFC 3986). nullopt for a "%" without two hexadecimal digits, a byte 0, or text
// that is not UTF-8. plus_is_blank: decode "+" as a blank, as in queries.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank = false);

// Base64 (RFC 4648, section 4). nullopt: it is not base64 with its padding.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace hebb::serve
