#include "engine/values/counted.h"

#include <fmt/format.h>

namespace hebb {

std::string counted(std::int64_t n, std::string_view one, std::string_view more) {
  if (n == 1) return fmt::format("1 {}", one);
  return more.empty() ? fmt::format("{} {}s", n, one) : fmt::format("{} {}", n, more);
}

}  // namespace hebb
