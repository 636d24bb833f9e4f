// What SQLite's checks of a file say.
#pragma once

#include <string_view>

namespace hebb::sql {

// quick_check and integrity_check name a page among the damaged ones, too, that there was no memory
// to read. Throws Error, for want of memory, if `found` tells of one: the check is none then.
void require_pages_read(std::string_view found);

}  // namespace hebb::sql
