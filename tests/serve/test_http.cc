// Attacks a running server, and uses it.
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "tests/serve/server.h"

using namespace hebb::test;

TEST_CASE("serve: operations, errors and tags") {
  Server server;
  add_task(server, "a%2Fb%20%C3%BC", "One");

  const auto path = server.ask("GET", "/v1/rank?limit=5");
  REQUIRE(status_of(path) == 200);
  CHECK(json_of(path).at("tasks").at(0).at("name") == "One");
  CHECK(json_of(path).at("tasks").at(0).at("id") == "a/b \xc3\xbc");
  const auto tag = header_of(path, "ETag");
  const auto same = server.ask("GET", "/v1/rank?limit=5", "If-None-Match: \"x\", " + tag + "\r\n");
  CHECK(status_of(same) == 304);
  CHECK(body_of(same).empty());
  CHECK(status_of(server.ask("PUT", "/v1/nodes/c", kJson, R"({"type":"TASK"})")) == 200);
  CHECK(status_of(server.ask("GET", "/v1/rank?limit=5", "If-None-Match: " + tag + "\r\n")) == 200);
  // Another database behind the same address has another tag, however long its ledger is.
  const Server other;
  add_task(other, "other", "Other");
  CHECK(status_of(other.ask("GET", "/v1/rank?limit=5", "If-None-Match: " + tag + "\r\n")) == 200);

  // What a span before now is, changes with the time: nothing is kept for whoever asks next.
  CHECK(header_of(server.ask("GET", "/v1/rank?as_of=1767571200000"), "ETag").starts_with("W/"));
  const auto ago = server.ask("GET", "/v1/rank?as_of=1h");
  REQUIRE(status_of(ago) == 200);
  CHECK(json_of(ago).at("understood").at("as_of") == json_of(ago).at("as_of"));
  const auto meant = [&](const std::string& answer) {
    return json_of(answer).at("as_of").get<std::string>();
  };
  std::string later = meant(ago);
  for (int i = 0; i < 1000 && later == meant(ago); ++i)  // until the clock has gone on
    later = meant(server.ask("GET", "/v1/rank?as_of=1h"));
  CHECK(later > meant(ago));

  const auto wrong = server.ask("GET", "/v1/rank?limit=0");
  CHECK(status_of(wrong) == 400);
  CHECK(wrong.find("Content-Type: application/problem+json") != std::string::npos);
  CHECK(json_of(wrong).at("field") == "limit");
  CHECK(status_of(server.ask("GET", "/v1/rank?nothing=1")) == 400);
  CHECK(status_of(server.ask("GET", "/v1/rank?limit=1&limit=2")) == 400);
  CHECK(status_of(server.ask("GET", "/v1/rank?near=x&embedder=openai:http://127.0.0.1:1")) == 400);
  CHECK(status_of(server.ask("GET", "/v1/nodes/nothing")) == 404);
  CHECK(status_of(server.ask("GET", "/v1/nothing")) == 404);
  const auto method = server.ask("POST", "/v1/rank", kJson, "{}");
  CHECK(status_of(method) == 405);
  CHECK(method.find("Allow: GET") != std::string::npos);
  CHECK(status_of(server.ask("PUT", "/v1/nodes/c", "Content-Type: text/plain\r\n", "{}")) == 400);
  CHECK(status_of(server.ask("PUT", "/v1/nodes/c", kJson, R"({"type":"A","type":"B"})")) == 422);

  CHECK(status_of(server.ask("GET", "/healthz")) == 200);
  CHECK(status_of(server.ask("GET", "/readyz")) == 200);
  CHECK(json_of(server.ask("GET", "/openapi.json")).at("openapi") == "3.1.0");
  const auto metrics = body_of(server.ask("GET", "/metrics"));
  CHECK(metrics.find("hebb_requests_total{operation=\"rank\",status=\"304\"} 1\n") !=
        std::string::npos);
  CHECK(server.stop() == 0);
}

TEST_CASE("serve: pages of others are refused") {
  const Server server({"--host", "tasks.example"});
  const auto with = [&](const std::string& host, const std::string& headers) {
    return status_of(server.send("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n" + headers +
                                 "Connection: close\r\n\r\n"));
  };
  CHECK(with(server.host(), "") == 200);
  CHECK(with("tasks.example", "") == 200);
  CHECK(with("TASKS.EXAMPLE", "") == 200);
  CHECK(with("evil.example", "") == 421);
  CHECK(with("127.0.0.1", "") == 421);
  CHECK(with(server.host(), "Origin: http://" + server.host() + "\r\n") == 200);
  CHECK(with(server.host(), "Origin: http://evil.example\r\n") == 403);
  CHECK(with(server.host(), "Origin: null\r\n") == 403);
  CHECK(with(server.host(), "Origin: \r\n") == 403);
  CHECK(with(server.host(),
             "Origin: http://" + server.host() + "\r\nOrigin: http://evil.example\r\n") == 400);
  CHECK(with(server.host(), "Sec-Fetch-Site: none\r\nsec-fetch-site: cross-site\r\n") == 400);
  CHECK(with(server.host(), "Sec-Fetch-Site: cross-site\r\n") == 403);
  CHECK(with(server.host(), "Sec-Fetch-Site: same-origin\r\n") == 200);
}

TEST_CASE("serve: a link of another site leads to the page, and to nothing else") {
  const Server server;
  const auto from_link = [&](const std::string& line, const std::string& dest) {
    return status_of(server.send(line + " HTTP/1.1\r\nHost: " + server.host() +
                                 "\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
                                 "Sec-Fetch-Dest: " +
                                 dest + "\r\nConnection: close\r\n\r\n"));
  };
  CHECK(from_link("GET /", "document") == 200);
  CHECK(from_link("HEAD /", "document") == 200);
  CHECK(from_link("GET /", "iframe") == 403);
  CHECK(from_link("GET /v1/stats", "document") == 403);
  CHECK(from_link("GET /v1/events", "document") == 403);
  CHECK(from_link("POST /v1/undo", "document") == 403);
}

TEST_CASE("serve: requests that could be read as two, or that are not HTTP, are refused") {
  const Server server;
  const std::string host = "Host: " + server.host() + "\r\n";
  const std::string inner = "GET /healthz HTTP/1.1\r\n" + host + "\r\n";
  const auto status = [&](const std::string& bytes) {
    const auto answer = server.send(bytes);
    // One answer, and then the end: what came behind was not taken for a request.
    CHECK(answer.find("HTTP/1.1 ", 1) == std::string::npos);
    return status_of(answer);
  };
  const std::string put = "PUT /v1/nodes/x HTTP/1.1\r\n" + host + kJson;
  CHECK(status(put + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner) ==
        400);
  CHECK(status(put + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + inner) ==
        400);
  CHECK(status(put + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner) == 400);
  CHECK(status(put + "Transfer-Encoding: chunked, identity\r\n\r\n" + inner) == 400);
  CHECK(status(put + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} " + inner) == 400);
  CHECK(status(put + "Content-Length: -1\r\n\r\n" + inner) == 400);
  CHECK(status(put + "Content-Length : 2\r\n\r\n{}" + inner) == 400);
  CHECK(status("GET /healthz HTTP/1.1\r\n" + host + host + "\r\n" + inner) == 400);
  CHECK(status("GET /healthz HTTP/1.1\r\n\r\n" + inner) == 421);
  CHECK(status("nonsense\r\n\r\n" + inner) == 400);
  CHECK(status("GET http://evil.example/healthz HTTP/1.1\r\n" + host +
               "Connection: close\r\n\r\n") == 400);
  CHECK(status("GET /healthz HTTP/1.1\r\n" + host + "X: " + std::string(9000, 'x') + "\r\n\r\n") ==
        431);
  CHECK(status(put + "Content-Length: 2000000\r\n\r\n") == 413);
}

TEST_CASE("serve: tricks with paths find nothing") {
  const Server server;
  const auto status = [&](const std::string& target) {
    return status_of(server.ask("GET", target));
  };
  CHECK(status("/../../etc/passwd") == 404);
  CHECK(status("/v1/nodes/..%2f..%2fetc%2fpasswd") == 404);
  CHECK(status("/v1/../healthz") == 404);
  CHECK(status("//healthz") == 404);
  CHECK(status("/healthz/") == 404);
  CHECK(status("/v1/nodes/%00") == 400);
  CHECK(status("/v1/nodes/%zz") == 400);
  CHECK(status("/v1/nodes/%ff") == 400);
  CHECK(status("/v1/rank?limit=%") == 400);
  const auto split = server.ask("GET", "/v1/nodes/x%0d%0aSet-Cookie:%20a=b");
  CHECK(status_of(split) == 404);
  CHECK(split.find("\r\nSet-Cookie") == std::string::npos);
}

TEST_CASE("serve: one who sends slowly is cut off, and others are served meanwhile") {
  Server server({"--timeout-ms", "700"});
  const int slow = server.connect();
  CHECK(status_of(server.ask("GET", "/healthz")) == 200);
  CHECK(server.send("GET /healthz HTTP/1.1\r\nHost: ").empty());  // returns when the server closes
  close(slow);
  CHECK(server.stop() == 0);
}

TEST_CASE("serve: a token, where one is asked for, and addresses that need one") {
  const Folder folder;
  const std::string file = folder.file("secret");
  write_text(file, "0123456789abcdef\n");
  const Server server({"--token-file", file});
  const auto with = [&](const std::string& header) {
    return status_of(server.ask("GET", "/v1/rank", header));
  };
  CHECK(with("Authorization: Bearer 0123456789abcdef\r\n") == 200);
  CHECK(with("") == 401);
  CHECK(with("Authorization: Bearer 0123456789abcdeX\r\n") == 401);
  CHECK(with("Authorization: Bearer 0123456789abcdef0\r\n") == 401);
  CHECK(with("Authorization: Bearer \r\n") == 401);
  CHECK(with("Authorization: Basic 0123456789abcdef\r\n") == 401);
  CHECK(status_of(server.ask("GET", "/healthz")) == 200);
  const auto open = run_process({HEBB_BINARY, "--db", server.folder().file("t.db"), "serve",
                                 "--listen", "0.0.0.0", "--port", "0"});
  CHECK(open.exit_code == 1);
  CHECK(open.err.find("--token-file") != std::string::npos);
}

TEST_CASE("serve: MCP's headers repeat what a stateless message says") {
  const Server server({"--tools", "all"});
  add_task(server, "Gr%C3%BC%C3%9Fe");
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}})";
  const auto message = [](const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params + "}}";
  };
  const std::string list = message("tools/list", meta);
  const std::string call = message("tools/call", R"("name":"rank",)" + meta);
  const std::string read =
      message("resources/read", R"("uri":"hebb://task/Gr\u00fc\u00dfe",)" + meta);
  const std::string none = message("tools/list", "");
  const std::string bare =
      message("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})");
  const std::string v = "MCP-Protocol-Version: 2026-07-28\r\n";
  const std::string lists = v + "Mcp-Method: tools/list\r\n";
  const std::string calls = v + "Mcp-Method: tools/call\r\n";
  const std::string reads = v + "Mcp-Method: resources/read\r\nMcp-Name: ";
  struct Case {
    std::string body, headers;
    int status, code;  // code 0: a result
  };
  const std::vector<Case> cases{
      {list, lists, 200, 0},
      {list, "", 400, -32020},
      {list, v, 400, -32020},
      {list, v + "Mcp-Method: x\r\n", 400, -32020},
      {list, "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/list\r\n", 400, -32020},
      {call, calls + "Mcp-Name: rank\r\n", 200, 0},
      {call, calls + "Mcp-Name: =?base64?cmFuaw==?=\r\n", 200, 0},
      {call, calls + "Mcp-Name: =?base64?aGViYl9yYW5?=\r\n", 400, -32020},
      {call, calls + "Mcp-Name: next\r\n", 400, -32020},
      {call, calls, 400, -32020},
      {read, reads + "=?base64?aGViYjovL3Rhc2svR3LDvMOfZQ==?=\r\n", 200, 0},
      {read, reads + "hebb://task/x\r\n", 400, -32020},
      {none, lists, 400, -32602},
      {bare, lists, 400, -32602},
      {message("ping", meta), v + "Mcp-Method: ping\r\n", 404, -32601},
      {none, "MCP-Protocol-Version: 2025-11-25\r\n", 200, 0},
      {none, "MCP-Protocol-Version: 1900-01-01\r\n", 400, -32022},
      {message("no/such", ""), "", 200, -32601},
      {"{", v, 400, -32700},
      {"17", "", 400, -32600},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body, c.headers);
    const auto answer = server.ask("POST", "/mcp", kJson + c.headers, c.body);
    CHECK(status_of(answer) == c.status);
    const Json reply = json_of(answer);
    CHECK((reply.contains("error") ? reply["error"].at("code").get<int>() : 0) == c.code);
  }
  const auto ping = server.ask("POST", "/mcp", kJson, rpc("ping"));
  CHECK(json_of(ping).at("result") == Json::object());
  const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  CHECK(status_of(server.ask("POST", "/mcp", kJson, notification)) == 202);
  // A batch, which most versions do not have, is no way around the headers.
  const auto batch = server.ask("POST", "/mcp", kJson, "[" + call + "]");
  CHECK(status_of(batch) == 400);
  CHECK(json_of(batch).at("error").at("code") == -32600);
}
