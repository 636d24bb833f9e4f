#include "engine/values/future.h"

#include <fmt/format.h>

namespace hebb {

std::optional<Refusal> refuse_future(TimeMs at, std::optional<TimeMs> latest) {
  if (!latest || at <= *latest) return std::nullopt;
  return Refusal{
      std::string(refusal::kFuture),
      fmt::format("its time, {}, is still to come: the latest that is taken is {}; mend the clock "
                  "or the time zone that it is from, or take it all the same (--allow-future)",
                  format_rfc3339(at), format_rfc3339(*latest))};
}

}  // namespace hebb
