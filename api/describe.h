// The list of operations as OpenAPI, as MCP tools, and as a page of documentation.
#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"

namespace hebb::api {

// OpenAPI 3.1 of all operations that HTTP offers below /v1.
Json openapi();
// The `tools` of MCP's tools/list: name, title, description, inputSchema, annotations and, but for
// the core, outputSchema.
Json mcp_tools(Tool list);
// JSON Schema (2020-12) of each operation's request and result, and of a problem.
Json schemas();
// docs/api.md: each operation with its command, its route, its tool, and the fields of request and
// result. `program`: its part about the program as a whole, in Markdown.
std::string api_page(std::string_view program);

}  // namespace hebb::api
