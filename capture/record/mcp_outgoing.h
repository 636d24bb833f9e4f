// The lines between a client and an HTTP server, each scanned once: of a client's line, the answers
// that it waits for and its headers in the stateless era (2026-07-28); of a server's line, the
// requests that it answers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capture/net/peer.h"

namespace hebb::capture {

struct ClientRequest {
  std::string key;  // the id as a key: "1" and 1 differ, 1 and 1.0 do not
  std::string id;   // its JSON text, unchanged
  std::string method;
  bool cancelled = false;  // the client wants no answer any more
  bool answering = false;  // an answer or an error is on its way to the client
};

struct ClientMessage {
  std::string line;
  std::vector<ClientRequest> requests;  // empty: a notification, an answer, or not a message
  std::string method;                   // of a single message
  std::string version;                  // the message's version in the stateless era
  std::string tool, uri;                // params.name, params.uri
  std::string arguments;                // params.arguments, JSON
  std::string cancels;                  // the key of the request that it cancels

  bool stateless() const { return !version.empty(); }
};
ClientMessage client_message(std::string line);

struct ServerMessage {
  std::string line;                  // line ends within it are spaces, and one is at its end
  std::vector<std::string> answers;  // keys of the requests that it answers: several in a batch
  // The protocol's version in an answer to initialize; empty if it cannot be sent in a header.
  std::string version;
};
ServerMessage server_message(std::string message);
std::string one_line(std::string message);  // as ServerMessage::line

// The tools' arguments that a server requires in headers: those with x-mcp-header in their schema.
class MirroredArguments {
 public:
  void learn(std::string_view tools_list_answer);  // the line with the answer to tools/list
  // Mcp-Param-NAME for each such argument of the call.
  HttpHeaders headers(const std::string& tool, std::string_view arguments) const;

 private:
  struct Argument {
    std::vector<std::string> path;
    std::string header;
  };
  std::map<std::string, std::vector<Argument>, std::less<>> by_tool_;
};

// MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-…, for a message of the stateless era.
HttpHeaders stateless_headers(const ClientMessage& message, const MirroredArguments& mirrored);

// An error answer in the server's place: {"jsonrpc":"2.0","id":ID,"error":…} without a line end.
std::string error_answer(std::string_view id, std::string_view message, int http_status);

// The server's own error in `body`, with the request's id; empty if there is none with an integer
// code and a message. Unchanged if it has that id already.
std::string error_answer_from(const ClientRequest& request, std::string_view body);

}  // namespace hebb::capture
