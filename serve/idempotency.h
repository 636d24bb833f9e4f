// A request that is sent again counts once.
#pragma once

#include <string>

#include "api/field.h"

namespace hebb::serve {

// Outcomes without an id get one from the key and their place, so that the ledger knows them when
// they come again, whenever that is. Throws Problem for a key that cannot be one.
void name_outcomes(api::Json& ingest, const std::string& key);

}  // namespace hebb::serve
