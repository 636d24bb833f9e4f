// Messages to an MCP server. The first line has the headers MCP-Protocol-Version, Mcp-Method and
// Mcp-Name, with blanks between; the rest is the body of a POST, and the same once more on standard
// input, one message a line. Checked: nothing is thrown, and what is answered is JSON-RPC.
#include <sstream>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "api/open.h"
#include "api/operation.h"
#include "serve/mcp/methods.h"
#include "serve/mcp/stdio.h"
#include "tests/fuzz/reader_invariants.h"

namespace {

using hebb::api::Json;
using hebb::fuzz::require;

void check_message(const Json& message) {
  require(message.is_object() && message.value("jsonrpc", "") == "2.0", "it is JSON-RPC");
  if (message.contains("method")) return require(!message.contains("id"), "hebb asks nothing");
  require(message.contains("id"), "a reply has an id");
  require(message.contains("result") != message.contains("error"), "a result or an error");
}

void check_reply(const std::string& text) {
  const Json reply = Json::parse(text, nullptr, false);
  require(!reply.is_discarded(), "a reply is JSON");
  check_message(reply);
}

void post(hebb::api::OpenSession& session, const std::string& header, std::string body) {
  hebb::serve::Request request;
  request.method = "POST";
  request.target = "/mcp";
  request.headers["content-type"] = "application/json";
  std::istringstream words(header);
  for (const char* name : {"mcp-protocol-version", "mcp-method", "mcp-name"})
    words >> request.headers[name];
  request.body = std::move(body);
  hebb::serve::mcp::may_write(request);
  const auto response = hebb::serve::mcp::answer_http(session, request);
  require(response.status == 200 || response.status == 202 || response.status == 400 ||
              response.status == 404,
          "a status of the protocol");
  require((response.status == 202) == response.body.empty(), "202 has no body");
  if (!response.body.empty()) check_reply(response.body);
}

void pipe(hebb::api::OpenSession& session, const std::string& lines) {
  const int in = ::memfd_create("lines", MFD_CLOEXEC);
  require(in >= 0 && ::write(in, lines.data(), lines.size()) >= 0 && ::lseek(in, 0, SEEK_SET) == 0,
          "standard input");
  hebb::serve::mcp::StdioOptions options;
  options.in = in;
  options.write = [](std::string_view line) {
    require(line.ends_with('\n') && line.find('\n') == line.size() - 1, "a reply is one line");
    check_reply(std::string(line));
    return true;
  };
  hebb::serve::mcp::Stdio(options).serve(session);
  ::close(in);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto line = std::min(input.find('\n'), input.size());
  const std::string body = input.substr(std::min(line + 1, input.size()));
  hebb::api::SessionOptions options;
  options.serves = true;
  options.database.path = ":memory:";
  options.now = 1'800'000'000'000;
  hebb::api::OpenSession session(options);
  session.engine(hebb::api::Access::write);
  hebb::api::operation_named("node_set")
      .call(session, {{"id", "t"}, {"type", "TASK"}, {"state", "OPEN"}, {"name", "A task"}});
  post(session, input.substr(0, line), body);
  pipe(session, body);
  return 0;
}
