// The recorder between a stdio client and a server behind streamable HTTP of 2026-07-28; and the
// parts that both eras are made of.
#include <future>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/record/http.h"
#include "capture/record/mcp_outgoing.h"
#include "capture/record/sse.h"
#include "tests/capture/http_support.h"
#include "text/header_value.h"

namespace hebb::capture::test {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::string modern(int id, std::string_view method, const json& params) {
  json all = params;
  all["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", all}}.dump();
}
std::string result_line(int id, const json& value = json::object()) {
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"result", value}}.dump();
}
json tools_with(const json& schema) {
  return {{"tools", {{{"name", "sql"}, {"inputSchema", schema}}}}};
}

HttpHeaders mirrored(const json& schema, const json& arguments) {
  MirroredArguments all;
  all.learn(result_line(1, tools_with(schema)));
  return all.headers("sql", arguments.dump());
}

}  // namespace

TEST_CASE("record http: the stateless era has its headers, and no session, stream or goodbye") {
  const json schema = {
      {"properties", {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}}}};
  const RawServer server([&](const Heard& heard, Wire& wire) {
    const json asked = json::parse(heard.body);
    const int id = asked["id"].get<int>();
    const bool lists = asked["method"] == "tools/list";
    wire.answer(200, "application/json",
                result_line(id, lists ? tools_with(schema) : json::object()),
                "Mcp-Session-Id: none-of-your-business\r\n");
  });
  HttpClient client(server.url());
  const Lines lines{modern(1, "server/discover", json::object()),
                    modern(2, "tools/list", json::object()),
                    modern(3, "tools/call", {{"name", "sql"}, {"arguments", {{"region", "äöü"}}}}),
                    modern(4, "resources/read", {{"uri", "file:///a b"}}),
                    modern(5, "prompts/get", {{"name", " padded"}})};
  for (const std::string& line : lines) {
    client.say(line);
    client.hear();
  }
  CHECK(client.finish().empty());
  const auto heard = server.heard();
  REQUIRE(heard.size() == lines.size());
  for (std::size_t i = 0; i < heard.size(); ++i) {
    CHECK(heard[i].method == "POST");
    CHECK(heard[i].body == lines[i]);
    CHECK(heard[i].header("mcp-protocol-version") == "2026-07-28");
    CHECK(heard[i].header("mcp-method") == json::parse(lines[i])["method"]);
    CHECK(heard[i].header("mcp-session-id").empty());
  }
  CHECK(heard[1].headers.count("mcp-name") == 0);
  CHECK(heard[2].header("mcp-name") == "sql");
  CHECK(heard[2].header("mcp-param-region") == "=?base64?w6TDtsO8?=");
  CHECK(heard[3].header("mcp-name") == "file:///a b");
  CHECK(heard[4].header("mcp-name") == "=?base64?IHBhZGRlZA==?=");
  const auto rows = client.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].protocol_version == "2026-07-28");
  CHECK_FALSE(rows[0].mcp_session_id);
}

TEST_CASE("record http: a stateless request is taken back by closing its stream") {
  std::promise<void> closed;
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.body.find("\"slow\"") == std::string::npos) {
      return wire.answer(200, "application/json", result_line(2));
    }
    wire.begin_events();
    wire.event(R"({"jsonrpc":"2.0","method":"notifications/progress"})");
    wire.wait_closed();
    closed.set_value();
  });
  HttpClient client(server.url());
  client.say(modern(1, "tools/call", {{"name", "slow"}}));
  client.hear();
  json cancel = json::parse(modern(0, "notifications/cancelled", {{"requestId", 1}}));
  cancel.erase("id");
  SECTION("the client says the version") {}
  SECTION("the client does not") { cancel["params"].erase("_meta"); }
  client.say(cancel.dump());
  closed.get_future().wait();
  client.say(modern(2, "tools/call", {{"name", "quick"}}));
  CHECK(client.hear() == result_line(2));
  CHECK(client.finish().empty());  // nothing was said about the first
  CHECK(server.heard().size() == 2);
  REQUIRE(client.rows().size() == 2);
  CHECK(client.rows()[0].failure == "cancelled");
}

TEST_CASE("record http: a client that has gone does not wait for what it has cancelled") {
  // A server of 2025 gives no answer to a request that was cancelled, and leaves its stream open.
  const RawServer server([](const Heard& heard, Wire& wire) {
    if (heard.body.find("notifications/cancelled") != std::string::npos) return wire.accepted();
    wire.begin_events();
    wire.event(R"({"jsonrpc":"2.0","method":"notifications/progress"})");
    wire.wait_closed();
  });
  HttpClient client(server.url());
  client.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})");
  client.hear();
  client.say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}})");
  CHECK(client.finish().empty());
  CHECK(server.bodies("POST").size() == 2);
  REQUIRE(client.rows().size() == 1);
  CHECK(client.rows()[0].failure == "cancelled: x");
}

TEST_CASE("record http: a subscription does not keep a client that has gone") {
  const RawServer server([](const Heard&, Wire& wire) {
    wire.begin_events();
    wire.event(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"})");
    wire.wait_closed();
  });
  HttpClient client(server.url());
  client.say(modern(1, "subscriptions/listen", json::object()));
  client.hear();
  CHECK(client.finish().empty());
}

TEST_CASE("record http: a stateless error is the client's to see, byte for byte") {
  const std::string unsupported =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":[]}}})";
  const RawServer server(
      [&](const Heard&, Wire& wire) { wire.answer(400, "application/json", unsupported); });
  HttpClient client(server.url());
  client.say(modern(1, "server/discover", json::object()));
  CHECK(client.hear() == unsupported);
}

TEST_CASE("record http: credentials are stored nowhere, also where a server repeats them") {
  const RawServer server([](const Heard& heard, Wire& wire) {
    const json asked = json::parse(heard.body);
    const std::string told = fmt::format("no luck with {} and {}", heard.header("x-api-key"),
                                         heard.path.substr(heard.path.find("token=") + 6));
    if (asked["id"] == 2) return wire.answer(403, "text/plain", told);
    const json said = {{"content", {{{"type", "text"}, {"text", told}}}}};
    wire.answer(200, "application/json", result_line(asked["id"].get<int>(), said));
  });
  HttpClient client(server.url() + "?profile=dev&token=plainword&x=1",
                    {{"X-Api-Key", "correct horse"}, {"Authorization", "Bearer opaqueword"}});
  for (const int id : {1, 2}) {
    client.say(modern(id, "tools/call", {{"name", "dev"}, {"arguments", {{"a", "opaqueword"}}}}));
    CHECK(client.hear().find("correct horse and plainword") != std::string::npos);
  }
  CHECK(client.finish().empty());
  const auto rows = client.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].tool == "dev");
  CHECK(rows[0].args == R"({"a":"[masked]"})");
  CHECK(rows[0].result->find("no luck with [masked] and [masked]&x=1") != std::string::npos);
  CHECK(rows[1].failure->find("no luck with [masked] and [masked]&x=1") != std::string::npos);
  CHECK(rows[1].result->find("plainword") == std::string::npos);
}

TEST_CASE("record http: a client that has gone is no reason for a warning") {
  std::promise<void> heard_it;
  const RawServer server([&](const Heard& heard, Wire& wire) {
    if (heard.body.find("\"initialize\"") != std::string::npos) {
      return wire.answer(200, "application/json", result_line(0));
    }
    heard_it.set_value();
    wire.wait_closed();
  });
  HttpClient client(server.url());
  client.say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
  client.hear();
  client.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  heard_it.get_future().wait();
  client.leave();
  CHECK(client.warnings.empty());
}

TEST_CASE("header values: as they are, or base64 where a header cannot carry them") {
  // The examples of the specification.
  CHECK(header_value("us-west1") == "us-west1");
  CHECK(header_value("Hello, 世界") == "=?base64?SGVsbG8sIOS4lueVjA==?=");
  CHECK(header_value(" padded ") == "=?base64?IHBhZGRlZCA=?=");
  CHECK(header_value("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=");
  CHECK(header_value("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  CHECK(header_value("") == "");
  for (const std::string text :
       {"", "us-west1", "Hello, 世界", " padded ", "=?base64?", "=?base64?=", "=?base64?literal?="})
    CHECK(header_text(header_value(text)) == text);
  CHECK_FALSE(header_text("=?base64?literal?="));
}

TEST_CASE("mirrored arguments: what the schema marks, at its place, and only where it is sound") {
  const json text = {{"type", "string"}};
  const auto marked = [&](std::string_view name) {
    json property = text;
    property["x-mcp-header"] = name;
    return property;
  };
  using Headers = HttpHeaders;
  const json nested = {{"properties", {{"a", {{"properties", {{"b", marked("B")}}}}}}}};
  CHECK(mirrored(nested, {{"a", {{"b", "x"}}}}) == Headers{{"Mcp-Param-B", "x"}});
  CHECK(mirrored(nested, {{"b", "x"}}).empty());
  CHECK(mirrored(nested, {{"a", "x"}}).empty());
  const json one = {{"properties", {{"n", marked("N")}}}};
  CHECK(mirrored(one, {{"n", 42}}) == Headers{{"Mcp-Param-N", "42"}});
  CHECK(mirrored(one, {{"n", -7.0}}) == Headers{{"Mcp-Param-N", "-7"}});
  CHECK(mirrored(one, {{"n", true}}) == Headers{{"Mcp-Param-N", "true"}});
  CHECK(mirrored(one, {{"n", nullptr}}).empty());
  CHECK(mirrored(one, {{"n", 1.5}}).empty());
  CHECK(mirrored(one, {{"n", json::array({1})}}).empty());
  CHECK(mirrored({{"properties", {{"n", marked("")}}}}, {{"n", "x"}}).empty());
  CHECK(mirrored({{"properties", {{"n", marked("a b")}}}}, {{"n", "x"}}).empty());
  CHECK(mirrored({{"properties", {{"n", marked("X")}, {"m", marked("x")}}}}, {{"n", "x"}}).empty());
  CHECK(mirrored({{"items", {{"properties", {{"n", marked("N")}}}}}}, {{"n", "x"}}).empty());
  CHECK(MirroredArguments().headers("sql", "{}").empty());
}

TEST_CASE("events: cut anywhere, they are the same") {
  const std::string stream =
      "\xEF\xBB\xBF"
      "data: one\n\n: comment\nid: 5\nevent: message\ndata:two\ndata:  lines\n\n"
      "id\ndata\n\nretry: 20\r\nretry: x\ndata: three\r\n\r\nevent: endpoint\ndata: four\r\r"
      "id: 9\n\ndata: cut";
  using Events = std::vector<std::pair<std::string, std::string>>;
  const Events expected{
      {"", "one"}, {"message", "two\n lines"}, {"", "three"}, {"endpoint", "four"}};
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    Events events;
    SseReader reader(
        [&](SseReader::Event event) {
          events.emplace_back(event.type, event.data);
          return true;
        },
        1000);
    for (std::size_t at = 0; at < stream.size(); at += size) {
      REQUIRE(reader.feed(std::string_view(stream).substr(at, size)));
    }
    CAPTURE(size);
    CHECK(events == expected);
    CHECK(reader.last_id() == "9");
    CHECK(reader.retry_ms() == 20);
  }
  SseReader bounded([](SseReader::Event) { return true; }, 10);
  CHECK(bounded.feed("data: 1234\n"));
  CHECK_FALSE(bounded.feed("data: 1234567\n"));
  CHECK(bounded.too_long());
  SseReader once([](SseReader::Event) { return false; }, 100);
  CHECK_FALSE(once.feed("data: 1\n\ndata: 2\n\n"));
  CHECK_FALSE(once.too_long());
}

TEST_CASE("headers of the command line") {
  using Header = std::pair<std::string, std::string>;
  CHECK(parse_http_header("Authorization: Bearer x ") == Header{"Authorization", "Bearer x"});
  CHECK(parse_http_header("X-Empty:") == Header{"X-Empty", ""});
  for (const char* wrong :
       {"", "x", ": y", "a b: c", "Host: x", "content-length: 1", "MCP-Session-Id: 1", "X: a\nb"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_http_header(wrong), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_http_header("Key: s3cr\x01t"), !Catch::Contains("s3cr"));
}

}  // namespace hebb::capture::test
