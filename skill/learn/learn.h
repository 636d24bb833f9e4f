// What replays teach: a replay is an outcome of its skill, and each step says which ways of finding
// its element worked.
//
// Stored: the edges SKILL_STEP -> STRATEGY of type RESOLVED_VIA and MISSED_VIA, the edge
// skill-proof -> SKILL of type PROVEN. Do not rename.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "skill/replay/result.h"

namespace hebb::skill {

// Appends what the replay says, in one transaction. Nothing where no step was tried: a refusal says
// nothing of the skill. Throws Refused, sql::Error.
void learn_replay(Engine& engine, const Skill& skill, const ReplayResult& result, TimeMs now);

// Selector types, those that have proved best first. Without evidence: role_name, accessible_name,
// test_id, label, placeholder, xpath, css, text; evidence of other skills moves them. O(edges into
// the strategies).
std::vector<SelectorType> learned_order(Engine& engine, TimeMs now);

// Puts a chain into that order; what is of one type stays as it stands. node_ref is always first.
void order_chain(Chain& chain, const std::vector<SelectorType>& order);

}  // namespace hebb::skill
