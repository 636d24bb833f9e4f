#include "cli/edge_text.h"

#include <fmt/format.h>

namespace hebb::cli {

std::string edge_text(const api::EdgeNow& edge) {
  return fmt::format("{} -{}-> {}", edge.source, edge.type, edge.target);
}

std::string weight_text(const api::EdgeNow& edge) {
  return fmt::format("{:.4g}{}", edge.weight, edge.dormant ? " (dormant)" : "");
}

}  // namespace hebb::cli
