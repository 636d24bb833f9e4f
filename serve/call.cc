#include "serve/call.h"

#include <fmt/format.h>

namespace hebb::serve {

api::Json call(const api::Operation& operation, api::Session& session, const api::Json& request) {
  if (request.is_object()) {
    for (const api::Field& field : operation.request()) {
      if (!field.bounds.local || !request.contains(field.name)) continue;
      throw api::Problem(api::ProblemType::invalid_argument,
                         fmt::format("\"{}\" can be given on the command line alone", field.name),
                         field.name);
    }
  }
  return operation.call(session, request);
}

}  // namespace hebb::serve
