// From a request to the operation it means and what that is asked.
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
// Nothing where it is not percent-encoded as it should be, or no path.
std::optional<Target> parse_target(const std::string& target);

struct Route {
  const api::Operation* operation = nullptr;                     // null: there is none
  std::vector<std::string> methods = {};                         // that the path has
  std::vector<std::pair<std::string, std::string>> fields = {};  // of the path
};
Route find_route(const std::string& method, const Target& target);

// What the operation is asked: the path's fields, the query's, and those of a JSON body. Throws
// Problem.
api::Json request_of(const Route& route, const Target& target, const Request& request);

}  // namespace hebb::serve
