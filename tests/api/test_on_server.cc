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
#include "tests/support/cluster.h"

using namespace hebb;
using namespace hebb::api;
using namespace hebb::test;

namespace {

class Copies {
 public:
  explicit Copies(std::string ledger) : ledger_(std::move(ledger)) {
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }

  OpenSession open(bool serves) const {
    SessionOptions options;
    options.database.path = cluster_.url() + "&ledger=" + ledger_;
    options.serves = serves;
    return OpenSession(std::move(options));
  }

 private:
  Cluster cluster_;
  Folder folder_;
  std::string ledger_;
};

Json call(Session& session, const char* operation, const Json& request) {
  const auto request_of_it = session.one_request();
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
  const Copies copies("found");
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
  const Copies copies("busy");
  OpenSession session = copies.open(true);
  add(session, "a", "the one that all report");
  std::atomic<bool> ended = false;
  std::atomic<int> reported = 0;
  std::thread other([&] {
    OpenSession reporter = copies.open(true);
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
