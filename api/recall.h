// search, promoted: nodes by their words, and the nodes that are asked for most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// Of the request field `recall`, of what counts how often a node is asked for (recall/recall.h).
inline constexpr std::string_view kRecallWords = "False: do not count it as an access";

}  // namespace hebb::api
