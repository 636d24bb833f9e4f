#include "serve/mcp/http.h"

#include <algorithm>

#include <fmt/format.h>

#include "serve/base64.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/tools.h"

namespace hebb::serve::mcp {

namespace {

// Mcp-Name: plain, or as =?base64?…?=. nullopt: it is no base64.
std::optional<std::string> name_in(const std::string& header) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  constexpr auto kAround = kBegin.size() + kEnd.size();
  if (header.size() < kAround || !header.starts_with(kBegin) || !header.ends_with(kEnd))
    return header;
  return base64_decoded(std::string_view(header).substr(kBegin.size(), header.size() - kAround));
}

// What Mcp-Name has to repeat; nullopt: it is not needed.
std::optional<std::string> name_of(const Json& message, const std::string& method) {
  const bool by_name = method == "tools/call" || method == "prompts/get";
  if (!by_name && method != "resources/read") return std::nullopt;
  const Json& params = message.at("params");
  const auto it = params.find(by_name ? "name" : "uri");
  if (it == params.end() || !it->is_string()) return std::nullopt;
  return it->get<std::string>();
}

// In the stateless era the headers repeat what the message says, so that what stands in between
// need not read it. Throws RpcError where the two differ.
void require_headers(const Request& request, const Json& message) {
  const std::string& version = request.header("mcp-protocol-version");
  const auto modern = modern_version(message);
  if (!modern) {
    if (version.empty() || is_legacy_version(version)) return;
    if (version != kModernVersion) throw unsupported_version(version);
    throw RpcError(kInvalidParams, fmt::format("params._meta has to carry {}", kVersionKey));
  }
  if (version != *modern)
    throw RpcError(kHeaderMismatch, "MCP-Protocol-Version is not what the message has");
  require_request(message);
  const auto method = message.at("method").get<std::string>();
  if (request.header("mcp-method") != method)
    throw RpcError(kHeaderMismatch, "Mcp-Method is not what the message has");
  const auto name = name_of(message, method);
  if (name && name_in(request.header("mcp-name")) != name)
    throw RpcError(kHeaderMismatch, "Mcp-Name is not what the message has");
}

struct Said {
  std::optional<Json> reply;
  bool refused = false;  // it is an error from before any method was run
};

Said reply_to(api::Session& session, const Request& request) {
  Json id;
  try {
    const Json message = api::parse_json(request.body, "message");
    const bool is_request =
        message.is_object() && message.contains("method") && message.contains("id");
    if (is_request) {
      if (is_id(message["id"])) id = message["id"];
      require_headers(request, message);
    }
    return {answer(session, message)};
  } catch (const RpcError& e) {
    return {error_reply(id, e), true};
  } catch (...) {
    return {thrown_reply(id, kParseError), true};
  }
}

int status_of(const Said& said, bool modern) {
  if (said.refused) return 400;
  if (!said.reply->is_object() || !said.reply->contains("error")) return 200;
  const int code = (*said.reply)["error"].value("code", 0);
  if (code == kInvalidRequest) return 400;
  return modern && code == kMethodNotFound ? 404 : 200;
}

// Tools alone write; what is no message, or names no tool, is answered with an error.
bool writes(const Json& message) {
  if (!message.is_object() || !message.contains("method") || message["method"] != "tools/call")
    return false;
  const auto params = message.find("params");
  if (params == message.end() || !params->is_object()) return false;
  const auto name = params->find("name");
  return name != params->end() && name->is_string() && tool_writes(name->get<std::string>());
}

}  // namespace

bool only_reads(std::string_view text) {
  try {
    const Json message = api::parse_json(text, "message");
    if (!message.is_array()) return !writes(message);
    return std::none_of(message.begin(), message.end(), writes);
  } catch (...) {  // it is answered with an error
    return true;
  }
}

Response answer_http(api::Session& session, const Request& request) {
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  const Said said = reply_to(session, request);
  Response response;
  response.status = 202;
  if (!said.reply) return response;
  response.status = status_of(said, request.header("mcp-protocol-version") == kModernVersion);
  response.body = said.reply->dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

}  // namespace hebb::serve::mcp
