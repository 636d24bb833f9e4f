// An event in one line, as explanations print it.
#pragma once

#include "engine/rank/explain.h"

namespace hebb {

Cause cause_of(const Event& e);

}  // namespace hebb
