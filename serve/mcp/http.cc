#include "serve/mcp/http.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "serve/decode.h"
#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

namespace {

constexpr const char* kSessionHeader = "mcp-session-id";
constexpr std::size_t kLong = 64 << 10;  // bytes of a message; those that only read are shorter

// Mcp-Name: plain, or as =?base64?…?=. nullopt: it is no base64.
std::optional<std::string> name_in(const std::string& header) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  constexpr auto kAround = kBegin.size() + kEnd.size();
  if (header.size() < kAround || !header.starts_with(kBegin) || !header.ends_with(kEnd))
    return header;
  return base64_decoded(std::string_view(header).substr(kBegin.size(), header.size() - kAround));
}

RpcError differs(const char* header) {
  return {kHeaderMismatch, fmt::format("{} is not what the message has", header)};
}

// In the stateless era the headers repeat what the message says, so that what stands in between
// need not read it. Throws RpcError where the two differ.
void require_headers(const Request& request, const Message& message) {
  const std::string& version = request.header("mcp-protocol-version");
  if (!message.stateless()) {
    if (version.empty() || is_handshake_version(version)) return;
    if (version != kStatelessVersion) throw unsupported_version(version);
    throw RpcError(kInvalidParams, fmt::format("params._meta has to carry {}", kVersionKey));
  }
  if (version != *message.version) throw differs("MCP-Protocol-Version");
  if (message.error) throw RpcError(*message.error);
  if (request.header("mcp-method") != message.method) throw differs("Mcp-Method");
  const Method* method = method_of(message);
  if (!method || method->named.empty()) return;
  const auto name = message.params.find(method->named);
  if (name == message.params.end() || !name->is_string()) return;
  if (name_in(request.header("mcp-name")) != name->get<std::string>()) throw differs("Mcp-Name");
}

// Versions without batches have it in the header; in the others it may be missing.
void require_batches(const Request& request, const Input& input) {
  const std::string& version = request.header("mcp-protocol-version");
  if (input.batch && !version.empty() && version != "2025-03-26")
    throw RpcError(kInvalidRequest, "of all versions, 2025-03-26 alone has batches");
}

// What changes is told on a stream of server-sent events.
class Notifications final : public Stream {
 public:
  Notifications(api::Session& session, std::shared_ptr<Subscriptions> subscriptions,
                const std::optional<Json>& first)
      : session_(session), subscriptions_(std::move(subscriptions)) {
    if (first) first_ = event_of(*first);
  }

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
  static std::string event_of(const Json& message) {
    return fmt::format("event: message\ndata: {}\n\n", text_of(message));
  }

  api::Session& session_;
  const std::shared_ptr<Subscriptions> subscriptions_;
  std::string first_;
  std::int64_t looked_ = -1;
};

Response response_of(int status, const Json& reply) {
  Response response;
  response.status = status;
  response.body = text_of(reply);
  return response;
}

// The response to a reply that a method has made.
Response response_of(const Json& reply, bool stateless) {
  const bool failed = reply.is_object() && reply.contains("error");
  const int code = failed ? reply["error"].value("code", 0) : 0;
  const bool unknown = stateless && code == kMethodNotFound;
  return response_of(code == kInvalidRequest ? 400 : unknown ? 404 : 200, reply);
}

Response no_session() {
  return problem_response(404, "Not Found",
                          "there is no session of this Mcp-Session-Id; initialize begins one");
}

// One message that came by POST.
class Post {
 public:
  Post(api::Session& session, const Request& request, Sessions& sessions)
      : session_(session), request_(request), sessions_(sessions) {}

  Response answer(const Input& input) {
    try {
      return answer_to(input);
    } catch (const RpcError& e) {
      return response_of(400, error_reply(id_, e));
    } catch (...) {
      return response_of(400, error_reply(id_, thrown_error(kParseError)));
    }
  }

 private:
  Response answer_to(const Input& input) {
    if (input.error) throw RpcError(*input.error);
    require_batches(request_, input);
    const Message* message =
        input.messages.size() == 1 && !input.batch ? &input.messages[0] : nullptr;
    if (message && message->kind == Message::Kind::request) {
      id_ = message->id;
      require_headers(request_, *message);
    }
    // The header has decided whose work this is.
    const bool listens = message && message->method == kListen;
    if (request_.header("mcp-method") == kListen && !listens) throw differs("Mcp-Method");
    const Method* method = message ? method_of(*message) : nullptr;
    const auto changes = method ? method->changes : Method::Changes::untold;
    if (changes == Method::Changes::session) return subscribe(*message);
    if (changes == Method::Changes::stream) return listen(*message);
    const auto reply = reply_to(Client{session_, nullptr, false}, input);
    Response response;
    if (reply) {
      response = response_of(*reply, request_.header("mcp-protocol-version") == kStatelessVersion);
    } else {
      response.status = 202;
    }
    if (method && method->name == "initialize" && reply->contains("result"))
      response.headers.emplace_back("Mcp-Session-Id", sessions_.begin());
    return response;
  }

  // In the era with a handshake; what is sent to whom is the session's.
  Response subscribe(const Message& message) {
    const std::string& id = request_.header(kSessionHeader);
    std::shared_ptr<Subscriptions> subscriptions;
    try {
      subscriptions = sessions_.find(id);
    } catch (const api::Problem&) {
      return response_of(503, error_reply(message.id, thrown_error(kInternalError)));
    }
    if (subscriptions)
      return response_of(*reply_to(Client{session_, subscriptions.get(), false}, message), false);
    const RpcError error(kInvalidRequest,
                         "changes are told to a session: send the Mcp-Session-Id that initialize "
                         "has given");
    return response_of(id.empty() ? 400 : 404, error_reply(message.id, error));
  }

  Response listen(const Message& message) {
    auto subscriptions = std::make_shared<Subscriptions>(sessions_.watched());
    const auto first = reply_to(Client{session_, subscriptions.get(), false}, message);
    if (first->contains("error")) return response_of(*first, true);
    Response response;
    response.stream = std::make_shared<Notifications>(session_, std::move(subscriptions), first);
    return response;
  }

  api::Session& session_;
  const Request& request_;
  Sessions& sessions_;
  Json id_;  // of the message as soon as it is known, for the reply to what is thrown
};

}  // namespace

bool may_write(Request& request) {
  if (request.method != "POST" || request.header("mcp-method") == kListen) return false;
  if (request.body.size() > kLong) return true;
  try {
    request.message = read_input(request.body);
  } catch (const std::bad_alloc&) {  // the writer's thread reads it again
    return true;
  }
  return writes(*request.message);
}

Response answer_http(api::Session& session, Request& request, Sessions& sessions) {
  const std::string& id = request.header(kSessionHeader);
  if (request.method == "DELETE" && !id.empty())
    return sessions.end(id) ? Response{} : no_session();
  if (request.method == "GET" && request.headers.contains(kSessionHeader)) {
    Response response;
    auto subscriptions = sessions.find(id);
    if (!subscriptions) return no_session();
    response.stream =
        std::make_shared<Notifications>(session, std::move(subscriptions), std::nullopt);
    return response;
  }
  if (request.method != "POST") return not_allowed("POST");
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  if (sessions.ended(id)) return no_session();
  Post post(session, request, sessions);
  if (!request.message) request.message = read_input(request.body);
  return post.answer(*request.message);
}

}  // namespace hebb::serve::mcp
