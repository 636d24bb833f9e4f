// A session whose ledger is on a server: what it has just written is what it finds, while other
// writers of its copy go on.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "api/open.h"
#include "api/operation.h"
#include "api/problem.h"
#include "sql/postgres/move.h"
#include "tests/support/cluster.h"
#include "tests/support/proxy.h"

using namespace hebb;
using namespace hebb::api;
using namespace hebb::test;

namespace {

// A machine that has a copy of the server's ledger "a".
class Copies {
 public:
  explicit Copies(std::string server) : server_(std::move(server)) {}

  OpenSession open(bool serves, int busy_timeout_ms = 300) const {
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    SessionOptions options;
    options.database.path = server_ + "ledger=a";
    options.database.busy_timeout_ms = busy_timeout_ms;
    options.serves = serves;
    return OpenSession(std::move(options));
  }
  std::string file() const { return postgres::read_address(server_ + "ledger=a").copy; }

 private:
  std::string server_;
  Folder folder_;
};

Json call(Session& session, const char* operation, const Json& request) {
  return operation_named(operation).call(session, request);
}

void add(Session& session, const std::string& id, const std::string& name) {
  call(session, "add", {{"id", id}, {"name", name}, {"project", "p-" + id}});
}

std::vector<std::string> found(Session& session, const std::string& query) {
  std::vector<std::string> ids;
  const Json answer = call(session, "search", {{"query", query}});
  for (const Json& node : answer.at("nodes")) ids.push_back(node.at("id"));
  return ids;
}

bool counts_project(Session& session, const std::string& project) {
  const Json answer = call(session, "topology", {{"facets", true}});
  const auto& projects = answer.at("projects");
  return std::any_of(projects.begin(), projects.end(),
                     [&](const Json& p) { return p.at("value") == project; });
}

}  // namespace

TEST_CASE("a server's copy: what was just written is found and counted") {
  const Cluster cluster;
  const Copies copies(cluster.url() + "&");
  for (const bool serves : {true, false}) {
    CAPTURE(serves);
    OpenSession session = copies.open(serves);
    for (const std::string word : {"anemone", "buttercup", "chrysanthemum"}) {
      CAPTURE(word);
      const std::string id = fmt::format("{}-{}", word, serves);
      add(session, id, word);
      CHECK(counts_project(session, "p-" + id));
      const auto ids = found(session, word);
      CHECK(std::find(ids.begin(), ids.end(), id) != ids.end());
    }
  }
}

TEST_CASE("a server's copy: what was just written is found while others write into it") {
  const Cluster cluster;
  const Copies copies(cluster.url() + "&");
  constexpr int kPatientMs = 60'000;
  OpenSession session = copies.open(true, kPatientMs);
  add(session, "a", "the one that all report");
  std::atomic<bool> ended = false;
  std::atomic<int> reported = 0;
  std::thread other([&] {
    OpenSession reporter = copies.open(true, kPatientMs);
    while (!ended) {
      call(reporter, "outcome", {{"id", "a"}, {"outcome", "failure"}});
      ++reported;
    }
  });
  int missing = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string word = fmt::format("word{}", i);
    add(session, word, word);
    const auto ids = found(session, word);
    missing += std::find(ids.begin(), ids.end(), word) == ids.end();
    missing += !counts_project(session, "p-" + word);
  }
  ended = true;
  other.join();
  CHECK(missing == 0);
  CHECK(reported > 0);
  CHECK(call(session, "verify", Json::object()).at("ok") == true);
}

TEST_CASE("a server's copy: a name is not taken for another that the copy lacks") {
  const Cluster cluster;
  const Copies here(cluster.url() + "&"), there(cluster.url() + "&");
  OpenSession other = there.open(true);
  add(other, "t-12", "the longer name");
  OpenSession session = here.open(true);
  call(session, "rank", Json::object());
  add(other, "t-1", "the shorter name");
  sql::Database writer(here.file(), sql::Database::Mode::read_write, 0);
  writer.exec("BEGIN IMMEDIATE");  // so the copy cannot be brought up to date now
  const Json outcome{{"id", "t-1"}, {"outcome", "failure"}};
  CHECK_THROWS_AS(call(session, "outcome", outcome), Problem);
  writer.exec("ROLLBACK");
  CHECK(call(session, "outcome", outcome).at("id") == "t-1");
}

TEST_CASE(
    "a server's copy: an outcome with an id, of a group whose commit stays unknown, counts once") {
  const Cluster cluster;
  Proxy proxy(cluster.port());
  const Copies copies(proxy.url() + "?");
  OpenSession before = copies.open(true);
  add(before, "a", "a task");
  OpenSession session = copies.open(true);  // which prepares its statements at first use
  const Json input{
      {"outcomes", Json::array({{{"taskId", "a"}, {"outcome", "failure"}, {"id", "o1"}}})}};
  proxy.cut_at("hebb.append", Proxy::When::after, Proxy::Then::swallow);
  CHECK_THROWS_AS(session.in_one_commit([&] { call(session, "ingest", input); }), sql::Error);
  proxy.pass();
  CHECK(call(session, "ingest", input).at("duplicates") == 1);
}

TEST_CASE("a server's copy: a session that goes on makes one anew that was removed") {
  const Cluster cluster;
  const Copies copies(cluster.url() + "&");
  OpenSession session = copies.open(true);
  add(session, "a", "a task");
  postgres::remove_copy(postgres::read_address(session.given_path()));
  add(session, "b", "another");
  CHECK(call(session, "rank", Json::object()).at("tasks").size() == 2);
}
