// GET /v1/events: nothing is lost and nothing comes twice, whoever appends and whoever restarts.
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

std::string last_id(const std::string& id) { return "Last-Event-ID: " + id + "\r\n"; }

// The position that an event's id begins with.
std::string place(const auto& event) { return event.id.substr(0, event.id.find('-')); }

}  // namespace

TEST_CASE(
    "serve: a stream tells what is appended here and by other processes, and how the top is") {
  const Server server;
  EventStream stream(server, "/v1/events");
  CHECK(Json::parse(stream.next("top").data) == Json{{"tasks", Json::array()}});
  add_task(server, "a");
  const auto first = stream.next();
  CHECK(first.name == "append");
  CHECK(place(first) == "1");
  CHECK(Json::parse(first.data).at("event") == 1);
  CHECK(Json::parse(first.data).at("kind") == "node");
  CHECK(Json::parse(first.data).at("subject") == "a");
  const auto top = stream.next();
  CHECK(top.name == "top");
  CHECK(top.id.empty());
  CHECK(Json::parse(top.data).at("tasks").at(0).at("id") == "a");

  REQUIRE(server.hebb({"node", "set", "b", "--type", "TASK", "--state", "OPEN"}).exit_code == 0);
  const auto second = stream.next("append");
  CHECK(place(second) == "2");
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
  CHECK(place(stream->next("append")) == "1");
  CHECK(place(stream->next("append")) == "2");
  server.kill();
  CHECK(stream->next().name == "end");
  REQUIRE(server.hebb({"node", "set", "c", "--type", "TASK"}).exit_code == 0);
  server.start();
  add_task(server, "d");
  stream = std::make_unique<EventStream>(server, "/v1/events?top=0", last_id("2"));
  CHECK(place(stream->next()) == "3");
  CHECK(place(stream->next()) == "4");
  CHECK(server.stop() == 0);
  CHECK(stream->next().name == "end");
  server.start();
  stream = std::make_unique<EventStream>(server, "/v1/events?top=0", last_id("4"));
  add_task(server, "e");
  CHECK(place(stream->next()) == "5");
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
    REQUIRE(place(event) == std::to_string(i));
    REQUIRE(Json::parse(event.data).at("subject") == "t" + std::to_string(i));
    REQUIRE(other.next().id == event.id);
  }
  CHECK(one.next().name == "top");
  CHECK(other.next().name == "top");
}

TEST_CASE("serve: an id of a stream names its event, so that a changed past is noticed") {
  const Server server;
  EventStream stream(server, "/v1/events?after=0&top=0");
  add_task(server, "a");
  const std::string id = stream.next("append").id;
  add_task(server, "b");
  EventStream again(server, "/v1/events?top=0", last_id(id));
  CHECK(place(again.next("append")) == "2");

  const Server other;  // with another event at that position
  add_task(other, "z");
  const auto refused = other.ask("GET", "/v1/events", last_id(id));
  CHECK(status_of(refused) == 400);
  CHECK(json_of(refused).at("field") == "Last-Event-ID");
  CHECK(body_of(refused).find("read everything again") != std::string::npos);
}

TEST_CASE("serve: HEAD of a stream has its header, no body, and ends") {
  const Server server;
  const auto answer =
      server.send("HEAD /v1/events HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n");
  CHECK(status_of(answer) == 200);
  CHECK(answer.find("Content-Type: text/event-stream") != std::string::npos);
  CHECK(body_of(answer).empty());
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
