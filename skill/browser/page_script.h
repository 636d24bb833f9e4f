// The scripts that hebb runs in pages.
#pragma once

#include <string_view>

namespace hebb::skill {

std::string_view find_script();    // run once in a world: defines functions that find elements
std::string_view act_script();     // likewise: functions that inspect them and act on them
std::string_view press_script();   // likewise: that presses and text meet their element
std::string_view relate_script();  // likewise: that compare them with recorded ones, and the focus
// likewise: in which named boxes an element stands, and what a dialog asks
std::string_view surroundings_script();
std::string_view place_script();   // likewise: what stands around an element, and what does so now
std::string_view cover_script();   // a function of the secrets and of how they may be spelled

std::string_view capture_script();  // a function of an element

}  // namespace hebb::skill
