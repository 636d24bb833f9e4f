// An operation as it is offered to other programs: without the fields that name files or addresses
// of the machine on which hebb runs.
#pragma once

#include "api/operation.h"

namespace hebb::serve {

// Throws Problem for a field that is not offered.
void require_offered(const api::Fields& fields, const api::Json& request);

// Runs it. Throws Problem, also for a field that is not offered.
api::Json call(const api::Operation& operation, api::Session& session, const api::Json& request);

}  // namespace hebb::serve
