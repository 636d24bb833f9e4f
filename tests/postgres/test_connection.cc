// Several statements at once, transactions across calls, prepared statements, timeouts.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sql/postgres/connection.h"
#include "tests/support/cluster.h"

namespace hebb::postgres {
namespace {

constexpr int kPatientMs = 20'000;

template <typename Action>
std::optional<Error> error_in(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::int64_t number(Connection& connection, const char* sql) {
  return connection.ask(sql).integer(0, 0);
}

}  // namespace

TEST_CASE("after a statement that fails none is run, and the connection is usable") {
  test::Cluster server;
  Connection connection(server.url(), kPatientMs);
  connection.run("CREATE TABLE t (a bigint PRIMARY KEY)");
  const char* const insert = "INSERT INTO t VALUES ($1)";
  const char* const count = "SELECT count(*) FROM t";

  const auto error = error_in([&] {
    connection.ask({{insert, Arguments().integer(1)},
                    {insert, Arguments().integer(1)},
                    {"SELECT 'first used where it is not run'"},
                    {insert, Arguments().integer(2)}});
  });
  REQUIRE(error);
  CHECK(error->sqlstate() == "23505");
  CHECK(std::string(error->what()) ==
        "duplicate key value violates unique constraint \"t_pkey\": Key (a)=(1) already exists.");
  CHECK_FALSE(error->lost());
  CHECK_FALSE(error->waited());
  CHECK_FALSE(connection.in_transaction());
  CHECK(number(connection, count) == 0);  // not the first either: they were one transaction

  // Statements of which the server has heard, and one of which it has not.
  const auto results = connection.ask({{insert, Arguments().integer(3)},
                                       {"SELECT 'first used where it is not run'"},
                                       {insert, Arguments().integer(4)},
                                       {count}});
  REQUIRE(results.size() == 4);
  CHECK(results[3].integer(0, 0) == 2);
  CHECK(connection.ask(std::vector<Request>{}).empty());
}

TEST_CASE("a statement that cannot be prepared can be, once what it needs is there") {
  test::Cluster server;
  Connection connection(server.url(), kPatientMs);
  const char* const select = "SELECT a FROM later";
  const auto error = error_in([&] { connection.ask({{"SELECT 1"}, {select}, {select}}); });
  REQUIRE(error);
  CHECK(error->sqlstate() == "42P01");
  connection.run("CREATE TABLE later (a bigint); INSERT INTO later VALUES (5)");
  CHECK(number(connection, select) == 5);

  // What it returns has changed: refused once, then prepared anew.
  connection.run("ALTER TABLE later ALTER a TYPE integer");
  const auto stale = error_in([&] { connection.ask(select); });
  REQUIRE(stale);
  CHECK(stale->sqlstate() == "0A000");
  CHECK(number(connection, select) == 5);
  connection.run("DEALLOCATE ALL");
  // As where a pooler gives it another session.
  const auto unknown = error_in([&] { connection.ask(select); });
  REQUIRE(unknown);
  CHECK(unknown->sqlstate() == "26000");
  CHECK(std::string(unknown->what()).find("pool_mode = session") != std::string::npos);
  CHECK(number(connection, select) == 5);
}

TEST_CASE("a transaction goes on from one call to the next") {
  test::Cluster server;
  Connection connection(server.url(), kPatientMs), other(server.url(), kPatientMs);
  connection.run("CREATE TABLE t (a bigint)");
  const char* const count = "SELECT count(*) FROM t";

  connection.ask({{"BEGIN"}, {"INSERT INTO t VALUES (1)"}});
  CHECK(connection.in_transaction());
  connection.ask("INSERT INTO t VALUES (2)");
  connection.run("INSERT INTO t VALUES (3)");
  CHECK(number(other, count) == 0);
  CHECK(number(connection, count) == 3);
  connection.ask("COMMIT");
  CHECK_FALSE(connection.in_transaction());
  CHECK(number(other, count) == 3);

  connection.ask({{"BEGIN"}, {"INSERT INTO t VALUES (4)"}});
  CHECK(error_in([&] { connection.ask("SELECT 1/0"); })->sqlstate() == "22012");
  CHECK(connection.in_transaction());
  CHECK(error_in([&] { connection.ask(count); })->sqlstate() == "25P02");
  connection.run("ROLLBACK");
  CHECK_FALSE(connection.in_transaction());
  CHECK(number(connection, count) == 3);

  // An error of the commit itself.
  connection.run("CREATE TABLE late (a bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)");
  const char* const insert = "INSERT INTO late VALUES (1)";
  CHECK(error_in([&] { connection.ask({{insert}, {insert}}); })->sqlstate() == "23505");
  CHECK(number(connection, "SELECT count(*) FROM late") == 0);
}

TEST_CASE("text of several statements is one transaction, and says its first error") {
  test::Cluster server;
  Connection connection(server.url(), kPatientMs);
  const auto error =
      error_in([&] { connection.run("CREATE TABLE t (a bigint); SELECT nothing; SELECT 1"); });
  REQUIRE(error);
  CHECK(error->sqlstate() == "42703");
  CHECK(connection.ask("SELECT to_regclass('t')").is_null(0, 0));
  connection.run("CREATE TABLE t (a bigint)");
  // A message that is no error is not printed, and in nobody's way.
  connection.run("CREATE TABLE IF NOT EXISTS t (a bigint); DO $$ BEGIN RAISE WARNING 'ü'; END $$");
  CHECK(connection.in_transaction() == false);
}

TEST_CASE("what is locked for longer than the timeout was waited for, and the timeout stays") {
  test::Cluster server;
  Connection holder(server.url(), kPatientMs), other(server.url(), kPatientMs);
  holder.run("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)");
  holder.run("BEGIN; LOCK TABLE t");
  const char* const update = "UPDATE t SET a = a + 1";
  other.set_timeout(200);
  const auto locked = error_in([&] { other.ask(update); });
  REQUIRE(locked);
  CHECK(locked->waited());
  CHECK_FALSE(locked->lost());
  const auto slow = error_in([&] { other.ask("SELECT pg_sleep(60)"); });
  REQUIRE(slow);
  CHECK(slow->sqlstate() == "57014");
  CHECK(slow->waited());

  holder.run("ROLLBACK");
  other.set_timeout(kPatientMs);
  other.ask(update);
  CHECK(number(holder, "SELECT a FROM t") == 2);

  // One that was set in a transaction outlives its rollback.
  Connection connection(server.url(), kPatientMs);
  const char* const show =
      "SELECT current_setting('statement_timeout') || current_setting('lock_timeout')";
  CHECK(connection.ask(show).text(0, 0) == "20s20s");
  connection.run("BEGIN");
  connection.set_timeout(7000);
  CHECK(connection.ask(show).text(0, 0) == "7s7s");
  connection.run("ROLLBACK");
  CHECK(connection.ask(show).text(0, 0) == "7s7s");

  connection.run("BEGIN");
  CHECK(error_in([&] { connection.ask("SELECT 1/0"); }));
  connection.set_timeout(8000);
  connection.run("ROLLBACK");
  CHECK(connection.ask(show).text(0, 0) == "8s8s");
  connection.set_timeout(0);
  CHECK(error_in([&] { connection.ask("SELECT pg_sleep(60)"); })->waited());
}

TEST_CASE("a session says who it is and is kept by the server as long as its client") {
  test::Cluster server;
  const auto setting = [](Connection& connection, const std::string& name) {
    return std::string(
        connection.ask("SELECT current_setting($1)", Arguments().text(name)).text(0, 0));
  };
  Connection connection(server.url_tcp(), kPatientMs);
  for (const auto& [name, value] :
       {std::pair{"application_name", "hebb"}, std::pair{"client_encoding", "UTF8"},
        std::pair{"idle_in_transaction_session_timeout", "1min"},
        std::pair{"client_connection_check_interval", "1s"}, std::pair{"tcp_keepalives_idle", "30"},
        std::pair{"tcp_keepalives_interval", "10"}, std::pair{"tcp_keepalives_count", "3"}}) {
    INFO(name);
    CHECK(setting(connection, name) == value);
  }
  Connection named(server.url_tcp() + "?application_name=other", kPatientMs);
  CHECK(setting(named, "application_name") == "other");

  Connection moved(std::move(named));
  CHECK(number(moved, "SELECT 1") == 1);
  connection = std::move(moved);
  CHECK(setting(connection, "application_name") == "other");
}

}  // namespace hebb::postgres
