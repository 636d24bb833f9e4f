// Subscriptions to resources over HTTP, in both eras of the protocol.
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

constexpr const char* kUpdated = "notifications/resources/updated";
const std::string kListenHeaders =
    kJson + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";

// A session, as headers of requests.
std::string begin_session(const Server& server) {
  const auto answer =
      server.ask("POST", "/mcp", kJson, rpc("initialize", {{"protocolVersion", "2025-11-25"}}));
  REQUIRE(status_of(answer) == 200);
  CHECK(json_of(answer).at("result").at("capabilities").at("resources") ==
        Json{{"subscribe", true}});
  const std::string id = header_of(answer, "Mcp-Session-Id");
  CHECK(id.size() == 64);
  return kJson + "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + id + "\r\n";
}

std::string subscribe(const Server& server, const std::string& session, const std::string& uri,
                      const std::string& method = "resources/subscribe") {
  return server.ask("POST", "/mcp", session, rpc(method, {{"uri", uri}}));
}

// Another process changes it.
void change(const Server& server, const std::string& id, const std::string& name) {
  REQUIRE(server.hebb({"node", "set", id, "--type", "TASK", "--state", "OPEN", "--name", name})
              .exit_code == 0);
}

// A session that has subscribed to the task t, which is there.
std::string watch_task(const Server& server) {
  change(server, "t", "one");
  std::string session = begin_session(server);
  CHECK(status_of(subscribe(server, session, "hebb://task/t")) == 200);
  return session;
}

// What the next event of a stream says has changed.
std::string told(EventStream& stream) {
  return Json::parse(stream.next().data).at("params").at("uri").get<std::string>();
}

std::string listen(const Json& filter) {
  return rpc("subscriptions/listen",
             {{"notifications", filter},
              {"_meta",
               {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}});
}

}  // namespace

TEST_CASE("serve mcp: a session is told on its stream what has changed, and nothing else") {
  const Server server;
  change(server, "t", "one");
  const std::string session = begin_session(server), other = begin_session(server);
  CHECK(session != other);
  CHECK(status_of(subscribe(server, session, "hebb://task/t")) == 200);
  CHECK(status_of(subscribe(server, other, "hebb://rank")) == 200);
  {
    EventStream stream(server, "/mcp", session);
    change(server, "t", "two");
    const auto event = stream.next();
    CHECK(event.name == "message");
    CHECK(Json::parse(event.data) ==
          Json{{"jsonrpc", "2.0"}, {"method", kUpdated}, {"params", {{"uri", "hebb://task/t"}}}});
  }
  // What changes while no stream is open is told on the next one.
  change(server, "t", "three");
  EventStream stream(server, "/mcp", session);
  CHECK(told(stream) == "hebb://task/t");
  CHECK(status_of(subscribe(server, session, "hebb://task/t", "resources/unsubscribe")) == 200);
  CHECK(status_of(subscribe(server, session, "hebb://rank")) == 200);
  change(server, "u", "another");
  CHECK(told(stream) == "hebb://rank");
  EventStream others(server, "/mcp", other);
  CHECK(told(others) == "hebb://rank");
}

TEST_CASE("serve mcp: what needs a session says so, all else is answered without one") {
  const Server server;
  const std::string none = kJson + "Mcp-Session-Id: none\r\n";
  CHECK(status_of(subscribe(server, kJson, "hebb://rank")) == 400);
  CHECK(status_of(subscribe(server, none, "hebb://rank")) == 404);
  CHECK(status_of(server.ask("GET", "/mcp")) == 405);
  CHECK(status_of(server.ask("GET", "/mcp", none)) == 404);
  CHECK(status_of(server.ask("DELETE", "/mcp", none)) == 404);
  // A server that was started anew does not know the session of before.
  CHECK(status_of(server.ask("POST", "/mcp", none, rpc("ping"))) == 200);
  const std::string session = begin_session(server);
  CHECK(json_of(subscribe(server, session, "hebb://task/none")).contains("error"));
  CHECK(status_of(server.ask("POST", "/mcp", session, rpc("ping"))) == 200);
  CHECK(status_of(server.ask("DELETE", "/mcp", session)) == 200);
  CHECK(status_of(server.ask("DELETE", "/mcp", session)) == 404);
  CHECK(status_of(server.ask("POST", "/mcp", session, rpc("ping"))) == 404);
  CHECK(status_of(server.ask("GET", "/mcp", session)) == 404);
}

TEST_CASE("serve mcp: a stateless request listens, and is told first what it listens to") {
  const Server server;
  change(server, "t", "one");
  EventStream stream(
      server, "/mcp", kListenHeaders, "POST",
      listen({{"resourceSubscriptions", {"hebb://task/t"}}, {"toolsListChanged", true}}));
  const Json meta{{"io.modelcontextprotocol/subscriptionId", 1}};
  const Json first = Json::parse(stream.next().data);
  CHECK(first.at("method") == "notifications/subscriptions/acknowledged");
  CHECK(first.at("params") ==
        Json{{"notifications", {{"resourceSubscriptions", {"hebb://task/t"}}}}, {"_meta", meta}});
  change(server, "t", "two");
  const Json second = Json::parse(stream.next().data);
  CHECK(second.at("method") == kUpdated);
  CHECK(second.at("params") == Json{{"uri", "hebb://task/t"}, {"_meta", meta}});
}

TEST_CASE("serve mcp: what cannot be listened to is an answer and no stream") {
  const Server server;
  const auto ask = [&](const std::string& headers, const std::string& body) {
    return server.ask("POST", "/mcp", headers, body);
  };
  const auto code = [](const std::string& answer) {
    return json_of(answer).at("error").at("code").get<int>();
  };
  const std::string unknown =
      ask(kListenHeaders, listen({{"resourceSubscriptions", {"hebb://task/none"}}}));
  CHECK(status_of(unknown) == 200);
  CHECK(code(unknown) == -32602);
  CHECK(code(ask(kListenHeaders, listen({{"resourceSubscriptions", 7}}))) == -32602);
  const std::string bare = ask(kJson, listen(Json::object()));
  CHECK(status_of(bare) == 400);
  CHECK(code(bare) == -32020);
  CHECK(status_of(ask("Content-Type: text/plain\r\nMCP-Protocol-Version: 2026-07-28\r\n",
                      listen(Json::object()))) == 415);
}

TEST_CASE("mcp: the tool that replays is listed on and off, and gives DISABLED where it is off") {
  const std::string ask = rpc("tools/list") + "\n";
  const std::string replay =
      rpc("tools/call", {{"name", "skill_replay"}, {"arguments", {{"skill", "checkout"}}}}) + "\n";
  const auto has = [](const Json& answer, const std::string& tool) {
    const Json& tools = answer.at("result").at("tools");
    return std::any_of(tools.begin(), tools.end(),
                       [&](const Json& one) { return one.at("name") == tool; });
  };
  const auto code = [](const Json& answer) {
    const Json& result = answer.at("result").at("structuredContent");
    CHECK(result.at("ok") == false);
    return result.at("failure").at("code").get<std::string>();
  };
  const Server server, of_all({"--tools", "all"});
  const auto piped = [&](std::vector<std::string> words, const std::string& line) {
    words.insert(words.begin(), "mcp");
    return Json::parse(server.hebb(words, line).out);
  };
  for (const bool all : {false, true}) {
    INFO(all);
    const Server& http = all ? of_all : server;
    const std::string tools = all ? "all" : "core";
    const Json listed = json_of(http.ask("POST", "/mcp", kJson, ask));
    CHECK(has(listed, "skill_replay"));
    CHECK(has(listed, "skill_recall") == all);
    CHECK(code(json_of(http.ask("POST", "/mcp", kJson, replay))) == "DISABLED");
    CHECK(has(piped({"--tools", tools}, ask), "skill_replay"));
    CHECK(code(piped({"--tools", tools}, replay)) == "DISABLED");
    CHECK(has(piped({"--tools", tools, "--replay", "http://localhost:1"}, ask), "skill_replay"));
  }
  CHECK(has(piped({"--replay", "http://localhost:1"}, ask), "skill_recall"));
}

TEST_CASE("serve mcp: what has not changed is not read again for those who watch it") {
  const Server server;
  const std::string session = watch_task(server);
  EventStream stream(server, "/mcp", session);
  for (const char* name : {"one", "two", "three"}) change(server, "u", name);
  change(server, "t", "two");
  CHECK(told(stream) == "hebb://task/t");
  // To subscribe has read it once; each reading counts.
  const Json node = json_of(server.ask("GET", "/v1/nodes/t")).at("node");
  CHECK(node.at("recall_count") == 1);
}

TEST_CASE("serve mcp: an undo, a claim and a deletion are changes of their task") {
  const Server server;
  const std::string session = watch_task(server);
  EventStream stream(server, "/mcp", session);
  const auto tells = [&](const std::vector<std::string>& command) {
    REQUIRE(server.hebb(command).exit_code == 0);
    CHECK(told(stream) == "hebb://task/t");
  };
  tells({"outcome", "t", "failure"});
  const auto events = json_of(server.ask("GET", "/v1/ledger?limit=1"));
  tells({"undo", events.at("events").at(0).at("event").dump()});
  tells({"next", "--claim", "--agent", "ann"});
  tells({"node", "delete", "t"});
}

TEST_CASE("serve mcp: a resource under two names is told of once") {
  const Server server;
  change(server, "t", "one");
  EventStream stream(
      server, "/mcp", kListenHeaders, "POST",
      listen({{"resourceSubscriptions", {"hebb://task/t", "hebb://task/%74", "hebb://rank"}}}));
  stream.next();
  change(server, "t", "two");
  std::set<std::string> uris;
  for (int i = 0; i < 2; ++i) uris.insert(told(stream));
  CHECK(uris == std::set<std::string>{"hebb://task/%74", "hebb://rank"});
}

TEST_CASE("serve mcp: a long message listens, too") {
  const Server server;
  change(server, "t", "one");
  Json message = Json::parse(listen({{"resourceSubscriptions", {"hebb://task/t"}}}));
  message["params"]["_meta"]["note"] = std::string(100'000, 'x');
  EventStream stream(server, "/mcp", kListenHeaders, "POST", message.dump());
  CHECK(Json::parse(stream.next().data).at("method") == "notifications/subscriptions/acknowledged");
  // What the header calls so and is none is an error.
  const auto other = server.ask("POST", "/mcp", kListenHeaders, rpc("ping"));
  CHECK(status_of(other) == 400);
}

TEST_CASE("serve mcp: the end of a session ends its stream") {
  const Server server;
  const std::string session = begin_session(server);
  EventStream stream(server, "/mcp", session);
  CHECK(status_of(server.ask("DELETE", "/mcp", session)) == 200);
  CHECK(stream.next().name == "end");
}

TEST_CASE("serve mcp: those who only begin sessions push out nobody's") {
  const Server server;
  const std::string session = watch_task(server);
  for (int i = 0; i < 1100; ++i) begin_session(server);
  change(server, "t", "two");
  EventStream stream(server, "/mcp", session);
  CHECK(told(stream) == "hebb://task/t");
  // An id that was made up is none.
  const std::string made_up = kJson + "Mcp-Session-Id: " + std::string(64, 'a') + "\r\n";
  CHECK(status_of(server.ask("GET", "/mcp", made_up)) == 404);
}
