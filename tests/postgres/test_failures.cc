// Servers that end, networks that fail, clients that are killed, and what the messages say.
#include <csignal>
#include <future>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/postgres/connection.h"
#include "sql/postgres/errors.h"
#include "tests/support/cluster.h"
#include "tests/support/proxy.h"

namespace hebb::postgres {
namespace {

constexpr int kLongMs = 20'000;

template <typename Action>
std::optional<Error> failure(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::optional<Error> failure_to_connect(const std::string& url, int timeout_ms = kLongMs) {
  return failure([&] { Connection(url, timeout_ms); });
}

bool has(const std::optional<Error>& error, const std::string& words) {
  return error && std::string(error->what()).find(words) != std::string::npos;
}

const char* const kRunsSleep =
    "EXISTS (SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)' AND state = "
    "'active')";

// The error of a statement that runs while the server ends.
template <typename End>
std::optional<Error> failure_while(test::Cluster& server, End end) {
  auto sleeping = std::async(std::launch::async, [url = server.url()] {
    return failure([&] { Connection(url, 300'000).ask("SELECT pg_sleep(600)"); });
  });
  server.wait_until(kRunsSleep);
  end();
  return sleeping.get();
}

}  // namespace

TEST_CASE("a server that is killed, stopped or ends a session: the connection is lost") {
  test::Cluster server;
  Connection before(server.url(), kLongMs);
  const auto killed = failure_while(server, [&] { server.kill(); });
  REQUIRE(killed);
  CHECK(killed->lost());
  CHECK_FALSE(killed->waited());

  CHECK(failure([&] { before.ask("SELECT 1"); })->lost());
  CHECK(failure([&] { before.run("SELECT 1"); })->lost());
  CHECK(failure([&] { before.set_timeout(5); })->lost());
  CHECK_FALSE(before.in_transaction());

  server.start();
  const auto stopped = failure_while(server, [&] { server.stop(); });
  REQUIRE(stopped);
  CHECK(stopped->sqlstate() == "57P01");
  CHECK(stopped->lost());
  const auto refused = failure_to_connect(server.url());
  REQUIRE(refused);
  CHECK(refused->lost());
  CHECK(failure_to_connect(server.url_tcp())->lost());

  server.start();
  Connection after(server.url(), kLongMs);
  CHECK(after.ask("SELECT 1").integer(0, 0) == 1);
  const auto ended = failure([&] { after.ask("SELECT pg_terminate_backend(pg_backend_pid())"); });
  REQUIRE(ended);
  CHECK(ended->sqlstate() == "57P01");
  CHECK(ended->lost());
  server.restart();
  CHECK(Connection(server.url(), kLongMs).ask("SELECT 2").integer(0, 0) == 2);
}

TEST_CASE("whether to try again: not where the server refuses who asks") {
  test::ClusterOptions options;
  options.password = "geheim%words";
  test::Cluster server(options);
  const auto address = fmt::format("@127.0.0.1:{}/postgres", server.port());

  CHECK_FALSE(failure_to_connect("postgresql://postgres:geheim%25words" + address));
  const auto wrong = failure_to_connect("postgresql://postgres:falsch" + address);
  REQUIRE(wrong);
  CHECK(wrong->sqlstate() == "28P01");
  CHECK_FALSE(wrong->lost());
  CHECK(has(wrong, "password authentication failed for user \"postgres\""));
  CHECK_FALSE(has(wrong, "falsch"));
  CHECK_FALSE(has(wrong, "28P01: "));
  const auto none = failure_to_connect("postgresql://postgres" + address);
  REQUIRE(none);
  CHECK_FALSE(none->lost());
  const auto absent = failure_to_connect(server.url("absent"));
  REQUIRE(absent);
  CHECK(absent->sqlstate() == "3D000");
  CHECK_FALSE(absent->lost());

  server.sql("CREATE USER few; ALTER USER few CONNECTION LIMIT 0");
  const auto many = failure_to_connect(server.url("postgres", "few"));
  REQUIRE(many);
  CHECK(many->sqlstate() == "53300");
  CHECK(many->lost());
}

TEST_CASE("no message holds a password, and one that cannot be read is explained") {
  for (const char* const conninfo :
       {"postgresql://u:geheim@[::1/x", "postgresql://u:geh%65im%ZZ@127.0.0.1/x",
        "postgresql://u:geheim@127.0.0.1:port/x", "postgresql://u:geheim@127.0.0.1/x?sslmode=never",
        "postgresql://127.0.0.1/x?password=geheim&sslmode=never", "password=geheim host",
        "host=127.0.0.1 password = 'geheim' sslmode=never", "password='geheim",
        "postgresql://u:geheim@127.0.0.1/x?sslpassword=geheim&nothing=1"}) {
    INFO(conninfo);
    const auto error = failure_to_connect(conninfo);
    REQUIRE(error);
    CHECK_FALSE(error->lost());
    CHECK_FALSE(has(error, "geheim"));
    CHECK_FALSE(has(error, "geh%65im"));
  }
  for (const char* const url :
       {"postgresql://u:ge/heim@127.0.0.1:1/x", "postgresql://u:ge@heim@127.0.0.1:1/x"}) {
    INFO(url);
    const auto error = failure_to_connect(url);
    CHECK(has(error, "%40"));
    CHECK_FALSE(has(error, "heim@"));
  }
  CHECK(without_passwords("a geheim b", "postgresql://u:geheim@h/x") == "a … b");
  CHECK(without_passwords("a ge@heim b", "postgresql://u:ge%40heim@h/x") == "a … b");
  CHECK(without_passwords("a u b", "postgresql://u@h/x") == "a u b");
}

TEST_CASE("a network that swallows everything is waited for as long as told, and no longer",
          "[slow]") {
  test::Cluster server;
  test::Proxy proxy(server.port());
  Connection connection(proxy.url(), kLongMs);
  const char* const query = "SELECT 1";
  CHECK(connection.ask(query).integer(0, 0) == 1);
  connection.set_timeout(100);
  proxy.swallow();
  const auto connecting = failure_to_connect(proxy.url(), 200);
  REQUIRE(connecting);
  CHECK(connecting->lost());
  CHECK(has(connecting, "no answer within 200 ms"));
  const auto asking = failure([&] { connection.ask(query); });
  REQUIRE(asking);
  CHECK(asking->lost());
  CHECK(has(asking, "no answer from the server within 5"));
  CHECK(failure([&] { connection.ask(query); })->lost());
  CHECK(proxy.connections() == 2);

  proxy.pass();
  proxy.delay(std::chrono::milliseconds(5));
  CHECK(Connection(proxy.url(), kLongMs).ask(query).integer(0, 0) == 1);
}

TEST_CASE("a connection that breaks anywhere is lost, and what was committed is there or not") {
  test::Cluster server;
  test::Proxy proxy(server.port());
  server.sql("CREATE TABLE t (a bigint)");
  const auto insert = [&] {
    Connection connection(proxy.url(), kLongMs);
    connection.ask({{"BEGIN"}, {"INSERT INTO t VALUES ($1)", Arguments().integer(1)}});
    connection.ask("COMMIT");
  };
  const auto lost = [&] {
    const auto error = failure(insert);
    return error && error->lost();
  };

  proxy.cut_at("COMMIT", test::Proxy::When::before);
  CHECK(lost());
  server.wait_until("NOT EXISTS (SELECT FROM pg_stat_activity WHERE state LIKE 'idle in%')");
  CHECK(server.value("SELECT count(*) FROM t") == "0");
  proxy.cut_at("COMMIT", test::Proxy::When::after);
  CHECK(lost());
  CHECK(server.value("SELECT count(*) FROM t") == "1");
  CHECK(proxy.cuts() == 2);

  for (const auto to : {test::Proxy::To::server, test::Proxy::To::client}) {
    for (std::size_t bytes = 0; bytes < 600; bytes += 50) {
      INFO(bytes);
      proxy.cut_after(to, bytes);
      CHECK(lost());
    }
  }
  CHECK(proxy.cuts() == 26);
  CHECK_FALSE(failure(insert));

  Connection open(proxy.url(), kLongMs);
  proxy.cut();
  CHECK(failure([&] { open.ask("SELECT 1"); })->lost());
}

TEST_CASE("the session of a client that is killed while it waits for a lock ends") {
  test::Cluster server;
  Connection holder(server.url(), kLongMs);
  holder.run("CREATE TABLE t (a bigint)");
  holder.run("BEGIN; LOCK TABLE t");
  const pid_t client = fork();
  if (client == 0) {
    try {
      Connection(server.url(), 300'000).ask("INSERT INTO t VALUES (1)");
    } catch (const std::exception&) {
    }
    _exit(1);
  }
  const std::string waits = "EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock')";
  server.wait_until(waits);
  kill(client, SIGKILL);
  int status = 0;
  REQUIRE(waitpid(client, &status, 0) == client);
  CHECK(WIFSIGNALED(status));
  server.wait_until("NOT " + waits);
  holder.run("COMMIT");
  CHECK(server.value("SELECT count(*) FROM t") == "0");
}

}  // namespace hebb::postgres
