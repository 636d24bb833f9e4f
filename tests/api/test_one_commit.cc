// Calls that are one commit: each says for itself whether it was done, and all are there or none.
#include <stdexcept>

#include <catch2/catch.hpp>

#include "api/open.h"
#include "api/operation.h"
#include "api/problem.h"
#include "engine/current/folded.h"
#include "engine/tables.h"
#include "tests/support/folder.h"

using namespace hebb;
using namespace hebb::api;
using hebb::test::Folder;

namespace {

class Calls {
 public:
  Calls() { call("add", {{"name", "Write"}, {"id", "a"}}); }

  Json call(const char* name, const Json& request) {
    return operation_named(name).call(session_, request);
  }
  OpenSession& session() { return session_; }
  // What a program that opens the database now finds.
  std::int64_t outcomes_of_others() {
    Engine other(options());
    return other.ledger().count_outcomes();
  }
  bool is_mirrored() {
    Engine other(options());
    return folded_of(other).storage().mirror().position() == other.ledger().last_position();
  }

 private:
  EngineOptions options() const {
    EngineOptions options;
    options.path = dir_.file("a.db");
    return options;
  }

  SessionOptions of_session() const {
    SessionOptions all;
    all.database = options();
    all.serves = true;
    return all;
  }

  Folder dir_;
  OpenSession session_{of_session()};
};

}  // namespace

TEST_CASE("calls in one commit: others see all of them at its end") {
  Calls calls;
  calls.session().in_one_commit([&] {
    for (int i = 0; i < 3; ++i) calls.call("outcome", {{"id", "a"}, {"outcome", "failure"}});
    CHECK(calls.outcomes_of_others() == 0);
  });
  CHECK(calls.outcomes_of_others() == 3);
  CHECK(calls.is_mirrored());
  CHECK(calls.call("verify", Json::object()).at("ok") == true);
}

TEST_CASE("calls in one commit: one that is refused takes nothing from the others") {
  Calls calls;
  calls.session().in_one_commit([&] {
    calls.call("outcome", {{"id", "a"}, {"outcome", "success"}});
    CHECK_THROWS_AS(calls.call("outcome", {{"id", "nobody"}, {"outcome", "success"}}), Problem);
    CHECK_THROWS_AS(calls.call("claim_release", {{"token", 1}}), Problem);
    calls.call("outcome", {{"id", "a"}, {"outcome", "failure"}});
  });
  CHECK(calls.outcomes_of_others() == 2);
  CHECK(calls.call("verify", Json::object()).at("ok") == true);
}

TEST_CASE("calls in one commit: the same said in a later one counts again") {
  Calls calls;
  const Json failure{{"taskId", "a"}, {"outcome", "failure"}};
  for (const std::int64_t there : {2, 4}) {
    calls.session().in_one_commit([&] {
      calls.call("ingest", {{"outcomes", Json::array({failure, failure})}});
    });
    CHECK(calls.outcomes_of_others() == there);
  }
}

TEST_CASE("calls in one commit: where that fails, none of them was done, and it goes on") {
  Calls calls;
  CHECK_THROWS_AS(calls.session().in_one_commit([&] {
    calls.call("outcome", {{"id", "a"}, {"outcome", "success"}});
    throw std::runtime_error("the disk is full");
  }),
                  std::runtime_error);
  CHECK(calls.outcomes_of_others() == 0);
  CHECK(calls.call("rank", Json::object()).at("tasks").size() == 1);
  calls.call("outcome", {{"id", "a"}, {"outcome", "failure"}});
  CHECK(calls.outcomes_of_others() == 1);
  CHECK(calls.call("verify", Json::object()).at("ok") == true);
}
