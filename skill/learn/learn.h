// Learning from replays: a replay is an outcome of its skill, and each step shows which types of
// selectors found its element.
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

// Appends the events of a replay in one transaction; none if no step was tried, because a refused
// replay is no evidence about the skill. Throws Refused, sql::Error.
void learn_replay(Engine& engine, const Skill& skill, const ReplayResult& result, TimeMs now);

// Selector types, the most successful first. Without evidence: role_name, accessible_name, test_id,
// label, placeholder, xpath, css, text. Evidence from all skills is used. O(edges into the
// strategies).
std::vector<SelectorType> learned_order(Engine& engine, TimeMs now);

// Sorts a chain into the order of learned_order(); selectors of one type keep their order.
// node_ref is always first.
void order_chain(Chain& chain, const std::vector<SelectorType>& order);

}  // namespace hebb::skill
