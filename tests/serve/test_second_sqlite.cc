// A library in the server's process that uses the database with a SQLite of its own.
#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/serve/server.h"
#include "tests/support/second_sqlite.h"

using namespace hebb::test;

TEST_CASE(
    "serve: a second copy of SQLite in its process takes away nothing that was acknowledged") {
  if (!SecondSqlite::possible()) return;
  Server server;
  server.kill();
  const auto nodes = [&] {
    return nlohmann::json::parse(server.hebb({"--json", "stats"}).out).at("nodes").get<int>();
  };
  const int before = nodes();
  const std::string library = server.folder().file("second.so");
  const std::string pipe = server.folder().file("rounds");
  SecondSqlite::copy_library(library);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  ::setenv("LD_PRELOAD", HEBB_SECOND_SQLITE, 1);
  ::setenv("SECOND_SQLITE", library.c_str(), 1);
  ::setenv("SECOND_SQLITE_DATABASE", server.db().c_str(), 1);
  ::setenv("SECOND_SQLITE_ROUNDS", pipe.c_str(), 1);
  server.start();
  ::unsetenv("LD_PRELOAD");
  ::unsetenv("SECOND_SQLITE");
  const int rounds = ::open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(rounds >= 0);
  constexpr int kWrites = 60;
  for (int i = 0; i < kWrites; ++i) {
    const auto answer = server.ask("PUT", "/v1/nodes/n" + std::to_string(i), kJson,
                                   R"({"type":"TASK","state":"OPEN"})");
    INFO(answer);
    CHECK(status_of(answer) == 200);
    char round = 0;
    CHECK(::read(rounds, &round, 1) == 1);
    CHECK(round == '.');
  }
  server.kill();
  ::close(rounds);
  CHECK(server.hebb({"verify"}).exit_code == 0);
  CHECK(nodes() == before + kWrites);
}
