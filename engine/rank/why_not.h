// Why a task is not to be taken now, in words.
#pragma once

#include <string>
#include <vector>

#include "reward/readiness.h"

namespace hebb {

// A text for each obstacle of a node in any state, the same kinds together; empty: it has none.
// Says nothing about its state.
std::vector<std::string> why_not_ready(const reward::View& view, reward::Readiness& readiness,
                                       graph::NodeId n);

}  // namespace hebb
