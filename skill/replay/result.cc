#include "skill/replay/result.h"

namespace hebb::skill {

ReplayResult refused(std::string_view code, std::string detail) {
  ReplayResult result;
  result.failure = Failure{std::string(code), 0, std::move(detail), ""};
  return result;
}

}  // namespace hebb::skill
