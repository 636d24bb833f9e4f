// A request and its response, independent of the HTTP library.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/problem.h"

namespace hebb::serve {

struct Request {
  std::string method;                          // "GET"
  std::string target;                          // as it was sent: "/v1/path?top=3"
  std::map<std::string, std::string> headers;  // names in small letters; repeated ones: the first
  std::string body;

  // Empty if there is no such header.
  const std::string& header(const std::string& name) const {
    static const std::string kNone;
    const auto it = headers.find(name);
    return it == headers.end() ? kNone : it->second;
  }
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string operation = {};  // for the log and the metrics
};

// A response with a body as in RFC 9457.
Response problem_response(const api::Problem& problem);
// The same for errors of HTTP itself.
Response problem_response(int status, const std::string& title, const std::string& detail);

}  // namespace hebb::serve
