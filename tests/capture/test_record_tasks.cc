// Calls that became tasks, as MCP has them.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/capture/talk.h"

namespace hebb::capture {

TEST_CASE("session: a call that became a task ends with the task's result") {
  Talk talk;
  const auto begin = [&](std::string_view id, std::string_view task) {
    talk.call(id, "build", R"(,"task":{"ttl":60000})");
    talk.answer(id, fmt::format(R"({{"task":{{"taskId":"{}","status":"working"}}}})", task));
  };
  const auto ask = [&](std::string_view id, std::string_view method, std::string_view task) {
    talk.up(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{"taskId":"{}"}}}})",
                        id, method, task));
  };
  begin("1", "t-1");
  begin("2", "t-2");
  begin("3", "t-3");
  begin("4", "t-4");
  talk.pause(20);
  talk.call("1", "other");  // the id is free again
  talk.answer("1");
  REQUIRE(talk.rows.size() == 1);
  CHECK(talk.rows[0].tool == "other");
  CHECK(talk.rows[0].sequence_id != "a_1700000000001000");  // a task holds no turn open
  ask("5", "tasks/get", "t-1");
  talk.answer("5", R"({"taskId":"t-1","status":"completed"})");
  ask("6", "tasks/result", "t-1");
  ask("7", "tasks/result", "t-2");
  ask("8", "tasks/result", "t-none");
  talk.answer("7", R"({"isError":true,"content":[]})");
  talk.answer("6", R"({"content":[]})");
  talk.answer("8", R"({"content":[]})");
  ask("9", "tasks/cancel", "t-3");
  CHECK(talk.rows.size() == 3);
  talk.answer("9", R"({"taskId":"t-3","status":"cancelled"})");
  REQUIRE(talk.rows.size() == 4);
  CHECK(talk.rows[1].failure == "tool_error");
  CHECK(talk.rows[2].success);
  CHECK(talk.rows[2].timestamp == 1'700'000'000'001);
  CHECK(talk.rows[3].failure == "cancelled");
  talk.session.finish("client_closed", talk.tick());
  CHECK(talk.rows.size() == 4);
  CHECK(talk.session.unrecorded() == 1);  // t-4: how it went was never said
}

TEST_CASE("session: what ends a task, and what does not") {
  Talk talk;
  talk.call("1", "build", R"(,"task":{})");
  talk.answer("1", R"({"task":{"taskId":"t","status":"working"}})");
  const auto ask = [&](std::string_view id, std::string_view method) {
    talk.up(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{"taskId":"t"}}}})",
                        id, method));
  };
  SECTION("a status of failed") {
    ask("2", "tasks/get");
    talk.answer("2", R"({"taskId":"t","status":"failed","statusMessage":"no"})");
    REQUIRE(talk.rows.size() == 1);
    CHECK(talk.rows[0].failure == "task_failed");
  }
  SECTION("a notice of its failure") {
    talk.down(
        R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"failed"}})");
    REQUIRE(talk.rows.size() == 1);
    CHECK(talk.rows[0].failure == "task_failed");
  }
  SECTION("not the end of a wait for its result, nor a cancellation that was refused") {
    ask("2", "tasks/result");
    talk.up(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
    ask("3", "tasks/cancel");
    talk.down(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"it has ended"}})");
    CHECK(talk.rows.empty());
    ask("4", "tasks/result");
    ask("5", "tasks/result");
    talk.answer("4", R"({"content":["first"]})");
    talk.answer("5", R"({"content":["second"]})");
    REQUIRE(talk.rows.size() == 1);
    CHECK(talk.rows[0].success);
    CHECK(talk.rows[0].result == R"({"content":["first"]})");
  }
  SECTION("the end of the server, once its result was asked for") {
    ask("2", "tasks/result");
    talk.session.finish("server_exit: code 3", talk.tick());
    REQUIRE(talk.rows.size() == 1);
    CHECK(talk.rows[0].failure == "server_exit: code 3");
  }
}

TEST_CASE("session: a result that speaks of a task nobody asked for is a result") {
  Talk talk;
  talk.call("1", "jira");
  talk.answer("1", R"({"content":[],"task":{"taskId":"jira-1"}})");
  REQUIRE(talk.rows.size() == 1);
  CHECK(talk.rows[0].success);
}

TEST_CASE("session: tasks that nobody asks about do not keep others out") {
  Talk talk;
  for (std::size_t i = 0; i < CallTracker::kOpenTasks + 10; ++i) {
    talk.call(std::to_string(i), "build", R"(,"task":{})");
    talk.answer(std::to_string(i), fmt::format(R"({{"task":{{"taskId":"t{}"}}}})", i));
  }
  CHECK(talk.session.unrecorded() == 10);
  CHECK(talk.session.open() == CallTracker::kOpenTasks);
}

}  // namespace hebb::capture
