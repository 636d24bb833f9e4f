// The first command on a new machine, and a look that counts as none.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/serve/server.h"

using namespace hebb::test;

TEST_CASE("serve: a database that is not there is made") {
  Server server;
  server.stop();
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(server.db() + end);
  server.start();
  CHECK(status_of(server.ask("GET", "/readyz")) == 200);
  const auto path = server.ask("GET", "/v1/rank");
  REQUIRE(status_of(path) == 200);
  CHECK(json_of(path)["tasks"].empty());
  CHECK(server.hebb({"verify"}).exit_code == 0);
}

TEST_CASE("serve: who only looks around changes nothing of what is asked for most") {
  const Server server;
  server.ask("PUT", "/v1/nodes/a", kJson, R"({"type":"TASK","name":"Mend the login"})");
  const auto count = [&] {
    const auto got = server.ask("GET", "/v1/nodes/a?recall=false");
    return json_of(got).at("node").at("recall_count").get<int>();
  };
  const auto found = server.ask("GET", "/v1/search?query=login&recall=false");
  REQUIRE(status_of(found) == 200);
  CHECK(json_of(found).at("nodes").size() == 1);
  CHECK(count() == 0);
  CHECK(count() == 0);
  server.ask("GET", "/v1/nodes/a");
  CHECK(count() == 1);
  server.ask("GET", "/v1/search?query=login");
  CHECK(count() == 2);
}
