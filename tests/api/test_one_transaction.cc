// What an operation looks up and what it appends are one transaction: while it decides, no other
// process writes.
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "api/open.h"
#include "api/operation.h"
#include "api/problem.h"
#include "tests/support/folder.h"

using namespace hebb;
using namespace hebb::api;
using hebb::test::Folder;

namespace {

SessionOptions options_of(const std::string& path) {
  SessionOptions options;
  options.database.path = path;
  options.database.busy_timeout_ms = 0;
  options.now = 1'767'571'200'000;
  return options;
}

// An operation asks for the time when it makes its event, after it has looked up what it depends
// on: then others try to write.
class Watched : public OpenSession {
 public:
  explicit Watched(const std::string& path) : OpenSession(options_of(path)) {}
  TimeMs now() const override {
    if (meanwhile) meanwhile();
    return OpenSession::now();
  }
  std::function<void()> meanwhile;
};

Json call(Session& session, std::string_view operation, const Json& request) {
  return operation_named(operation).call(session, request);
}

// Empty: it was done.
std::string problem_with(Session& session, std::string_view operation, const Json& request) {
  try {
    call(session, operation, request);
  } catch (const Problem& problem) {
    return std::string(info_of(problem.type).name);
  }
  return "";
}

struct Two {
  Folder dir;
  Watched one{dir.file("a.db")};
  OpenSession other{options_of(dir.file("a.db"))};

  Two() {
    for (const char* id : {"a", "b", "c"}) call(one, "add", {{"name", id}, {"id", id}});
    call(one, "link", {{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}});
    call(one, "outcome", {{"id", "b"}, {"outcome", "failure"}});
  }

  // What each try of the other one to add a task came to while the first one was at it.
  std::vector<std::string> tries_of_other(std::string_view operation, const Json& request,
                                          const Json& added) {
    std::vector<std::string> tries;
    one.meanwhile = [&] { tries.push_back(problem_with(other, "add", added)); };
    call(one, operation, request);
    one.meanwhile = {};
    return tries;
  }
};

}  // namespace

TEST_CASE("of two that add a task of the same id at a time, one is told that it is taken") {
  Two two;
  const Json same{{"name", "Same"}, {"id", "same"}};
  const auto tries = two.tries_of_other("add", same, same);
  REQUIRE_FALSE(tries.empty());
  for (const std::string& problem : tries) CHECK(problem == "busy");
  CHECK(problem_with(two.other, "add", same) == "conflict");
}

TEST_CASE("nobody writes between what an operation looks up and what it appends") {
  const auto [operation, request] = GENERATE(
      std::pair<std::string, Json>{"add", {{"name", "Write"}}},
      std::pair<std::string, Json>{"edit", {{"id", "a"}, {"priority", 1}}},
      std::pair<std::string, Json>{"outcome", {{"id", "a"}, {"outcome", "failure"}}},
      std::pair<std::string, Json>{"claim", {{"id", "a"}, {"agent", "ann"}}},
      std::pair<std::string, Json>{"node_set", {{"id", "d"}, {"type", "TASK"}}},
      std::pair<std::string, Json>{"node_delete", {{"id", "c"}}},
      std::pair<std::string, Json>{"link", {{"source", "a"}, {"target", "c"}, {"type", "BLOCKS"}}},
      std::pair<std::string, Json>{"unlink",
                                   {{"source", "a"}, {"target", "b"}, {"type", "RELATES_TO"}}},
      std::pair<std::string, Json>{"pivot", {{"id", "d"}}},
      std::pair<std::string, Json>{"policy_set", {{"settings", {{"top_k", 5}}}}},
      std::pair<std::string, Json>{"undo", {{"event", 4}}});
  INFO(operation);
  Two two;
  const auto tries = two.tries_of_other(operation, request, {{"name", "Another one"}});
  REQUIRE_FALSE(tries.empty());
  CHECK(tries.back() == "busy");
  CHECK(problem_with(two.other, "add", {{"name", "Later"}}).empty());
}

TEST_CASE("an operation that is refused leaves nothing, and the next one goes on") {
  Two two;
  CHECK(problem_with(two.one, "edit", {{"id", "a"}, {"labels", {"new"}}, {"unblock", {"b"}}}) ==
        "invalid_argument");
  CHECK(problem_with(two.one, "node_get", {{"id", "label-new"}}) == "not_found");
  CHECK(problem_with(two.one, "edit", {{"id", "a"}, {"labels", {"new"}}}).empty());
  CHECK(call(two.one, "verify", Json::object()).at("ok") == true);
}

TEST_CASE("on-outcome: its command runs once the transaction of the outcome is committed") {
  const Folder dir;
  SessionOptions options = options_of(dir.file("a.db"));
  std::vector<std::string> tasks;
  std::int64_t seen_by_others = -1;
  options.database.outcome_taken = [&](const Event& e) {
    tasks.push_back(e.subject);
    Engine other({.path = dir.file("a.db")});
    seen_by_others = other.ledger().count_outcomes();
  };
  OpenSession session(options);
  call(session, "add", {{"name", "Write"}, {"id", "a"}});
  call(session, "outcome", {{"id", "a"}, {"outcome", "failure"}});
  CHECK(tasks == std::vector<std::string>{"a"});
  CHECK(seen_by_others == 1);
  CHECK_THROWS_AS(session.engine(Access::write).write([&] {
    call(session, "outcome", {{"id", "a"}, {"outcome", "failure"}});
    throw std::runtime_error("the rest cannot be done");
  }),
                  std::runtime_error);
  CHECK(tasks.size() == 1);
  call(session, "outcome", {{"id", "a"}, {"outcome", "failure"}});
  CHECK(tasks.size() == 2);
  CHECK(seen_by_others == 2);
}
