// What a client's line asks of an HTTP server: which answers it waits for, and which headers of the
// stateless era (2026-07-28) go with it. And the other way: which request a line answers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/http_peer.h"

namespace hebb::capture {

struct AskedRequest {
  std::string key;  // of its id: "1" and 1 differ, 1 and 1.0 do not
  std::string id;   // as it stands, JSON
  std::string method;
  bool taken_back = false;  // cancelled since
};

struct Outgoing {
  std::string line;
  std::vector<AskedRequest> requests;  // none: a notification, an answer, or no message
  std::string method;                  // of a single message
  std::string version;                 // the stateless era's, that the message itself names
  std::string tool, uri;               // params.name, params.uri
  std::string arguments;               // params.arguments, JSON
  std::string cancels;                 // the key of the request that it takes back

  bool stateless() const { return !version.empty(); }
};
Outgoing outgoing(std::string line);

// Keys of the requests that a server's line answers: one, or several where it is a batch.
std::vector<std::string> answers(std::string_view line);

// Which arguments of which tools a server wants to see in headers: x-mcp-header in their schemas.
class MirroredArguments {
 public:
  void learn(std::string_view tools_list_answer);  // a line
  // Mcp-Param-NAME for each that the arguments hold.
  HttpHeaders headers(const std::string& tool, std::string_view arguments) const;

 private:
  struct Argument {
    std::vector<std::string> path;
    std::string header;
  };
  std::map<std::string, std::vector<Argument>, std::less<>> by_tool_;
};

// MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-…, for a message of the stateless era.
HttpHeaders stateless_headers(const Outgoing& message, const MirroredArguments& mirrored);

// A value fit for a header: as it is, or =?base64?…?= where a header cannot carry it.
std::string header_value(std::string_view value);

// An answer that no server gave: {"jsonrpc":"2.0","id":ID,"error":…} without a line end.
std::string error_answer(std::string_view id, std::string_view message, int http_status);

// A server's own error under the request's id; empty where `body` holds none. One that has the
// request's id already is taken as it stands.
std::string error_answer_from(const AskedRequest& request, std::string_view body);

}  // namespace hebb::capture
