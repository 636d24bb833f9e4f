// An edge as operations give it.
#pragma once

#include "api/common.h"
#include "engine/look/look.h"

namespace hebb::api {

RECORD(EdgeNow,
       FIELDS_OF_BASE(EdgeName),
       FIELD(weight, "Its weight now, after decay"),
       FIELD(stored_weight, "Its weight when it was last updated"),
       TIME_FIELD(touched_at, "When that was"),
       FIELD(dormant, "Too weak to count until it is reinforced"))

}  // namespace hebb::api
