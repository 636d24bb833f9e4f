#include "serve/mcp/http.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "serve/base64.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/subscriptions.h"
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

// Versions without batches have it in the header; in the others it may be missing.
void require_batches(const Request& request, const Json& message) {
  const std::string& version = request.header("mcp-protocol-version");
  if (message.is_array() && !version.empty() && version != "2025-03-26")
    throw RpcError(kInvalidRequest, "of all versions, 2025-03-26 alone has batches");
}

struct Said {
  std::optional<Json> reply;
  int status = 0;       // of what was refused before any method was run; 0: the reply tells
  bool begins = false;  // a session
};

// In the era with a handshake; what is sent to whom is the session's.
Said subscribe(api::Session& session, const Request& request, const Json& message,
               Sessions& sessions) {
  const std::string& id = request.header(kSessionHeader);
  std::shared_ptr<Subscriptions> subscriptions;
  try {
    subscriptions = sessions.find(id);
  } catch (const api::Problem&) {
    return {thrown_reply(message["id"], kInternalError), 503};
  }
  if (subscriptions) return {subscriptions->take(session, message).value().front()};
  return {error_reply(message["id"], RpcError(kInvalidRequest,
                                              "changes are told to a session: send the "
                                              "Mcp-Session-Id that initialize has given")),
          id.empty() ? 400 : 404};
}

Said reply_to(api::Session& session, const Request& request, Sessions& sessions) {
  Json id;
  try {
    const Json message = api::parse_json(request.body, "message");
    require_batches(request, message);
    const bool is_request =
        message.is_object() && message.contains("method") && message.contains("id");
    if (is_request) {
      if (is_id(message["id"])) id = message["id"];
      require_headers(request, message);
    }
    const bool legacy = is_request && !modern_version(message);
    if (legacy && !id.is_null() && Subscriptions::are_asked(message))
      return subscribe(session, request, message, sessions);
    Said said{answer(session, message, {.subscribe = true, .replay = false})};
    said.begins = legacy && message["method"] == "initialize" && said.reply->contains("result");
    return said;
  } catch (const RpcError& e) {
    return {error_reply(id, e), 400};
  } catch (...) {
    return {thrown_reply(id, kParseError), 400};
  }
}

int status_of(const Said& said, bool modern) {
  if (said.status != 0) return said.status;
  if (!said.reply->is_object() || !said.reply->contains("error")) return 200;
  const int code = (*said.reply)["error"].value("code", 0);
  if (code == kInvalidRequest) return 400;
  return modern && code == kMethodNotFound ? 404 : 200;
}

Response response_of(const Said& said, const Request& request) {
  Response response;
  response.status = 202;
  if (!said.reply) return response;
  response.status = status_of(said, request.header("mcp-protocol-version") == kModernVersion);
  response.body = said.reply->dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

// The refusal of a request before its body is looked at.
std::optional<Response> refuse_header(const Request& request, Sessions& sessions) {
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  if (sessions.ended(request.header(kSessionHeader))) return no_session();
  return std::nullopt;
}

std::string event_of(const Json& message) {
  return fmt::format("event: message\ndata: {}\n\n",
                     message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

class Notifications final : public Stream {
 public:
  Notifications(api::Session& session, std::shared_ptr<Subscriptions> subscriptions,
                std::string first)
      : session_(session), subscriptions_(std::move(subscriptions)), first_(std::move(first)) {}

  std::string_view operation() const override { return "mcp"; }
  bool ended() const override { return subscriptions_->ended(); }
  bool behind(std::int64_t position) const override {
    return looked_ != position || !first_.empty();
  }
  std::string next(std::int64_t position) override {
    if (!first_.empty()) return std::exchange(first_, {});
    std::string text;
    for (const Json& message : subscriptions_->changes(session_)) text += event_of(message);
    looked_ = position;
    return text;
  }

 private:
  api::Session& session_;
  const std::shared_ptr<Subscriptions> subscriptions_;
  std::string first_;
  std::int64_t looked_ = -1;
};

bool listens(const Json& message) {
  return message.is_object() && modern_version(message) && message.contains("id") &&
         Subscriptions::are_asked(message);
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

Does does(std::string_view text) {
  try {
    const Json message = api::parse_json(text, "message");
    const bool batch = message.is_array();
    if (!batch && listens(message)) return Does::listens;
    const bool any = batch ? std::any_of(message.begin(), message.end(), writes) : writes(message);
    return any ? Does::writes : Does::reads;
  } catch (...) {  // it is answered with an error
    return Does::reads;
  }
}

Response no_session() {
  return problem_response(404, "Not Found",
                          "there is no session of this Mcp-Session-Id; initialize begins one");
}

Response answer_http(api::Session& session, const Request& request, Sessions& sessions) {
  if (auto refusal = refuse_header(request, sessions)) return std::move(*refusal);
  const Said said = reply_to(session, request, sessions);
  Response response = response_of(said, request);
  if (said.begins) response.headers.emplace_back("Mcp-Session-Id", sessions.begin());
  return response;
}

std::unique_ptr<Stream> open_stream(api::Session& session, const Request& request,
                                    Sessions& sessions, Response& refusal) {
  if (request.method == "GET") {
    auto subscriptions = sessions.find(request.header(kSessionHeader));
    if (subscriptions)
      return std::make_unique<Notifications>(session, std::move(subscriptions), std::string());
    refusal = no_session();
    return nullptr;
  }
  if (auto refused = refuse_header(request, sessions)) {
    refusal = std::move(*refused);
    return nullptr;
  }
  Json id;
  try {
    const Json message = api::parse_json(request.body, "message");
    if (message.is_object() && message.contains("id") && is_id(message["id"])) id = message["id"];
    require_headers(request, message);
    if (!listens(message))
      throw RpcError(kHeaderMismatch, "Mcp-Method is not what the message has");
    auto subscriptions = std::make_shared<Subscriptions>(sessions.watched());
    const Json first = subscriptions->take(session, message).value().front();
    if (!first.contains("error"))
      return std::make_unique<Notifications>(session, std::move(subscriptions), event_of(first));
    refusal = response_of({first}, request);
  } catch (const RpcError& e) {
    refusal = response_of({error_reply(id, e), 400}, request);
  } catch (...) {
    refusal = response_of({thrown_reply(id, kParseError), 400}, request);
  }
  return nullptr;
}

}  // namespace hebb::serve::mcp
