// The same request through each of the doors: a call, the command line, HTTP, MCP.
#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"
#include "tests/serve/server.h"

namespace hebb::test {

// A database of its own, which a running server holds open; what happens there happens at kNow.
class Doors {
 public:
  Doors();

  // The result, or {"problem": …}. Through a door where the operation, or a field of the request,
  // is not offered, it is asked on the command line or else over HTTP, and not_offered is set.
  api::Json ask(api::Door door, const api::Operation& operation, const api::Json& request);
  bool not_offered = false;

  static constexpr const char* kNow = "1767571200000";  // 2026-01-05T00:00:00Z

 private:
  api::Json by_command(const api::Operation& operation, const api::Json& request) const;
  api::Json by_http(const api::Operation& operation, const api::Json& request) const;
  api::Json by_mcp(const api::Operation& operation, const api::Json& request) const;

  Server server_;
};

// The request as arguments of the command line; text that a file has to hold goes to `file`.
std::vector<std::string> arguments_of(const api::Operation& operation, const api::Json& request,
                                      const std::string& file);

}  // namespace hebb::test
