// An MCP server on two pipes: one message per line, until the client closes its end.
#pragma once

#include <functional>
#include <string_view>

#include "api/session.h"

namespace hebb::serve::mcp {

struct StdioOptions {
  int in = 0;  // the file descriptor to read from
  // Writes a line, which ends in a newline; false: the client reads no more.
  std::function<bool(std::string_view line)> write;
  std::size_t longest_line = 16 << 20;  // bytes; a longer one is refused and skipped
  int look_every_ms = 500;              // how often to look for changes of subscribed resources
};

// Returns when the client has closed its end, or reads no more.
void serve_stdio(api::Session& session, const StdioOptions& options);

}  // namespace hebb::serve::mcp
