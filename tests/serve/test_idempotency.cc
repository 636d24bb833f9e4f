// Requests that come twice, with an Idempotency-Key.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

std::string key(const std::string& key) { return "Idempotency-Key: " + key + "\r\n"; }

// How many outcomes the ledger has.
std::int64_t outcomes(const Server& server) {
  const auto events = json_of(server.ask("GET", "/v1/ledger?limit=1000")).at("events");
  return std::count_if(events.begin(), events.end(),
                       [](const Json& e) { return e.at("kind") == "outcome"; });
}

void restart(Server& server) {
  server.kill();
  server.start();
}

}  // namespace

TEST_CASE("serve: a request with an Idempotency-Key counts once, also across a restart") {
  Server server;
  const auto post = [&](const std::string& target, const std::string& name, const Json& body) {
    return server.ask("POST", target, kJson + key(name), body.dump());
  };
  add_task(server, "a");
  add_task(server, "b");
  const Json outcomes{{"outcomes", {{{"taskId", "a"}, {"outcome", "partial"}}}}};
  const auto first = post("/v1/outcomes", "k1", outcomes);
  CHECK(applied(first) == 1);
  CHECK(body_of(post("/v1/outcomes", "k1", outcomes)) == body_of(first));
  CHECK(server.stop() == 0);
  server.start();
  CHECK(applied(post("/v1/outcomes", "k1", outcomes)) == 0);
  CHECK(applied(post("/v1/outcomes", "k2", outcomes)) == 1);

  const Json edge{{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}};
  const auto linked = post("/v1/edges", "k3", edge);
  INFO(linked);
  REQUIRE(status_of(linked) == 200);
  CHECK(body_of(post("/v1/edges", "k3", edge)) == body_of(linked));
  const Json other{{"source", "b"}, {"target", "a"}, {"type", "RELATES_TO"}};
  CHECK(status_of(post("/v1/edges", "k3", other)) == 422);
  const auto events = json_of(server.ask("GET", "/v1/ledger")).at("events");
  CHECK(std::count_if(events.begin(), events.end(),
                      [](const Json& e) { return e.at("kind") == "edge"; }) == 1);
}

TEST_CASE("serve: a file with an Idempotency-Key counts once, also after SIGKILL") {
  Server server;
  add_task(server, "a");
  const auto post = [&](const std::string& name, const std::string& body) {
    return server.ask("POST", "/v1/outcomes", kLines + key(name), body);
  };
  const std::string partial = R"({"taskId":"a","outcome":"partial"})";
  // The second is not for here, the third has an id, and the fourth's is null, which is none.
  const std::string lines = partial + "\n" + R"({"taskId":"none","outcome":"partial"})" + "\n" +
                            R"({"taskId":"a","outcome":"partial","id":"own"})" + "\n\n" +
                            R"({"taskId":"a","outcome":"partial","id":null})";
  const auto first = post("k1", lines);
  CHECK(applied(first) == 3);
  CHECK(json_of(first).at("refusals").at(0).at("line") == 2);
  CHECK(body_of(post("k1", lines)) == body_of(first));
  CHECK(status_of(post("k1", lines + "\n")) == 422);
  CHECK(outcomes(server) == 3);
  restart(server);
  const auto again = json_of(post("k1", lines));
  CHECK(again.at("duplicates") == 3);
  CHECK(again.at("refused") == 1);
  // What is not the same is refused rather than left out.
  restart(server);
  const auto other = json_of(post("k1", R"({"taskId":"a","outcome":"failure"})"));
  CHECK(other.at("refusals").at(0).at("reason") == "conflict");
  CHECK(outcomes(server) == 3);
  // A dead letter has the id as well.
  add_task(server, "none");
  restart(server);
  CHECK(applied(post("k1", lines + "\n\n")) == 1);
  CHECK(status_of(server.ask("POST", "/v1/dead-letters/retry", kJson, R"({"all":true})")) == 200);
  CHECK(outcomes(server) == 4);

  // Whatever stands around them, and each time under another key.
  const std::string array = "[" + partial + ",\n " + partial + "]";
  CHECK(applied(post("k2", array)) == 2);
  restart(server);
  CHECK(applied(post("k2", array)) == 0);
  CHECK(applied(post("k3", array)) == 2);
  CHECK(applied(server.ask("POST", "/v1/outcomes", kLines, array)) == 2);
}

TEST_CASE("serve: each way to give outcomes counts once with an Idempotency-Key") {
  Server server;
  add_task(server, "a");
  const std::string partial = R"({"taskId":"a","outcome":"partial"})";
  const Json content{{"content", partial + "\n" + partial}, {"format", "outcome"}};
  const auto give = [&] {
    return server.ask("POST", "/v1/outcomes", kJson + key("content"), content.dump());
  };
  const auto say = [&](const std::string& outcome) {
    return server.ask("POST", "/v1/tasks/a/outcome", kJson + key("task"),
                      Json{{"outcome", outcome}}.dump());
  };
  CHECK(applied(give()) == 2);
  CHECK(applied(give()) == 2);
  const auto said = say("success");
  REQUIRE(status_of(said) == 200);
  CHECK(body_of(say("success")) == body_of(said));
  CHECK(status_of(say("failure")) == 422);
  CHECK(outcomes(server) == 3);
  restart(server);
  CHECK(applied(give()) == 0);
  CHECK(json_of(say("success")).at("repeated") == true);
  restart(server);
  const auto other = json_of(say("failure"));
  CHECK(other.at("status") == 422);
  CHECK(outcomes(server) == 3);
}

TEST_CASE("serve: what can be no Idempotency-Key is refused") {
  const Server server;
  add_task(server, "a");
  const auto with = [&](const std::string& headers) {
    const auto answer = server.ask("POST", "/v1/outcomes", kJson + headers,
                                   R"({"outcomes":[{"taskId":"a","outcome":"partial"}]})");
    CAPTURE(headers, answer);
    CHECK(status_of(answer) == 400);
    CHECK(json_of(answer).at("detail").get<std::string>().find("Idempotency-Key") !=
          std::string::npos);
  };
  with(key(""));
  with(key("  "));
  with(key(std::string(256, 'k')));
  with(key("\xc3\xbc"));
  with(key("one") + key("two"));
  CHECK(outcomes(server) == 0);
}
