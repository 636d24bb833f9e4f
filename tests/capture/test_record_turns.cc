#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "capture/record/call_tracker.h"

namespace hebb::capture {

TEST_CASE("turns: pairs sent at once are turns of two, however fast the first is answered") {
  std::vector<ActionRow> rows;
  CallTracker session({"a", "s"}, [&](ActionRow row) { rows.push_back(std::move(row)); });
  std::int64_t now = 1'700'000'000'000'000;
  const auto send = [&](Direction direction, const std::string& line) {
    now += 1000;
    session.line(direction, line, {now, now * 1000});
  };
  const auto call = [&](int id) {
    send(Direction::to_server,
         fmt::format(R"({{"id":{},"method":"tools/call","params":{{"name":"t"}}}})", id));
  };
  const auto answer = [&](int id) {
    send(Direction::to_client, fmt::format(R"({{"id":{},"result":{{}}}})", id));
  };
  for (int i = 0; i < 200; ++i) {
    call(2 * i);
    // The server is faster than the client's second line in every other pair.
    if (i % 2 == 0) answer(2 * i);
    call(2 * i + 1);
    if (i % 2 != 0) answer(2 * i);
    answer(2 * i + 1);
    now += 20'000;
  }
  REQUIRE(rows.size() == 400);
  std::map<std::string, int> calls;
  for (const ActionRow& row : rows) ++calls[row.sequence_id];
  CHECK(calls.size() == 200);
  for (const auto& [turn, count] : calls) CHECK(count == 2);
}

TEST_CASE("turns: how long after its last answer a turn takes calls is the caller's choice") {
  std::vector<ActionRow> rows;
  const auto turns = [&](std::int64_t grace_ms, std::int64_t after_ns) {
    rows.clear();
    CallTracker session(
        {"a", "s"}, [&](ActionRow row) { rows.push_back(std::move(row)); }, grace_ms);
    const auto call = [&](std::int64_t ns) {
      session.line(Direction::to_server, R"({"id":1,"method":"tools/call","params":{"name":"t"}})",
                   {ns / 1000, ns});
      session.line(Direction::to_client, R"({"id":1,"result":{}})", {ns / 1000, ns});
    };
    call(1'000'000'000);
    call(1'000'000'000 + after_ns);
    return rows.at(0).sequence_id == rows.at(1).sequence_id ? 1 : 2;
  };
  CHECK(turns(20, 20'000'000) == 1);
  CHECK(turns(20, 20'000'001) == 2);
  CHECK(turns(500, 500'000'000) == 1);
  CHECK(turns(0, 0) == 2);
}

}  // namespace hebb::capture
