// The scripts that hebb runs in pages, in an isolated world that the pages' own scripts cannot
// reach.
#pragma once

#include <string_view>

namespace hebb::skill {

std::string_view find_script();    // run once in a world: defines functions that find elements
std::string_view act_script();     // likewise: functions that inspect them and act on them
std::string_view press_script();   // likewise: they check that input reaches its element
std::string_view relate_script();  // likewise: they compare elements, check the focus
// likewise: the named boxes around an element, and the question of a dialog
std::string_view surroundings_script();
std::string_view place_script();  // likewise: an element's neighbours, recorded and present
std::string_view cover_script();  // a function of the secrets and their spellings

std::string_view capture_script();  // a function of an element

}  // namespace hebb::skill
