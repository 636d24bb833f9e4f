// Times and ids as people write them: what is understood, and what is said of it.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "api/problem.h"
#include "api/when.h"
#include "tests/api/session.h"

namespace hebb::api {
namespace {

// As RFC 3339, or why not. Now is Monday, 2026-01-05T00:00:00Z, where no zone is named.
std::string understood(const std::string& text, Direction direction = Direction::ahead,
                       const std::string& zone = "Z", TimeMs now = kNow) {
  const ReadTime time = read_when(text, now, TimeZone(zone), direction);
  const auto* ms = std::get_if<TimeMs>(&time);
  return ms ? time_text(*ms) : std::get<std::string>(time);
}

TEST_CASE("a time is understood as people write it") {
  const std::vector<std::vector<std::string>> kCases = {
      // text, from now on, before now
      {"now", "2026-01-05T00:00:00.000Z", "2026-01-05T00:00:00.000Z"},
      {"today", "2026-01-05T00:00:00.000Z", "2026-01-05T00:00:00.000Z"},
      {"Tomorrow", "2026-01-06T00:00:00.000Z", "2026-01-06T00:00:00.000Z"},
      {"yesterday", "2026-01-04T00:00:00.000Z", "2026-01-04T00:00:00.000Z"},
      {"friday", "2026-01-09T00:00:00.000Z", "2026-01-02T00:00:00.000Z"},
      {"FRI", "2026-01-09T00:00:00.000Z", "2026-01-02T00:00:00.000Z"},
      {"monday", "2026-01-12T00:00:00.000Z", "2025-12-29T00:00:00.000Z"},
      {"tue", "2026-01-06T00:00:00.000Z", "2025-12-30T00:00:00.000Z"},
      {"sunday 9:30", "2026-01-11T09:30:00.000Z", "2026-01-04T09:30:00.000Z"},
      {"2026-11-27", "2026-11-27T00:00:00.000Z", "2026-11-27T00:00:00.000Z"},
      {"2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T00:00:00.000Z"},
      {"2026-11-27 17:00", "2026-11-27T17:00:00.000Z", "2026-11-27T17:00:00.000Z"},
      {"2026-11-27T17:00:30", "2026-11-27T17:00:30.000Z", "2026-11-27T17:00:30.000Z"},
      {"2026-11-27T17:00Z", "2026-11-27T17:00:00.000Z", "2026-11-27T17:00:00.000Z"},
      {"2026-11-27T17:00:30+02:00", "2026-11-27T15:00:30.000Z", "2026-11-27T15:00:30.000Z"},
      {"2d", "2026-01-07T00:00:00.000Z", "2026-01-03T00:00:00.000Z"},
      {"3h30m", "2026-01-05T03:30:00.000Z", "2026-01-04T20:30:00.000Z"},
      {"1w2d", "2026-01-14T00:00:00.000Z", "2025-12-27T00:00:00.000Z"},
      {"1.5h", "2026-01-05T01:30:00.000Z", "2026-01-04T22:30:00.000Z"},
      {"1767571200000", "2026-01-05T00:00:00.000Z", "2026-01-05T00:00:00.000Z"},
  };
  for (const auto& c : kCases) {
    INFO(c[0]);
    CHECK(understood(c[0], Direction::ahead) == c[1]);
    CHECK(understood(c[0], Direction::back) == c[2]);
  }
}

TEST_CASE("a text that is no time says how one is written") {
  for (const std::string text :
       {"fryday", "", " ", "2026-02-30", "2025-02-29", "2026-13-01", "26-01-01", "friday 25:00",
        "friday noon", "today 9", "2d3", "d", "-2d", "next friday", "2026-11-27 17",
        "2026-11-27T17:00:61", "tomorrow ", "friday  9:30"}) {
    INFO(text);
    CHECK(understood(text).starts_with("write a date such as"));
  }
  CHECK(understood("1767571200").find("looks like seconds") != std::string::npos);
  CHECK(understood("1970-01-01T00:00:00Z").find("before March 1973") != std::string::npos);
  CHECK(understood("1970-01-01").find("1973 to 9999") != std::string::npos);
  CHECK(understood("27.11.2026").starts_with("write a date"));
  CHECK(understood(std::string("1d\0", 3)).starts_with("write a date"));
}

TEST_CASE("a day is one of the zone, whose clocks may be set") {
  constexpr TimeMs kHour = 3'600'000;
  CHECK(understood("today", Direction::ahead, "Europe/Berlin") == "2026-01-04T23:00:00.000Z");
  CHECK(understood("today", Direction::ahead, "America/New_York") == "2026-01-04T05:00:00.000Z");
  CHECK(understood("friday 9:00", Direction::ahead, "Asia/Tokyo") == "2026-01-09T00:00:00.000Z");
  CHECK(understood("today", Direction::ahead, "-05:30") == "2026-01-04T05:30:00.000Z");
  CHECK(understood("tomorrow", Direction::ahead, "Asia/Tokyo", kNow + 15 * kHour) ==
        "2026-01-06T15:00:00.000Z");
  // The summer's hours; the one that comes twice, of which the first is meant; the one that is
  // skipped. And a time beyond the last change that the file lists, and before the first.
  const auto berlin = [](const std::string& text) {
    return understood(text, Direction::ahead, "Europe/Berlin");
  };
  CHECK(berlin("2025-10-26 01:30") == "2025-10-25T23:30:00.000Z");
  CHECK(berlin("2025-10-26 02:30") == "2025-10-26T00:30:00.000Z");
  CHECK(berlin("2025-10-26 03:30") == "2025-10-26T02:30:00.000Z");
  CHECK(berlin("2025-03-30 02:30") == "2025-03-30T01:30:00.000Z");
  CHECK(berlin("2036-07-01") == "2036-06-30T22:00:00.000Z");
  // Beyond what the file lists, by the calendar of 28 years before.
  CHECK(berlin("2040-07-01 12:00") == "2040-07-01T10:00:00.000Z");
  CHECK(berlin("2040-12-01 12:00") == "2040-12-01T11:00:00.000Z");
  CHECK(berlin("2126-07-01 12:00") == "2126-07-01T10:00:00.000Z");
  CHECK(understood("2040-07-01", Direction::ahead, "Asia/Tokyo") == "2040-06-30T15:00:00.000Z");
  CHECK(berlin("1975-07-01") == "1975-06-30T23:00:00.000Z");
  CHECK(understood("2026-07-01", Direction::ahead, "UTC") == "2026-07-01T00:00:00.000Z");
  for (const std::string zone : {"Europe/Nowhere", "../../etc/passwd", "/etc/passwd",
                                 "/usr/share/zoneinfo/UTC", "+2", "Europe", "", "tzdata.zi"}) {
    INFO(zone);
    CHECK_THROWS_AS(TimeZone(zone), Problem);
  }
}

TEST_CASE("every door says the instant that was understood") {
  MemorySession session(kNow);
  ask(session, "node_set", {{"id", "task-7"}, {"type", "TASK"}});
  const Json set = ask(session, "node_set", {{"id", "task-7"}, {"due_at", "friday"}});
  CHECK(set["node"]["due_at"] == "2026-01-09T23:59:00.000Z");
  CHECK(set["understood"] == Json{{"due_at", "2026-01-09T23:59:00.000Z"}});
  const Json exact =
      ask(session, "node_set", {{"id", "task-7"}, {"due_at", "2026-01-09T00:00:00Z"}});
  CHECK_FALSE(exact.contains("understood"));
  CHECK(ask(session, "rank", {{"as_of", "2d"}})["understood"]["as_of"] ==
        "2026-01-03T00:00:00.000Z");
  // The database names the zone.
  ask(session, "policy_set", {{"settings", {{"time_zone", "Asia/Tokyo"}}}});
  CHECK(ask(session, "policy_get", {{"keys", {"time_zone"}}})["settings"]["time_zone"] ==
        "Asia/Tokyo");
  CHECK(ask(session, "node_set",
            {{"id", "task-7"}, {"snoozed_until", "friday"}})["node"]["snoozed_until"] ==
        "2026-01-08T15:00:00.000Z");
  CHECK_THROWS_AS(ask(session, "policy_set", {{"settings", {{"time_zone", "Nowhere"}}}}), Problem);
  CHECK_THROWS_AS(ask(session, "policy_set", {{"toml", "time_zone = \"Nowhere\"\n"}}), Problem);
  CHECK_THROWS_AS(ask(session, "policy_set", {{"settings", {{"time_zone", ""}}}}), Problem);
  CHECK(ask(session, "node_set", {{"id", "task-7"}, {"estimate", "3h30m"}})["node"]["estimate"] ==
        12'600'000);
}

TEST_CASE("the name of a task is understood as its id, and what is deleted is what it is called") {
  MemorySession session(kNow);
  for (const char* id : {"task-1", "task-10", "other"})
    ask(session, "node_set",
        {{"id", id}, {"type", "TASK"}, {"name", std::string("Name of ") + id}});
  const auto problem = [&](const std::string& operation, const Json& request) {
    try {
      ask(session, operation, request);
    } catch (const Problem& p) {
      return p;
    }
    return Problem(ProblemType::failed, "it was done");
  };
  CHECK(ask(session, "node_get", {{"id", "task-1"}})["node"]["id"] == "task-1");
  CHECK(ask(session, "node_get", {{"id", "Name of task-10"}})["node"]["id"] == "task-10");
  CHECK(problem("node_get", {{"id", "o"}}).type == ProblemType::not_found);
  const Json linked = ask(session, "link",
                          {{"source", "Name of other"}, {"target", "task-10"}, {"type", "BLOCKS"}});
  CHECK(linked["edge"]["source"] == "other");
  CHECK(linked["understood"] == Json{{"source", "other"}});
  // A node that is made has the id that was given.
  CHECK(ask(session, "node_set", {{"id", "oth"}, {"type", "TASK"}})["created"] == true);
  CHECK(ask(session, "node_delete", {{"id", "oth"}})["id"] == "oth");
  for (const char* operation : {"node_delete", "node_get"})
    CHECK(problem(operation, {{"id", "oth"}}).type == ProblemType::not_found);
  CHECK(problem("outcome", {{"id", "oth"}, {"outcome", "success"}}).type == ProblemType::not_found);
  CHECK(problem("node_get", {{"id", "\xc3"}}).type == ProblemType::not_found);
}

}  // namespace
}  // namespace hebb::api
