// Subscriptions of the client of a pipe, in both eras of the protocol; over HTTP there are none.
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "serve/mcp/methods.h"
#include "serve/mcp/subscriptions.h"
#include "tests/api/session.h"
#include "tests/serve/server.h"

using namespace hebb::test;
using hebb::api::ask;
using hebb::api::MemorySession;
using hebb::serve::mcp::Subscriptions;

namespace {

constexpr const char* kTask = "hebb://task/t";
using Uris = std::vector<std::string>;

// A database with the task t.
class Watched {
 public:
  Watched() { set("t", "one"); }

  void set(const std::string& id, const std::string& name, bool later = true) {
    if (later) session.later(1000);
    ask(session, "node_set", {{"id", id}, {"type", "TASK"}, {"state", "OPEN"}, {"name", name}});
  }
  // The resources that are reported as changed.
  Uris changed() {
    Uris uris;
    for (const auto& one : subscriptions.changes(session)) {
      CHECK(one.at("method") == "notifications/resources/updated");
      uris.push_back(one.at("params").at("uri"));
    }
    return uris;
  }

  MemorySession session{hebb::api::kNow};
  Subscriptions subscriptions;
};

Json stateless(const Json& params) {
  Json all = params;
  all["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                  {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  return all;
}

}  // namespace

TEST_CASE("mcp: a client hears what has changed, once, and nothing else") {
  Watched w;
  w.subscriptions.subscribe(w.session, kTask);
  CHECK(w.changed().empty());
  w.set("u", "another");
  CHECK(w.changed().empty());
  w.set("t", "two");
  w.set("t", "three");
  // To subscribe to another does not lose it.
  w.subscriptions.subscribe(w.session, "hebb://rank");
  CHECK(w.changed() == Uris{kTask});
  CHECK(w.changed().empty());
  w.subscriptions.unsubscribe(kTask);
  w.set("t", "four");
  CHECK(w.changed() == Uris{"hebb://rank"});
  // An event that leaves the ranking as it is, which says of when it is.
  w.set("t", "four", false);
  CHECK(w.changed().empty());
  CHECK_THROWS(w.subscriptions.subscribe(w.session, "hebb://task/none"));
  w.subscriptions.unsubscribe("hebb://rank");
  CHECK(w.subscriptions.empty());
}

TEST_CASE("mcp: an undo, a claim and a deletion are changes of their task") {
  Watched w;
  w.subscriptions.subscribe(w.session, kTask);
  const auto changes = [&](const char* operation, const Json& request) {
    w.session.later(1000);
    ask(w.session, operation, request);
    CHECK(w.changed() == Uris{kTask});
  };
  changes("outcome", {{"id", "t"}, {"outcome", "failure"}});
  const auto events = ask(w.session, "events", {{"limit", 1}});
  changes("undo", {{"event", events.at("events").at(0).at("event")}});
  changes("next", {{"claim", true}, {"agent", "ann"}});
  changes("node_delete", {{"id", "t"}});
}

TEST_CASE("mcp: a stateless request listens until it is cancelled, under each name") {
  Watched w;
  const Json meta{{"io.modelcontextprotocol/subscriptionId", 7}};
  const Json uris{kTask, "hebb://task/%74"};
  const Json first = w.subscriptions.listen(
      w.session, 7,
      {{"notifications", {{"resourceSubscriptions", uris}, {"toolsListChanged", true}}}});
  CHECK(first.at("method") == "notifications/subscriptions/acknowledged");
  CHECK(first.at("params") ==
        Json{{"notifications", {{"resourceSubscriptions", uris}}}, {"_meta", meta}});
  w.set("t", "two");
  const Json changes = w.subscriptions.changes(w.session);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at("params") == Json{{"uri", "hebb://task/%74"}, {"_meta", meta}});
  w.subscriptions.cancel(7);
  CHECK(w.subscriptions.empty());
  CHECK_THROWS(w.subscriptions.listen(w.session, 7, {{"notifications", 7}}));
  CHECK_THROWS(w.subscriptions.listen(
      w.session, 7, {{"notifications", {{"resourceSubscriptions", {"hebb://task/none"}}}}}));
}

TEST_CASE("mcp: a pipe has subscriptions, HTTP has no session and none") {
  const Server server;
  add_task(server, "t");
  const std::string begin = rpc("initialize", {{"protocolVersion", "2025-11-25"}});
  const std::string subscribe = rpc("resources/subscribe", {{"uri", kTask}});
  const auto piped = talk(server.folder(), begin + "\n" + subscribe + "\n");
  CHECK(piped.at(0).at("result").at("capabilities").at("resources") == Json{{"subscribe", true}});
  CHECK(piped.at(1).at("result") == Json::object());
  const auto begun = server.ask("POST", "/mcp", kJson, begin);
  CHECK(json_of(begun).at("result").at("capabilities").at("resources") == Json::object());
  CHECK(header_of(begun, "Mcp-Session-Id").empty());
  const auto refused = [&](const std::string& headers, const std::string& body) {
    const std::string answer = server.ask("POST", "/mcp", kJson + headers, body);
    CHECK(json_of(answer).at("error").at("code") == -32601);
    return status_of(answer);
  };
  // That of an older version is a header like any other.
  CHECK(refused("Mcp-Session-Id: 1\r\n", subscribe) == 200);
  CHECK(refused("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
                rpc("subscriptions/listen", stateless({{"notifications", Json::object()}}))) ==
        404);
  for (const char* method : {"GET", "DELETE"}) CHECK(status_of(server.ask(method, "/mcp")) == 405);
}
