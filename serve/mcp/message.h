// JSON-RPC messages of the Model Context Protocol. A text is parsed once, on any transport, and its
// method and tool are looked up once; all other code works on the Message.
//
// The protocol has two eras. A request whose params._meta names a protocol version is of the
// stateless era (2026-07-28); any other is of the era with a handshake (2024-11-05 to 2025-11-25).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/operation.h"

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

// The supported versions, the newest first; all but the stateless one have a handshake.
inline constexpr std::string_view kStatelessVersion = "2026-07-28";
inline constexpr std::string_view kVersions[] = {kStatelessVersion, "2025-11-25", "2025-06-18",
                                                 "2025-03-26", "2024-11-05"};
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

bool is_handshake_version(std::string_view version);
// The error for an unsupported version; it lists the supported ones.
RpcError unsupported_version(const std::string& version);

struct Method;  // serve/mcp/methods.h

struct Message {
  enum class Kind : std::uint8_t { request, notification, response, none };

  bool stateless() const { return version.has_value(); }

  Kind kind = Kind::none;
  Json id;                             // null: no valid id
  std::string method;                  // empty: no valid method
  Json params = Json::object();        // an object
  std::optional<std::string> version;  // from params._meta
  std::optional<RpcError> error = {};  // why the message cannot be answered
  // The method and the tool of a request without an error; null: its era has no such method, or
  // there is no such tool.
  const Method* calls = nullptr;
  const api::Operation* tool = nullptr;
};
// Refuses batches, which only 2025-03-26 had. Throws only std::bad_alloc.
Message read_message(std::string_view text);

// The member of that name if it is a text; else nullptr.
const std::string* text_in(const Json& object, std::string_view name);

Json error_reply(const Json& id, const RpcError& error);
// The error for the exception in flight; call it within a catch.
RpcError thrown_error(Code code);

}  // namespace hebb::serve::mcp
