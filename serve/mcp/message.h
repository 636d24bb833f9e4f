// JSON-RPC messages as the Model Context Protocol has them. A text is parsed once, however it came,
// and what it calls is looked up once; all else works on the Message.
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

// Those that are spoken here, the newest first; all but the stateless one have a handshake.
inline constexpr std::string_view kStatelessVersion = "2026-07-28";
inline constexpr std::string_view kVersions[] = {kStatelessVersion, "2025-11-25", "2025-06-18",
                                                 "2025-03-26", "2024-11-05"};
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

bool is_handshake_version(std::string_view version);
// The error for a version that is not spoken here; it names those that are.
RpcError unsupported_version(const std::string& version);

struct Method;  // serve/mcp/methods.h

struct Message {
  enum class Kind : std::uint8_t { request, notification, response, none };

  bool stateless() const { return version.has_value(); }

  Kind kind = Kind::none;
  Json id;                             // null: it has none that is valid
  std::string method;                  // empty: it has none that is valid
  Json params = Json::object();        // an object
  std::optional<std::string> version;  // that params._meta names
  std::optional<RpcError> error = {};  // why a request cannot be answered, or that it is none
  // What a request without an error calls; null: there is no such method in its era, or no such
  // tool.
  const Method* calls = nullptr;
  const api::Operation* tool = nullptr;
};
// Batches, which 2025-03-26 alone had, are refused. Throws std::bad_alloc alone.
Message read_message(std::string_view text);

// The member of that name, if it is a text; else nullptr.
const std::string* text_in(const Json& object, std::string_view name);

Json error_reply(const Json& id, const RpcError& error);
// The error for what was thrown; within a catch.
RpcError thrown_error(Code code);

}  // namespace hebb::serve::mcp
