// Finds the operation that a request means, and makes the operation's request from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "serve/message.h"

namespace hebb::serve {

struct Target {
  std::vector<std::string> segments;                       // decoded: "v1", "nodes", "a/b"
  std::vector<std::pair<std::string, std::string>> query;  // decoded
};
// nullopt if it is not a path, or is not correctly percent-encoded.
std::optional<Target> parse_target(const std::string& target);

struct Route {
  const api::Operation* operation = nullptr;                     // null: there is none
  std::vector<std::string> methods = {};                         // that the path allows
  std::vector<std::pair<std::string, std::string>> fields = {};  // from the path
};
Route find_route(const std::string& method, const Target& target);

// The operation's request: the fields of the path, of the query, and of a JSON body. Throws
// Problem.
api::Json request_of(const Route& route, const Target& target, const Request& request);

}  // namespace hebb::serve
