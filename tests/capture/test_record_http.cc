// The recorder between a stdio client and a server behind streamable HTTP, 2025-03-26 to
// 2025-11-25.
#include <algorithm>
#include <atomic>
#include <future>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/capture/http_support.h"

namespace hebb::capture::test {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kSettled =
    R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"raw"}}})";
constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string request(int id, std::string_view tool = "echo") {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{{}}}}}})",
      id, tool);
}
std::string empty_result(int id) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{"content":[]}}}})", id);
}

bool asks(const Heard& heard, std::string_view what) {
  return heard.body.find(what) != std::string::npos;
}

// A server with sessions: what is no handshake and no notification goes to `then`.
RawServer::Handler with_session(RawServer::Handler then) {
  return [then = std::move(then)](const Heard& heard, Wire& wire) {
    if (heard.method == "POST" && asks(heard, "\"initialize\"")) {
      return wire.answer(200, "application/json", kSettled, "Mcp-Session-Id: m-1\r\n");
    }
    if (heard.method == "DELETE") return wire.answer(200, "", "");
    if (heard.method == "GET" && heard.header("last-event-id").empty()) {
      return wire.answer(405, "", "");
    }
    if (heard.method == "POST" && asks(heard, "notifications/")) return wire.accepted();
    then(heard, wire);
  };
}

void shake_hands(HttpClient& client) {
  client.say(kInitialize);
  REQUIRE(client.hear() == kSettled);
  client.say(kInitialized);
}

}  // namespace

TEST_CASE("record http: a session from initialize to DELETE, and its calls in the log") {
  const RawServer server(with_session([](const Heard& heard, Wire& wire) {
    const json asked = json::parse(heard.body);
    wire.answer(200, "application/json; charset=utf-8", empty_result(asked["id"].get<int>()));
  }));
  HttpClient client(server.url(), {{"Authorization", "Bearer x"}});
  shake_hands(client);
  client.say(request(1));
  CHECK(client.hear() == empty_result(1));
  client.say(request(2));
  CHECK(client.hear() == empty_result(2));
  CHECK(client.finish().empty());
  CHECK(client.end().server.exit_code == 0);
  CHECK(client.end().server.signal == 0);
  CHECK(client.warnings.empty());

  CHECK(server.bodies("POST") == Lines{kInitialize, kInitialized, request(1), request(2)});
  CHECK(server.bodies("DELETE").size() == 1);
  for (const Heard& heard : server.heard()) {
    CHECK(heard.path == "/mcp");
    CHECK(heard.header("authorization") == "Bearer x");
    const bool first = asks(heard, "\"initialize\"");
    CHECK(heard.header("mcp-session-id") == (first ? "" : "m-1"));
    CHECK(heard.header("mcp-protocol-version") == (first ? "" : "2025-06-18"));
    if (heard.method != "POST") continue;
    CHECK(heard.header("accept") == "application/json, text/event-stream");
    CHECK(heard.header("content-type") == "application/json");
  }
  const auto rows = client.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].success);
  CHECK(rows[0].app_name == "raw");
  CHECK(rows[0].transport == "http");
  CHECK(rows[0].server_address == server.address());
  CHECK(rows[0].mcp_session_id == "m-1");
  CHECK(rows[0].protocol_version == "2025-06-18");
}

TEST_CASE("record http: a message that stands on many lines is one line") {
  const RawServer server([](const Heard&, Wire& wire) {
    wire.answer(200, "application/json",
                "{\n  \"jsonrpc\": \"2.0\",\r\n \"id\": 1, \"result\": {}\n}\n");
  });
  HttpClient client(server.url());
  client.say(request(1));
  CHECK(client.hear() == "{   \"jsonrpc\": \"2.0\",   \"id\": 1, \"result\": {} } ");
  CHECK(client.finish().empty());
  CHECK(server.bodies("DELETE").empty());  // there was no session
}

TEST_CASE("record http: events are delivered as they come, however slowly") {
  std::promise<void> heard_first, heard_second;
  const RawServer server([&](const Heard&, Wire& wire) {
    wire.begin_events();
    wire.event(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"n":1}})");
    heard_first.get_future().wait();  // the client has it before anything else is sent
    const std::string bytes =
        ": a comment\r\nevent: message\r\nid: 7\r\ndata: {\"jsonrpc\":\"2.0\",\r\n"
        "data: \"method\":\"notifications/message\"}\r\n\r\n";
    for (const char byte : bytes) wire.chunk(std::string_view(&byte, 1));
    heard_second.get_future().wait();
    wire.event(empty_result(1));
    wire.end_events();
  });
  HttpClient client(server.url());
  client.say(request(1));
  CHECK(client.hear() == R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"n":1}})");
  heard_first.set_value();
  CHECK(client.hear() == R"({"jsonrpc":"2.0", "method":"notifications/message"})");
  heard_second.set_value();
  CHECK(client.hear() == empty_result(1));
  CHECK(client.finish().empty());
  CHECK(client.rows().size() == 1);
}

TEST_CASE("record http: what a server asks is answered by POST, also while a call is open") {
  std::promise<void> answered;
  constexpr const char* kAsked =
      R"({"jsonrpc":"2.0","id":"s-1","method":"elicitation/create","params":{}})";
  constexpr const char* kAnswer = R"({"jsonrpc":"2.0","id":"s-1","result":{"action":"accept"}})";
  const RawServer server(with_session([&](const Heard& heard, Wire& wire) {
    if (asks(heard, "accept")) {
      wire.accepted();
      return answered.set_value();
    }
    wire.begin_events();
    wire.event(kAsked);
    answered.get_future().wait();
    wire.event(empty_result(1));
    wire.end_events();
  }));
  HttpClient client(server.url());
  shake_hands(client);
  client.say(request(1));
  CHECK(client.hear() == kAsked);
  client.say(kAnswer);
  CHECK(client.hear() == empty_result(1));
  CHECK(client.finish().empty());
  CHECK(server.bodies("POST").back() == kAnswer);
  CHECK(client.warnings.empty());
}

TEST_CASE(
    "record http: what a server says unasked comes over the GET stream, and goes on where it was "
    "cut") {
  std::promise<void> told;
  std::atomic<int> streams = 0;
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.method == "DELETE") return wire.answer(200, "", "");
    if (heard.method == "POST") {
      if (asks(heard, "\"initialize\"")) {
        return wire.answer(200, "application/json", kSettled, "Mcp-Session-Id: m-1\r\n");
      }
      return wire.accepted();
    }
    if (++streams == 1) {
      wire.begin_events();
      wire.chunk("retry: 0\n\n");
      wire.event(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})", "e-1");
      return wire.cut();
    }
    wire.begin_events();
    wire.event(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/message","params":"{}"}})",
                           heard.header("last-event-id")));
    wire.wait_closed();
    told.set_value();
  });
  HttpClient client(server.url());
  shake_hands(client);
  CHECK(client.hear() == R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  CHECK(client.hear() == R"({"jsonrpc":"2.0","method":"notifications/message","params":"e-1"})");
  CHECK(client.finish().empty());
  told.get_future().wait();  // the stream ends with the client
  CHECK(server.bodies("DELETE").size() == 1);
}

TEST_CASE("record http: an answer that was cut off is fetched with Last-Event-ID") {
  std::atomic<int> gets = 0;
  const RawServer server(with_session([&](const Heard& heard, Wire& wire) {
    if (heard.method == "POST") {
      wire.begin_events();
      wire.chunk("id: a-1\nretry: 0\ndata:\n\n");  // nothing yet, but a place to go on from
      return wire.cut();
    }
    wire.begin_events();
    if (++gets == 1) {
      wire.event(R"({"jsonrpc":"2.0","method":"notifications/progress"})", "a-2");
      return wire.cut();
    }
    wire.event(empty_result(1), "a-3");
    wire.end_events();
  }));
  HttpClient client(server.url());
  shake_hands(client);
  client.say(request(1));
  CHECK(client.hear() == R"({"jsonrpc":"2.0","method":"notifications/progress"})");
  CHECK(client.hear() == empty_result(1));
  CHECK(client.finish().empty());
  REQUIRE(client.rows().size() == 1);
  CHECK(client.rows()[0].success);
  Lines places;
  for (const Heard& heard : server.heard()) {
    if (heard.method != "GET" || heard.header("last-event-id").empty()) continue;
    places.push_back(heard.header("last-event-id"));
    CHECK(heard.header("mcp-session-id") == "m-1");
  }
  CHECK(places == Lines{"a-1", "a-2"});
}

TEST_CASE("record http: what HTTP refuses is an error under the request's id") {
  const auto answer_of = [](int status, std::string_view type, std::string_view body) {
    const RawServer server([&](const Heard&, Wire& wire) { wire.answer(status, type, body); });
    HttpClient client(server.url());
    client.say(request(1));
    const json answer = json::parse(client.hear());
    CHECK(client.finish().empty());
    REQUIRE(client.rows().size() == 1);
    CHECK_FALSE(client.rows()[0].success);
    CHECK(answer["id"] == 1);
    return answer["error"];
  };
  const auto says = [](const json& error, std::string_view what) {
    CAPTURE(error.dump());
    return error["message"].get<std::string>().find(what) != std::string::npos;
  };
  const json unknown = answer_of(401, "text/plain", "who are\nyou?");
  CHECK(unknown["code"] == -32000);
  CHECK(unknown["data"]["httpStatus"] == 401);
  CHECK(says(unknown, "HTTP 401"));
  CHECK(says(unknown, "--header"));
  CHECK(says(unknown, "who are you?"));
  CHECK(says(answer_of(403, "", ""), "HTTP 403"));
  CHECK(says(answer_of(500, "text/html", "<h1>oops</h1>"), "HTTP 500"));
  CHECK(says(answer_of(200, "text/html", "<h1>a page</h1>"), "text/html"));
  CHECK(says(answer_of(202, "", ""), "HTTP 202"));
  // A server's own error is the client's to see.
  const json own =
      answer_of(400, "application/json",
                R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m","data":[1]}})");
  CHECK(own == json{{"code", -32600}, {"message", "m"}, {"data", {1}}});
  CHECK(answer_of(400, "application/json",
                  R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"v"}})")["code"] ==
        -32022);
  // An error of another form is not JSON-RPC's, and the status says more.
  for (const char* body : {
           R"({"error":"invalid_token","error_description":"expired"})",
           R"({"error":{"code":"E_X","message":"m"}})",
           R"({"error":{"code":1.5,"message":"m"}})",
           R"({"error":{"code":-32600,"message":null}})",
           R"({"error":{"message":"no code"}})",
           R"({"error":true})",
           R"({"jsonrpc":"2.0","id":1,"error":"invalid_token"})",
       }) {
    const json error = answer_of(401, "application/json", body);
    REQUIRE(error.is_object());
    CHECK(error["code"] == -32000);
    CHECK(error["data"]["httpStatus"] == 401);
    CHECK(says(error, "HTTP 401"));
    CHECK(says(error, "--header"));
  }
}

TEST_CASE("record http: an answer to another request is handed on, and is no answer to this one") {
  const RawServer server(
      [](const Heard&, Wire& wire) { wire.answer(200, "application/json", empty_result(9)); });
  HttpClient client(server.url());
  client.say(request(1));
  CHECK(client.hear() == empty_result(9));
  const json answer = json::parse(client.hear());
  CHECK(answer["id"] == 1);
  CHECK(answer["error"]["message"].get<std::string>().find("no answer to this request") !=
        std::string::npos);
}

TEST_CASE("record http: a connection that breaks off, or never was, is an error under the id") {
  SECTION("broken off before the answer") {
    const RawServer server([](const Heard&, Wire& wire) {
      wire.begin_events();
      wire.event(R"({"jsonrpc":"2.0","method":"notifications/progress"})");
      wire.cut();
    });
    HttpClient client(server.url());
    client.say(request(1));
    CHECK(client.hear() == R"({"jsonrpc":"2.0","method":"notifications/progress"})");
    const json answer = json::parse(client.hear());
    CHECK(answer["id"] == 1);
    CHECK(answer["error"]["message"].get<std::string>().find("broke off") != std::string::npos);
  }
  SECTION("no server") {
    std::string url;
    {
      const RawServer server([](const Heard&, Wire&) {});
      url = server.url();
    }
    HttpClient client(url);
    client.say(request(1));
    CHECK(json::parse(client.hear())["id"] == 1);
    client.say(kInitialized);
    client.say(
        R"([{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":2.0,"method":"ping"}])");
    CHECK(json::parse(client.hear())["id"] == "a");
    const json last = json::parse(client.hear());
    CHECK(last["id"] == 2.0);
    CHECK(last["error"]["message"].get<std::string>().find(url) != std::string::npos);
    CHECK(client.finish().empty());
    CHECK(client.warnings.size() == 1);  // of what has no answer
    REQUIRE(client.rows().size() == 1);
    CHECK(client.rows()[0].failure->find("cannot be reached") != std::string::npos);
  }
}

TEST_CASE(
    "record http: a session that the server has forgotten ends until the client begins another") {
  std::atomic<int> sessions = 0;
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.method == "GET") return wire.answer(405, "", "");
    if (heard.method == "DELETE") return wire.answer(200, "", "");
    if (asks(heard, "\"initialize\"")) {
      return wire.answer(200, "application/json", kSettled,
                         fmt::format("Mcp-Session-Id: m-{}\r\n", ++sessions));
    }
    if (asks(heard, "notifications/")) return wire.accepted();
    if (heard.header("mcp-session-id") == "m-2") {
      return wire.answer(200, "application/json", empty_result(3));
    }
    wire.answer(
        404, "application/json",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}})");
  });
  HttpClient client(server.url());
  shake_hands(client);
  client.say(request(1));
  CHECK(client.hear() ==
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}})");
  client.say(request(2));
  const json ended = json::parse(client.hear());
  CHECK(ended["id"] == 2);
  CHECK(ended["error"]["message"].get<std::string>().find("initialize") != std::string::npos);
  shake_hands(client);
  client.say(request(3));
  CHECK(client.hear() == empty_result(3));
  CHECK(client.finish().empty());
  const Lines posts = server.bodies("POST");
  CHECK(std::count(posts.begin(), posts.end(), request(2)) == 0);
  REQUIRE(client.rows().size() == 3);
  CHECK(client.rows()[2].mcp_session_id == "m-2");
}

TEST_CASE(
    "record http: requests go out in the order of their lines, and their answers as they come") {
  std::promise<void> second;
  const RawServer server(with_session([&](const Heard& heard, Wire& wire) {
    const int id = json::parse(heard.body)["id"].get<int>();
    if (id == 1) second.get_future().wait();
    wire.answer(200, "application/json", empty_result(id));
  }));
  HttpClient client(server.url());
  shake_hands(client);
  client.say(request(1));
  client.say(request(2));
  CHECK(client.hear() == empty_result(2));
  second.set_value();
  CHECK(client.hear() == empty_result(1));
  client.say("");
  client.say("   ");
  CHECK(client.finish().empty());
  CHECK(server.bodies("POST").size() == 4);  // blank lines are no messages
}

TEST_CASE("record http: batches of 2025-03-26 are answered one by one or together") {
  const std::string batch = "[" + request(1) + "," + request(2) + "]";
  const std::string answers = "[" + empty_result(2) + "," + empty_result(1) + "]";
  const RawServer server(
      [&](const Heard&, Wire& wire) { wire.answer(200, "application/json", answers); });
  HttpClient client(server.url());
  client.say(batch);
  CHECK(client.hear() == answers);
  CHECK(client.finish().empty());
  CHECK(client.rows().size() == 2);
}

TEST_CASE("record http: a client that closes its end still hears what it asked for") {
  std::promise<void> closed;
  const RawServer server([&](const Heard&, Wire& wire) {
    closed.get_future().wait();
    wire.answer(200, "application/json", empty_result(1));
  });
  HttpClient client(server.url());
  client.say(request(1));
  auto lines = std::async(std::launch::async, [&] { return client.finish(); });
  closed.set_value();
  CHECK(lines.get() == Lines{empty_result(1)});
}

}  // namespace hebb::capture::test
