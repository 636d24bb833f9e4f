// The Model Context Protocol over HTTP: by POST one message in and one reply out, and streams of
// notifications to who has subscribed to resources.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "api/session.h"
#include "serve/mcp/sessions.h"
#include "serve/message.h"
#include "serve/stream.h"

namespace hebb::serve::mcp {

inline constexpr const char* kSessionHeader = "mcp-session-id";

// What it takes to answer a message, or batch: `writes` may change the database, the answer to
// `listens` is a stream. Any thread.
enum class Does : std::uint8_t { reads, writes, listens };
Does does(std::string_view text);

// Throws nothing.
Response answer_http(api::Session& session, const Request& request, Sessions& sessions);
// The stream of a session (GET, in the era with a handshake), or of what one request asks for
// (subscriptions/listen). Null: `refusal` says why not. The session has to live as long.
std::unique_ptr<Stream> open_stream(api::Session& session, const Request& request,
                                    Sessions& sessions, Response& refusal);
Response no_session();  // the refusal of what needs one

}  // namespace hebb::serve::mcp
