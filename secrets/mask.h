// The text stored in place of a secret.
#pragma once

#include <string_view>

namespace hebb::secrets {

inline constexpr std::string_view kMasked = "[masked]";
inline constexpr std::string_view kMaskedString = "\"[masked]\"";  // as a value of JSON

}  // namespace hebb::secrets
