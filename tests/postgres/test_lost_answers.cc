// A network that fails while a machine writes: what it was told is there once, and what it was not
// told is there once or not at all.
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "sql/postgres/connection.h"
#include "tests/postgres/machines.h"
#include "tests/support/proxy.h"

using namespace hebb;
using namespace hebb::test;
using postgres::Connection;

namespace {

std::string through(const Proxy& proxy, const std::string& ledger) {
  return proxy.url() + "?behind=0&ledger=" + ledger;
}

EngineOptions impatient_options(const std::string& url) {
  EngineOptions options;
  options.path = url;
  options.busy_timeout_ms = 300;
  return options;
}

// As a command takes one outcome.
IngestSummary ingest_as_of(Engine& engine, const std::string& outcome, TimeMs now) {
  IngestRequest request;
  request.content = outcome;
  request.read.now = now;
  request.format = find_format("outcome");
  return engine.ingest(request);
}

// Of events without ids: nothing but the batch says that they are there.
void append_with_cut(const std::string& bytes, Proxy::When when, const std::string& ledger) {
  CAPTURE(bytes, when == Proxy::When::after);
  Cluster& cluster = shared_cluster();
  Proxy proxy(cluster.port());
  Machine machine(through(proxy, ledger));
  machine.engine().append(node(kStart, "a"));
  machine.restart();  // a new connection, on which statements are prepared at first use
  proxy.cut_at(bytes, when);
  CHECK(machine.engine().append(success(kStart + kHour, "a")) == Applied::applied);
  CHECK(proxy.cuts() == 1);
  machine.engine().append(success(kStart + 2 * kHour, "a"));
  CHECK(machine.fresh().ledger().last_position() == 3);
  CHECK(machine.engine().ledger().count_outcomes() == 2);
  machine.engine().sync();
  CHECK(machine.engine().verify() == std::vector<std::string>());
}

}  // namespace

TEST_CASE("a lost answer to an event without an id: it is there once") {
  append_with_cut("hebb.append", Proxy::When::after, "after");
  append_with_cut("hebb.append", Proxy::When::before, "before");
}

TEST_CASE("a lost answer to a commit of a batch: it is there once") {
  for (const auto when : {Proxy::When::after, Proxy::When::before}) {
    CAPTURE(when == Proxy::When::after);
    Proxy proxy(shared_cluster().port());
    const std::string ledger = when == Proxy::When::after ? "commit-after" : "commit-before";
    Machine machine(through(proxy, ledger));
    machine.engine().append(node(kStart, "a"));
    machine.restart();
    std::string input;  // without ids
    for (int i = 0; i < 50; ++i)
      input += fmt::format("{{\"taskId\":\"a\",\"outcome\":\"success\",\"at\":{}}}\n", kStart + i);
    proxy.cut_at("hebb.append", when);
    CHECK(ingest(machine.engine(), input, "outcome").applied == 50);
    CHECK(proxy.cuts() == 1);
    CHECK(machine.fresh().ledger().last_position() == 51);
  }
}

TEST_CASE("a connection that breaks while a machine waits for its turn: it waits again") {
  Proxy proxy(shared_cluster().port());
  Machine machine(through(proxy, "begin"));
  machine.engine().append(node(kStart, "a"));
  machine.restart();
  proxy.cut_at("pg_advisory_xact_lock", Proxy::When::after);
  ClaimNext next;
  next.agent = "x";
  next.now = kStart + kHour;
  machine.engine().recalibrate(kStart + kHour);  // takes its turn before it decides
  CHECK(proxy.cuts() == 1);
  CHECK(machine.engine().claim_next(next).size() == 1);
}

// Its answer is lost, and nothing that could look it up comes through.
template <class Append>
std::string said_when_lost(Proxy& proxy, const Append& append) {
  proxy.cut_at("hebb.append", Proxy::When::after, Proxy::Then::swallow);
  std::string said;
  try {
    append();
  } catch (const sql::Error& e) {
    said = e.what();
    CHECK(e.busy());
  }
  proxy.pass();
  return said;
}

TEST_CASE("where the answer stays lost, it is said that nothing is known, and a key counts once") {
  Proxy proxy(shared_cluster().port());
  const std::string url = through(proxy, "unknown");
  Machine machine(url);
  machine.engine().append(node(kStart, "a"));
  const Event event = keyed(success(kStart + kHour, "a"), "run-1");
  Engine impatient(impatient_options(url));
  impatient.state();
  const std::string said = said_when_lost(proxy, [&] { impatient.append(event); });
  CHECK(said.find("not known") != std::string::npos);
  CHECK(machine.engine().append(event) == Applied::duplicate);
  CHECK(machine.fresh().ledger().last_position() == 2);
}

TEST_CASE("an outcome whose answer stays lost, given again: with a time it counts once, else again") {
  Proxy proxy(shared_cluster().port());
  for (const bool has_time : {true, false}) {
    CAPTURE(has_time);
    const std::string outcome =
        has_time ? fmt::format(R"({{"taskId":"a","outcome":"success","timestamp":{}}})", kStart)
                 : R"({"taskId":"a","outcome":"success"})";
    const std::string url = through(proxy, has_time ? "again-timed" : "again");
    Machine machine(url);
    machine.engine().append(node(kStart, "a"));
    Engine impatient(impatient_options(url));
    impatient.state();
    const std::string said =
        said_when_lost(proxy, [&] { ingest_as_of(impatient, outcome, kStart + kHour); });
    CHECK(said.find("what has an id or a time counts once") != std::string::npos);
    CHECK(ingest_as_of(machine.engine(), outcome, kStart + 2 * kHour).applied == (has_time ? 0 : 1));
    CHECK(machine.fresh().ledger().count_outcomes() == (has_time ? 1 : 2));
  }
}

TEST_CASE("a commit that cannot be looked up, since others have the turn, is not known either") {
  Proxy proxy(shared_cluster().port());
  const std::string url = through(proxy, "taken");
  Machine machine(url);
  machine.engine().append(node(kStart, "a"));
  Engine impatient(impatient_options(url));
  impatient.state();
  Connection other(shared_cluster().url(), 5'000);
  other.run("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('taken', 0))");
  proxy.cut_at("hebb.append", Proxy::When::before);
  std::string said;
  try {
    impatient.append(success(kStart + kHour, "a"));
  } catch (const sql::Error& e) {
    said = e.what();
  }
  CHECK(said.find("not known") != std::string::npos);
  other.run("ROLLBACK");
}

TEST_CASE("a connection that breaks before the commit: rows that others have numbered are kept") {
  Proxy proxy(shared_cluster().port());
  const std::string ledger = "numbered", refused = R"({"taskId":"nobody","outcome":"success"})";
  Machine machine(through(proxy, ledger));
  Machine other(shared_cluster().url() + "&behind=0&ledger=" + ledger);
  machine.engine().append(node(kStart, "a"));
  other.fresh();
  machine.restart();
  proxy.cut_at("hebb.append", Proxy::When::before);
  std::jthread meanwhile([&] {
    while (proxy.cuts() == 0) std::this_thread::yield();
    ingest(other.engine(), refused, "outcome", kStart, "of the other");
  });
  try {
    ingest(machine.engine(), refused + "\n" + refused, "outcome", kStart, "of this one");
  } catch (const sql::Error& e) {
    CHECK(e.busy());
    machine.fresh();
    ingest(machine.engine(), refused + "\n" + refused, "outcome", kStart, "of this one");
  }
  meanwhile.join();
  std::multiset<std::string> files;
  for (const DeadLetter& letter : other.fresh().dead_letters()) files.insert(letter.file);
  CHECK(files.count("of the other") == 1);
  CHECK(files.count("of this one") >= 1);
}

TEST_CASE("what could not be sent did not happen") {
  Cluster cluster;
  Machine machine(cluster.url() + "&behind=0&ledger=a");
  machine.engine().append(node(kStart, "a"));
  machine.restart();  // without a connection
  cluster.stop();
  std::string said;
  try {
    Engine impatient(impatient_options(cluster.url() + "&behind=0&ledger=a"));
    impatient.append(success(kStart + kHour, "a"));
  } catch (const sql::Error& e) {
    said = e.what();
    CHECK(e.busy());
  }
  CHECK(said.find("nothing was changed") != std::string::npos);
}

TEST_CASE("a server that is killed and started again loses nothing that was acknowledged") {
  Cluster cluster({.fsync = true, .password = "", .own_identifier = false});
  Machine machine(cluster.url() + "&behind=0&ledger=a");
  machine.engine().append(node(kStart, "a"));
  for (int i = 0; i < 3; ++i) {
    machine.engine().append(success(kStart + i, "a"));
    cluster.kill();
    cluster.start();
  }
  machine.engine().append(success(kStart + 3, "a"));
  CHECK(machine.fresh().ledger().last_position() == 5);
  CHECK(machine.engine().verify() == std::vector<std::string>());
}

TEST_CASE("a standby that a commit waited for has all that was acknowledged") {
  Cluster primary;
  Machine machine(primary.url() + "&ledger=a");
  Cluster standby = primary.standby(true);
  machine.engine().append(node(kStart, "a"));
  for (int i = 0; i < 5; ++i) machine.engine().append(success(kStart + i, "a"));
  primary.kill();
  standby.promote();
  Machine other(standby.url() + "&ledger=a");
  CHECK(last_checksum(other.engine()) == last_checksum(machine.engine()));
  CHECK(other.engine().append(success(kStart + kDay, "a")) == Applied::applied);
}
