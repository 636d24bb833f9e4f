// Messages and notifications over HTTP.
#include <new>
#include <utility>

#include <fmt/format.h>

#include "api/problem.h"
#include "serve/mcp/methods.h"
#include "serve/mcp/subscriptions.h"
#include "text/base64.h"

namespace hebb::serve::mcp {

namespace {

constexpr const char* kSessionHeader = "mcp-session-id";
constexpr const char* kVersionHeader = "mcp-protocol-version";
// Bytes of a message that is read on the I/O thread; those that only read are shorter.
constexpr std::size_t kLong = 16 << 10;

// Mcp-Name: plain, or as =?base64?…?=. nullopt: it is no base64.
std::optional<std::string> name_in(const std::string& header) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  constexpr auto kAround = kBegin.size() + kEnd.size();
  if (header.size() < kAround || !header.starts_with(kBegin) || !header.ends_with(kEnd))
    return header;
  return base64_decoded(std::string_view(header).substr(kBegin.size(), header.size() - kAround));
}

// Throws RpcError unless the header is what the message has.
void require_same(const char* header, bool same) {
  if (!same) throw RpcError(kHeaderMismatch, fmt::format("{} is not what the message has", header));
}

// In the stateless era the headers repeat what the message says, so that what stands in between
// need not read it. Throws RpcError where the two differ.
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
  const Method* method = method_of(message);
  if (!method || method->named.empty()) return;
  if (const std::string* name = text_in(message.params, method->named))
    require_same("Mcp-Name", name_in(request.header("mcp-name")) == *name);
}

// What changes is told on a stream of server-sent events.
class Notifications final : public Stream {
 public:
  Notifications(api::Session& session, std::shared_ptr<Subscriptions> subscriptions,
                std::string first)
      : session_(session), subscriptions_(std::move(subscriptions)), first_(std::move(first)) {}

  static std::string event_of(const Json& message) {
    return fmt::format("event: message\ndata: {}\n\n", text_of(message));
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

Response no_session() {
  return problem_response(404, "Not Found",
                          "there is no session of this Mcp-Session-Id; initialize begins one");
}

// Answers what came by POST. `id`: of the message as soon as it is known, for the reply to what is
// thrown.
Response answer_post(api::Session& session, const Request& request, Sessions& sessions,
                     api::Tool tools, Json& id) {
  using Gives = Method::Gives;
  const Input& input = *request.message;
  const std::string& version = request.header(kVersionHeader);
  id = input.id;
  if (input.error) throw RpcError(*input.error);
  // Versions without batches have it in the header; in the others it may be missing.
  if (input.batch && !version.empty() && version != "2025-03-26")
    throw RpcError(kInvalidRequest, "of all versions, 2025-03-26 alone has batches");
  const Message* message = input.only();
  if (message && message->kind == Message::Kind::request) {
    id = message->id;
    require_headers(request, *message);
  }
  // The header has decided whose work this is.
  const bool listens = message && message->method == kListen;
  require_same("Mcp-Method", listens || request.header("mcp-method") != kListen);
  const Method* method = message ? method_of(*message) : nullptr;
  const Gives gives = method ? method->gives : Gives::answer;
  std::shared_ptr<Subscriptions> subscriptions;
  if (gives == Gives::stream) {
    subscriptions = std::make_shared<Subscriptions>(sessions.watched());
  } else if (gives == Gives::subscription) {
    const std::string& its = request.header(kSessionHeader);
    subscriptions = sessions.find(its);
    if (!subscriptions) {
      const RpcError error(kInvalidRequest,
                           "changes are told to a session: send the Mcp-Session-Id that initialize "
                           "has given");
      return response_of(its.empty() ? 400 : 404, error_reply(id, error));
    }
  }
  const auto reply = reply_to(Client{session, subscriptions.get(), false, tools}, input);
  Response response;
  response.status = 202;
  if (!reply) return response;
  const bool failed = reply->is_object() && reply->contains("error");
  if (gives == Gives::stream && !failed) {
    response.status = 200;
    response.stream = std::make_shared<Notifications>(session, std::move(subscriptions),
                                                      Notifications::event_of(*reply));
    return response;
  }
  const int code = failed ? (*reply)["error"].value("code", 0) : 0;
  const bool unknown = code == kMethodNotFound && version == kStatelessVersion;
  response = response_of(code == kInvalidRequest ? 400 : unknown ? 404 : 200, *reply);
  if (method && method->name == "initialize" && !failed)
    response.headers.emplace_back("Mcp-Session-Id", sessions.begin());
  return response;
}

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

Response answer_http(api::Session& session, Request& request, Sessions& sessions, api::Tool tools) {
  const std::string& its = request.header(kSessionHeader);
  if (request.method == "DELETE" && !its.empty())
    return sessions.end(its) ? Response{} : no_session();
  if (request.method == "GET" && request.headers.contains(kSessionHeader)) {
    Response response;
    auto subscriptions = sessions.find(its);
    if (!subscriptions) return no_session();
    response.stream = std::make_shared<Notifications>(session, std::move(subscriptions), "");
    return response;
  }
  if (request.method != "POST") return not_allowed("POST");
  if (request.media_type() != "application/json")
    return problem_response(415, "Unsupported Media Type", "send application/json");
  if (sessions.ended(its)) return no_session();
  if (!request.message) request.message = read_input(request.body);
  Json id;
  try {
    return answer_post(session, request, sessions, tools, id);
  } catch (const RpcError& e) {
    return response_of(400, error_reply(id, e));
  } catch (const api::Problem&) {  // too many sessions
    return response_of(503, error_reply(id, thrown_error(kInternalError)));
  } catch (...) {
    return response_of(400, error_reply(id, thrown_error(kParseError)));
  }
}

}  // namespace hebb::serve::mcp
