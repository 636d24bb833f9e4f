// GET /v1/events: nothing is lost and nothing comes twice, whoever appends and whoever restarts.
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

std::string last_id(const std::string& id) { return "Last-Event-ID: " + id + "\r\n"; }

}  // namespace

TEST_CASE(
    "serve: a stream tells what is appended here and by other processes, and how the top is") {
  const Server server;
  EventStream stream(server, "/v1/events");
  CHECK(Json::parse(stream.next("top").data) == Json{{"tasks", Json::array()}});
  add_task(server, "a");
  const auto first = stream.next();
  CHECK(first.name == "append");
  CHECK(first.id == "1");
  CHECK(Json::parse(first.data).at("event") == 1);
  CHECK(Json::parse(first.data).at("kind") == "node");
  CHECK(Json::parse(first.data).at("subject") == "a");
  const auto top = stream.next();
  CHECK(top.name == "top");
  CHECK(top.id.empty());
  CHECK(Json::parse(top.data).at("tasks").at(0).at("id") == "a");

  REQUIRE(server.hebb({"node", "set", "b", "--type", "TASK", "--state", "OPEN"}).exit_code == 0);
  const auto second = stream.next("append");
  CHECK(second.id == "2");
  CHECK(Json::parse(second.data).at("subject") == "b");
  CHECK(Json::parse(stream.next("top").data).at("tasks").size() == 2);
  // Who has been told of an event finds it in the ranking.
  const auto path = server.ask("GET", "/v1/rank?limit=5");
  CHECK(json_of(path).at("tasks").size() == 2);
}

TEST_CASE("serve: a stream goes on behind Last-Event-ID, across a kill and a clean stop") {
  Server server;
  auto stream = std::make_unique<EventStream>(server, "/v1/events?top=0");
  add_task(server, "a");
  add_task(server, "b");
  CHECK(stream->next("append").id == "1");
  CHECK(stream->next("append").id == "2");
  server.kill();
  CHECK(stream->next().name == "end");
  REQUIRE(server.hebb({"node", "set", "c", "--type", "TASK"}).exit_code == 0);
  server.start();
  add_task(server, "d");
  stream = std::make_unique<EventStream>(server, "/v1/events?top=0", last_id("2"));
  CHECK(stream->next().id == "3");
  CHECK(stream->next().id == "4");
  CHECK(server.stop() == 0);
  CHECK(stream->next().name == "end");
  server.start();
  stream = std::make_unique<EventStream>(server, "/v1/events?top=0", last_id("4"));
  add_task(server, "e");
  CHECK(stream->next().id == "5");
}

TEST_CASE("serve: a long tail comes whole, in order, to several streams") {
  const Server server;
  std::string lines;
  constexpr int kTasks = 1700;  // several pieces
  for (int i = 1; i <= kTasks; ++i) lines += history_node("t" + std::to_string(i), i).dump() + "\n";
  REQUIRE(applied(server.ask("POST", "/v1/outcomes?format=history", kLines, lines)) == kTasks);
  EventStream one(server, "/v1/events?after=0"), other(server, "/v1/events", last_id("0"));
  for (int i = 1; i <= kTasks; ++i) {
    const auto event = one.next();
    REQUIRE(event.id == std::to_string(i));
    REQUIRE(Json::parse(event.data).at("subject") == "t" + std::to_string(i));
    REQUIRE(other.next().id == event.id);
  }
  CHECK(one.next().name == "top");
  CHECK(other.next().name == "top");
}

TEST_CASE("serve: what cannot be a place in the ledger is refused, and streams have a number") {
  const Server server;
  const auto status = [&](const std::string& target, const std::string& header = "") {
    return status_of(server.ask("GET", target, header));
  };
  CHECK(status("/v1/events", last_id("7")) == 400);  // there are no seven events
  CHECK(status("/v1/events", last_id("x")) == 400);
  CHECK(status("/v1/events?after=-1") == 400);
  CHECK(status("/v1/events?top=101") == 400);
  CHECK(status("/v1/events?since=1") == 400);
  CHECK(status_of(server.ask("POST", "/v1/events")) == 405);
  std::vector<std::unique_ptr<EventStream>> streams;
  for (int i = 0; i < 64; ++i)
    streams.push_back(std::make_unique<EventStream>(server, "/v1/events"));
  const auto refused = server.ask("GET", "/v1/events");
  CHECK(status_of(refused) == 429);
  CHECK(header_of(refused, "Retry-After") == "5");
  CHECK(status_of(server.ask("GET", "/v1/rank")) == 200);
}
