// Messages over HTTP.
#include <new>

#include <fmt/format.h>

#include "serve/mcp/methods.h"
#include "text/header_value.h"

namespace hebb::serve::mcp {

namespace {

constexpr const char* kVersionHeader = "mcp-protocol-version";
// Longest message that is parsed on the I/O thread; requests that only read are shorter.
constexpr std::size_t kLong = 16 << 10;

// Throws RpcError unless the header equals the message's value.
void require_same(const char* header, bool same) {
  if (!same) throw RpcError(kHeaderMismatch, fmt::format("{} is not what the message has", header));
}

// In the stateless era the headers repeat parts of the message, so that proxies need not parse it.
// Throws RpcError where the two differ.
void require_headers(const Request& request, const Message& message) {
  const std::string& version = request.header(kVersionHeader);
  if (!message.stateless()) {
    if (version.empty() || is_handshake_version(version)) return;
    if (version != kStatelessVersion) throw unsupported_version(version);
    throw RpcError(kInvalidParams, fmt::format("params._meta has to carry {}", kVersionKey));
  }
  require_same("MCP-Protocol-Version", version == *message.version);
  if (message.error) throw RpcError(*message.error);
  require_same("Mcp-Method", request.header("mcp-method") == message.method);
  if (!message.calls || message.calls->named.empty()) return;
  if (const std::string* name = text_in(message.params, message.calls->named))
    require_same("Mcp-Name", header_text(request.header("mcp-name")) == *name);
}

Response response_of(int status, const Json& reply) {
  Response response;
  response.status = status;
  response.body = text_of(reply);
  return response;
}

int status_of(const Json& reply, const Message& message) {
  if (!reply.contains("error")) return 200;
  switch (reply["error"].value("code", 0)) {
    case kParseError:
    case kInvalidRequest:
      return 400;
    case kMethodNotFound:
      return message.stateless() ? 404 : 200;
    default:
      return 200;
  }
}

}  // namespace

bool may_write(Request& request) {
  if (request.method != "POST") return false;
  if (request.body.size() > kLong) return true;
  try {
    request.message = read_message(request.body);
  } catch (const std::bad_alloc&) {  // the writer's thread reads it again
    return true;
  }
  return writes(*request.message);
}

Response answer_http(api::Session& session, Request& request, api::Tool tools) {
  if (request.method != "POST") return not_allowed("POST");
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  if (!request.message) request.message = read_message(request.body);
  const Message& message = *request.message;
  try {
    if (message.kind == Message::Kind::request) require_headers(request, message);
  } catch (const RpcError& e) {
    return response_of(400, error_reply(message.id, e));
  }
  if (const auto reply = reply_to(Client{session, nullptr, false, tools}, message))
    return response_of(status_of(*reply, message), *reply);
  Response accepted;
  accepted.status = 202;
  return accepted;
}

}  // namespace hebb::serve::mcp
