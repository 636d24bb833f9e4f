// Letters of ASCII, whatever the locale: those of the lowest room, for the rooms above.
#pragma once

#include "secrets/ascii.h"

namespace hebb {

using secrets::is_digit;
using secrets::is_letter;
using secrets::is_lower;
using secrets::is_upper;
using secrets::to_lower;

}  // namespace hebb
