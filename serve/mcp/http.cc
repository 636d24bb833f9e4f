#include "serve/mcp/http.h"

#include "serve/mcp/answer.h"

namespace hebb::serve::mcp {

namespace {

// Why the headers of a request and its message do not agree; empty: they do.
std::string mismatch(const Request& request, const Json& message) {
  const auto modern = modern_version(message);
  const std::string& version = request.header("mcp-protocol-version");
  if (!modern) {
    return version == kModernVersion ? "the message names no protocol version in params._meta" : "";
  }
  if (version != *modern) return "MCP-Protocol-Version is not what the message has";
  if (request.header("mcp-method") != message.value("method", ""))
    return "Mcp-Method is not what the message has";
  return {};
}

std::optional<Json> reply_to(api::Session& session, const Request& request) {
  try {
    const Json message = api::parse_json(request.body, "message");
    const std::string wrong = mismatch(request, message);
    if (wrong.empty()) return answer(session, message);
    const Json id = message.is_object() ? message.value("id", Json()) : Json();
    return error_reply(id, RpcError(kHeaderMismatch, wrong));
  } catch (...) {
    const api::Problem problem = api::problem_of(std::current_exception());
    return error_reply(nullptr, RpcError(kParseError, problem.what()));
  }
}

}  // namespace

Response answer_http(api::Session& session, const Request& request) {
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  const auto reply = reply_to(session, request);
  Response response;
  response.status = 202;
  if (!reply) return response;
  response.status = 200;
  response.body = reply->dump(-1, ' ', false, Json::error_handler_t::replace);
  if (reply->is_object() && reply->contains("error")) {
    const int code = (*reply)["error"].value("code", 0);
    const bool refused = code == kParseError || code == kInvalidRequest ||
                         code == kHeaderMismatch || code == kUnsupportedVersion;
    if (refused) response.status = 400;
  }
  return response;
}

}  // namespace hebb::serve::mcp
