#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/capture/talk.h"

namespace hebb::capture {

TEST_CASE("session: a call and its answer are a row") {
  Talk talk;
  talk.call("1", "echo", R"(,"arguments":{"x":1})");
  CHECK(talk.rows.empty());
  talk.answer("1", R"({"content":[]})");
  REQUIRE(talk.rows.size() == 1);
  const ActionRow& row = talk.rows[0];
  CHECK(row.tool == "echo");
  CHECK(row.args == R"({"x":1})");
  CHECK(row.result == R"({"content":[]})");
  CHECK(row.success);
  CHECK_FALSE(row.failure);
  CHECK(row.duration_ms == 1.0);
  CHECK(row.timestamp == 1'700'000'000'001);
  CHECK(row.agent_id == "a");
  CHECK(row.session_id == "s");
  CHECK(row.sequence_id == "a_1700000000001000");
  CHECK_FALSE(row.reward);
}

TEST_CASE("session: a call that names its session is of that session") {
  Talk talk;
  const auto session_of = [&](std::string_view more) {
    talk.call("1", "t", more);
    talk.answer("1");
    return talk.rows.back().session_id;
  };
  CHECK(session_of("") == "s");
  CHECK(session_of(R"(,"arguments":{"sessionId":"worker-1"})") == "worker-1");
  CHECK(session_of(R"(,"arguments":{"session_id":"worker-2"})") == "worker-2");
  CHECK(session_of(R"(,"_meta":{"sessionId":"worker-3"})") == "worker-3");
  CHECK(session_of(R"(,"_meta":{"session_id":"worker-4"})") == "worker-4");
  CHECK(session_of(R"(,"_meta":{"sessionId":"m"},"arguments":{"sessionId":"a"})") == "a");
  CHECK(session_of(R"(,"arguments":{"sessionId":""},"_meta":{"sessionId":"m"})") == "m");
  CHECK(session_of(R"(,"arguments":{"sessionId":7})") == "s");
  CHECK(session_of(R"(,"arguments":{"in":{"sessionId":"deeper"}})") == "s");
  CHECK(session_of(R"(,"arguments":{"sessionId":"Bearer abc"})") == "s");  // a secret is no name
}

TEST_CASE("session: a row knows its request and the protocol's version") {
  Talk talk;
  talk.call("7", "early");
  talk.answer("7");
  talk.up(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  talk.answer("0", R"({"protocolVersion":"2025-03-26","serverInfo":{"name":"x"}})");
  talk.call("\"a-1\"", "legacy");
  talk.answer("\"a-1\"", R"({"protocolVersion":"none of its business"})");
  talk.call("8", "modern", R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})");
  talk.answer("8");
  REQUIRE(talk.rows.size() == 3);
  CHECK(talk.rows[0].request_id == "7");
  CHECK_FALSE(talk.rows[0].protocol_version);
  CHECK(talk.rows[1].request_id == "a-1");
  CHECK(talk.rows[1].protocol_version == "2025-03-26");  // what the server settled on
  CHECK(talk.rows[2].protocol_version == "2026-07-28");
  CHECK(talk.rows[2].transport == "stdio");
}

TEST_CASE("session: only a result without isError is a success") {
  Talk talk;
  talk.call("1", "t");
  talk.answer("1", R"({"isError":true})");
  talk.call("2", "t");
  talk.down(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool"}})");
  talk.call("3", "t");
  talk.answer("3", R"({"isError":false})");
  REQUIRE(talk.rows.size() == 3);
  CHECK(talk.rows[0].failure == "tool_error");
  CHECK(talk.rows[1].failure == "error -32602: Unknown tool");
  CHECK(talk.rows[1].result == R"({"code":-32602,"message":"Unknown tool"})");
  CHECK(talk.rows[2].success);
}

TEST_CASE("session: ids pair by type and value") {
  Talk talk;
  talk.call("1", "number");
  talk.call("\"1\"", "string");
  talk.answer("\"1\"");
  talk.answer("1.0");
  REQUIRE(talk.rows.size() == 2);
  CHECK(talk.rows[0].tool == "string");
  CHECK(talk.rows[1].tool == "number");
}

TEST_CASE("session: calls in flight together share a turn, the next begins when none is") {
  Talk talk;
  talk.pause(100);
  talk.call("1", "a");
  talk.call("2", "b");
  talk.answer("1");
  talk.call("3", "c");
  talk.answer("3");
  talk.answer("2");
  talk.pause(20);
  talk.call("4", "d");
  talk.answer("4");
  REQUIRE(talk.rows.size() == 4);
  CHECK(talk.rows[0].sequence_id == talk.rows[1].sequence_id);
  CHECK(talk.rows[0].sequence_id == talk.rows[2].sequence_id);
  CHECK(talk.rows[0].sequence_id != talk.rows[3].sequence_id);
}

TEST_CASE("session: the client may name the turn, or carry a trace") {
  Talk talk;
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  talk.call("1", "a", R"(,"_meta":{"hebb/turn":"plan-7"})");
  talk.call("2", "b", R"(,"_meta":{"traceparent":")" + trace + R"("})");
  talk.call("3", "c", R"(,"_meta":{"hebb/turn":"plan-8","traceparent":")" + trace + R"("})");
  talk.call("4", "d", R"(,"_meta":{"traceparent":"nonsense"})");
  for (const char* id : {"1", "2", "3", "4"}) talk.answer(id);
  REQUIRE(talk.rows.size() == 4);
  CHECK(talk.rows[0].sequence_id == "a_plan-7");
  CHECK(talk.rows[1].sequence_id == "a_0af7651916cd43dd8448eb211c80319c");
  CHECK(talk.rows[1].trace_parent == trace);
  CHECK(talk.rows[2].sequence_id == "a_plan-8");
  CHECK(talk.rows[2].trace_parent == trace);
  CHECK(talk.rows[3].sequence_id.starts_with("a_17"));
  CHECK_FALSE(talk.rows[3].trace_parent);
}

TEST_CASE("session: cancelled, and what comes after") {
  Talk talk;
  talk.call("1", "slow");
  talk.up(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}})");
  talk.answer("1");
  talk.up(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})");
  REQUIRE(talk.rows.size() == 1);
  CHECK(talk.rows[0].failure == "cancelled: enough");
  CHECK_FALSE(talk.rows[0].result);
  talk.call("2", "slow");
  talk.up(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  talk.call("3", "slow");
  talk.up(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"Error: MCP error -32001:\nRequest timed out"}})");
  REQUIRE(talk.rows.size() == 3);
  CHECK(talk.rows[1].failure == "cancelled");
  CHECK(talk.rows[2].failure == "cancelled: Error: MCP error -32001: Request timed out");
}

TEST_CASE("session: input_required keeps the call open until the client has asked again") {
  Talk talk;
  const bool new_id = GENERATE(true, false);
  talk.call("1", "book", R"(,"arguments":{"n":1})");
  talk.answer("1", R"({"resultType":"input_required","requestState":"st","inputRequests":{}})");
  CHECK(talk.rows.empty());
  talk.call(new_id ? "2" : "1", "book",
            R"(,"arguments":{"n":1},"inputResponses":{},"requestState":"st")");
  talk.answer(new_id ? "2" : "1", R"({"resultType":"complete","content":[]})");
  REQUIRE(talk.rows.size() == 1);
  CHECK(talk.rows[0].success);
  CHECK(talk.rows[0].duration_ms == 3.0);
  talk.call("5", "book");
  talk.answer("5", R"({"resultType":"input_required"})");
  talk.session.finish("client_closed", talk.tick());
  REQUIRE(talk.rows.size() == 2);
  CHECK(talk.rows[1].failure == "input_required");
}

TEST_CASE("session: the server's name, in both eras") {
  Talk talk;
  talk.call("9", "early");
  talk.answer("9", R"({"serverInfo":{"name":"not an identity"}})");
  talk.up(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
  talk.answer("0",
              R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"legacy","version":"1"}})");
  talk.call("1", "t");
  talk.answer("1");
  talk.call("2", "t");
  talk.answer("2", R"({"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern"}}})");
  talk.up(R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{}})");
  talk.answer("\"d\"", R"({"supportedVersions":["2026-07-28"],"serverInfo":{"name":"found"}})");
  talk.call("3", "t");
  talk.answer("3");
  REQUIRE(talk.rows.size() == 4);
  CHECK(talk.rows[0].app_name.empty());
  CHECK(talk.rows[1].app_name == "legacy");
  CHECK(talk.rows[2].app_name == "modern");
  CHECK(talk.rows[3].app_name == "found");
}

TEST_CASE("session: what the server says of its tools") {
  Talk talk;
  talk.up(R"({"jsonrpc":"2.0","id":0,"method":"tools/list"})");
  talk.answer("0", R"({"tools":[{"name":"r","annotations":{"readOnlyHint":true}},)"
                   R"({"name":"w","annotations":{"readOnlyHint":false}},{"name":"x"},7]})");
  for (const char* tool : {"r", "w", "x"}) {
    talk.call("1", tool);
    talk.answer("1");
  }
  REQUIRE(talk.rows.size() == 3);
  CHECK(talk.rows[0].read_only == true);
  CHECK(talk.rows[1].read_only == false);
  CHECK_FALSE(talk.rows[2].read_only);
}

TEST_CASE("session: batches of 2025-03-26") {
  Talk talk;
  talk.up(
      R"( [ {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"t":"],[{\""}}} ,)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}, 7, {"broken ])");
  talk.down(R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}])");
  REQUIRE(talk.rows.size() == 2);
  CHECK(talk.rows[0].tool == "b");
  CHECK(talk.rows[1].args == R"({"t":"],[{\""})");
  CHECK(talk.rows[0].sequence_id == talk.rows[1].sequence_id);
}

TEST_CASE("session: the server's own requests and odd messages are no calls") {
  Talk talk;
  talk.call("1", "t");
  talk.down(R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}})");
  talk.up(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  talk.down(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{}})");
  talk.down(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})");
  talk.up(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"no id"}})");
  talk.up(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}})");
  talk.up("{\"half");
  CHECK(talk.rows.empty());
  talk.answer("1");
  CHECK(talk.rows.size() == 1);
}

TEST_CASE("session: an id used again while it is open") {
  Talk talk;
  talk.call("1", "first");
  talk.call("1", "second");
  talk.answer("1");
  REQUIRE(talk.rows.size() == 2);
  CHECK(talk.rows[0].failure == "id_reused");
  CHECK(talk.rows[1].tool == "second");
}

TEST_CASE("session: a call whose answer may have been among lost lines did not fail") {
  Talk talk;
  talk.call("1", "before");
  talk.session.lines_lost();
  talk.call("2", "after");
  talk.session.finish("server_exit: code 0", talk.tick());
  REQUIRE(talk.rows.size() == 1);
  CHECK(talk.rows[0].tool == "after");
  CHECK(talk.session.unrecorded() == 1);
}

TEST_CASE("session: a message nested too deep is counted, and fails no call") {
  Talk talk;
  const std::string deep(600, '[');
  talk.call("1", "open");
  talk.down("{\"id\":1,\"result\":{\"a\":" + deep);
  CHECK(talk.session.unread() == 1);
  talk.down("[{\"id\":1,\"result\":{}},{\"a\":" + deep + std::string(600, ']') + "}]");
  CHECK(talk.session.unread() == 2);
  REQUIRE(talk.rows.size() == 1);  // the batch's other message is read
  CHECK(talk.rows[0].success);
  talk.call("2", "open");
  talk.down("{\"id\":2,\"result\":{\"a\":" + deep);
  talk.session.finish("server_exit: code 0", talk.tick());
  CHECK(talk.rows.size() == 1);
  CHECK(talk.session.unrecorded() == 1);
}

TEST_CASE("session: a call whose id is too long to be paired is counted") {
  Talk talk;
  const std::string longest = '"' + std::string(1022, 'x') + '"';
  talk.call(longest, "t");
  talk.answer(longest);
  CHECK(talk.rows.size() == 1);
  const std::string longer = '"' + std::string(1023, 'x') + '"';
  talk.call(longer, "t");
  talk.answer(longer);
  talk.up(R"({"id":)" + longer + R"(,"method":"ping"})");
  talk.up(R"({"method":"tools/call","params":{"name":"t"}})");
  CHECK(talk.rows.size() == 1);
  CHECK(talk.session.unrecorded() == 1);
}

TEST_CASE("session: names that a client or server chose are fit for a column") {
  Talk talk;
  talk.call("1", std::string(5000, 'x'));
  talk.answer("1");
  talk.call("2", R"(a\nb)");
  talk.answer("2");
  REQUIRE(talk.rows.size() == 2);
  CHECK(talk.rows[0].tool.size() == 512);
  CHECK(talk.rows[1].tool == "a b");
}

TEST_CASE("session: memory of open calls is bounded", "[slow]") {
  Talk talk;
  const std::string big = R"(,"arguments":{"t":")" + std::string(60'000, 'x') + R"("})";
  for (int i = 0; i < 1000; ++i) talk.call(std::to_string(i), "t", big);
  for (int i = 0; i < 1000; ++i) talk.answer(std::to_string(i));
  REQUIRE(talk.rows.size() == 1000);
  std::size_t held = 0;
  for (const ActionRow& row : talk.rows) held += row.args.size();
  CHECK(held <= CallTracker::kOpenBytes + 1000 * 256);
  CHECK(talk.rows.back().args_cut());
  CHECK(talk.rows.back().args_bytes > 60'000);
}

}  // namespace hebb::capture
