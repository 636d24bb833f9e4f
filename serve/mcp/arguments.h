// The arguments of a tool, as clients send them.
#pragma once

#include "api/field.h"

namespace hebb::serve::mcp {

// Models, and the forms of clients, write a number, a flag or a list as a text, and fill unused
// fields with an empty one. Such a text becomes its value; an empty text counts as absent, unless
// the field is required or an empty text clears it. All else stays unchanged for the operation,
// which refuses what it cannot read. Throws Problem for a text that should be JSON and is not.
api::Json read_arguments(const api::Fields& fields, const api::Json& given);

}  // namespace hebb::serve::mcp
