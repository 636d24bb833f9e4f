// A server that lost its end or was changed, machines that are gone, and what nobody may do.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sql/postgres/move.h"
#include "sql/postgres/server.h"
#include "tests/postgres/machines.h"
#include "tests/support/folder.h"

using namespace hebb;
using namespace hebb::test;

namespace {

std::string ledger_of(const std::string& url) { return url.substr(url.rfind('=') + 1); }

// As a failover to a server that did not have the end yet.
void lose_after(Cluster& cluster, const std::string& ledger, int position) {
  cluster.sql(fmt::format(
      "DELETE FROM hebb.event WHERE ledger = '{0}' AND position > {1};"
      "DELETE FROM hebb.batch WHERE ledger = '{0}' AND position > {1};"
      "UPDATE hebb.ledger SET position = {1}, checksum = (SELECT checksum FROM hebb.event "
      "WHERE ledger = '{0}' AND position = {1}) WHERE name = '{0}'",
      ledger, position));
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("a server that lost its end: every command says so, and what is lost is rescued") {
  Cluster& cluster = shared_cluster();
  const std::string url = new_ledger();
  Machine ahead(url), behind(url);
  ahead.engine().append(node(kStart, "a"));
  ahead.engine().append(node(kStart, "b"));
  behind.fresh();
  ahead.engine().append(keyed(success(kStart + kHour, "a"), "run-1"));
  ahead.engine().append(success(kStart + kHour, "b"));
  lose_after(cluster, ledger_of(url), 2);

  SECTION("and nothing came since") {}
  SECTION("and others have appended since") {
    behind.engine().append(node(kStart + kDay, "c"));
    behind.engine().append(node(kStart + kDay, "d"));
    behind.engine().append(node(kStart + kDay, "e"));
  }
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"outcome", "a", "failure"},
                                             {"next", "--claim", "--agent", "x"},
                                             {"recalibrate"},
                                             {"rank"}}) {
    CAPTURE(args);
    const auto result = ahead.run(args);
    CHECK(result.exit_code == 69);
    says(result.err, "diverged");
    says(result.err, "rescue");
  }
  const Folder dir;
  const auto rescue = ahead.run({"rescue", dir.file("lost.jsonl")});
  INFO(rescue.err);
  REQUIRE(rescue.exit_code == 0);
  const auto taken = ahead.run({"import", dir.file("lost.jsonl"), "--json"});
  INFO(taken.out << taken.err);
  CHECK(taken.exit_code == 0);
  says(taken.out, "\"applied\": 2");
  says(ahead.run({"import", dir.file("lost.jsonl"), "--json"}).out, "\"duplicates\": 2");
  CHECK(behind.fresh().verify() == std::vector<std::string>());
  CHECK(behind.engine().ledger().position_of(event_key(OutcomeSignal{}, "run-1")));
}

TEST_CASE("a server that was made anew: what the copy has is rescued, and then it begins again") {
  Cluster cluster;
  Machine machine(cluster.url() + "&behind=0&ledger=a");
  machine.engine().append(node(kStart, "a"));
  machine.engine().append(success(kStart, "a"));
  cluster.sql("DROP SCHEMA hebb CASCADE");
  says(machine.run({"rank"}).err, "rescue");
  const Folder dir;
  CHECK(machine.run({"rescue", dir.file("lost.jsonl")}).exit_code == 0);
  CHECK(machine.run({"init"}).exit_code == 0);
  CHECK(machine.run({"import", dir.file("lost.jsonl")}).exit_code == 0);
  says(machine.run({"stats", "--json"}).out, "\"outcomes\": 1");
}

TEST_CASE("a server that lost refused inputs: every command says so, and verify") {
  Cluster& cluster = shared_cluster();
  const std::string url = new_ledger(), refused = R"({"taskId":"nobody","outcome":"success"})";
  Machine machine(url);
  machine.engine().append(node(kStart, "a"));
  ingest(machine.engine(), refused, "outcome");
  CHECK(machine.run({"rank"}).exit_code == 0);  // reads from the server what it wrote there
  cluster.sql(
      fmt::format("DELETE FROM hebb.beside WHERE ledger = '{0}';"
                  "UPDATE hebb.ledger SET change = 0 WHERE name = '{0}'",
                  ledger_of(url)));
  for (const char* command : {"rank", "recalibrate"}) {
    CAPTURE(command);
    const auto result = machine.run({command});
    CHECK(result.exit_code == 69);
    says(result.err, "refused inputs");
  }
  says(machine.run({"verify"}).out, "refused inputs");
  const Folder dir;
  CHECK(machine.run({"rescue", dir.file("lost.jsonl")}).exit_code == 0);
  CHECK(machine.run({"rank"}).exit_code == 0);
}

TEST_CASE("a ledger without events that the server lost is made anew") {
  Cluster cluster;
  Machine machine(cluster.url() + "&behind=0&ledger=a");
  CHECK(machine.run({"init"}).exit_code == 0);
  cluster.sql("DROP SCHEMA hebb CASCADE");
  CHECK(machine.run({"init"}).exit_code == 0);
  CHECK(machine.run({"add", "a task"}).exit_code == 0);
}

TEST_CASE("a copy that is damaged is named, and made anew once it is removed") {
  Machine machine(new_ledger());
  machine.engine().append(node(kStart, "a"));
  machine.engine().sync();
  const std::string path = machine.copy_path();
  const auto damaged = [&] {
    const auto result = machine.run({"rank"});
    CHECK(result.exit_code != 0);
    return says(result.err, "remove " + path);
  };
  write_text(path, std::string(8'000, '!'));
  std::filesystem::remove(path + "-wal");
  std::filesystem::remove(path + "-shm");
  CHECK(damaged());
  postgres::remove_copy(postgres::read_address(machine.url()));
  CHECK(machine.run({"rank"}).exit_code == 0);
}

TEST_CASE("verify names an event that somebody changed, or took, on the server") {
  Cluster& cluster = shared_cluster();
  const std::string url = new_ledger();
  Machine machine(url);
  for (int i = 0; i < 5; ++i) machine.engine().append(node(kStart + i, fmt::format("t{}", i)));
  const std::string ledger = ledger_of(url);
  SECTION("its text") {
    cluster.sql("UPDATE hebb.event SET at = at + 1 WHERE position = 3 AND ledger = '" + ledger +
                "'");
    const auto problems = machine.engine().verify();
    REQUIRE(problems.size() == 1);
    CHECK(problems[0] == "server: event 3 is not what was appended");
    Machine later(url);
    const auto there = later.engine().verify();
    CHECK(says(fmt::format("{}", fmt::join(there, "\n")), "event 3"));
  }
  SECTION("its checksum") {
    cluster.sql("UPDATE hebb.event SET checksum = 1 WHERE position = 3 AND ledger = '" + ledger +
                "'");
    says(fmt::format("{}", fmt::join(machine.engine().verify(), "\n")),
         "diverged: event 3 is another one than in the copy");
  }
  SECTION("all of it") {
    cluster.sql("DELETE FROM hebb.event WHERE position = 3 AND ledger = '" + ledger + "'");
    says(fmt::format("{}", fmt::join(machine.engine().verify(), "\n")),
         "events 3 to 3 are missing");
  }
}

TEST_CASE("a machine without its copy makes it anew, and one without its server reads on") {
  Cluster cluster;
  Machine machine(cluster.url() + "&ledger=a&behind=0");
  machine.engine().append(node(kStart, "a"));
  const std::string first = machine.run({"rank", "--as-of", "2023-11-15", "--json"}).out;
  postgres::remove_copy(postgres::read_address(cluster.url() + "&ledger=a"));
  machine.restart();
  CHECK(machine.run({"rank", "--as-of", "2023-11-15", "--json"}).out == first);
  cluster.stop();
  const auto read = machine.run({"rank", "--as-of", "2023-11-15", "--json"});
  CHECK(read.exit_code == 0);
  CHECK(read.out == first);
  says(read.err, "this is as of when it last answered");
  CHECK(machine.run({"outcome", "a", "success"}).exit_code == 75);
  cluster.start();
  CHECK(machine.run({"outcome", "a", "success"}).exit_code == 0);
}

TEST_CASE("a machine that dies while it reads an input without ids leaves nothing of it") {
  const std::string url = new_ledger();
  Machine dead(url), alive(url);
  dead.engine().append(node(kStart, "a"));
  std::string input;
  for (int i = 0; i < 2'500; ++i) input += "{\"taskId\":\"a\",\"outcome\":\"success\"}\n";
  struct Killed {};
  IngestRequest request;
  request.content = input;
  request.format = find_format("outcome");
  request.read.now = kStart;
  request.progress = [](std::size_t done, std::size_t total) {
    if (2 * done > total) throw Killed();
  };
  CHECK_THROWS_AS(dead.engine().ingest(request), Killed);
  CHECK(alive.fresh().ledger().last_position() == 1);
  request.progress = {};
  CHECK(alive.engine().ingest(request).applied == 2'500);
  CHECK(dead.fresh().ledger().last_position() == 2'501);
}
