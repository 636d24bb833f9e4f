// The ids of tasks that are added without an id.
#pragma once

#include <string>

#include "engine/engine.h"

namespace hebb::api {

// An id that no node has, for a task of this name that is added at this time: a letter, then
// letters and digits that do not look alike. Long enough that tasks of two merged databases rarely
// share an id: of n^2 pairs one in 500.
std::string new_id(const State& s, const std::string& name, TimeMs at);

// Whether the id of this node comes from new_id(), and not from a person or a tracker: new_id()
// gives it for the name and the time of an event that set the node. Reads the node's events.
bool is_generated_id(Engine& engine, const std::string& id);

}  // namespace hebb::api
