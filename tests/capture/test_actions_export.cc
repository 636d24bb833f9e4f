#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capture/actions/export.h"
#include "tests/capture/actions_support.h"

namespace hebb::capture::test {
namespace {

using nlohmann::json;

// The rows with their ids and rewards in a database, read back through an export.
std::string exported(std::string_view format, const std::vector<ActionRow>& rows) {
  Log log;
  log.add(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    log.db.exec(fmt::format("UPDATE action_log SET id = '{}', reward = {} WHERE position = {}",
                            rows[i].id, rows[i].reward ? fmt::to_string(*rows[i].reward) : "NULL",
                            i + 1));
  }
  std::string out;
  ActionSource source(log.db, {});
  for (const ExportFormat& f : export_formats()) {
    if (f.name == format) f.write(source, [&](std::string_view text) { out += text; });
  }
  return out;
}

ActionRow numbered(std::int64_t id, ActionRow r, std::optional<double> reward = std::nullopt) {
  r.id = "row-" + std::to_string(id);
  r.reward = reward;
  return r;
}

}  // namespace

TEST_CASE("export: jsonl is a line a call with what came before it") {
  ActionRow cut = failed(numbered(2, row(5, "a_1", "write", R"({"t":"xx)"), -1.0), "cancelled");
  cut.args_bytes = 70'000;
  cut.result = std::nullopt;
  const std::string out =
      exported("jsonl", {numbered(1, row(0, "a_1", "open", R"({"u":1})"), -1.0), cut});
  CHECK(
      out ==
      R"({"id":"row-1","sequence_id":"a_1","step":1,"steps":2,"agent_id":"a","session_id":"s","timestamp":1767225600000,)"
      R"("app_name":"app","prior":[],"tool":"open","args":{"u":1},"result":{},"success":true,"failure":null,)"
      R"("duration_ms":10.0,"reward":-1.0})"
      "\n"
      R"({"id":"row-2","sequence_id":"a_1","step":2,"steps":2,"agent_id":"a","session_id":"s","timestamp":1767225600005,)"
      R"("app_name":"app","prior":["open"],"tool":"write","args":"{\"t\":\"xx","args_bytes":70000,"result":null,)"
      R"("success":false,"failure":"cancelled","duration_ms":10.0,"reward":-1.0})"
      "\n");
}

TEST_CASE("export: jsonl tells what the session called before, in whatever turn") {
  ActionRow other = numbered(2, row(1, "a_1", "elsewhere"));
  other.session_id = "t";
  const std::string out =
      exported("jsonl", {numbered(1, row(0, "a_1", "open")), other,
                         numbered(3, row(2, "a_2", "look")), numbered(4, row(3, "a_2", "click"))});
  std::vector<json> prior;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) prior.push_back(json::parse(line)["prior"]);
  CHECK(prior == std::vector<json>{json::array(), json::array(), {"open"}, {"open", "look"}});
}

TEST_CASE("export: otlp gives a span a call under one a sequence") {
  ActionRow traced = numbered(3, row(20, "a_2", "get"));
  traced.trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  ActionRow bad = failed(numbered(2, row(5, "a_1", "click"), 0.5), "error -1: no");
  bad.duration_ms = 2.25;
  const json request =
      json::parse(exported("otlp", {numbered(1, row(0, "a_1", "open"), 0.5), bad, traced}));
  REQUIRE(request["resourceSpans"].size() == 1);
  const json& resource = request["resourceSpans"][0];
  CHECK(resource["resource"]["attributes"][0]["value"]["stringValue"] == "app");
  const json& spans = resource["scopeSpans"][0]["spans"];
  REQUIRE(spans.size() == 4);
  const json &open = spans[0], &click = spans[1], &turn = spans[2], &get = spans[3];
  CHECK(open["traceId"] == turn["traceId"]);
  CHECK(open["parentSpanId"] == turn["spanId"]);
  CHECK(click["parentSpanId"] == turn["spanId"]);
  CHECK(click["startTimeUnixNano"] == "1767225600005000000");
  CHECK(click["endTimeUnixNano"] == "1767225600007250000");
  CHECK(click["status"] == json{{"code", 2}, {"message", "no"}});
  CHECK(open["status"] == json::object());
  CHECK(turn["name"] == "invoke_agent a");
  CHECK(turn["status"] == json::object());
  CHECK(get["traceId"] == "0af7651916cd43dd8448eb211c80319c");
  CHECK(get["parentSpanId"] == "b7ad6b7169203331");
  CHECK(turn["startTimeUnixNano"] == "1767225600000000000");
  CHECK(turn["endTimeUnixNano"] == "1767225600010000000");
  CHECK_FALSE(turn.contains("parentSpanId"));
}

TEST_CASE("export: otlp names things as OpenTelemetry's conventions for MCP do") {
  const auto attributes = [](const ActionRow& r) {
    json found = json::object();
    const json request = json::parse(exported("otlp", {r}));
    const json& span = request["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    CHECK(span["name"] == "tools/call click");
    CHECK(span["kind"] == 3);
    for (const json& one : span["attributes"])
      found[one["key"].get<std::string>()] = one["value"].begin().value();
    return found;
  };
  ActionRow plain = numbered(1, row(0, "a_1", "click"));
  json of = attributes(plain);
  CHECK(of["mcp.method.name"] == "tools/call");
  CHECK(of["gen_ai.operation.name"] == "execute_tool");
  CHECK(of["gen_ai.tool.name"] == "click");
  CHECK(of["jsonrpc.request.id"] == "7");
  CHECK(of["network.transport"] == "pipe");
  for (const char* absent : {"error.type", "rpc.response.status_code", "mcp.session.id",
                             "mcp.protocol.version", "server.address", "network.protocol.name"}) {
    CAPTURE(absent);
    CHECK_FALSE(of.contains(absent));
  }
  CHECK(of["hebb.session.id"] == "s");  // ours is none of the protocol's
  CHECK(of["hebb.action.id"] == "row-1");

  ActionRow http = failed(plain, "error -32602: Unknown tool: x");
  http.protocol_version = "2025-11-25";
  http.transport = "http";
  http.mcp_session_id = "0af7";
  http.server_address = "[::1]:8080";
  of = attributes(http);
  CHECK(of["error.type"] == "-32602");
  CHECK(of["rpc.response.status_code"] == "-32602");
  CHECK(of["mcp.protocol.version"] == "2025-11-25");
  CHECK(of["mcp.session.id"] == "0af7");
  CHECK(of["network.transport"] == "tcp");
  CHECK(of["network.protocol.name"] == "http");
  CHECK(of["server.address"] == "[::1]");
  CHECK(of["server.port"] == "8080");

  CHECK(attributes(failed(plain))["error.type"] == "tool_error");
  CHECK_FALSE(attributes(failed(plain)).contains("rpc.response.status_code"));
  CHECK(attributes(failed(plain, "server_exit: code 3"))["error.type"] == "server_exit");
  CHECK(attributes(failed(plain, "error without code: m"))["error.type"] == "_OTHER");
}

}  // namespace hebb::capture::test
