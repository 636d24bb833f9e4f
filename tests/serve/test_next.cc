// `next` over HTTP and MCP: the order and the selection of `rank`, and nothing that names an
// address of the machine.
#include <string>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

// Of the tasks in an answer of `next`.
std::string ids_of(const Json& result) {
  std::string ids;
  for (const auto& task : result.at("tasks")) ids += task.at("id").get<std::string>() + " ";
  return ids;
}

}  // namespace

TEST_CASE("serve: next claims among, near and within what it is asked for") {
  const Server server;
  std::string log;
  int at = 0;
  for (const auto& [id, vector] :
       std::map<std::string, Json>{{"a", {1, 0}}, {"b", {0, 1}}, {"c", {-1, 0}}}) {
    Json node = history_node(id, ++at);
    node["vector"] = vector;
    log += node.dump() + "\n";
  }
  REQUIRE(server.hebb({"import", "-"}, log).exit_code == 0);
  const auto next = [&](const std::string& body) {
    const std::string answer = server.ask("POST", "/v1/next", kJson, body);
    CHECK(status_of(answer) == 200);
    return ids_of(json_of(answer));
  };
  CHECK(next(R"({"near":"c"})") == "c ");
  CHECK(next(R"({"vector":[0,1]})") == "b ");
  CHECK(next(R"({"claim":true,"agent":"x","among":["c","no such"],"limit":5})") == "c ");
  CHECK(next(R"({"claim":true,"agent":"y","among":["c"]})").empty());
  CHECK(next(R"({"claim":true,"agent":"y","vector":[0,1]})") == "b ");
  const Json arguments{{"claim", true}, {"agent", "z"}, {"near", "b"}, {"among", {"a", "b"}}};
  const std::string tool = server.ask(
      "POST", "/mcp", kJson, rpc("tools/call", {{"name", "next"}, {"arguments", arguments}}));
  CHECK(ids_of(json_of(tool).at("result").at("structuredContent")) == "a ");
  for (const char* const local :
       {R"({"embedder":"openai:http://127.0.0.1:1"})", R"({"model":"m"})"})
    CHECK(status_of(server.ask("POST", "/v1/next", kJson, local)) == 400);
}

TEST_CASE("serve: a budget over HTTP is a number of seconds or a span") {
  const Server server;
  add_task(server, "a");
  REQUIRE(server.hebb({"edit", "a", "--estimate", "40s"}).exit_code == 0);
  const auto ranked = [&](const std::string& budget) {
    const std::string answer = server.ask("GET", "/v1/rank?budget=" + budget);
    return status_of(answer) == 200 ? ids_of(json_of(answer)) : answer.substr(0, 12);
  };
  for (const char* enough : {"40", "40s", "1m", "0.5h"}) CHECK(ranked(enough) == "a ");
  for (const char* less : {"39", "39s", "0"}) CHECK(ranked(less).empty());
  CHECK(ranked("soon") == "HTTP/1.1 400");
  const auto next = [&](const std::string& budget) {
    return ids_of(json_of(server.ask("POST", "/v1/next", kJson, "{\"budget\":" + budget + "}")));
  };
  CHECK(next("40") == "a ");
  CHECK(next("\"40s\"") == "a ");
  CHECK(next("\"39s\"").empty());
}

TEST_CASE("serve: --on-outcome tells of outcomes in their order, and not of a tracker's list") {
  const Folder folder;
  const std::string told = folder.file("told");
  Server server({"--on-outcome", "echo \"$HEBB_TASK $HEBB_OUTCOME\" >> '" + told + "'"});
  const std::string list =
      R"({"id":"bd-1","title":"T","status":"closed","created_at":"2025-01-01T00:00:00Z","closed_at":"2025-01-02T00:00:00Z"})";
  const std::string import = R"({"format":"beads","content":)" + Json(list).dump() + "}";
  CHECK(applied(server.ask("POST", "/v1/outcomes", kJson, import)) > 0);
  std::string in, expected;
  for (int i = 0; i < 30; ++i) {
    const std::string kind = i % 2 == 0 ? "success" : "failure";
    in += R"({"taskId":"bd-1","outcome":")" + kind + "\"}\n";
    expected += "bd-1 " + kind + "\n";
  }
  CHECK(applied(server.ask("POST", "/v1/outcomes", kLines, in)) == 30);
  CHECK(server.stop() == 0);  // waits until all are told
  CHECK(read_text(told) == expected);
}
