// A short name for any bytes, the same wherever and whenever they are the same: for entity tags.
#pragma once

#include <string>
#include <string_view>

namespace hebb::api {

std::string digest(std::string_view bytes);  // hexadecimal; not for secrets

}  // namespace hebb::api
