#include "serve/call.h"

#include <new>

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
  try {
    return operation.call(session, request);
  } catch (const api::Problem& problem) {
    if (problem.type == api::ProblemType::no_memory) session.lacked_memory();
    throw;
  } catch (const std::bad_alloc&) {  // there was none for the Problem either
    session.lacked_memory();
    throw;
  }
}

}  // namespace hebb::serve
