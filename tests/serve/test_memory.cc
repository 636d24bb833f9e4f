// A server that has too little memory refuses what needs more, and goes on; answers are bounded.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "api/operation.h"
#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

namespace api = hebb::api;

constexpr int kTasks = 3000;

std::string task(int i) { return "t" + std::to_string(i); }

// Many tasks with long names, each blocking the next.
void fill(const Server& server) {
  std::string lines;
  for (int i = 0; i < kTasks; ++i) {
    lines += history_node(task(i), i, "word " + std::string(4000, 'n')).dump() + "\n";
    const Json edge{{"kind", "edge"},
                    {"at", 1767225600000 + i},
                    {"source", "t0"},
                    {"target", task(i)},
                    {"type", "RELATES_TO"}};
    if (i > 0) lines += edge.dump() + "\n";
  }
  for (int i = 0; i < 500; ++i)
    lines += Json{{"kind", "nonsense"}, {"x", std::string(4000, 'x')}}.dump() + "\n";
  REQUIRE(status_of(server.ask("POST", "/v1/outcomes?format=history&file=a", kLines, lines)) ==
          200);
}

// The largest value that a field may have, as it stands in a request.
Json largest(const api::Field& field) {
  const auto& bounds = field.bounds;
  const auto one = [&]() -> Json {
    if (!bounds.choices.empty()) return bounds.choices.back();
    switch (field.kind) {
      case api::Kind::integer:
      case api::Kind::priority:
        return static_cast<std::int64_t>(bounds.max.value_or(1e9));
      case api::Kind::number:
      case api::Kind::duration:
        return bounds.max.value_or(1e9);
      case api::Kind::boolean:
        return true;
      case api::Kind::time:
        return 1767225600000;
      case api::Kind::text:
      case api::Kind::node:
        return field.name == "query" ? "word" : field.name == "type" ? "TASK" : "t0";
      default:
        return Json::object();
    }
  }();
  return field.list ? Json::array({one}) : one;
}

// What there is much of is asked for whole; nothing else is said that is not required.
Json largest_request(const api::Operation& operation) {
  Json request = Json::object();
  for (const api::Field& field : operation.remote_request()) {
    if (field.bounds.required || field.name == "limit" || field.name == "depth" ||
        field.name == "dormant" || field.name == "points" || field.name == "all")
      request[field.name] = largest(field);
  }
  return request;
}

// The answer to an operation's request, by HTTP; empty: the connection was closed.
std::string ask(const Server& server, const api::Operation& operation, const Json& request) {
  std::string path = "/v1" + std::string(operation.path);
  Json body = request;
  for (auto at = path.find('{'); at != std::string::npos; at = path.find('{', at)) {
    body.erase(path.substr(at + 1, path.find('}', at) - at - 1));
    path.replace(at, path.find('}', at) + 1 - at, "t0");
  }
  return server.ask(std::string(operation.method), path, kJson, body.dump());
}

// Each operation over HTTP and, where it is a tool, over MCP; and what is hostile.
[[maybe_unused]] void ask_everything(const Server& server) {
  for (const api::Operation& operation : api::operations()) {
    const bool deletes = operation.about.name == "node_delete" || operation.about.name == "gc" ||
                         operation.about.name == "dead_letters_drop";
    const Json request = largest_request(operation);
    CAPTURE(operation.about.name, request.dump());
    if ((operation.doors & api::kHttp) && !deletes) {
      ask(server, operation, request);
      CHECK(server.is_there());
    }
    if (operation.doors & api::kMcp) {
      const Json call{{"name", operation.about.name}, {"arguments", request}};
      server.ask("POST", "/mcp", kJson, rpc("tools/call", call));
      CHECK(server.is_there());
    }
  }
}

[[maybe_unused]] void ask_what_is_hostile(const Server& server) {
  std::string nested, wide = "[1";
  for (int i = 0; i < 200'000; ++i) nested += "[],";
  for (int i = 0; i < 300'000; ++i) wide += ",{}";
  for (const std::string& body :
       {"{\"properties\":{\"a\":[" + nested + "1]}}", wide + "]", std::string(1'000'000, '['),
        "{\"a\":\"" + std::string(1'000'000, '\\') + "\"}"}) {
    for (const char* target : {"/mcp", "/v1/outcomes"}) {
      server.ask("POST", target, kJson, body);
      CHECK(server.is_there());
    }
    server.ask("PUT", "/v1/nodes/t0", kJson, body);
    CHECK(server.is_there());
  }
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_CASE("serve: no operation ends a server that has too little memory for it", "[slow]") {
  const Server server({"--tools", "all"});
  fill(server);
  for (const std::int64_t more : {0, 1 << 20, 4 << 20, 16 << 20, 64 << 20}) {
    CAPTURE(more);
    server.limit_memory(more);
    ask_everything(server);
    ask_what_is_hostile(server);
    server.limit_memory(-1);
    CHECK(status_of(server.ask("GET", "/v1/rank?limit=1")) == 200);
    CHECK(status_of(server.ask("PUT", "/v1/nodes/new", kJson, R"({"type":"TASK"})")) == 200);
  }
  CHECK(server.hebb({"verify"}).exit_code == 0);
}

TEST_CASE("mcp: a client that asks for more than there is memory for is answered", "[slow]") {
  const Folder folder;
  ProcessOptions options;
  options.in = R"({"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":")" +
               std::string(15 << 20, 'x') + "\"}}\n[" + std::string(14 << 20, '[') + "\n[[]";
  for (int i = 0; i < 4'000'000; ++i) options.in += ",[]";
  options.in += "]\n" + std::string(R"({"jsonrpc":"2.0","id":"last","method":"ping"})") + "\n";
  for (const char* kilobytes : {"160000", "250000", "500000"}) {
    const auto run = run_process({"/bin/sh", "-c", "ulimit -v $1; exec \"$2\" --db \"$3\" mcp",
                                  "sh", kilobytes, HEBB_BINARY, folder.file("t.db")},
                                 options);
    CAPTURE(kilobytes, run.err, run.out.substr(0, 1000));
    CHECK(run.exit_code == 0);
    CHECK(run.out.find(R"({"jsonrpc":"2.0","id":"last","result":{}})") != std::string::npos);
  }
}

#endif

TEST_CASE("serve: an answer has so many bytes at most, and says so", "[slow]") {
  const Server server;
  fill(server);
  for (const char* target : {"/v1/rank?limit=1000000", "/v1/nodes?limit=1000000"}) {
    const auto answer = server.ask("GET", target);
    CHECK(status_of(answer) == 400);
    CHECK(body_of(answer).find("ask for less at a time") != std::string::npos);
  }
  CHECK(status_of(server.ask("GET", "/v1/rank?limit=1000")) == 200);
  // The command line has no such bound.
  CHECK(server.hebb({"list", "--limit", "1000000", "--json"}).exit_code == 0);
}
