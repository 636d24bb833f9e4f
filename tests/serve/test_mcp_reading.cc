// POST /mcp: what only reads waits for nobody who writes.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <poll.h>
#include <unistd.h>

#include "serve/mcp/methods.h"
#include "sql/database.h"
#include "tests/serve/server.h"

using namespace hebb::test;

using hebb::serve::mcp::read_message;
using hebb::serve::mcp::writes;

namespace {

std::string tool_call(const std::string& name, const Json& arguments = Json::object()) {
  return rpc("tools/call", {{"name", name}, {"arguments", arguments}});
}

bool has_answer(int fd) {
  pollfd slot{fd, POLLIN, 0};
  return ::poll(&slot, 1, 0) > 0;
}

}  // namespace

TEST_CASE("mcp: which messages only read") {
  for (const std::string& text : std::vector<std::string>{
           tool_call("rank"), tool_call("explain"), tool_call("no_such_tool"), rpc("tools/list"),
           rpc("initialize"), rpc("resources/read", {{"uri", "hebb://rank"}}),
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", rpc("tools/call", {{"name", 7}}),
           R"({"jsonrpc":"2.0","id":1,"method":7})", "[" + tool_call("next") + "]", "[]", "17", "{",
           ""}) {
    INFO(text);
    CHECK_FALSE(writes(read_message(text)));
  }
  for (const std::string& text : std::vector<std::string>{
           tool_call("next"), tool_call("outcome"), tool_call("ingest"), tool_call("node_set")}) {
    INFO(text);
    CHECK(writes(read_message(text)));
  }
}

TEST_CASE("serve mcp: a tool that reads answers while a write waits") {
  const Server server({"--tools", "all"});
  add_task(server, "seen");
  int writer = -1;
  {
    // Whoever writes has to wait for this.
    hebb::sql::Database db(server.db(), hebb::sql::Database::Mode::read_write);
    const hebb::sql::Transaction held(db);
    writer = server.connect();
    write_all(writer,
              server.request(
                  "POST", "/mcp", kJson,
                  tool_call("node_set", {{"id", "later"}, {"type", "TASK"}, {"state", "OPEN"}})));
    for (const std::string& message :
         {tool_call("rank"), tool_call("explain", {{"id", "seen"}}), rpc("tools/list")}) {
      INFO(message);
      const std::string answer = server.ask("POST", "/mcp", kJson, message);
      CHECK(status_of(answer) == 200);
      const Json result = json_of(answer).at("result");
      CHECK_FALSE(result.value("isError", false));
      CHECK_FALSE(has_answer(writer));
    }
  }
  const Json written = json_of(read_all(writer));
  ::close(writer);
  CHECK_FALSE(written.at("result").value("isError", false));
  // Whoever asks after that sees it.
  const Json ranked = json_of(server.ask("POST", "/mcp", kJson, tool_call("rank")));
  CHECK(ranked.at("result").at("structuredContent").at("tasks").size() == 2);
}
