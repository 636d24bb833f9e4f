// An operation as it is offered to other programs: without the fields that name files or addresses
// of the machine on which hebb runs.
#pragma once

#include "api/operation.h"
#include "serve/message.h"

namespace hebb::serve {

// What a request asks of the operation of its route: the fields of the path, of the query, and of a
// JSON body. Throws Problem.
api::Json asked_by(const Request& request);

// Throws Problem for a field that is not offered.
void require_offered(const api::Fields& fields, const api::Json& asked);

// Runs it. Throws Problem, also for a field that is not offered.
api::Json call(const api::Operation& operation, api::Session& session, const api::Json& asked);

}  // namespace hebb::serve
