// The Model Context Protocol over HTTP: by POST one message in and one reply out, and streams of
// notifications to who has subscribed to resources.
#pragma once

#include "api/operation.h"
#include "api/session.h"
#include "serve/mcp/subscriptions.h"
#include "serve/message.h"

namespace hebb::serve::mcp {

// Whether the message in a request may change the database, and so is the writer's. It is read here
// unless it is long: then the request counts as one that writes. Any thread.
bool may_write(Request& request);

// The response, or a stream, as long as which the session has to live. `tools`: those it lists.
// Throws api::Problem and std::bad_alloc.
Response answer_http(api::Session& session, Request& request, Sessions& sessions,
                     api::Tool tools = api::Tool::core);

}  // namespace hebb::serve::mcp
