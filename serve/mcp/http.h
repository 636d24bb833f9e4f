// The Model Context Protocol by POST: one message in, one reply out; no sessions, no streams.
#pragma once

#include <string_view>

#include "api/session.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

// Whether to answer this message, or batch, changes nothing in the database. Any thread.
bool only_reads(std::string_view text);

// Throws nothing.
Response answer_http(api::Session& session, const Request& request);

}  // namespace hebb::serve::mcp
