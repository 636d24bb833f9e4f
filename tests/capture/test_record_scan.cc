#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/record/mcp_scan.h"

namespace hebb::capture {
namespace {

LineScanner scan(std::string_view text, std::size_t keep = 1 << 20) {
  LineScanner scanner(keep);
  scanner.feed(text);
  return scanner;
}

bool valid(std::string_view text) {
  LineScanner scanner = scan(text);
  return scanner.finish();
}

}  // namespace

TEST_CASE("scan: keeps what stands at the paths, wherever it stands") {
  const std::string text =
      R"({"params": {"arguments": {"id": 9, "name": [1, {"method": "x"}]}, "_meta": {"hebb/turn": "t", )"
      R"("traceparent": "tp", "io.modelcontextprotocol/clientInfo": {"name": "c"}}, "name": "tool"}, )"
      R"("other": {"id": 4, "result": true}, "jsonrpc": "2.0", "m\u0065thod": "tools\/call", "id": -1.5e2 } )";
  // The same whatever the pieces are.
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LineScanner scanner(1 << 20);
    scanner.feed(std::string_view(text).substr(0, cut));
    scanner.feed(std::string_view(text).substr(cut));
    REQUIRE(scanner.finish());
    REQUIRE(scanner[Field::id].text == "-1.5e2");
    REQUIRE(scanner.string(Field::method) == "tools/call");
    REQUIRE(scanner.string(Field::tool) == "tool");
    REQUIRE(scanner[Field::arguments].text == R"({"id": 9, "name": [1, {"method": "x"}]})");
    REQUIRE(scanner.string(Field::turn) == "t");
    REQUIRE(scanner.string(Field::trace_parent) == "tp");
    REQUIRE_FALSE(scanner[Field::result].present);
  }
}

TEST_CASE("scan: fields of a result and of an error") {
  LineScanner result = scan(
      R"({"result":{"content":[{"isError":true}],"isError":false,"resultType":"complete","requestState":"s",)"
      R"("serverInfo":{"name":"srv"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"srv2"}}},"id":"1"})");
  REQUIRE(result.finish());
  CHECK(result[Field::is_error].text == "false");
  CHECK(result.string(Field::result_type) == "complete");
  CHECK(result.string(Field::result_state) == "s");
  CHECK(result.string(Field::server_name) == "srv");
  CHECK(result.string(Field::server_name_meta) == "srv2");
  CHECK(result[Field::id].text == "\"1\"");
  LineScanner error = scan(R"({"error":{"code":-32602,"message":"no such \"tool\""},"id":1})");
  REQUIRE(error.finish());
  CHECK(error[Field::error_code].text == "-32602");
  CHECK(error.string(Field::error_message) == "no such \"tool\"");
}

TEST_CASE("scan: keeps no more than it may, and knows the length") {
  const std::string text =
      R"({"params":{"arguments":{"a":")" + std::string(100'000, 'x') + R"("},"name":"t"},"id":1})";
  LineScanner scanner(1000);
  for (const char c : text) scanner.feed({&c, 1});
  REQUIRE(scanner.finish());
  CHECK(scanner[Field::arguments].text.size() == 1000);
  CHECK(scanner[Field::arguments].length == 100'008);
  CHECK_FALSE(scanner[Field::arguments].whole());
  CHECK(scanner.string(Field::tool) == "t");
}

TEST_CASE("scan: what may be a message and is not read is told from what is none") {
  const auto gave_up = [](const std::string& text) {
    LineScanner scanner = scan(text);
    CHECK_FALSE(scanner.finish());
    return scanner.gave_up();
  };
  CHECK(gave_up("{\"a\":" + std::string(LineScanner::kDepth, '[')));
  CHECK(gave_up(" [ {\"id\":1}]"));
  CHECK_FALSE(gave_up("[INFO] {}"));
  CHECK_FALSE(gave_up(std::string(5000, '[')));
  CHECK_FALSE(gave_up("{\"a\" 1}"));
  CHECK_FALSE(gave_up("x"));
}

TEST_CASE("scan: what is not a JSON object is no message") {
  const std::string deep = "{\"a\":" + std::string(LineScanner::kDepth, '[') +
                           std::string(LineScanner::kDepth, ']') + "}";
  for (const std::string& text : std::vector<std::string>{"",
                                                          " ",
                                                          "[]",
                                                          "1",
                                                          "\"a\"",
                                                          "{",
                                                          "}",
                                                          "{]",
                                                          "{\"a\"}",
                                                          "{\"a\":}",
                                                          "{\"a\":1,}",
                                                          "{,}",
                                                          "{\"a\":1}}",
                                                          "{\"a\":1} x",
                                                          "{\"a\":01}",
                                                          "{\"a\":1.}",
                                                          "{\"a\":.5}",
                                                          "{\"a\":-}",
                                                          "{\"a\":1e}",
                                                          "{\"a\":+1}",
                                                          "{\"a\":tru}",
                                                          "{\"a\":nul}",
                                                          "{\"a\":NaN}",
                                                          "{\"a\":'x'}",
                                                          "{\"a\":\"\\x\"}",
                                                          "{\"a\":\"\\u12g4\"}",
                                                          "{\"a\":\"\n\"}",
                                                          "{\"a\":\"x}",
                                                          "{\"a\" 1}",
                                                          "{\"a\":[1,]}",
                                                          "{\"a\":[1 2]}",
                                                          "{a:1}",
                                                          deep}) {
    CAPTURE(text);
    CHECK_FALSE(valid(text));
  }
  for (const std::string& text : std::vector<std::string>{
           "{}", " { } \r", "{\"a\":[]}", "{\"a\":[[],{}]}", "{\"a\":-0.0E+1}",
           "{\"\":\"\\u00e9\\ud800\"}", "{\"a\":\"\xff\"}", "{\"a\":0,\"a\":1}"}) {
    CAPTURE(text);
    CHECK(valid(text));
  }
}

}  // namespace hebb::capture
