// The Model Context Protocol by POST: one message in, one reply out; no sessions, no streams.
#pragma once

#include "api/session.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

// Throws nothing.
Response answer_http(api::Session& session, const Request& request);

}  // namespace hebb::serve::mcp
