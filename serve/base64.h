// Base64 (RFC 4648, section 4) in headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hebb::serve {

// nullopt: it is not base64 with its padding.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace hebb::serve
