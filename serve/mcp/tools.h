// The tools: those of the list of operations that are offered to models, as hebb_NAME.
#pragma once

#include <string>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

// Runs one; what fails in it is a result with isError and the Problem as its text. Throws RpcError
// where there is no such tool.
api::Json call_tool(api::Session& session, const api::Json& params);
// A result for a model to read: JSON without what is empty or a vector, numbers of four digits.
std::string short_text(const api::Json& result);

}  // namespace hebb::serve::mcp
