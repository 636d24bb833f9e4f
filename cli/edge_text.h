// An edge in a line.
#pragma once

#include <string>

#include "api/edges.h"

namespace hebb::cli {

std::string edge_text(const api::EdgeNow& edge);    // "a -TYPE-> b"
std::string weight_text(const api::EdgeNow& edge);  // "0.81 (dormant)"

}  // namespace hebb::cli
