// Skills made by doing given steps once.
#pragma once

#include "skill/replay/replay.h"

namespace hebb::skill {

// Lines of JSON, one step each, in an agent's words:
//   {"kind": "fill", "target": {"text": "Name"}, "value": "Alice"}
// `target` is one of {"role", "name"}, {"text"}, {"label"}, {"placeholder"}, {"test_id"}, {"css"},
// {"xpath"}; the rest are the members of a step's `args`, `frame` (a css selector, or a list of
// them from the outermost in), `to` (a target), `tab` and `contract`. Throws Invalid with the line.
std::vector<Step> read_given_steps(std::string_view lines);
// The same from parsed JSON. Throws Invalid with the step's number, from 0.
std::vector<Step> read_given_steps(const std::vector<Json>& steps);

// The skill with the chains that a run captured for the steps given by a target. Values typed into
// password fields become slots, wherever they occur again; `slots` lists them, each as "step 2:
// PASSWORD".
Skill with_captured(Skill given, const ReplayResult& result, std::vector<std::string>& slots);

// The skill with the traits of its elements from a clean run.
Skill with_traits(Skill skill, const ReplayResult& result);

}  // namespace hebb::skill
