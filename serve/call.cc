#include "serve/call.h"

namespace hebb::serve {

void require_offered(const api::Fields& fields, const api::Json& request) {
  if (!request.is_object()) return;
  for (const api::Field& field : fields) {
    if (!field.bounds.local || !request.contains(field.name)) continue;
    throw api::Problem(api::ProblemType::invalid_argument,
                       api::named(field.name) + " can be given on the command line alone",
                       field.name);
  }
}

api::Json call(const api::Operation& operation, api::Session& session, const api::Json& request) {
  require_offered(operation.request(), request);
  return operation.call(session, request);
}

}  // namespace hebb::serve
