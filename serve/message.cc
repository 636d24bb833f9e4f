#include "serve/message.h"

namespace hebb::serve {

namespace {

Response response_of(int status, const nlohmann::ordered_json& body) {
  Response response;
  response.status = status;
  response.content_type = "application/problem+json";
  response.body = body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return response;
}

}  // namespace

Response problem_response(const api::Problem& problem) {
  nlohmann::ordered_json body = problem.json();
  const int status = api::info_of(problem.type).http_status;
  body["status"] = status;
  Response response = response_of(status, body);
  if (problem.retry_after_ms) {
    response.headers.emplace_back("Retry-After",
                                  std::to_string((*problem.retry_after_ms + 999) / 1000));
  }
  return response;
}

Response problem_response(int status, const std::string& title, const std::string& detail) {
  return response_of(
      status, {{"type", "about:blank"}, {"title", title}, {"detail", detail}, {"status", status}});
}

}  // namespace hebb::serve
