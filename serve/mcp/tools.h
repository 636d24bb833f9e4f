// The tools: the operations that are offered to models, as hebb_NAME.
#pragma once

#include <string>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

// Runs a tool. If it fails, the result has isError and the Problem as its text. Throws RpcError if
// there is no such tool.
api::Json call_tool(api::Session& session, const api::Json& params);
// Whether the params call a tool that there is, and it may change the database.
bool tool_writes(const api::Json& params);
// The descriptions of all; `replay`: also of what can be done only where pages may be opened.
api::Json tools(bool replay);
// A result for a model to read: JSON without empty values and vectors, numbers with four digits.
std::string short_text(const api::Json& result);

}  // namespace hebb::serve::mcp
