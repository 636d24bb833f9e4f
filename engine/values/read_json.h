// Strict JSON, in a time that grows with the text's length alone, however many keys an object has.
// nlohmann's own reader of ordered_json compares each key with all before it in its object.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "engine/values/refusals.h"

namespace hebb {

namespace refusal {
inline constexpr std::string_view kTooManyKeys = "too_many_keys";  // never that of a dead letter
}

// The refusal says where: text that is no JSON, a key twice in an object, an object of more than
// `most_keys`, a number that would be rounded or is too large, nesting deeper than Limits::kDepth.
std::variant<nlohmann::ordered_json, Refusal> read_json(
    std::string_view text, std::size_t most_keys = std::numeric_limits<std::size_t>::max());

// read_json() of a text that is used only if it can be read; else the value is discarded, as that
// of nlohmann's parse().
nlohmann::ordered_json json_or_discarded(std::string_view text);

}  // namespace hebb
