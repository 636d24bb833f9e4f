// A signature of a page, so that a skill is not replayed on a different page.
#pragma once

#include <string>
#include <string_view>

#include "skill/browser/element.h"
#include "skill/store/skill.h"

namespace hebb::skill {

// "/orders/123/edit" gives "/orders/*/edit": numbers, UUIDs and long hexadecimal parts are *.
std::string path_pattern(std::string_view url);

// The identity of a frame, "http://pay.example/card/* "Your card"": its address as path_pattern()
// has it, and its title without numbers. Empty for the main frame of the first page.
std::string frame_identity(Browser& browser, std::size_t tab, const std::string& frame,
                           Deadline deadline);

PageSignature signature_of(Browser& browser, std::size_t tab, Deadline deadline);

// The difference: the origin, the path, or more than half of the recorded fields are gone. Empty:
// the pages count as the same.
std::string difference(const PageSignature& recorded, const PageSignature& seen);

}  // namespace hebb::skill
