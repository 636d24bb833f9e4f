// Times that are still to come.
#pragma once

#include <optional>

#include "engine/values/refusals.h"
#include "engine/values/times.h"

namespace hebb {

// The refusal of a time after `latest`; nullopt: it is not after it, or there is no latest time.
std::optional<Refusal> refuse_future(TimeMs at, std::optional<TimeMs> latest);

}  // namespace hebb
