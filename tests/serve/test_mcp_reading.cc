// POST /mcp: what only reads waits for nobody who writes.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <poll.h>
#include <unistd.h>

#include "api/field.h"
#include "serve/mcp/methods.h"
#include "sql/database.h"
#include "tests/serve/server.h"

using ApiJson = hebb::api::Json;
using hebb::serve::mcp::read_input;
using hebb::serve::mcp::writes;
using hebb::test::body_of;
using hebb::test::kJson;
using hebb::test::Server;
using hebb::test::status_of;

namespace {

std::string tool_call(const std::string& name, const ApiJson& arguments = ApiJson::object()) {
  return ApiJson{{"jsonrpc", "2.0"},
                 {"id", 1},
                 {"method", "tools/call"},
                 {"params", {{"name", name}, {"arguments", arguments}}}}
      .dump();
}

bool has_answer(int fd) {
  pollfd slot{fd, POLLIN, 0};
  return ::poll(&slot, 1, 0) > 0;
}

}  // namespace

TEST_CASE("mcp: which messages only read") {
  for (const std::string& text : std::vector<std::string>{
           tool_call("hebb_rank"), tool_call("hebb_explain"), tool_call("hebb_no_such_tool"),
           R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
           R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})",
           R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"hebb://path"}})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})",
           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})",
           R"({"jsonrpc":"2.0","id":1,"method":7})",
           "[" + tool_call("hebb_rank") + "," + tool_call("hebb_search") + "]", "[]", "17", "{",
           ""}) {
    INFO(text);
    CHECK_FALSE(writes(read_input(text)));
  }
  for (const std::string& text : std::vector<std::string>{
           tool_call("hebb_next"), tool_call("hebb_outcome"), tool_call("hebb_ingest"),
           tool_call("hebb_node_set"),
           "[" + tool_call("hebb_rank") + "," + tool_call("hebb_next") + "]"}) {
    INFO(text);
    CHECK(writes(read_input(text)));
  }
}

TEST_CASE("serve mcp: a tool that reads answers while a write waits") {
  const Server server;
  CHECK(status_of(server.ask("PUT", "/v1/nodes/seen", kJson,
                             R"({"type":"TASK","state":"OPEN"})")) == 200);
  int writer = -1;
  {
    // Whoever writes has to wait for this.
    hebb::sql::Database db(server.db(), hebb::sql::Database::Mode::read_write);
    const hebb::sql::Transaction held(db);
    writer = server.connect();
    hebb::test::write_all(
        writer, server.request("POST", "/mcp", kJson,
                               tool_call("hebb_node_set",
                                         {{"id", "later"}, {"type", "TASK"}, {"state", "OPEN"}})));
    for (const std::string& message :
         {tool_call("hebb_rank"), tool_call("hebb_explain", {{"id", "seen"}}),
          std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")}) {
      INFO(message);
      const std::string answer = server.ask("POST", "/mcp", kJson, message);
      CHECK(status_of(answer) == 200);
      const ApiJson result = ApiJson::parse(body_of(answer)).at("result");
      CHECK_FALSE(result.value("isError", false));
      CHECK_FALSE(has_answer(writer));
    }
  }
  const ApiJson written = ApiJson::parse(body_of(hebb::test::read_all(writer)));
  ::close(writer);
  CHECK_FALSE(written.at("result").value("isError", false));
  // Whoever asks after that sees it.
  const ApiJson ranked =
      ApiJson::parse(body_of(server.ask("POST", "/mcp", kJson, tool_call("hebb_rank"))));
  CHECK(ranked.at("result").at("structuredContent").at("tasks").size() == 2);
}
