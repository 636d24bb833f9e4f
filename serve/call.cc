#include "serve/call.h"

#include <new>

namespace hebb::serve {

using api::Json, api::Problem, api::ProblemType;

namespace {

void add(Json& json, const api::Operation& operation, const std::string& name,
         const std::string& text) {
  const api::Field* field = api::find_field(operation.request(), name);
  if (!field) {
    json[name] = text;  // unknown: the operation refuses it and lists the names that exist
  } else if (field->list) {
    if (!json.contains(name)) json[name] = Json::array();
    json[name].push_back(api::from_text(*field, text));
  } else if (json.contains(name)) {
    throw Problem(ProblemType::invalid_argument, api::named(name) + " is there twice", name);
  } else {
    json[name] = api::from_text(*field, text);
  }
}

}  // namespace

Json asked_by(const Request& request) {
  Json asked = Json::object();
  if (!request.body.empty()) {
    // A form on another web page cannot send this content type.
    if (request.media_type() != "application/json")
      throw Problem(ProblemType::invalid_argument, "the body has to be application/json");
    asked = api::parse_json(request.body, "body");
    if (!asked.is_object())
      throw Problem(ProblemType::invalid_argument, "the body has to be a JSON object", "body");
  }
  for (const auto& [name, text] : request.route.fields)
    add(asked, *request.route.operation, name, text);
  return asked;
}

void require_offered(const api::Fields& fields, const Json& asked) {
  if (!asked.is_object()) return;
  for (const api::Field& field : fields) {
    if (!field.bounds.local || !asked.contains(field.name)) continue;
    throw Problem(ProblemType::invalid_argument,
                  api::named(field.name) + " can be given on the command line alone", field.name);
  }
}

Json call(const api::Operation& operation, api::Session& session, const Json& asked) {
  require_offered(operation.request(), asked);
  try {
    return operation.call(session, asked);
  } catch (const Problem& problem) {
    if (problem.type == ProblemType::no_memory) session.lacked_memory();
    throw;
  } catch (const std::bad_alloc&) {  // there was none for the Problem either
    session.lacked_memory();
    throw;
  }
}

}  // namespace hebb::serve
