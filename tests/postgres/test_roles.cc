// Who may do what on a server, and programs of other versions.
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "sql/postgres/server.h"
#include "sql/server_queries.h"
#include "tests/postgres/machines.h"

using namespace hebb;
using namespace hebb::test;
using postgres::Connection;

namespace {

std::string state_of_failure(Connection& connection, const std::string& sql) {
  try {
    connection.run(sql);
  } catch (const postgres::Error& e) {
    return e.sqlstate();
  }
  return "";
}

constexpr const char* kDenied = "42501";

// The schema and roles as an administrator makes them, and a user of each role.
void set_up(Cluster& cluster) {
  cluster.sql(postgres::schema_script());
  cluster.sql(
      "CREATE ROLE reads LOGIN; GRANT hebb_reader TO reads;"
      "CREATE ROLE reports LOGIN; GRANT hebb_reporter TO reports;"
      "CREATE ROLE owns LOGIN; GRANT hebb_owner TO owns;");
}
std::string url_of(Cluster& cluster, const std::string& user) {
  return cluster.url("postgres", user) + "&behind=0&ledger=web";
}

}  // namespace

TEST_CASE("an owner makes ledgers, a reporter appends, a reader reads") {
  Cluster cluster;
  set_up(cluster);
  CHECK(run_process({HEBB_BINARY, "--db", url_of(cluster, "reports"), "init"},
                    {.in = "", .env = {{"XDG_CACHE_HOME", "/nowhere"}}, .folder = ""})
            .exit_code != 0);
  Machine owner(url_of(cluster, "owns"));
  owner.engine().append(node(kStart, "a"));
  Machine reporter(url_of(cluster, "reports"));
  CHECK(reporter.run({"next", "--claim", "--agent", "x"}).exit_code == 0);
  CHECK(reporter.run({"outcome", "a", "success"}).exit_code == 0);
  CHECK(reporter.run({"ingest", "-"}, R"({"taskId":"nobody","outcome":"success"})").exit_code == 3);
  const Machine reader(url_of(cluster, "reads"));
  const auto read = reader.run({"stats", "--json"});
  CHECK(read.exit_code == 0);
  CHECK(read.out.find("\"outcomes\": 1") != std::string::npos);
  const auto written = reader.run({"outcome", "a", "failure"});
  CHECK(written.exit_code != 0);
  CHECK(written.err.find("permission denied") != std::string::npos);
}

TEST_CASE("a reporter's password does not rewrite history") {
  Cluster cluster;
  set_up(cluster);
  Machine owner(url_of(cluster, "owns"));
  owner.engine().append(node(kStart, "a"));
  owner.engine().append(success(kStart, "a"));
  Connection attacker(cluster.url("postgres", "reports"), 5'000);
  for (const std::string sql : {
           "UPDATE hebb.event SET payload = '{}'",
           "DELETE FROM hebb.event",
           "TRUNCATE hebb.event",
           "INSERT INTO hebb.event VALUES ('web', 3, 1, 'node', 'b', 'k', '{}', NULL, 1)",
           "UPDATE hebb.ledger SET position = 0",
           "DELETE FROM hebb.ledger",
           "DELETE FROM hebb.batch",
           "UPDATE hebb.beside SET value = NULL",
           "INSERT INTO hebb.member VALUES ('web', 'reports')",
           "SELECT hebb.create_ledger('mine')",
           "SELECT hebb.move_ledger('web', 'elsewhere')",
           "DROP SCHEMA hebb CASCADE",
           "ALTER TABLE hebb.event DISABLE TRIGGER ALL",
           "ALTER FUNCTION hebb.may_write(text) OWNER TO reports",
           "CREATE TABLE hebb.mine (x int)",
       }) {
    CAPTURE(sql);
    CHECK(state_of_failure(attacker, sql) == kDenied);
  }
  // Appending in the middle is not possible either: only at the end.
  attacker.run(
      "SELECT hebb.append('web', 1, (SELECT checksum FROM hebb.event WHERE position = 1), "
      "gen_random_uuid(), ARRAY[1::bigint], ARRAY['node'], ARRAY['b'], ARRAY['k'], ARRAY['{}'], "
      "ARRAY[NULL::bytea], ARRAY[1::bigint], '{}', '{}', '{}')");
  CHECK(owner.fresh().ledger().last_position() == 2);
  CHECK(owner.engine().verify() == std::vector<std::string>());
}

TEST_CASE("what an administrator runs can be run for each database of a server") {
  Cluster cluster;
  set_up(cluster);
  cluster.sql("CREATE DATABASE second");
  Connection second(cluster.url("second"), 10'000);
  second.run(postgres::schema_script());
  CHECK(second.ask("SELECT version FROM hebb.version").integer(0, 0) == 1);
}

TEST_CASE("a member that is no role shuts nobody else out") {
  Cluster cluster;
  set_up(cluster);
  Machine owner(url_of(cluster, "owns"));
  owner.engine().append(node(kStart, "a"));
  cluster.sql(
      "INSERT INTO hebb.member VALUES ('other', 'nobody', true), ('web', 'nobody', true), "
      "('web', 'owns', true)");
  CHECK(owner.engine().append(success(kStart, "a")) == Applied::applied);
  CHECK(owner.fresh().ledger().last_position() == 2);
}

TEST_CASE("a ledger with members is for them alone") {
  Cluster cluster;
  set_up(cluster);
  cluster.sql("CREATE ROLE other LOGIN; GRANT hebb_reporter TO other");
  Machine owner(url_of(cluster, "owns"));
  owner.engine().append(node(kStart, "a"));
  cluster.sql(
      "INSERT INTO hebb.member VALUES ('web', 'reports', true), ('web', 'owns', true), "
      "('web', 'reads', false)");
  Connection other(cluster.url("postgres", "other"), 5'000);
  for (const char* table : {"event", "ledger", "beside", "batch"}) {
    CAPTURE(table);
    const std::string count = fmt::format("SELECT count(*) FROM hebb.{}", table);
    CHECK(other.ask(count.c_str()).integer(0, 0) == 0);
  }
  CHECK(run_process({HEBB_BINARY, "--db", url_of(cluster, "other"), "rank"},
                    {.in = "", .env = {{"XDG_CACHE_HOME", owner.cache() + "/other"}}, .folder = ""})
            .exit_code == 69);
  CHECK(state_of_failure(other,
                         "SELECT hebb.append('web', 1, 1, gen_random_uuid(), '{}', '{}', "
                         "'{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')") == kDenied);
  Machine member(url_of(cluster, "reports"));
  CHECK(member.engine().append(success(kStart, "a")) == Applied::applied);
  const Machine reader(url_of(cluster, "reads"));
  CHECK(reader.run({"rank"}).exit_code == 0);
}

TEST_CASE("a newer program upgrades the schema at once, and an older one refuses") {
  Cluster cluster;
  Machine machine(cluster.url() + "&behind=0&ledger=a");
  machine.engine().append(node(kStart, "a"));
  const postgres::SchemaStep steps[] = {{2, "ALTER TABLE hebb.ledger ADD COLUMN note text"},
                                        {3, "UPDATE hebb.ledger SET note = 'of version 3'"}};
  // Two programs at once: one does it, and the other finds it done.
  Connection first(cluster.url(), 10'000), second(cluster.url(), 10'000);
  postgres::migrate(first, sql::server::schema, steps);
  postgres::migrate(second, sql::server::schema, steps);
  CHECK(cluster.value("SELECT version FROM hebb.version") == "3");
  CHECK(cluster.value("SELECT note FROM hebb.ledger") == "of version 3");
  const auto old = machine.run({"outcome", "a", "success"});
  CHECK(old.exit_code != 0);
  CHECK(old.err.find("version 3") != std::string::npos);
  CHECK(old.err.find("use a newer program") != std::string::npos);
  // A step that fails changes nothing.
  const postgres::SchemaStep broken[] = {
      {2, ""}, {3, ""}, {4, "UPDATE hebb.ledger SET note = 'half'"}, {5, "SELECT nonsense"}};
  CHECK_THROWS_AS(postgres::migrate(first, sql::server::schema, broken), postgres::Error);
  CHECK(cluster.value("SELECT version FROM hebb.version") == "3");
  CHECK(cluster.value("SELECT note FROM hebb.ledger") == "of version 3");
}

TEST_CASE("an empty server gets the schema once, however many begin at the same time") {
  Cluster cluster;
  Connection first(cluster.url(), 10'000), second(cluster.url(), 10'000);
  postgres::migrate(first, sql::server::schema, {});
  postgres::migrate(second, sql::server::schema, {});
  CHECK(cluster.value("SELECT count(*) FROM hebb.version") == "1");
}

TEST_CASE("a schema that came while one waited to make it is seen") {
  Cluster cluster;
  Connection first(cluster.url(), 10'000), second(cluster.url(), 10'000);
  const std::string lock = "SELECT pg_advisory_xact_lock(hashtextextended('hebb schema', 0))";
  first.run("BEGIN; " + lock);
  std::thread waiting([&] { postgres::migrate(second, sql::server::schema, {}); });
  cluster.wait_until("EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)");
  first.run(sql::server::schema);
  first.run("COMMIT");
  waiting.join();
  CHECK(cluster.value("SELECT count(*) FROM hebb.version") == "1");
}

TEST_CASE("who may not write to a ledger does not move it") {
  Cluster cluster;
  set_up(cluster);
  Machine owner(url_of(cluster, "owns"));
  owner.engine().append(node(kStart, "a"));
  cluster.sql("INSERT INTO hebb.member VALUES ('web', 'owns', false)");
  Connection connection(cluster.url("postgres", "owns"), 10'000);
  CHECK(state_of_failure(connection, "SELECT hebb.move_ledger('web', 'elsewhere')") == kDenied);
}

TEST_CASE("what is given as a URL is read, and what is missing is said") {
  const auto why = [](const std::string& url) {
    try {
      postgres::read_address(url);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(why("postgresql://h/d").find("?ledger=NAME") != std::string::npos);
  CHECK(why("postgresql://h/d?ledger=").find("?ledger=NAME") != std::string::npos);
  CHECK(why("postgresql://h/d?ledger=a%0Ab").find("control characters") != std::string::npos);
  CHECK(why("postgresql://h/d?ledger=a%4").find("hex digits") != std::string::npos);
  CHECK(why("postgresql://h/d?ledger=a&password=se%cret").find("cret") == std::string::npos);
  for (const char* text : {"host=h dbname=d password=secret", "password = 'secret'"}) {
    REQUIRE(postgres::is_address(text));
    CHECK(why(text).find("postgresql://USER@HOST") != std::string::npos);
    CHECK(why(text).find("secret") == std::string::npos);
  }
  for (const char* path : {"host", "a.db", "./host=a", "/x/password=a", "myhost=a"})
    CHECK_FALSE(postgres::is_address(path));
  CHECK(why("postgresql://h/d?ledger=a&behind=soon").find("seconds") != std::string::npos);
  const auto address = postgres::read_address(
      "postgres://me:p%40ss:w@h:5433/d?sslmode=require&ledger=my%20web&password=secret&behind=2.5");
  CHECK(address.ledger == "my web");
  CHECK(address.behind_s == 2.5);
  CHECK(address.conninfo == "postgres://me:p%40ss:w@h:5433/d?sslmode=require&password=secret");
  CHECK(address.shown == "postgres://me@h:5433/d?sslmode=require&ledger=my%20web&behind=2.5");
  CHECK(postgres::read_address("postgresql://h/d?sslpassw%6Frd=secret&ledger=a").shown ==
        "postgresql://h/d?ledger=a");
  CHECK(why("postgresql://u:p/secret@h/d?ledger=a").find("%2F") != std::string::npos);
  CHECK(why("postgresql://u:p/secret@h/d?ledger=a").find("secret") == std::string::npos);
  // One copy for one ledger, whoever asks with whatever password.
  CHECK(address.copy ==
        postgres::read_address("postgres://me@h:5433/d?sslmode=require&ledger=my%20web").copy);
  CHECK(address.copy !=
        postgres::read_address("postgres://me@h:5433/e?ledger=my%20web&sslmode=require").copy);
}
