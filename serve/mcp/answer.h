// The Model Context Protocol: a server's reply to one JSON-RPC message.
//
// The protocol has two eras. A request whose params._meta names a protocol version is of the
// stateless era (2026-07-28); any other is of the era with a handshake (2024-11-05 to 2025-11-25).
// No state is kept between messages, so the same function serves a pipe and HTTP.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

using api::Json;

// The protocol's error codes.
enum Code : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,  // until 2025-11-25; later versions use invalid params
  kHeaderMismatch = -32020,    // the HTTP headers contradict the message
  kUnsupportedVersion = -32022,
};

class RpcError : public std::runtime_error {
 public:
  RpcError(Code code, const std::string& message, Json data = nullptr)
      : std::runtime_error(message), code(code), data(std::move(data)) {}
  Code code;
  Json data;  // null: none
};

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kListen = "subscriptions/listen";
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

// The version that params._meta names; nullopt in the era with a handshake.
std::optional<std::string> modern_version(const Json& message);
// Whether it is a version of the era with a handshake that is spoken here.
bool is_legacy_version(std::string_view version);
// The error for a version that is not spoken here; it names those that are.
RpcError unsupported_version(const std::string& version);
bool is_id(const Json& id);  // whether a request can have it

struct AnswerOptions {
  bool subscribe = false;  // the caller can send notifications of changed resources
  // Sessions of this kind may open pages, if their owner allows it: skills can be replayed.
  bool replay = true;
};

// The reply to a message, or to a batch of them; nullopt for a notification. Never throws. Of a
// batch, which 2025-03-26 alone has, as many messages are answered as its length and that of the
// answer allow; the others get an error.
std::optional<Json> answer(api::Session& session, const Json& message,
                           const AnswerOptions& options = {});
// The same for the text of a message.
std::optional<Json> answer_text(api::Session& session, std::string_view text,
                                const AnswerOptions& options = {});
Json error_reply(const Json& id, const RpcError& error);
// The same for what was thrown; within a catch.
Json thrown_reply(const Json& id, Code code);
// Throws RpcError unless the request has the form that its era requires.
void require_request(const Json& message);

}  // namespace hebb::serve::mcp
