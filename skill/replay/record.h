// Skills made by doing given steps once.
#pragma once

#include "skill/replay/replay.h"

namespace hebb::skill {

// Lines of JSON, one step each, as an agent would say them:
//   {"kind": "fill", "target": {"text": "Name"}, "value": "Alice"}
// `target` is one of {"role", "name"}, {"text"}, {"label"}, {"placeholder"}, {"test_id"}, {"css"},
// {"xpath"}; the rest are the members of a step's `args`, `frame` (a css selector, or a list of
// them from the outermost in), `to` (a target), `tab` and `contract`. Throws Invalid with the line.
std::vector<Step> read_given_steps(std::string_view lines);
// The same, not as text. Throws Invalid with the step's number, from 0.
std::vector<Step> read_given_steps(const std::vector<Json>& steps);

// The skill with what a run has captured: chains for the steps that were given by a target. Values
// that went into password fields become slots, wherever they come again; `slots` says which,
// "step 2: PASSWORD" each.
Skill with_captured(Skill given, const ReplayResult& result, std::vector<std::string>& slots);

// The skill with what its elements are like, as a clean run has seen them.
Skill with_traits(Skill skill, const ReplayResult& result);

}  // namespace hebb::skill
